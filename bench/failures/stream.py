#!/usr/bin/env python3
"""Kills lookalike stream, its Kafka and its search engine, and checks that no document is lost and no duplicate is there or recorded twice.

    stream.py --program target/debug/lookalike --jars target/servers [--documents 4000] [--kills 6] [--rounds 1] [--seed 1] [--input FILE.jsonl]
              [--instances N] [--engine opensearch-2.19.1]

Needs Java 17, Maven and kcat; some engines need Java 21. In each round all documents go to a topic with three partitions. While a stream reads it, one of the
three processes is killed by SIGKILL at a random time, and started again. At the end every document of the topic must be a document of the search index, or be
recorded on exactly one of these, by the exact similarity that `lookalike pairs --method exact` finds. Of a document and its duplicates, the one with the shortest
URL must be its canonical document. No two documents of the search index may be similar,
beyond the share that the search may miss: the recall of the plan. Then the topic comes again by another consumer group, and must change nothing.

The Elasticsearch of some versions has no Painless here. Duplicates then go to an index of their own, and no canonical document is chosen.

With --instances, so many streams share the topic and an index in Redis, which writes each change to the disk and is killed too.

Documents are families of texts of random words, or those of --input with the fields id and text. Exit code 1 if something is wrong.
"""
import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.request

import servers

# The share of pairs that may be missed: the plan finds 0.995 of those at the threshold, and more above it.
MISSED = 0.005
# The index of duplicates, if they are not recorded on documents.
DUPLICATES = "duplicates"


def families(count, seed):
    """Documents whose families have one to eight members, in a mixed order."""
    generator = random.Random(seed)
    words = [f"w{number:x}" for number in range(20_000)]
    documents, family = [], 0
    while len(documents) < count:
        text = generator.choices(words, k=generator.randint(60, 300))
        for variant in range(generator.choice([1, 1, 1, 2, 3, 8])):
            changed = list(text)
            if variant:
                changed[generator.randrange(len(text))] = f"variant{variant}"
            # Of different lengths, among which the shortest is chosen.
            url = f"https://example.org/{family}/{'x' * generator.randrange(20)}{variant}"
            documents.append({"id": f"{family}-{variant}", "url": url, "text": " ".join(changed)})
        family += 1
    documents = documents[:count]
    generator.shuffle(documents)
    return documents


def true_pairs(program, corpus, work):
    """The similarity of each pair of similar documents."""
    out = work / "pairs.jsonl"
    subprocess.run([program, "pairs", corpus, "-o", out, "--method", "exact", "-q"], check=True)
    pairs = (json.loads(line) for line in out.open())
    return {frozenset((pair["a"], pair["b"])): pair["jaccard"] for pair in pairs}


class Stream:
    """A stream that can be killed and started again."""

    def __init__(self, arguments, kafka, search, index, log, group="g"):
        self.port = servers.free_port()
        # So that another member may take over soon after a kill.
        settings = log.with_suffix(".kafka")
        settings.write_text("session.timeout.ms=3000\nheartbeat.interval.ms=500\n")
        self.command = [
            arguments.program, "stream", "--from", f"kafka://{kafka.address}/pages", "--to", f"{search.url}/pages",
            "--index", index, "--group", group, "--kafka-config", settings,
            *(["--canonical", "shortest-url"] if search.has_modules else ["--duplicates", DUPLICATES]),
        ]
        self.log = log
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*self.command, "--listen", f"127.0.0.1:{self.port}"], stderr=log)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def arrived(self):
        """Messages that have arrived since the start of the process."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=5) as answer:
                figures = answer.read().decode().splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in figures if line.startswith("lookalike_arrived_messages_total ")), 0)

    def finish(self):
        """Runs to the end of the topic."""
        with self.log.open("ab") as log:
            subprocess.run([*self.command, "--stop-at-end"], stderr=log, check=True, timeout=1800)


def disturb(generator, others, streams, kills, documents):
    """Kills one of the processes again and again, each when some more has arrived. Returns how often each was killed."""
    killed = collections.Counter()
    for stream in streams:
        stream.start()
    for _ in range(kills):
        # Somewhere in the work, or before it has begun.
        wanted, end = generator.randrange(documents // (kills + 1)), time.monotonic() + generator.uniform(0.1, 8)
        while sum(stream.arrived() for stream in streams) < wanted and time.monotonic() < end:
            time.sleep(0.02)
        victim = generator.choice([*others, generator.choice(streams), generator.choice(streams)])
        victim.kill()
        killed[type(victim).__name__] += 1
        victim.start()
    for stream in streams:
        stream.kill()
    return killed


def found_by(search):
    """All documents of the search index, each with its duplicates. What is recorded on a document that is not there makes one without an id."""
    found = search.documents("pages")
    if not search.has_modules:
        for duplicate in search.documents(DUPLICATES).values():
            found.setdefault(duplicate["duplicate_of"], {}).setdefault("duplicates", []).append(duplicate)
        for document in found.values():
            document.get("duplicates", []).sort(key=lambda duplicate: duplicate["id"])
    return found


def check(documents, found, pairs, chooses=True):
    """What is wrong with the documents of the search index. It `chooses` if each has a canonical document."""
    wrong = [f"{id} is not there, and has duplicates" for id, document in found.items() if "id" not in document]
    recorded = collections.Counter()
    for id, document in found.items():
        for duplicate in document.get("duplicates", []):
            recorded[duplicate["id"]] += 1
            true = pairs.get(frozenset((id, duplicate["id"])))
            if true is None or abs(true - duplicate["similarity"]) > 1e-6:
                wrong.append(f"{duplicate} is recorded on {id}, and their similarity is {true}")
        if not chooses:
            continue
        # Of equal ones the first is chosen.
        best = min([document, *document.get("duplicates", [])], key=lambda one: len(one["url"]))
        if document["lookalike_canonical"]["url"] != best["url"]:
            wrong.append(f"{document['lookalike_canonical']} is the canonical document of {id}, in place of {best['id']}")
    for document in documents:
        places = recorded[document["id"]] + (document["id"] in found)
        if places != 1:
            wrong.append(f"{document['id']} is in {places} places")
    wrong += [f"{id} was never sent" for id in found.keys() - {document["id"] for document in documents}]
    left = sum(1 for pair in pairs if all(id in found for id in pair))
    if left > MISSED * len(pairs):
        wrong.append(f"{left} of {len(pairs)} pairs are in the search index")
    return wrong, left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--input", type=pathlib.Path)
    parser.add_argument("--instances", type=int, default=0)
    servers.option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-stream-") as folder:
        work = pathlib.Path(folder)
        if arguments.input:
            lines = arguments.input.read_text().splitlines()[: arguments.documents]
            documents = [{key: value for key, value in json.loads(line).items() if key in ("id", "text", "url")} for line in lines]
        else:
            documents = families(arguments.documents, arguments.seed)
        corpus = work / "corpus.jsonl"
        corpus.write_text("".join(json.dumps(document) + "\n" for document in documents))
        pairs = true_pairs(arguments.program, corpus, work)
        print(f"{len(documents)} documents, {len(pairs)} similar pairs")
        all_right = all([round(arguments, work, documents, pairs, number) for number in range(arguments.rounds)])
    sys.exit(0 if all_right else 1)


def round(arguments, work, documents, pairs, number):
    generator = random.Random(f"{arguments.seed} {number}")
    kafka, search = servers.Kafka(arguments.jars, work / f"kafka{number}"), servers.Search(arguments.jars, work / f"search{number}", arguments.engine)
    others, index = [kafka, search], work / f"seen{number}.index"
    if arguments.instances:
        others.append(servers.Redis(work / f"redis{number}"))
        index = others[-1].address
    logs = [work / f"stream{number}-{instance}.log" for instance in range(arguments.instances or 1)]
    streams = [Stream(arguments, kafka, search, index, log) for log in logs]
    begin = time.monotonic()
    with servers.ending([*streams, *others], logs):
        for server in others:
            server.start()
        kafka.produce("pages", (f"{document['id']}\t{json.dumps(document)}\n" for document in documents))
        killed = disturb(generator, others, streams, arguments.kills, len(documents))
        streams[0].finish()
        found = found_by(search)
        wrong, left = check(documents, found, pairs, search.has_modules)
        Stream(arguments, kafka, search, index, logs[0], group="again").finish()
        if found_by(search) != found:
            wrong.append("messages that came again have changed something")
        if not arguments.instances:
            information = subprocess.run([arguments.program, "index", "info", index, "--verify"], capture_output=True, text=True)
            wrong += [information.stderr] if information.returncode != 0 else []
    for server in others:
        servers.remove(server.work)
    kills = ", ".join(f"{name} {count}" for name, count in sorted(killed.items()))
    print(f"round {number}: {len(found)} documents, {left} pairs among them; kills: {kills}; {time.monotonic() - begin:.0f} s", flush=True)
    for sentence in wrong[:20]:
        print(f"  wrong: {sentence}")
    return not wrong


if __name__ == "__main__":
    main()
