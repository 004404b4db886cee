#!/usr/bin/env python3
"""Spark of every kind beside the program: the same clusters and the same kept documents?

    same.py CORPUS.jsonl [CORPUS.jsonl ...] [--sail PYTHON] [--ways local one many ...] [--work FOLDER]

Expected  `lookalike dedup --method minhash --clusters` and `lookalike.dedup` of the Python package, over the documents in the order of their
          ids, because this is "first" on Spark.
Ways      local: `local[2]`, one shuffled file, the default number of partitions (200). one: one partition of each shuffle. many: 64 shuffled files, 200 partitions without
          adaptive execution. cluster: a master and two workers by spark-class, with speculation. connect: Spark Connect. sail: a server of Sail,
          with `--sail`.
Prints    A row for each corpus and way, and ends with exit code 1 if one differs.
Needs     The wheel, pyspark[connect] with its jars, pyarrow and Java 17. For Sail a Python with pysail, pyspark-client, pyarrow and the wheel.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pyarrow
import pyarrow.parquet

import lookalike
from cluster import Cluster, environment, free_port, fresh

DRIVER = """
import json, sys
from pyspark.sql import SparkSession
from lookalike import spark
where, settings, documents, work, answer = sys.argv[1:]
builder = SparkSession.builder
builder = builder.remote(where[7:]) if where.startswith("remote ") else builder.master(where)
for name, value in json.loads(settings).items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
result = spark.dedup(session.read.parquet(documents), work=work)
members = [[row["id"], row["cluster"], row["kept"]] for row in result.clusters.collect()]
removed = [[row["id"], row["kept_id"], row["similarity"]] for row in result.removed.collect()]
with open(answer, "w") as file:
    json.dump({"members": sorted(members), "removed": sorted(removed)}, file)
session.stop()
"""

QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "4g"}
WAYS: dict[str, tuple[int, dict[str, str]]] = {
    "local": (1, QUIET),
    "one": (1, {**QUIET, "spark.sql.shuffle.partitions": "1"}),
    "many": (64, {**QUIET, "spark.sql.shuffle.partitions": "200", "spark.sql.adaptive.enabled": "false"}),
    "cluster": (16, {**QUIET, "spark.executor.memory": "2g", "spark.speculation": "true"}),
    "connect": (4, {}),
    "sail": (4, {}),
}
"""The files of the documents, and the settings of Spark."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=pathlib.Path, nargs="+")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=["local", "one", "many", "cluster", "connect"])
    parser.add_argument("--sail", type=pathlib.Path, help="a Python with pysail")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("bench/work/spark-same"))
    given = parser.parse_args()
    ways = [*given.ways, *(["sail"] if given.sail and "sail" not in given.ways else [])]
    print("| corpus | way | documents | clusters | removed | s | result |\n|---|---|---|---|---|---|---|")
    wrong = 0
    for corpus in given.corpora:
        folder = fresh(given.work.resolve())
        ids, texts = read(corpus)
        expected = of_package(ids, texts)
        clusters = len({cluster for _, cluster, _ in expected["members"]})
        is_same = of_program(ids, texts, folder) == expected["members"]
        if not clusters:
            sys.exit(f"{corpus} has no clusters, so the comparison shows nothing")
        start = f"| {corpus.name} |", f"| {len(ids):,} | {clusters:,} | {len(expected['removed']):,} |"
        wrong += not is_same
        print(start[0], "the program", start[1], f" | {told(is_same)} |", flush=True)
        for way in ways:
            begun = time.monotonic()
            is_same = of_spark(way, ids, texts, folder, given.sail) == expected
            wrong += not is_same
            print(start[0], way, start[1], f"{time.monotonic() - begun:.0f} | {told(is_same)} |", flush=True)
    sys.exit(1 if wrong else 0)


def told(is_same: bool) -> str:
    return "the same" if is_same else "DIFFERENT"


def read(corpus: pathlib.Path) -> tuple[list[str], list[str]]:
    """Ids and texts, in the order of ids."""
    with corpus.open(encoding="utf-8") as lines:
        records = sorted(((str(record["id"]), record["text"]) for record in map(json.loads, lines)), key=lambda record: record[0])
    return [id for id, _ in records], [text for _, text in records]


def of_package(ids: list[str], texts: list[str]) -> dict[str, Any]:
    result = lookalike.dedup(texts, method="minhash")
    firsts: dict[int, str] = {}
    members = [[ids[row["row"]], firsts.setdefault(row["cluster"], ids[row["row"]]), row["kept"]] for row in result.clusters]
    removed = [[ids[row["row"]], ids[row["kept_row"]], row["jaccard"]] for row in result.removed]
    return {"members": sorted(members), "removed": sorted(removed)}


def of_program(ids: list[str], texts: list[str], folder: pathlib.Path) -> list[list[Any]]:
    documents, listed = folder / "documents.jsonl", folder / "clusters.jsonl"
    with documents.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": id, "text": text}) + "\n" for id, text in zip(ids, texts, strict=True))
    program = pathlib.Path(sys.executable).with_name("lookalike")
    options = ["--method", "minhash", "--quiet", "-o", folder / "kept.jsonl", "--clusters", listed]
    subprocess.run([program, "dedup", documents, *options], check=True)
    with listed.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["cluster"] is not None]
    least: dict[int, str] = {}
    for row in rows:
        least[row["cluster"]] = min(row["id"], least.get(row["cluster"], row["id"]))
    return sorted([row["id"], least[row["cluster"]], row["kept"]] for row in rows)


def of_spark(way: str, ids: list[str], texts: list[str], folder: pathlib.Path, sail: pathlib.Path | None) -> Any:
    files, settings = WAYS[way]
    documents = fresh(folder / f"{way}-documents")
    rows = list(range(len(ids)))
    random.Random(way).shuffle(rows)
    for part in range(files):
        here = rows[part::files]
        table = pyarrow.table({"id": [ids[row] for row in here], "text": [texts[row] for row in here]})
        pyarrow.parquet.write_table(table, documents / f"{part}.parquet")
    work, answer = folder / f"{way}-work", folder / f"{way}.json"
    python = str(sail) if way == "sail" else sys.executable
    # A file, because Spark looks for itself beside the program.
    driver = folder / "driver.py"
    driver.write_text(DRIVER, encoding="utf-8")
    with address(way, folder, sail) as where, open(folder / f"{way}.log", "wb") as log:
        words = [where, json.dumps(settings), str(documents), str(work), str(answer)]
        ran = subprocess.run([python, driver, *words], env=environment() if way != "sail" else None, stdout=log, stderr=log)
    if ran.returncode:
        sys.exit((folder / f"{way}.log").read_text(errors="replace")[-4000:])
    return json.loads(answer.read_text())


@contextlib.contextmanager
def address(way: str, folder: pathlib.Path, sail: pathlib.Path | None) -> Iterator[str]:
    """Where the session runs: a master, or `remote ` and the address of a server."""
    if way == "cluster":
        cluster = Cluster(fresh(folder / "cluster"), memory="3g")
        try:
            yield cluster.url
        finally:
            cluster.stop()
    elif way == "sail":
        assert sail is not None
        port = free_port()
        server = subprocess.Popen([sail.parent / "sail", "spark", "server", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        try:
            yield f"remote sc://127.0.0.1:{port}"
        finally:
            server.kill()
            server.wait()
    else:
        yield "remote local[2]" if way == "connect" else "local[2]"


if __name__ == "__main__":
    main()
