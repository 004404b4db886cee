#!/usr/bin/env python3
"""text-dedup's Spark script beside `lookalike.spark`, as two programs that write the kept documents.

    text_dedup.py CORPUS.jsonl --script minhash_spark.py [--documents 40000] [--rounds 1]
        [--programs copy defaults whitespace text-dedup] [--skip-clusters] [--work FOLDER]

Script    `text_dedup/minhash_spark.py` of github.com/ChenghaoMou/text-dedup at its tag 2023.09.20 (commit f565d158). Later versions have no
          such file. It runs as it is. `git show 2023.09.20:text_dedup/minhash_spark.py > minhash_spark.py` in a clone writes it.
Measures  Wall and CPU seconds of whole processes, by spark-submit with the same settings (`SETTINGS`), in turns: from a Parquet file to the
          kept documents in Parquet. CPU seconds are those of the JVM, of the driver and of all Python workers, read from /proc five
          times a second: PySpark's daemon ignores the end of its workers, so Linux adds their seconds to no other process. A program
          that copies the file shows Spark's own share: its start, reading and writing.
          text-dedup: threshold 0.8, shingles of five words, 128 permutations; it chooses 9 bands of 13 rows. It compares bands only,
          and verifies no pair. Lookalike: `spark-submit lookalike/spark/__main__.py` with its defaults, and with `--tokens whitespace`.
Truth     Every pair of Jaccard similarity 0.8 or more, by `lookalike.pairs(method="exact")`, with three kinds of tokens: cut at white
          space, Lookalike's default, and text-dedup's (small letters, cut at each character that is of no word, empty tokens count).
Removed   A true cluster is a connected component of true pairs. Of n documents in one, n - 1 should be removed, whichever they are.
          Any other removed document is wrong.
Clusters  Pairs of documents in one cluster, as `score.py` counts them. The clusters come from a second run that does not count:
          `--clusters` of Lookalike, and of text-dedup the documents that share a band (`--index_only`), connected.
Needs     The wheel, pyspark 3.5 (with its jars), pyarrow, numpy, scipy and Java 17.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pyarrow
import pyarrow.dataset
import pyarrow.parquet

import lookalike
from cluster import HOME, children, environment, fresh
from mllib import THRESHOLD, TICKS, read, spread

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from score import Clusters, ordered, score  # noqa: E402

SETTINGS = {
    "spark.master": "local[2]",
    "spark.driver.memory": "4g",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""The settings of Spark for all programs. text-dedup's script says none of them itself."""

COPY = """
import sys
from pyspark.sql import SparkSession
SparkSession.builder.getOrCreate().read.parquet(sys.argv[1]).write.parquet(sys.argv[2])
"""

LOOKALIKE = pathlib.Path(lookalike.__file__).parent / "spark/__main__.py"
TEXT_DEDUP = ("--column", "text", "--threshold", str(THRESHOLD), "--ngram_size", "5", "--num_perm", "128")

WHITESPACE, DEFAULT, ITS_OWN = "white space", "Lookalike's default", "text-dedup's"
"""The kinds of tokens of the truth."""

SAMPLE_SECONDS = 0.2
"""The time between two looks at /proc. A process that ends loses at most as much."""

PROGRAMS = ("copy", "defaults", "whitespace", "text-dedup")

Pairs = dict[tuple[str, str], float]


@dataclass
class Job:
    """A program, and the measurements of its rounds."""

    name: str
    program: pathlib.Path
    output: pathlib.Path
    arguments: list[str]
    tokens: str | None = None
    """The kind of tokens it compares, or None if it compares nothing."""
    more: list[str] = field(default_factory=list)
    """The arguments of the second run, which writes clusters."""
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", type=pathlib.Path)
    arguments.add_argument("--script", type=pathlib.Path, required=True, metavar="FILE", help="minhash_spark.py")
    arguments.add_argument("--documents", type=int, default=40_000)
    arguments.add_argument("--rounds", type=int, default=1)
    arguments.add_argument("--programs", nargs="+", choices=PROGRAMS, default=PROGRAMS)
    arguments.add_argument("--skip-clusters", action="store_true", help="leave out the second run, and the scores of clusters")
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("bench/work/spark-text-dedup"))
    given = arguments.parse_args()
    folder = fresh(given.work.resolve())
    ids, texts = read(given.corpus, given.documents)
    documents = folder / "documents.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"id": ids, "text": texts}), documents, row_group_size=2000)
    print(f"{len(ids):,} documents, {sum(map(len, texts)):,} characters\n", flush=True)
    jobs = [job for key, job in programs(given.script.resolve(), documents, folder).items() if key in given.programs]
    for number in range(1, given.rounds + 1):
        for job in jobs:
            fresh(job.output.parent)
            wall, cpu = run(job.program, job.arguments, job.output.parent / "log.txt")
            job.wall.append(wall)
            job.cpu.append(cpu)
            load = os.getloadavg()[0]
            print(f"round {number}: {job.name}: {wall:.1f} s, {cpu:.1f} CPU s, load {load:.1f}", file=sys.stderr, flush=True)
    report_times(jobs)
    if not given.skip_clusters:
        for job in (job for job in jobs if job.more):
            run(job.program, [*job.arguments, *job.more], job.output.parent / "clusters.txt")
    report_results(jobs, ids, texts)


def programs(script: pathlib.Path, documents: pathlib.Path, folder: pathlib.Path) -> dict[str, Job]:
    copy = folder / "spark_copy.py"
    copy.write_text(COPY)
    jobs = {"copy": Job("a copy of the file", copy, folder / "copy/kept", [str(documents), str(folder / "copy/kept")])}
    for key, tokens, options in (("defaults", DEFAULT, []), ("whitespace", WHITESPACE, ["--tokens", "whitespace"])):
        place = folder / key
        words = [str(documents), "--output", str(place / "kept"), *options]
        name = f"lookalike.spark, {' '.join(options) or key}"
        jobs[key] = Job(name, LOOKALIKE, place / "kept", words, tokens, ["--clusters", str(place / "clusters")])
    place = folder / "text-dedup"
    words = ["--input", str(documents), "--output", str(place / "kept"), *TEXT_DEDUP]
    # It numbers the documents itself, which is faster than to connect the ids. Only the index, which does not count, needs them.
    more = ["--index_only", "--index_column", "id", "--output_index", str(place / "clusters")]
    jobs["text-dedup"] = Job("text-dedup 2023.09.20", script, place / "kept", words, ITS_OWN, more)
    return jobs


def run(program: pathlib.Path, arguments: Iterable[str], log: pathlib.Path) -> tuple[float, float]:
    """Runs a program by spark-submit. Returns its wall and CPU seconds, with those of all processes below it."""
    settings = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    command = [str(HOME / "bin/spark-submit"), *settings, str(program), *arguments]
    start = time.monotonic()
    seconds: dict[int, float] = {}
    with log.open("wb") as sink, subprocess.Popen(command, env=environment(), stdout=sink, stderr=subprocess.STDOUT) as process:
        while process.poll() is None:
            for one in [process.pid, *children(process.pid)]:
                seconds[one] = max(processor(one), seconds.get(one, 0.0))
            time.sleep(SAMPLE_SECONDS)
    wall = time.monotonic() - start
    if process.returncode:
        sys.exit(f"{program} ended with exit code {process.returncode}: see {log}")
    return wall, sum(seconds.values())


def processor(process: int) -> float:
    """The CPU seconds of one process, without those below it. 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / TICKS


def truth(ids: list[str], texts: list[str], tokens: str) -> Pairs:
    if tokens == ITS_OWN:
        texts = [" ".join(word or "-" for word in re.split(r"\W", text.lower())) for text in texts]
    if tokens == DEFAULT:
        rows = lookalike.pairs(texts, method="exact", threshold=THRESHOLD)
    else:
        rows = lookalike.pairs(texts, method="exact", threshold=THRESHOLD, tokens="whitespace")
    return {ordered(ids[row["a"]], ids[row["b"]]): row["jaccard"] for row in rows}


def report_times(jobs: list[Job]) -> None:
    print("| program | wall s, median (all rounds) | CPU s, median (all rounds) |\n|---|---|---|")
    for job in jobs:
        print(f"| {job.name} | {spread(job.wall)} | {spread(job.cpu)} |", flush=True)


def report_results(jobs: list[Job], ids: list[str], texts: list[str]) -> None:
    print("\n| program | tokens of the truth | true pairs | to remove | removed | precision | recall | clusters: precision | recall |")
    print("|---|---|---|---|---|---|---|---|---|")
    truths: dict[str, Pairs] = {}
    for job in jobs:
        removed = set(ids) - set(column(job.output, "id"))
        for tokens in dict.fromkeys([WHITESPACE, job.tokens]) if job.tokens else ():
            pairs = truths[tokens] = truths.get(tokens) or truth(ids, texts, tokens)
            right, due = of_clusters(removed, pairs)
            cells = [job.name, tokens, f"{len(pairs):,}", f"{due:,}", f"{len(removed):,}", ratio(right, len(removed)), ratio(right, due)]
            print("|", " | ".join([*cells, *of_pairs(job, pairs, len(removed))]), "|", flush=True)


def of_pairs(job: Job, pairs: Pairs, removed: int) -> list[str]:
    """The precision and recall of the clusters, if the second run wrote them."""
    folder = job.output.parent / "clusters"
    if not folder.exists():
        return ["", ""]
    labels = connected(folder) if job.tokens == ITS_OWN else listed(folder)
    expected = len(labels) - len(set(labels.values()))
    if expected != removed:
        print(f"{job.name}: its clusters have {expected:,} documents to remove, and it removed {removed:,}", file=sys.stderr)
    closure = score((labels, None), pairs)["closure"]
    return [f"{closure['precision']:.4f}", f"{closure['recall']:.4f}"]


def of_clusters(removed: set[str], pairs: Pairs) -> tuple[int, int]:
    """How many documents are rightly removed, and how many should be."""
    members: dict[str, list[str]] = collections.defaultdict(list)
    for document, label in Clusters(pairs).labels().items():
        members[label].append(document)
    right = sum(min(len(removed.intersection(some)), len(some) - 1) for some in members.values())
    return right, sum(len(some) - 1 for some in members.values())


def listed(folder: pathlib.Path) -> dict[str, str]:
    """The clusters that Lookalike lists."""
    return dict(zip(column(folder, "id"), column(folder, "cluster"), strict=True))


def connected(folder: pathlib.Path) -> dict[str, str]:
    """The clusters of documents that share a band, from text-dedup's index."""
    first: dict[tuple[int, bytes], str] = {}
    clusters = Clusters()
    for key, document in zip(column(folder, "__key__"), column(folder, "__id__"), strict=True):
        clusters.join(document, first.setdefault(tuple(key.values()), document))
    labels: dict[str, str] = clusters.labels()
    sizes = collections.Counter(labels.values())
    return {document: label for document, label in labels.items() if sizes[label] > 1}


def column(folder: pathlib.Path, name: str) -> list[Any]:
    """The values of a column in all Parquet files of a folder."""
    # Not the folder itself: pyarrow leaves out the folders __pid__=N of text-dedup.
    files = map(str, sorted(folder.rglob("*.parquet")))
    values: list[Any] = pyarrow.dataset.dataset(list(files), format="parquet").to_table(columns=[name])[name].to_pylist()
    return values


def ratio(right: int, all_of_them: int) -> str:
    return f"{right / all_of_them:.4f}" if all_of_them else "1.0000"


if __name__ == "__main__":
    main()
