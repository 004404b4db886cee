#!/usr/bin/env python3
"""`lookalike.spark.dedup` by the number of documents: seconds, and bytes of shuffles and of stages, by stage.

    growth.py [--documents 200000 1000000 5000000] [--work FOLDER]

Corpus    Random documents of 40 to 120 words out of 50,000, in Parquet. Every fifth is an edited copy of one before it: up to six words
          are exchanged. The same numbers give the same texts.
Measures  One classic Spark with two threads, a shuffle partition for each 64,000 documents (8 at least), and the default options. Wall and CPU seconds
          of `dedup` and of writing `kept`. Shuffle bytes come from Spark's own page, by the stage of the work that was written meanwhile. The disk needs
          4 KB for each document.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import shutil
import time
from collections.abc import Callable
from typing import Any

import numpy
import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

from cluster import asked, environment, free_port, fresh
from lookalike import spark
from lookalike.spark import _work
from mllib import processor

AT_ONCE = 50_000
DOCUMENTS_OF_PARTITION = 64_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--documents", type=int, nargs="+", default=[200_000, 1_000_000, 5_000_000])
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("bench/work/spark-growth"))
    given = arguments.parse_args()
    os.environ.update(environment())
    port = free_port()
    session = started(port)
    page = f"http://127.0.0.1:{port}/api/v1/applications/{session.sparkContext.applicationId}/stages?status=complete"
    describe_jobs(session)
    folder = fresh(given.work.resolve())
    make(2_000, folder / "warm")
    run(session, folder / "warm", 2)
    for documents in given.documents:
        made = folder / str(documents)
        texts = make(documents, made)
        before = {stage["stageId"] for stage in asked(page)}
        wall, cpu, summary = run(session, made, max(8, documents // DOCUMENTS_OF_PARTITION))
        session.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        stages = [stage for stage in asked(page) if stage["stageId"] not in before]
        report(documents, texts, wall, cpu, summary, stages, made / "work")
        shutil.rmtree(made)
    session.stop()


def started(port: int) -> SparkSession:
    builder = SparkSession.builder.master("local[2]").config("spark.driver.memory", "6g").config("spark.ui.port", str(port))
    builder = builder.config("spark.ui.retainedStages", "100000").config("spark.ui.showConsoleProgress", "false")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def describe_jobs(session: SparkSession) -> None:
    """Gives each job the name of the stage of the work that it writes."""
    write = _work.Work.stage

    def described(work: Any, name: str, make: Callable[[], Any], *others: Any, **options: Any) -> Any:
        session.sparkContext.setJobDescription(name)
        try:
            return write(work, name, make, *others, **options)
        finally:
            session.sparkContext.setJobDescription("between stages")

    _work.Work.stage = described  # type: ignore[method-assign]


def make(documents: int, folder: pathlib.Path) -> int:
    """Writes the documents. Returns the bytes of their texts."""
    rng = numpy.random.default_rng(documents)
    letters = numpy.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = numpy.array(["".join(rng.choice(letters, size)) for size in rng.integers(3, 10, 50_000)], dtype=object)
    (folder / "documents").mkdir(parents=True)
    total = 0
    for start in range(0, documents, AT_ONCE):
        texts: list[list[str]] = []
        for number in range(min(AT_ONCE, documents - start)):
            if number % 5 == 4:
                text = list(texts[int(rng.integers(number))])
                for place in rng.integers(len(text), size=rng.integers(0, 7)):
                    text[place] = words[rng.integers(len(words))]
            else:
                text = list(words[rng.integers(len(words), size=rng.integers(40, 121))])
            texts.append(text)
        joined = [" ".join(text) for text in texts]
        total += sum(map(len, joined))
        table = pyarrow.table({"id": range(start, start + len(texts)), "text": joined})
        pyarrow.parquet.write_table(table, folder / f"documents/{start:09}.parquet")
    return total


def run(session: SparkSession, folder: pathlib.Path, partitions: int) -> tuple[float, float, Any]:
    session.conf.set("spark.sql.shuffle.partitions", str(partitions))
    begun, before = time.monotonic(), processor()
    result = spark.dedup(session.read.parquet(str(folder / "documents")), work=str(folder / "work"))
    session.sparkContext.setJobDescription("kept")
    result.kept.write.parquet(str(folder / "kept"))
    return time.monotonic() - begun, processor() - before, result.summary


def report(documents: int, texts: int, wall: float, cpu: float, summary: Any, stages: list[Any], work: pathlib.Path) -> None:
    print(f"\n{documents:,} documents, {texts / 1e6:,.0f} MB of texts: {wall:.0f} s, {cpu:.0f} CPU s; {summary['pairs']:,} pairs, {summary['removed']:,} removed\n")
    print("| stage | s | shuffle bytes a document | bytes a document of the stage |\n|---|---:|---:|---:|")
    shuffled: collections.Counter[str] = collections.Counter()
    for stage in stages:
        shuffled[stage.get("description") or "between stages"] += stage["shuffleWriteBytes"]
    for name in [*summary["seconds"], *(name for name in shuffled if name not in summary["seconds"])]:
        if name == "total":
            continue
        stored = sum(file.stat().st_size for file in (work / name).rglob("*") if file.is_file()) if (work / name).is_dir() else 0
        seconds = summary["seconds"].get(name)
        cells = ["" if seconds is None else f"{seconds:.1f}", f"{shuffled[name] / documents:,.0f}", f"{stored / documents:,.0f}"]
        print("|", " | ".join([name, *cells]), "|")
    print(f"| all | {wall:.1f} | {sum(shuffled.values()) / documents:,.0f} | |", flush=True)


if __name__ == "__main__":
    main()
