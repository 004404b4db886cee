#!/usr/bin/env python3
"""Kills a service under load, or lets its disk fail, and checks after each round that all it had answered is still true.

    kills.py --program target/debug/examples/small_files --info target/debug/lookalike [--rounds 200] [--seed 1]

Needs strace. `small_files` is the service with small files: `cargo build -p lookalike-service --examples`. `lookalike` does too, and then its
files are large: few memtables are sealed. In each round workers add, remove and check documents, one by one and in bulk. The process
is killed by SIGKILL when a thread enters a random call of one kind, such as the seventh rename, or at a random time. Some rounds stop
the service by SIGTERM first, so that the kill comes while it closes. In other rounds calls of one kind fail from a random one on, or once:
the disk is full or broken, or there are too many open files. Each request must be answered within ten seconds then. It may be answered
with 500 or 507, and the kill follows. Then `index info --verify` must find no damage, and after the next start:

    every document that was answered with `added` is there with its whole text, and is found by a similar text
    what was removed is gone
    a text that was answered with `duplicate` has its original there, unless that was removed
    of the texts of a family no two were stored

Prints the points of the kills. Exit code 1 if an answer was contradicted.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import threading
import time

from ledger import GONE, THERE, Contradiction, Ledger, require
from service import Gone, Refused, Service, Slow, text_of

# Kinds of calls, and the most calls of a thread that a kill waits for.
POINTS = {
    "write,writev,pwrite64": 150,
    "writev": 40,
    "fdatasync": 40,
    "fsync": 25,
    "rename,renameat,renameat2": 8,
    "ftruncate": 1,
    "unlink,unlinkat": 8,
    "openat": 80,
    "mmap": 60,
}
# Kinds of calls that fail, the error, and the most calls of a thread before it.
ERRORS = [
    ("writev", "ENOSPC", 40),
    ("fdatasync", "EIO", 40),
    ("fdatasync", "ENOSPC", 40),
    ("fsync", "EIO", 25),
    ("rename", "EIO", 8),
    ("rename", "ENOSPC", 8),
    ("ftruncate", "EIO", 1),
    ("unlink", "EIO", 8),
    ("openat", "EMFILE", 80),
    ("openat", "ENOSPC", 80),
    ("pread64", "EIO", 40),
    ("mmap", "ENOMEM", 60),
]
FILE = re.compile(r"\b\d{6,}\.(log|run|links|removed|dictionary)|index\.lookalike(?:\.part)?|index\.lock|eventfd|TCP|socket")


class Load(threading.Thread):
    """One client. It owns the ids that it makes."""

    def __init__(self, service, ledger, round, worker, seed, stop):
        super().__init__(daemon=True)
        self.service, self.ledger, self.stop_asked = service, ledger, stop
        self.name_of = f"r{round}w{worker}"
        self.round, self.worker = round, worker
        self.random = random.Random(f"{seed} {round} {worker}")
        self.own, self.gone, self.count, self.step = [], [], 0, 0
        self.error = None

    def run(self):
        client = self.service.client(patience=10)
        steps = [self.similar] * 8 + [self.put] * 3 + [self.remove] * 3 + [self.again] + [self.bulk] * 2 + [self.seen] * 2
        try:
            while not self.stop_asked.is_set():
                self.random.choice(steps)(client)
        except Gone:
            pass
        except Exception as error:
            self.error = error

    def new_id(self):
        self.count += 1
        return f"{self.name_of}-{self.count}"

    def add(self, client, id, family, text, send):
        self.ledger.begin(id, family, text)
        self.ledger.answered(id, *send(id, text))
        if self.ledger.entries[id].states == {THERE}:
            self.own.append(id)

    def similar(self, client):
        # All workers are about the same families at about the same time.
        self.step += 1
        family = self.round * 100_000 + self.step
        self.add(client, self.new_id(), family, text_of(family, self.worker), client.add)

    def put(self, client):
        id = self.new_id()
        self.add(client, id, id, text_of(id), client.put)

    def again(self, client):
        """An id that was removed gets another text."""
        if self.gone:
            id = self.gone.pop()
            entry = self.ledger.entries[id]
            self.add(client, id, entry.family, text_of(entry.family, self.random.randrange(50)), client.add)

    def pick(self):
        self.own = [id for id in self.own if self.ledger.entries[id].states == {THERE}]
        return self.own.pop(self.random.randrange(len(self.own))) if self.own else None

    def remove(self, client):
        if id := self.pick():
            self.ledger.begin_removal(id)
            status, answer = client.remove(id)
            require(status in (204, 429, 500, 507), f"remove {id}: {status} {answer}")
            if status == 204:
                self.ledger.removed(id)
                self.gone.append(id)

    def bulk(self, client):
        ids = [self.new_id() for _ in range(self.random.choice([2, 6, 40]))]
        for id in ids:
            self.ledger.begin(id, id, text_of(id))
        answers = client.bulk("add", [{"id": id, "text": text_of(id)} for id in ids])
        for id, answer in zip(ids, answers):
            self.ledger.answered(id, answer.get("status") if "detail" in answer else 200, answer)
            self.own.append(id)
        for _ in answers:
            pass

    def seen(self, client):
        """A document that only this worker may remove is found."""
        if id := self.pick():
            self.own.append(id)
            entry = self.ledger.entries[id]
            if entry.family == id:
                status, answer = client.check(text_of(id, 77))
                is_found = status == 200 and answer["match"] and answer["match"]["id"] == id
                require(is_found or status == 500, f"check {id}: {status} {answer}")


def start(arguments, folder, point, trace):
    if point is None:
        return Service(arguments.program, folder)
    calls, happens, count = point
    around = ["strace", "-f", "-qq", "-y", "-o", trace, "-e", f"trace={calls}", "-e", f"inject={calls}:{happens}:when={count}"]
    return Service(arguments.program, folder, around=around, patience=20)


def choose(generator):
    """What happens in a round: nothing but the kill, a kill at a call, or an error of a call."""
    chance = generator.random()
    if chance < 0.15:
        return None
    if chance < 0.65:
        calls = generator.choice(list(POINTS))
        return calls, "signal=SIGKILL", generator.randint(1, POINTS[calls])
    calls, error, most = generator.choice(ERRORS)
    return calls, f"error={error}", f"{generator.randint(1, most)}{generator.choice(['', '+'])}"


def place_of(point, trace):
    """The call and the kind of file at which the process ended."""
    lines = [line for line in trace.read_text(errors="replace").splitlines() if "(" in line]
    # The thread that was killed in a call has an unfinished one.
    lines = [line for line in lines if line.endswith(("= ?", "<unfinished ...>"))] or lines
    if not lines:
        return point[0]
    call = lines[-1].split(None, 1)[1]
    file = FILE.search(call)
    return f"{call.split('(')[0]} {file[1] and '.' + file[1] or file[0] if file else 'other'}"


def load(arguments, service, ledger, round, generator, is_traced):
    """Runs the workers until the process is gone. Returns whether it had to be killed from outside."""
    stop = threading.Event()
    workers = [Load(service, ledger, round, worker, arguments.seed, stop) for worker in range(arguments.workers)]
    for worker in workers:
        worker.start()
    end = time.monotonic() + (2.5 * arguments.seconds if is_traced else generator.uniform(0.02, arguments.seconds))
    closes = time.monotonic() + generator.uniform(0.1, arguments.seconds) if generator.random() < 0.2 else end
    while service.process.poll() is None and time.monotonic() < min(end, closes):
        time.sleep(0.004)
    if service.process.poll() is None and closes < end:
        service.signal(15)
        while service.process.poll() is None and time.monotonic() < closes + 0.3:
            time.sleep(0.002)
    was_alive = service.process.poll() is None
    service.kill()
    stop.set()
    for worker in workers:
        worker.join(30)
        if worker.error:
            raise worker.error
        require(not worker.is_alive(), "a client still waits")
    return was_alive


def check(arguments, folder, ledger, generator, everything=False):
    """What `index info --verify` and a service say of the folder."""
    info = subprocess.run([arguments.info, "index", "info", folder, "--verify"], capture_output=True, text=True)
    require(info.returncode == 0, f"index info --verify: {info.stdout}{info.stderr}")
    service = Service(arguments.program, folder)
    others = sorted(set(ledger.entries) - ledger.touched)
    ids = sorted(ledger.touched) + (others if everything else generator.sample(others, min(len(others), 200)))
    ledger.check(service.client(), ids)
    ledger.touched.clear()
    return service


def one_round(arguments, folder, ledger, round, generator, point):
    """Runs a service until it is killed, and checks what is left. Returns how the process ended."""
    trace = pathlib.Path(f"{folder}.trace")
    is_error = point is not None and point[1].startswith("error")
    fails = is_error and f"{point[0]} fails: {point[1][6:]}"
    try:
        service = start(arguments, folder, point, trace)
        was_alive = load(arguments, service, ledger, round, generator, point is not None)
        require("panicked" not in service.printed(), service.printed())
        ended = fails or ("at a random time" if was_alive or not point else place_of(point, trace))
    except Refused as refused:
        # The kill, or the error, came while it started.
        require(is_error or "rror" not in str(refused) and point, f"it does not start: {refused}")
        # Without memory for a stack or a thread, Rust and tokio panic before there is a service, and threads may wait until they are killed.
        lacks_memory = is_error and point[0] == "mmap"
        require(lacks_memory or "panicked" not in str(refused), str(refused))
        ended = f"starting: {fails or place_of(point, trace)}"
    if (folder / "index.lookalike").exists():
        check(arguments, folder, ledger, generator).kill()
    else:
        require(all(GONE in entry.states for entry in ledger.entries.values()), "the index is not there")
    return ended


def rounds(arguments, folder, points):
    generator, ledger = random.Random(arguments.seed), Ledger()
    for round in range(arguments.rounds):
        point = choose(generator)
        try:
            points[one_round(arguments, folder, ledger, round, generator, point)] += 1
        except (Contradiction, Slow) as contradiction:
            raise Contradiction(f"{point}: {contradiction}") from contradiction
    service = check(arguments, folder, ledger, generator, everything=True)
    code = service.stop()
    require(code == 0, f"it ends with exit code {code}: {service.printed()}")
    check(arguments, folder, ledger, generator).kill()
    return ledger


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--info", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.4, help="load of a round, at most")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the index, which stays")
    arguments = parser.parse_args()
    points, begin = collections.Counter(), time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or pathlib.Path(temporary)) / "seen.index"
        try:
            ledger = rounds(arguments, folder, points)
        except Contradiction as contradiction:
            print(f"after {points.total()} kills: {contradiction}", file=sys.stderr)
            return 1
        files = max(int(file.name[:6]) for file in folder.glob("0*"))
    there = sum(entry.states == {THERE} for entry in ledger.entries.values())
    for place, count in sorted(points.items()):
        print(f"{count:5} {place}")
    print(
        f"{points.total()} kills in {time.monotonic() - begin:.0f} s: {ledger.answers:,} answers kept, {there:,} documents there, "
        f"{len(ledger.entries) - there:,} ids refused or removed, {files:,} files made"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
