#!/usr/bin/env python3
"""Writes to a data stream of a real OpenSearch, and ids of more than 512 bytes to an index.

    stream_data_stream.py --program target/debug/lookalike --jars target/servers [--engine opensearch-2.19.1]

Needs Java 17 and Maven. New documents must be in the data stream, duplicates must be dropped, and a removal, and a document without a time,
must go to the dead letters. Messages that come again must change nothing, until the data stream has another backing index: then they are there
twice, as docs/stream.md says. What changes documents must be refused by name. Elasticsearch by Maven has no data streams. Exit code 1 if
something is wrong.
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

import servers

DATA_STREAM, INDEX = "logs", "pages"
TIME = "2026-11-30T10:00:00Z"


def text(name):
    return " ".join(f"{name}{word}" for word in range(50))


def line(id, name, **more):
    return json.dumps({"id": id, "text": text(name), **more}) + "\n"


class Runs:
    """Runs of the program, and what is wrong with them."""

    def __init__(self, program, search, work):
        self.program, self.search, self.work, self.wrong = program, search, work, []

    def run(self, lines, to, *options, group="g"):
        """What the program says. Its dead letters are added to those of the runs before."""
        source = self.work / "in.jsonl"
        source.write_text("".join(lines))
        command = [
            self.program, "stream", "--from", source, "--to", f"{self.search.url}/{to}", "--index", self.work / f"{to}.index",
            "--dead-letters", self.work / "dead.jsonl", "--group", group, "--stop-at-end", *options,
        ]
        return subprocess.run(command, capture_output=True, text=True, timeout=120).stderr

    def dead(self):
        return {json.loads(letter)["place"].rsplit(":")[-1]: json.loads(letter)["reason"] for letter in (self.work / "dead.jsonl").open()}

    def hits(self, name):
        """The ids of all documents, in their order."""
        self.search.ask(f"/{name}/_refresh", method="POST")
        return sorted(hit["_id"] for hit in self.search.ask(f"/{name}/_search?size=100")["hits"]["hits"])

    def expect(self, what, found, wanted):
        is_right = found == wanted
        print(f"{'right' if is_right else 'wrong'}: {what}" + ("" if is_right else f": {found!r} in place of {wanted!r}"))
        self.wrong += [] if is_right else [what]


def data_stream(runs):
    runs.search.ask(f"/_index_template/{DATA_STREAM}", {"index_patterns": [DATA_STREAM], "data_stream": {}}, method="PUT")
    runs.search.ask(f"/_data_stream/{DATA_STREAM}", method="PUT")
    for options in ([], ["--duplicates", "drop", "--ttl", "30d"], ["--duplicates", "copies"]):
        said = runs.run([line("a", "a", **{"@timestamp": TIME})], DATA_STREAM, *options)
        runs.expect(f"{options} are refused by name", f"error: {DATA_STREAM} is a data stream" in said, True)
    runs.expect("nothing is written before", runs.hits(DATA_STREAM), [])
    long = "x" * 513
    lines = [
        line("a", "a", **{"@timestamp": TIME}), line("b", "a", **{"@timestamp": TIME}), line(long, "c", **{"@timestamp": TIME}),
        line("d", "d"), '{"id": "a", "removed": true}\n',
    ]
    expected = sorted(["a", hashlib.sha256(long.encode()).hexdigest()])
    drop = ["--duplicates", "drop"]
    runs.run(lines, DATA_STREAM, *drop)
    runs.expect("new documents are created", runs.hits(DATA_STREAM), expected)
    dead = runs.dead()
    runs.expect("what cannot be in a data stream is dead", sorted(dead), ["4", "5"])
    runs.run(lines, DATA_STREAM, *drop, group="again")
    runs.expect("messages that come again change nothing", runs.hits(DATA_STREAM), expected)
    runs.search.ask(f"/{DATA_STREAM}/_rollover", method="POST")
    runs.run(lines, DATA_STREAM, *drop, group="after a rollover")
    runs.expect("another backing index takes them again", runs.hits(DATA_STREAM), sorted(expected * 2))


def long_ids(runs):
    """Ids of which one is as long as engines take them, in an index, with recorded duplicates."""
    ids = ["x" * 512, "y" * 513]
    hashes = [ids[0], hashlib.sha256(ids[1].encode()).hexdigest()]
    lines = [line(ids[0], "a"), line(ids[1], "c"), line("b", "c")]
    runs.run(lines, INDEX)
    documents = runs.search.documents(INDEX)
    runs.expect("a long id is hashed", sorted(documents), sorted(hashes))
    runs.expect("its document has it", documents[hashes[1]].get("lookalike_id"), ids[1])
    runs.expect("duplicates are recorded on it", [duplicate["id"] for duplicate in documents[hashes[1]]["duplicates"]], ["b"])
    removals = [json.dumps({"id": id, "removed": True}) + "\n" for id in ids]
    runs.run([*lines, *removals], INDEX)
    runs.expect("a removal finds it", runs.hits(INDEX), [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    servers.option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lookalike-data-stream-") as folder:
        work = pathlib.Path(folder)
        search = servers.Search(arguments.jars, work / "engine", arguments.engine)
        runs = Runs(arguments.program, search, work)
        with servers.ending([search], [search.log]):
            search.start()
            data_stream(runs)
            long_ids(runs)
    sys.exit(1 if runs.wrong else 0)


if __name__ == "__main__":
    main()
