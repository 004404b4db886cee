#!/usr/bin/env python3
"""`lookalike.spark.pairs` beside MinHashLSH of Spark MLlib, and beside a function that does nothing.

    mllib.py CORPUS.jsonl [--documents 20000] [--tables 3] [--rounds 3] [--work FOLDER]

Measures  Wall and CPU seconds on one classic Spark with two threads, in turns within one session: `lookalike.spark.pairs`;
          MLlib's NGram, HashingTF and MinHashLSH with `approxSimilarityJoin`, over the same words and shingles of five; and an
          identity `mapInArrow` over the same texts, which is Spark's own share. CPU seconds are those of the JVM and of the
          Python workers. A first round of each, over the first documents, warms up and does not count.
Truth     Every pair of Jaccard similarity 0.8 or more, by `lookalike.pairs(method="exact", tokens="whitespace")`.
          Each tool says which pairs are similar, by itself. MLlib finds a pair at the threshold with a chance of
          1 - 0.2 ** tables: 0.992 for 3 tables, its setting here. Lookalike's default is 0.995.
Needs     The wheel, pyspark (with its jars), pyarrow, numpy and Java 17.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow
import pyarrow.parquet
from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
from pyspark.sql import DataFrame, SparkSession

import lookalike
from cluster import children, environment, fresh
from lookalike import spark

THRESHOLD = 0.8
WARM = 2000
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", type=pathlib.Path)
    arguments.add_argument("--documents", type=int, default=20_000)
    arguments.add_argument("--tables", type=int, default=3)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("bench/work/spark-mllib"))
    given = arguments.parse_args()
    folder = fresh(given.work.resolve())
    ids, texts = read(given.corpus, given.documents)
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": texts}), folder / "documents.parquet", row_group_size=2000)
    exact = lookalike.pairs(texts, method="exact", tokens="whitespace", threshold=THRESHOLD)
    truth = {(min(ids[row["a"]], ids[row["b"]]), max(ids[row["a"]], ids[row["b"]])) for row in exact}
    os.environ.update(environment())
    session = started()
    documents = session.read.parquet(str(folder / "documents.parquet"))
    few = documents.limit(WARM).localCheckpoint()
    jobs: dict[str, Callable[[DataFrame, int], set[tuple[str, str]] | None]] = {
        "identity mapInArrow": lambda frame, _: identity(frame),
        "lookalike.spark.pairs": lambda frame, number: ours(frame, folder / f"work-{number}"),
        f"MLlib MinHashLSH, {given.tables} tables": lambda frame, _: theirs(frame, given.tables),
    }
    print(f"{len(ids):,} documents, {sum(map(len, texts)):,} characters, {len(truth):,} true pairs\n")
    measured: dict[str, list[tuple[float, float, set[tuple[str, str]] | None]]] = {name: [] for name in jobs}
    for number in range(given.rounds + 1):
        for name, job in jobs.items():
            before, start = processor(), time.monotonic()
            found = job(documents if number else few, number)
            if number:
                measured[name].append((time.monotonic() - start, processor() - before, found))
                print(f"round {number}: {name} {measured[name][-1][0]:.1f} s", file=sys.stderr, flush=True)
    report(measured, truth)
    session.stop()


def started() -> SparkSession:
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "8").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def read(corpus: pathlib.Path, count: int) -> tuple[list[str], list[str]]:
    with corpus.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(count))]
    return [record["id"] for record in records], [record["text"] for record in records]


def identity(documents: DataFrame) -> None:
    def same(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    documents.mapInArrow(same, documents.schema).write.format("noop").mode("overwrite").save()


def ours(documents: DataFrame, work: pathlib.Path) -> set[tuple[str, str]]:
    rows = spark.pairs(documents, work=str(work), tokens="whitespace", threshold=THRESHOLD).collect()
    return {(row["a"], row["b"]) for row in rows}


def theirs(documents: DataFrame, tables: int) -> set[tuple[str, str]]:
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\s+", toLowercase=False).transform(documents)
    shingles = NGram(n=5, inputCol="words", outputCol="shingles").transform(words).where("size(shingles) > 0")
    sets = HashingTF(inputCol="shingles", outputCol="set", binary=True, numFeatures=1 << 20).transform(shingles)
    sets = sets.select("id", "set")
    model = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=tables, seed=1).fit(sets)
    joined = model.approxSimilarityJoin(sets, sets, 1 - THRESHOLD + 1e-9, "distance")
    rows = joined.where("datasetA.id < datasetB.id").selectExpr("datasetA.id AS a", "datasetB.id AS b").collect()
    return {(row["a"], row["b"]) for row in rows}


def processor() -> float:
    """The CPU seconds of this process and of all below it, with those that have ended."""
    own = sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in (resource.RUSAGE_SELF,))
    for process in children(os.getpid()):
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        own += sum(map(int, fields[11:15])) / TICKS
    return own


def report(measured: dict[str, list[tuple[float, float, set[tuple[str, str]] | None]]], truth: set[tuple[str, str]]) -> None:
    print("| job | wall s, median (all rounds) | CPU s, median (all rounds) | pairs | precision | recall |\n|---|---|---|---|---|---|")
    for name, rounds in measured.items():
        wall, cpu = [[one[at] for one in rounds] for at in (0, 1)]
        found = rounds[-1][2]
        right = "| | |" if found is None else f"{len(found):,} | {len(found & truth) / len(found):.4f} | {len(found & truth) / len(truth):.4f} |"
        print(f"| {name} | {spread(wall)} | {spread(cpu)} | {right}")


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} ({', '.join(f'{value:.1f}' for value in values)})"


if __name__ == "__main__":
    main()
