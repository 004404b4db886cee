#!/usr/bin/env python3
"""A worker of a real cluster is killed while its task runs: is the result the same?

    kills.py CORPUS.jsonl [--documents 20000] [--rounds 10] [--seed 1] [--work FOLDER]

Measures  Starts a master and two workers by spark-class. Each round runs `lookalike.spark.dedup` from a driver of its own.
          At a random moment a worker that is seen to run a task is killed by SIGKILL with its executor, and a new worker
          comes. The first round kills none, and a round that was over before its moment is followed by one more. The clusters and removed documents of each round must be those of
          `lookalike.dedup` with the same plan. In the last round the driver is killed too, between two stages, and a
          second driver goes on: it must repeat no stage.
Prints    A row for each round: what was killed, in which stage, the tasks that failed, seconds, and whether the result
          is the same. Ends with exit code 1 if one is not.
Needs     The wheel, pyspark (with its jars), pyarrow and Java 17.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import time
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet

import lookalike
from cluster import Cluster, asked, children, environment, free_port, fresh

DRIVER = """
import json, sys
from pyspark.sql import SparkSession
from lookalike import spark
master, page, documents, work, answer = sys.argv[1:]
session = (
    SparkSession.builder.master(master).appName("kills").config("spark.ui.port", page)
    .config("spark.sql.shuffle.partitions", "8").config("spark.executor.memory", "1g").config("spark.speculation", "true")
    .config("spark.ui.showConsoleProgress", "false").config("spark.task.maxFailures", "8").getOrCreate()
)
session.sparkContext.setLogLevel("ERROR")
result = spark.dedup(session.read.parquet(documents), work=work)
found = {
    "clusters": sorted([row["id"], row["cluster"]] for row in result.clusters.collect()),
    "removed": sorted([row["id"], row["kept_id"], row["similarity"]] for row in result.removed.collect()),
    "seconds": dict(result.summary.seconds),
}
with open(answer, "w") as file:
    json.dump(found, file)
session.stop()
"""


class Killed(NamedTuple):
    """What was killed while a driver ran."""

    stage: str
    tasks: int
    after: float


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("corpus", type=pathlib.Path)
    arguments.add_argument("--documents", type=int, default=20_000)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("bench/work/spark"))
    given = arguments.parse_args()
    folder = fresh(given.work.resolve())
    expected = prepare(given.corpus, given.documents, folder)
    cluster = Cluster(folder)
    wrong = 0
    print("| round | killed | while it ran | s after the start | seconds | result |\n|---|---|---|---|---|---|")
    try:
        draw, usual, number, kills = random.Random(given.seed), 30.0, -1, 0
        while kills < given.rounds or number < 0:
            number += 1
            started = time.monotonic()
            work = folder / f"round-{number}"
            killed = run(cluster, folder, work, None if number == 0 else draw.uniform(0.15, 0.85) * usual)
            seconds = time.monotonic() - started
            usual = seconds if number == 0 else usual
            kills += killed is not None
            is_same = same(work.with_suffix(".json"), expected)
            wrong += not is_same
            told = ("nothing", "", "") if killed is None else ("a worker", f"{killed.tasks} task of {killed.stage}", f"{killed.after:.1f}")
            print(f"| {number} | {' | '.join(told)} | {seconds:.1f} | {'the same' if is_same else 'WRONG'} |", flush=True)
        wrong += not goes_on(cluster, folder, folder / "driver", expected)
    finally:
        cluster.stop()
    sys.exit(1 if wrong else 0)


def prepare(corpus: pathlib.Path, count: int, folder: pathlib.Path) -> dict[str, Any]:
    """Writes the documents as Parquet files, and returns what `lookalike.dedup` finds in them."""
    ids, texts = [], []
    with corpus.open(encoding="utf-8") as lines:
        for line, _ in zip(lines, range(count)):
            record = json.loads(line)
            ids.append(record["id"])
            texts.append(record["text"])
    (folder / "documents").mkdir()
    for part in range(16):
        table = pyarrow.table({"id": ids[part::16], "text": texts[part::16]})
        pyarrow.parquet.write_table(table, folder / f"documents/{part}.parquet")
    order = sorted(range(len(ids)), key=ids.__getitem__)
    ids, texts = [ids[row] for row in order], [texts[row] for row in order]
    result = lookalike.dedup(texts, method="minhash")
    firsts: dict[int, str] = {}
    clusters = [[ids[row["row"]], firsts.setdefault(row["cluster"], ids[row["row"]])] for row in result.clusters]
    removed = [[ids[row["row"]], ids[row["kept_row"]], row["jaccard"]] for row in result.removed]
    print(f"{len(ids):,} documents, {len(clusters):,} in clusters, {len(removed):,} removed by lookalike.dedup\n", flush=True)
    return {"clusters": sorted(clusters), "removed": sorted(removed)}


def drive(cluster: Cluster, folder: pathlib.Path, work: pathlib.Path, page: int) -> subprocess.Popen[bytes]:
    words = [cluster.url, str(page), str(folder / "documents"), str(work), str(work.with_suffix(".json"))]
    with open(work.with_suffix(".log"), "ab") as log:
        return subprocess.Popen([sys.executable, "-c", DRIVER, *words], env=environment(), stdout=log, stderr=log)


def run(cluster: Cluster, folder: pathlib.Path, work: pathlib.Path, moment: float | None) -> Killed | None:
    """Runs a driver to its end, and kills a worker on the way if `moment` says when."""
    page, started, killed = free_port(), time.monotonic(), None
    driver = drive(cluster, folder, work, page)
    while driver.poll() is None:
        time.sleep(0.05)
        after = time.monotonic() - started
        if moment is None or killed is not None or after < moment:
            continue
        busy = busy_worker(cluster, page)
        if busy is not None:
            port, tasks = busy
            killed = Killed(current_stage(work), tasks, after)
            cluster.kill_worker(port)
            cluster.add_worker()
    if driver.returncode:
        sys.exit(f"a driver failed: see {work.with_suffix('.log')}")
    cluster.wait_for(2)
    return killed


def busy_worker(cluster: Cluster, page: int) -> tuple[int, int] | None:
    """The worker whose executor runs a task, and the number of these tasks."""
    try:
        applications = asked(f"http://127.0.0.1:{page}/api/v1/applications")
        executors = asked(f"http://127.0.0.1:{page}/api/v1/applications/{applications[0]['id']}/executors")
        processes = {address: port for port in cluster.workers for address in executors_of(cluster, port)}
    except (OSError, IndexError, KeyError):
        return None
    for executor in executors:
        if executor["isActive"] and executor["activeTasks"] and executor["id"] in processes:
            return processes[executor["id"]], executor["activeTasks"]
    return None


def executors_of(cluster: Cluster, port: int) -> list[str]:
    """The ids of the executors below a worker, by the command lines of its processes."""
    found = []
    for process in children(cluster.workers[port].pid):
        try:
            words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if "--executor-id" in words:
            found.append(words[words.index("--executor-id") + 1])
    return found


def current_stage(work: pathlib.Path) -> str:
    """The stage that is written, by the folders of the work."""
    stages = [path for path in work.glob("*") if path.is_dir() and path.name != "done"]
    return max(stages, key=lambda path: path.stat().st_ctime).name if stages else "the first stage"


def same(answer: pathlib.Path, expected: dict[str, Any]) -> bool:
    found = json.loads(answer.read_text())
    return all(found[name] == expected[name] for name in expected)


def goes_on(cluster: Cluster, folder: pathlib.Path, work: pathlib.Path, expected: dict[str, Any]) -> bool:
    """Kills the driver after the stage `members`, and starts another one."""
    driver = drive(cluster, folder, work, free_port())
    while driver.poll() is None and not (work / "candidates").is_dir():
        time.sleep(0.02)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    before = {path: path.stat().st_mtime_ns for stage in ("documents", "originals", "members") for path in (work / stage).glob("*.parquet")}
    started = time.monotonic()
    second = drive(cluster, folder, work, free_port())
    second.wait()
    is_same = second.returncode == 0 and same(work.with_suffix(".json"), expected)
    is_kept = all(path.exists() and path.stat().st_mtime_ns == time_before for path, time_before in before.items())
    told = f"{len(before)} files of complete stages are {'as before' if is_kept else 'CHANGED'}"
    print(f"| last | the driver | after members; {told} | | {time.monotonic() - started:.1f} | {'the same' if is_same else 'WRONG'} |")
    return is_same and is_kept and bool(before)


if __name__ == "__main__":
    main()
