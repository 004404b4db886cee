#!/usr/bin/env python3
"""Sets the clock of a service back and forth, and checks that nothing is lost by it.

    clock.py --program target/debug/examples/small_files

Needs libfaketime (Debian: libfaketime), which gives the process a clock of its own. Documents without `ttl` are there at every time, and every text is a
duplicate of itself. A document with a `ttl` of 100 seconds is there before, and 410 after, also if the clock passes that moment several times. If
the clock was an hour after it, the document may be gone for good: 404. An id whose document has expired is free. All this holds after SIGKILL, whatever the clock says when the service starts.
"""
import argparse
import pathlib
import sys
import tempfile
import time

from service import Service, text_of

NOON = 1_800_000_000
DAY = 86_400
HOUR = 3600
# Back, forward, the first second, the last second of 32 bits and beyond.
JUMPS = [0, -1, -DAY, 3, DAY, 50, -400 * DAY, 20 * 365 * DAY, 99, -NOON + 5, (1 << 32) - NOON - 2, (1 << 32) - NOON + 10, 101, 10]
LIBRARIES = ["/usr/lib/*/faketime/libfaketime.so.1", "/usr/lib64/faketime/libfaketime.so.1"]


def library():
    for pattern in LIBRARIES:
        for path in pathlib.Path("/").glob(pattern[1:]):
            return str(path)
    raise SystemExit("there is no libfaketime: install it, Debian calls it libfaketime")


class Trial:
    def __init__(self, arguments, folder):
        self.program, self.folder, self.clock = arguments.program, folder / "seen.index", folder / "clock"
        # The second at which each document expires, or None.
        self.expires, self.texts = {}, {}
        # The latest second at which a document was added.
        self.latest = 0
        self.set(NOON)
        self.start()

    def start(self):
        environment = {
            "LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1",
            # Timers go on, as they do when somebody sets the clock.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC",
        }
        self.service = Service(self.program, self.folder, environment=environment)
        self.client = self.service.client()

    def set(self, second):
        self.now = second
        self.clock.write_text(time.strftime("%Y-%m-%d %H:%M:%S\n", time.gmtime(second)))

    def add(self, id, text, ttl=None):
        more = {} if ttl is None else {"ttl": ttl}
        status, answer = self.client.add(id, text, **more)
        assert status == 201, f"{id} at {self.now}: {status} {answer}"
        # The service counts up to the last second of 32 bits.
        now = min(self.now, (1 << 32) - 1)
        self.latest = max(self.latest, now)
        self.expires[id], self.texts[id] = None if ttl is None else min(now + ttl, (1 << 32) - 1), text

    def check(self):
        now = min(self.now, (1 << 32) - 1)
        for id, text in self.texts.items():
            has_expired = self.expires[id] is not None and self.expires[id] <= now
            # Documents that expired an hour before are dropped, whatever the clock says later.
            is_dropped = self.expires[id] is not None and self.expires[id] + HOUR <= self.latest
            status, answer = self.client.read(id)
            if is_dropped and status == 404:
                assert self.client.check(text)[1]["match"] is None, f"check of {id} at {self.now}, which was dropped"
                continue
            assert status == (410 if has_expired else 200), f"{id} expires at {self.expires[id]}, at {self.now}: {status} {answer}"
            assert has_expired or answer["text"] == text, f"{id}: another text"
            status, answer = self.client.check(text)
            found = answer["match"] and answer["match"]["id"]
            assert status == 200 and found == (None if has_expired else id), f"check of {id} at {self.now}: {status} {answer}"

    def run(self):
        for step, jump in enumerate(JUMPS):
            self.set(NOON + jump)
            for number in range(30):
                id = f"{step}-{number}"
                self.add(id, text_of(id), ttl=100 if number % 3 == 0 else None)
            self.check()
            # Its document has expired here, and not there. The id is free, and the new document stays.
            if step and jump >= 0 and self.expires["0-3"] <= min(self.now, (1 << 32) - 1):
                self.add("0-3", text_of(f"again {step}"), ttl=100)
            self.check()
            if step % 3 == 2:
                self.service.kill()
                self.start()
                self.check()
        for second in (NOON, NOON + 100, NOON + 99, 5, (1 << 32) + 5, NOON):
            self.set(second)
            self.check()
        assert self.service.stop() == 0, self.service.printed()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        trial = Trial(arguments, pathlib.Path(temporary))
        try:
            trial.run()
        except AssertionError as wrong:
            print(wrong, file=sys.stderr)
            return 1
        finally:
            trial.service.kill()
    print(f"{len(JUMPS)} jumps of the clock: {len(trial.texts)} documents kept, those that expired and those that did not")
    return 0


if __name__ == "__main__":
    sys.exit(main())
