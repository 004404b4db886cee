#!/usr/bin/env python3
"""Takes the room of a service away, and gives it back.

    full_disk.py --program target/debug/examples/small_files [--disk] [--cycles 3]

With `--disk` the index is on a file system of 4 MiB in memory that another file fills; mounting it needs root. Otherwise the files of the process
may not grow beyond a size (RLIMIT_FSIZE), which needs nothing. In each cycle:

    with room       documents are added and removed
    without         each change is answered with 507, `/ready` with 503, and checks and reads go on with right answers
                    the process may also be killed, and started again without room, or stopped: it ends with exit code 1, and loses nothing
    with room       changes succeed again within ten seconds, and every change that was acknowledged is there, also after SIGKILL

Exit code 1 if an answer is another one.
"""
import argparse
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

from service import Refused, Service, text_of

DISK_BYTES = 4 << 20


class Wrong(Exception):
    """The service does not do what it says."""


def require(condition, message):
    if not condition:
        raise Wrong(message)


class Disk:
    """A small file system, which another file fills."""

    def __init__(self, folder):
        self.folder, self.filler = folder, folder / "filler"
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder], check=True)

    def prepare(self):
        pass

    def take(self, _service, rest=0):
        with self.filler.open("ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        os.truncate(self.filler, max(0, self.filler.stat().st_size - rest))

    def give(self, _service):
        self.filler.unlink(missing_ok=True)

    def close(self):
        subprocess.run(["umount", self.folder], check=True)


class Limit:
    """A limit on the size of each file of the process."""

    def __init__(self, folder):
        self.folder, self.bytes = folder, resource.RLIM_INFINITY

    def set(self, pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (self.bytes, resource.RLIM_INFINITY))

    def prepare(self):
        # `lookalike` ignores it by itself.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        self.set(0)

    def take(self, service, rest=0):
        # Less than a file of the log of `small_files`, which would not grow to the limit.
        self.bytes = 48 + min(rest, 20_000)
        self.set(service.pid())

    def give(self, service):
        self.bytes = resource.RLIM_INFINITY
        if service:
            self.set(service.pid())

    def close(self):
        pass


class Trial:
    def __init__(self, arguments, room):
        self.arguments, self.room, self.folder = arguments, room, room.folder / "seen.index"
        self.there, self.removed, self.count, self.refused, self.stops = {}, set(), 0, 0, 0
        self.start()

    def start(self):
        self.service = Service(self.arguments.program, self.folder, prepare=self.room.prepare)
        self.client = self.service.client()

    def add(self):
        """Adds one document. Returns the status."""
        self.count += 1
        id = f"d{self.count}"
        text = text_of(id)
        status, answer = self.client.add(id, text)
        require(status in (201, 429, 507), f"{id}: {status} {answer}")
        if status == 201:
            self.there[id] = text
        else:
            self.removed.add(id)
            self.refused += status == 507
            require(status == 429 or answer["code"] == "disk_full", f"{id}: {answer}")
        return status

    def remove(self):
        id = next(iter(self.there))
        status, answer = self.client.remove(id)
        require(status in (204, 507), f"remove {id}: {status} {answer}")
        if status == 204:
            del self.there[id]
            self.removed.add(id)

    def check(self, of=None):
        for id, text in list(self.there.items())[-of if of else 0:]:
            status, answer = self.client.read(id)
            require(status == 200 and answer["text"] == text, f"{id}: {status} {answer}")
            status, answer = self.client.check(text)
            require(status == 200 and answer["match"] and answer["match"]["id"] == id, f"check of {id}: {status} {answer}")
        for id in list(self.removed)[-of if of else 0:]:
            status, answer = self.client.check(text_of(id))
            require(status == 200 and answer["status"] == "new", f"check of {id}, which is not there: {status} {answer}")

    def fill(self, most):
        """Adds documents until there is no room."""
        for step in range(most):
            if self.add() == 507:
                return
            if step % 9 == 0:
                self.remove()
        raise Wrong(f"{most} documents had room")

    def without_room(self, rest):
        self.room.take(self.service, rest)
        self.fill(3000)
        for _ in range(20):
            self.add()
        self.remove()
        self.check(of=30)
        if self.add() == 507:
            self.wait_for_ready(503)

    def wait_for_ready(self, expected):
        """`/ready` follows the last change, and the work in the background, which is tried again each second."""
        end = time.monotonic() + 10
        while self.client.ask("GET", "/ready")[0] != expected:
            require(time.monotonic() < end, f"/ready is not {expected}: {self.client.ask('GET', '/ready')}")
            require(expected == 503 or self.add() == 201, "a change fails, and there is room")
            time.sleep(0.02)

    def stopped(self):
        """Stops it without room: the newest documents cannot be made a run. The next start has them from the log."""
        code = self.service.stop()
        require(code in (0, 1), f"it ends with {code}: {self.service.printed()}")
        self.stops += code
        self.room.give(None)
        self.start()
        self.check()

    def again(self):
        """Starts it again, killed and without room. It may refuse to start, but says why."""
        self.service.kill()
        try:
            self.start()
            self.check(of=30)
            self.add()
            self.service.kill()
        except Refused as refused:
            require("cannot write" in str(refused), f"without room: {refused}")
        self.room.give(None)
        self.start()

    def with_room(self):
        self.room.give(self.service)
        end = time.monotonic() + 10
        while self.add() != 201:
            require(time.monotonic() < end, "changes do not succeed again")
            time.sleep(0.05)
        for _ in range(80):
            require(self.add() == 201, "a change fails, and there is room")
        self.wait_for_ready(200)
        self.check()

    def run(self, cycles):
        for cycle in range(cycles):
            for _ in range(100):
                self.add()
            # Room for a part of a frame, for some frames, or for a new file of the log and no run.
            self.without_room(rest=[0, 4096, 20_000, 50_000][cycle % 4])
            if cycle % 3 == 1:
                self.again()
            if cycle % 3 == 0:
                self.stopped()
            self.with_room()
            self.service.kill()
            self.start()
            self.check()
        require(self.service.stop() == 0, f"it does not end well: {self.service.printed()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--disk", action="store_true", help="a small file system")
    parser.add_argument("--cycles", type=int, default=4)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        room = (Disk if arguments.disk else Limit)(pathlib.Path(temporary))
        trial = None
        try:
            trial = Trial(arguments, room)
            trial.run(arguments.cycles)
        except Wrong as wrong:
            print(wrong, file=sys.stderr)
            return 1
        finally:
            if trial:
                trial.service.kill()
            room.close()
    print(f"{arguments.cycles} times without room: {trial.refused} changes refused, {trial.stops} stops without a run, {len(trial.there)} documents there, {len(trial.removed)} refused or removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
