#!/usr/bin/env python3
"""Makes search engines refuse what lookalike stream sends, in many ways, and prints each answer and what the stream does with it.

    stream_refusals.py --program target/debug/lookalike --jars target/servers [--engine opensearch-2.19.1 ...]

Needs Java 17 and Maven; some engines need Java 21. A refusal that somebody can mend at the server must make the stream wait: /ready names it, no document goes to the
dead letters, and all documents are in the index after it was mended. A refusal of one document must send this document to the dead letters, and the others to the
index. The last cases need settings of the node: it is started with them, and mended by another start. The answers of several engines stand in one table. Exit code
1 if something is wrong.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from typing import NamedTuple

import servers

# Of the whole request. The longest request of the stream has 5 MiB.
MOST_BYTES = 2_000_000
PATIENCE = 60
# Settings of every node, and those of the last cases.
SETTINGS = {"http.max_content_length": f"{MOST_BYTES}b"}
LIMITS = {"indexing_pressure.memory.limit": "60kb", "script.allowed_types": "none"}
WAITS, DEAD, TAKEN, EITHER = "waits", "dead letter", "taken", "waits or taken"


class Case(NamedTuple):
    name: str
    # What must happen to the document "b", which comes between "a" and "c".
    outcome: str
    # Fields of the document "b", and of the others, in JSON.
    fields: str = '"n": 1'
    others: str = '"n": 1'
    # The properties and the settings of the index. Without either, there is no index.
    properties: dict | None = None
    index: dict | None = None
    # Requests that make it refuse, and those that mend it: method, path and body. {index} is the name of the index.
    before: tuple = ()
    mend: tuple = ()
    # More lines at the end, and where duplicates go.
    more: tuple = ()
    duplicates: str = "drop"
    # Documents that are in the index at the end, if all is taken.
    documents: str = "abc"
    # What not every engine has here: scripts or pipelines.
    needs: str | None = None


def cluster(name, value):
    return ("PUT", "/_cluster/settings", {"persistent": {name: value}})


def block(name, value):
    return ("PUT", "/{index}/_settings", {f"index.blocks.{name}": value})


def aliases(**more):
    return {"actions": [{"add": {"index": "{index}-1", "alias": "{index}", **more}}, {"add": {"index": "{index}-2", "alias": "{index}"}}]}


def text(id):
    return " ".join(f"{id}{word}" for word in range(50))


BYTES = "x" * 900_000

CASES = [
    Case("a text in a field of numbers", DEAD, '"n": "many"', properties={"n": {"type": "integer"}}),
    Case("a field that a strict mapping does not have", DEAD, '"more": 1', properties={"id": {"type": "keyword"}, "text": {"type": "text"}, "n": {"type": "integer"}}, index={"strict": True}),
    Case("more fields than `total_fields.limit`", DEAD, '"n": 1, "f1": 1, "f2": 1', index={"index.mapping.total_fields.limit": 5}),
    Case("a keyword of 40,000 bytes", DEAD, f'"n": "{"x" * 40_000}"', properties={"n": {"type": "keyword"}}),
    Case("a field twice", DEAD, '"n": 1, "n": 2'),
    Case("a field without a name", DEAD, '"f": {"": 1}'),
    Case("a field `_id`", DEAD, '"_id": 1'),
    Case("a document longer than `http.max_content_length`", DEAD, f'"n": "{BYTES}{BYTES}{BYTES}"', properties={"n": {"enabled": False}}),
    Case("a request longer than `http.max_content_length`", TAKEN, f'"n": "{BYTES}"', f'"n": "{BYTES}"', {"n": {"enabled": False}}),
    Case("a closed index", WAITS, index={}, before=[("POST", "/{index}/_close", None)], mend=[("POST", "/{index}/_open", None)]),
    Case("an index that may not be written", WAITS, index={}, before=[block("write", True)], mend=[block("write", None)]),
    Case("an index after its disk was full", WAITS, index={}, before=[block("read_only_allow_delete", True)], mend=[block("read_only_allow_delete", None)]),
    Case("a cluster that may not be written", WAITS, index={}, before=[cluster("cluster.blocks.read_only", True)], mend=[cluster("cluster.blocks.read_only", None)]),
    Case("no index, and none is made", WAITS, before=[cluster("action.auto_create_index", "false")], mend=[cluster("action.auto_create_index", None)]),
    Case("no index, and too many shards", WAITS, before=[cluster("cluster.max_shards_per_node", 1)], mend=[cluster("cluster.max_shards_per_node", None)]),
    Case(
        "an alias of two indexes, none for writes", WAITS,
        before=[("PUT", "/{index}-1", {}), ("PUT", "/{index}-2", {}), ("POST", "/_aliases", aliases())],
        mend=[("POST", "/_aliases", aliases(is_write_index=True))],
    ),
    Case(
        "a default pipeline that does not exist", WAITS, index={"index.default_pipeline": "none"},
        mend=[("PUT", "/_ingest/pipeline/none", {"processors": []})], needs="pipelines",
    ),
    Case(
        "more bytes than `network.breaker.inflight_requests.limit`", EITHER, f'"n": "{BYTES}"', properties={"n": {"enabled": False}},
        before=[cluster("network.breaker.inflight_requests.limit", "500kb")], mend=[cluster("network.breaker.inflight_requests.limit", None)],
    ),
    Case("a removal, and no index of duplicates", TAKEN, more=('{"id": "b", "removed": true}',), duplicates="{index}-duplicates", documents="ac"),
]
LIMITED = [
    Case("more bytes than `indexing_pressure.memory.limit`", WAITS, f'"n": "{"x" * 100_000}"', properties={"n": {"enabled": False}}),
    Case("a duplicate, and scripts are not allowed", WAITS, more=(f'{{"id": "d", "text": "{text("b")}"}}',), duplicates="canonical", needs="scripts"),
]


class Run:
    """One case on one engine."""

    def __init__(self, arguments, search, case, number, work):
        self.search, self.case, self.name, self.process, self.waited = search, case, f"case{number}", None, None
        self.lines, self.letters, self.log = work / f"{self.name}.jsonl", work / f"{self.name}.dead", work / f"{self.name}.log"
        fields = {"a": case.others, "b": case.fields, "c": case.others}
        lines = [f'{{"id": "{id}", "text": "{text(id)}", {more}}}' for id, more in fields.items()]
        self.lines.write_text("".join(f"{line}\n" for line in [*lines, *case.more]))
        self.port = servers.free_port()
        self.command = [
            arguments.program, "stream", "--from", self.lines, "--to", f"{search.url}/{self.name}", "--index", work / f"{self.name}.index",
            "--dead-letters", self.letters, "--duplicates", self.named(case.duplicates), "--listen", f"127.0.0.1:{self.port}", "--stop-at-end",
        ]

    def named(self, text):
        return text.replace("{index}", self.name)

    def ask(self, requests):
        for method, path, body in requests:
            self.search.ask(self.named(path), json.loads(self.named(json.dumps(body))), method=method)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def start(self):
        properties, settings = self.case.properties, dict(self.case.index or {})
        if properties is not None or self.case.index is not None:
            mappings = {"properties": properties or {}} | ({"dynamic": "strict"} if settings.pop("strict", False) else {})
            self.ask([("PUT", "/{index}", {"settings": settings, "mappings": mappings})])
        self.ask(self.case.before)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stderr=log)
        if self.case.outcome in (WAITS, EITHER):
            self.waited = self.reason_of_waiting()

    def reason_of_waiting(self):
        """What /ready says of the destination, if the stream waits for it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/ready", timeout=5).close()
            except urllib.error.HTTPError as error:
                said = error.read().decode().strip()
                if said.startswith("the destination: "):
                    return said.removeprefix("the destination: ")
            except OSError:
                pass
            time.sleep(0.05)
        return None

    def finish(self):
        """The answer of the engine, and what was wrong."""
        self.ask(self.case.mend)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            waited = self.reason_of_waiting()
            return waited, [f"it does not end: {waited}"]
        letters = [json.loads(line) for line in self.letters.open()] if self.letters.exists() else []
        dead = {json.loads(letter["value"])["id"]: letter["reason"] for letter in letters}
        documents = self.search.documents(self.name)
        expected = {"b"} if self.case.outcome == DEAD else set()
        wrong = [] if dead.keys() == expected else [f"the dead letters are {dead}"]
        wrong += [] if documents.keys() == set(self.case.documents) - expected else [f"the documents are {sorted(documents)}"]
        wrong += ["it did not wait"] if self.case.outcome == WAITS and self.waited is None else []
        if self.case.needs == "scripts" and [duplicate["id"] for duplicate in documents["b"].get("duplicates", [])] != ["d"]:
            wrong.append(f"the duplicate is not recorded: {documents['b']}")
        return self.waited or dead.get("b"), wrong


def shortened(answer):
    """An answer without names, and with its beginning only."""
    text = re.sub(r"\s+", " ", re.sub(r"case\d+", "INDEX", answer or ""))
    # Whole requests have the answer in JSON.
    kind = re.search(r'^(\d+ [^:]*): .*?"type":"(\w+)","reason":"([^"]*)', text)
    text = f"{kind[1]}: {kind[2]}: {kind[3]}" if kind else text
    return text[:140].replace("|", "/")


def on_engine(arguments, engine, work):
    """The answers of an engine to all cases, and whether all was right."""
    search = servers.Search(arguments.jars, work / engine, engine, SETTINGS | LIMITS)
    missing = "pipelines" if search.has_modules else "scripts"
    runs = [Run(arguments, search, case, number, work) for number, case in enumerate([*CASES, *LIMITED]) if case.needs != missing]
    limited, plain = [run for run in runs if run.case in LIMITED], [run for run in runs if run.case not in LIMITED]
    with servers.ending([search, *runs], [search.log]):
        search.start()
        for run in limited:
            run.start()
        search.kill()
        search.settings = SETTINGS
        search.start()
        ended = {run.case.name: run.finish() for run in limited}
        for run in plain:
            run.start()
            ended[run.case.name] = run.finish()
    for name, (_, wrong) in ended.items():
        for sentence in wrong:
            print(f"wrong: {engine}: {name}: {sentence}")
    answers = {name: shortened(answer) for name, (answer, _) in ended.items()}
    return answers, not any(wrong for _, wrong in ended.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jars", required=True, type=pathlib.Path)
    parser.add_argument("--engine", nargs="+", choices=servers.ENGINES, default=[servers.ENGINE])
    arguments = parser.parse_args()
    table, is_right = {}, True
    for engine in arguments.engine:
        with tempfile.TemporaryDirectory(prefix="lookalike-refusals-") as folder:
            begin = time.monotonic()
            table[engine], held = on_engine(arguments, engine, pathlib.Path(folder))
            is_right = is_right and held
            print(f"{engine}: {len(table[engine])} cases; {time.monotonic() - begin:.0f} s", flush=True)
    print(f"\n| what is refused | the stream | {' | '.join(table)} |\n|---|---{'|---' * len(table)}|")
    for case in [*CASES, *LIMITED]:
        print(f"| {case.name} | {case.outcome} | {' | '.join(answers.get(case.name, 'not run') for answers in table.values())} |")
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
