#!/usr/bin/env python3
"""Takes a disk, a broker and a search engine away from lookalike stream, and gives them back.

    stream_faults.py --program target/debug/lookalike --jars target/servers [--documents 6000] [--seconds 15] [--engine opensearch-2.19.1]

Needs root to mount a small file system for the index, and what stream.py needs. While documents arrive, for some seconds

    the disk of the index is full
    the broker does not answer (SIGSTOP), and then is gone (SIGKILL)
    the search engine does not answer, and then is gone

Each time the process must live, /ready must say by 503 which part does not work, and nothing may arrive that the missing part is needed for. When the part is
back, all must go on. At the end the check of stream.py must hold for all documents. Exit code 1 if something is wrong.
"""
import argparse
import contextlib
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import servers
from stream import Stream, check, families, found_by, true_pairs

DISK_BYTES = 48 << 20


class Disk:
    """A small file system for the index, which another file fills."""

    name = "the index"

    def __init__(self, folder):
        self.folder, self.filler = folder, folder / "filler"
        folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", folder], check=True)

    def take(self):
        with self.filler.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def give(self):
        self.filler.unlink()

    def close(self):
        subprocess.run(["umount", "-l", self.folder], check=True)


class Stopped:
    """A server that does not answer: connections to it hang."""

    def __init__(self, name, server):
        self.name, self.server = name, server

    def take(self):
        self.server.process.send_signal(signal.SIGSTOP)

    def give(self):
        self.server.process.send_signal(signal.SIGCONT)


class Gone:
    """A server that was killed: connections to it are refused."""

    def __init__(self, name, server):
        self.name, self.server = name, server

    def take(self):
        self.server.kill()

    def give(self):
        self.server.start()


def ready(stream):
    """The status and the body of /ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{stream.port}/ready", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def private_memory(stream):
    """Private memory of the process in MB."""
    status = pathlib.Path(f"/proc/{stream.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")) / 1000


def suffer(stream, fault, seconds, more):
    """Takes something away while messages come, and gives it back. Returns what was wrong."""
    before, wrong = stream.arrived(), []
    fault.take()
    begin, said = time.monotonic(), None
    more()
    # librdkafka says that a broker hangs after a minute.
    while said is None and time.monotonic() < begin + 120:
        status, body = ready(stream)
        if status == 503:
            said = body.strip()
        time.sleep(0.1)
    said_after = time.monotonic() - begin
    time.sleep(1)
    at, memory = stream.arrived(), private_memory(stream)
    time.sleep(seconds)
    if said is None or not said.startswith(fault.name):
        wrong.append(f"/ready says {said!r} while {fault.name} does not work")
    if fault.name != "the source" and stream.arrived() != at:
        wrong.append(f"messages have arrived although {fault.name} does not work")
    if stream.process.poll() is not None:
        wrong.append("the stream has ended")
    grown = private_memory(stream) - memory
    fault.give()
    back, end = time.monotonic(), time.monotonic() + 120
    while (ready(stream)[0] != 200 or stream.arrived() == before) and time.monotonic() < end:
        time.sleep(0.1)
    if time.monotonic() >= end:
        wrong.append(f"nothing goes on after {fault.name} is back: {ready(stream)}")
    kind = type(fault).__name__
    print(f"{kind} {fault.name}: /ready says it after {said_after:.1f} s; memory {grown:+.1f} MB in {seconds} s; goes on after {time.monotonic() - back:.1f} s", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=6000)
    parser.add_argument("--seconds", type=int, default=15)
    servers.option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-faults-") as folder:
        wrong = run(arguments, pathlib.Path(folder))
    for sentence in wrong[:20]:
        print(f"wrong: {sentence}")
    sys.exit(1 if wrong else 0)


def run(arguments, work):
    documents = families(arguments.documents, random.random())
    corpus = work / "corpus.jsonl"
    corpus.write_text("".join(json.dumps(document) + "\n" for document in documents))
    pairs = true_pairs(arguments.program, corpus, work)
    kafka, search = servers.Kafka(arguments.jars, work / "kafka"), servers.Search(arguments.jars, work / "search", arguments.engine)
    disk = Disk(work / "disk")
    stream = Stream(arguments, kafka, search, disk.folder / "seen.index", work / "stream.log")
    faults = [
        disk,
        Stopped("the destination", search), Gone("the destination", search),
        Stopped("the source", kafka), Gone("the source", kafka),
    ]
    # Some before each fault, some while it lasts, and the rest at the end.
    parts = 2 * len(faults) + 1
    shares = [documents[number * len(documents) // parts : (number + 1) * len(documents) // parts] for number in range(parts)]

    def produce(share):
        kafka.produce("pages", (f"{document['id']}\t{json.dumps(document)}\n" for document in share))

    wrong = []
    with contextlib.closing(disk), servers.ending([stream, kafka, search], [stream.log]):
        kafka.start()
        search.start()
        stream.start()
        for number, fault in enumerate(faults):
            before, during = shares[2 * number], shares[2 * number + 1]
            produce(before)
            while ready(stream)[0] != 200:
                time.sleep(0.1)
            is_source = fault.name == "the source"
            wrong += suffer(stream, fault, arguments.seconds, lambda: None if is_source else produce(during))
            if is_source:
                produce(during)
        produce(shares[-1])
        stream.process.send_signal(signal.SIGTERM)
        stream.process.wait()
        stream.finish()
        wrong += check(documents, found_by(search), pairs, search.has_modules)[0]
    return wrong


if __name__ == "__main__":
    main()
