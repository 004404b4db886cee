#!/usr/bin/env python3
"""Mixed messages for a long time, and the memory of lookalike stream by the minute.

    stream_soak.py --program target/release/lookalike --jars target/servers [--minutes 60] [--rate 150]

Sends about `--rate` messages a second: new documents, near-duplicates of recent ones, messages that came before, removals, and some that cannot be used. Every
ten minutes OpenSearch is killed and started again, and five minutes later Kafka is. Each minute prints a row: messages sent, documents and recorded duplicates in
OpenSearch, messages that have not arrived, and the memory of the stream without files (RssAnon) and with them (VmRSS).

The memory is flat if its maximum in the last third is not above that in the second third by more than a tenth. At the end each document must be in one place, in
OpenSearch or recorded on one that is, unless it was removed. No two documents may be similar beyond the share that the plan may miss. Exit code 1 if something is wrong.
"""
import argparse
import collections
import json
import pathlib
import random
import sys
import tempfile
import time

import servers
from stream import MISSED, Stream, true_pairs

WORDS = [f"w{number:x}" for number in range(20_000)]


class Load:
    """The messages, and what must be there in the end."""

    def __init__(self, seed):
        self.random, self.family = random.Random(seed), 0
        self.recent, self.sent = collections.deque(maxlen=20_000), 0
        # Of each family: the ids that were sent, and whether one was removed.
        self.families, self.removed = collections.defaultdict(set), set()

    def text(self, family, variant):
        words = random.Random(family).choices(WORDS, k=60 + family % 200)
        if variant:
            words[variant % len(words)] = f"variant{variant}"
        return " ".join(words)

    def document(self, family, variant):
        id = f"{family}-{variant}"
        self.families[family].add(id)
        self.recent.append((family, variant))
        value = json.dumps({"id": id, "url": f"https://example.org/{id}", "text": self.text(family, variant)})
        return f"{id}\t{value}\n"

    def message(self):
        self.sent += 1
        kind = self.random.random()
        if kind < 0.5 or not self.recent:
            self.family += 1
            return self.document(self.family, 0)
        family, variant = self.random.choice(self.recent)
        if kind < 0.85 and family not in self.removed:
            return self.document(family, self.random.randrange(1, 6))
        if kind < 0.95 and family not in self.removed:
            return self.document(family, variant)
        if kind < 0.98:
            # The whole family goes, and nothing of it comes again.
            self.removed.add(family)
            return "".join(f"{id}\t\n" for id in sorted(self.families[family]))
        return f"bad{self.sent}\t{{\n"

    def wrong(self, found):
        """What is wrong with the documents of the search index."""
        places, wrong = collections.Counter(found.keys()), []
        for document in found.values():
            places.update(duplicate["id"] for duplicate in document.get("duplicates", []))
        wrong += [f"{id} is in {count} places" for id, count in places.items() if count > 1]
        wrong += [f"{id} has no text" for id, document in found.items() if "text" not in document]
        for family, ids in self.families.items():
            there = {id for id in ids if places[id]}
            if family not in self.removed and there != ids:
                wrong.append(f"{sorted(ids - there)} are nowhere")
            if family in self.removed and there:
                wrong.append(f"{sorted(there)} were removed and are there")
        return wrong


def memory(process):
    """RssAnon and VmRSS in MB."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    figures = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith(("RssAnon", "VmRSS"))}
    return int(figures["RssAnon"]) / 1000, int(figures["VmRSS"]) / 1000


def is_flat(samples):
    third = len(samples) // 3
    second, last = max(samples[third : 2 * third]), max(samples[2 * third :])
    print(f"memory: {second:.0f} MB at most in the second third, {last:.0f} MB in the last")
    return last <= 1.1 * second


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--rate", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-soak-") as folder:
        wrong = run(arguments, pathlib.Path(folder))
    for sentence in wrong[:20]:
        print(f"wrong: {sentence}")
    sys.exit(1 if wrong else 0)


def run(arguments, work):
    kafka, search = servers.Kafka(arguments.jars, work / "kafka"), servers.Search(arguments.jars, work / "search")
    stream, load = Stream(arguments, kafka, search, work / "seen.index", work / "stream.log"), Load(arguments.seed)
    with servers.ending([stream, kafka, search], [stream.log]):
        for process in (kafka, search, stream):
            process.start()
        samples = send(arguments, load, kafka, search, stream)
        stream.process.terminate()
        stream.process.wait()
        stream.finish()
        found = search.documents("pages")
    wrong = load.wrong(found)
    corpus = work / "found.jsonl"
    corpus.write_text("".join(json.dumps({"id": id, "text": document.get("text", "")}) + "\n" for id, document in found.items()))
    left, possible = len(true_pairs(arguments.program, corpus, work)), sum(len(ids) - 1 for ids in load.families.values())
    print(f"{load.sent} messages, {len(load.families)} families, {len(load.removed)} removed; {len(found)} documents, {left} pairs among them")
    if left > MISSED * possible:
        wrong.append(f"{left} pairs are in the search index")
    return wrong + ([] if is_flat(samples) else ["the memory grows"])


def send(arguments, load, kafka, search, stream):
    """Sends messages, and disturbs the servers. Returns the private memory of the stream by the second."""
    samples = []
    for minute in range(arguments.minutes):
        if minute % 10 == 9:
            search.kill()
            search.start()
        if minute % 10 == 4:
            kafka.kill()
            kafka.start()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            until = time.monotonic() + 1
            kafka.produce("pages", [load.message() for _ in range(arguments.rate)])
            samples.append(memory(stream.process)[0])
            time.sleep(max(0, until - time.monotonic()))
        anonymous, all_memory = memory(stream.process)
        print(f"{minute + 1} min: {load.sent} sent, {stream.arrived()} arrived, {anonymous:.0f} MB, {all_memory:.0f} MB with files", flush=True)
    return samples


if __name__ == "__main__":
    main()
