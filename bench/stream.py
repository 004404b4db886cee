#!/usr/bin/env python3
"""The speed of lookalike stream, beside programs that do less.

    stream.py --program target/release/lookalike --jars target/servers --corpus corpus.jsonl [--messages 400000] [--search 60000] [--rounds 3]

    verdict   messages of 1 KB from a topic of Kafka to verdicts (`--to /dev/null`), in turns with `kcat`, which writes them to /dev/null
    search    the first messages to OpenSearch, in turns with a feed that computes nothing: it reads the topic by kcat, and creates a document for each message by
              the same `_bulk` requests of 5 MiB. OpenSearch has one processor for itself, and the others share the rest: so it has the same in both

The messages are pieces of 900 bytes of the texts of the corpus, in one partition. Prints seconds, messages a second and the ratio of each pair.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "failures"))
import servers

REQUEST_BYTES = 5 << 20
PIECE = 900


def pieces(corpus, count):
    """Messages of a key and a document."""
    made = 0
    for line in corpus.open():
        document = json.loads(line)
        text = document["text"]
        for start in range(0, len(text) - PIECE // 2, PIECE):
            id = f"{document['id']}-{start}"
            yield f"{id}\t" + json.dumps({"id": id, "url": f"https://example.org/{id}", "text": text[start : start + PIECE]}, ensure_ascii=False) + "\n"
            made += 1
            if made == count:
                return


def timed(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


class Bench:
    def __init__(self, arguments, work, kafka, search):
        self.arguments, self.work, self.kafka, self.search, self.runs = arguments, work, kafka, search, 0

    def stream(self, topic, to):
        self.runs += 1
        index = self.work / f"seen{self.runs}.index"
        return timed([
            self.arguments.program, "stream", "--from", f"kafka://{self.kafka.address}/{topic}", "--to", to, "--index", index, "--group", f"g{self.runs}", "--stop-at-end",
        ])

    def kcat(self, topic):
        return timed(["kcat", "-b", self.kafka.address, "-C", "-t", topic, "-e", "-q"])

    def feed(self, topic, index):
        """Creates a document for each message."""
        begin = time.monotonic()
        reader = subprocess.Popen(["kcat", "-b", self.kafka.address, "-C", "-t", topic, "-e", "-q", "-f", "%k\t%s\n"], stdout=subprocess.PIPE)
        request = bytearray()
        for line in reader.stdout:
            key, _, document = line.partition(b"\t")
            request += b'{"create":{"_index":"%s","_id":%s}}\n' % (index.encode(), json.dumps(key.decode()).encode()) + document
            if len(request) >= REQUEST_BYTES:
                self.send(request)
                request.clear()
        self.send(request)
        return time.monotonic() - begin

    def send(self, request):
        address = f"http://{self.search.address}/_bulk?filter_path=items.*.status,items.*.error"
        asked = urllib.request.Request(address, bytes(request), {"Content-Type": "application/x-ndjson"})
        with urllib.request.urlopen(asked, timeout=600) as answer:
            answer.read()


def report(name, messages, ours, theirs, other):
    ratios = [their / our for our, their in zip(ours, theirs)]
    for what, seconds in (("lookalike stream", ours), (other, theirs)):
        print(f"{name}: {what} {statistics.median(seconds):.2f} s, {messages / statistics.median(seconds):,.0f} messages a second")
    print(f"{name}: ratio of the speeds {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--messages", type=int, default=400_000)
    parser.add_argument("--search", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-bench-") as folder:
        work = pathlib.Path(folder)
        kafka, search = servers.Kafka(arguments.jars, work / "kafka"), servers.Search(arguments.jars, work / "search")
        with servers.ending([kafka, search]):
            kafka.start()
            search.start()
            measure(arguments, Bench(arguments, work, kafka, search))


def measure(arguments, bench):
    for topic, count in (("all", arguments.messages), ("some", arguments.search)):
        command = ["kcat", "-b", bench.kafka.address, "-P", "-t", topic, "-p", "0", "-K", "\t"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, text=True) as producer:
            producer.stdin.writelines(pieces(arguments.corpus, count))
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        ours.append(bench.stream("all", "/dev/null"))
        theirs.append(bench.kcat("all"))
    report("verdict", arguments.messages, ours, theirs, "kcat")
    subprocess.run(["taskset", "-a", "-p", "-c", "0", str(bench.search.process.pid)], check=True, stdout=subprocess.DEVNULL)
    os.sched_setaffinity(0, os.sched_getaffinity(0) - {0})
    bench.feed("some", "warm")
    ours, theirs = [], []
    for number in range(arguments.rounds):
        ours.append(bench.stream("some", f"opensearch://{bench.search.address}/unique{number}"))
        theirs.append(bench.feed("some", f"everything{number}"))
    report("search", arguments.search, ours, theirs, "a feed that computes nothing")
    for index in ("unique0", "everything0"):
        bench.search.ask(f"/{index}/_refresh", method="POST")
        print(f"{index}: {bench.search.ask(f'/{index}/_count')['count']} documents")


if __name__ == "__main__":
    main()
