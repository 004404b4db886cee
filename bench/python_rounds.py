#!/usr/bin/env python3
"""From a list of texts in memory to the list of the kept ones: the Python package beside other libraries, and beside the program.

    python_rounds.py --work WORK [--documents 200000] [--rounds 5] [--libraries lookalike seen rensa ...] [--name python-rounds]

Needs an environment with the wheel of this package and requirements.txt, whose Python runs this script. WORK has corpus.jsonl, made by
`corpus.py`, and its first documents become WORK/corpus-first-N.jsonl. `truth` makes its pairs, WORK/corpus-first-N.ws.tsv, as
bench/README.md says.

Measured    Each library in a process of its own, in turns: A B C A B C ... The list of texts is there before the time starts, and
            shingling counts. `peers/in_memory.py` has the calls, with their settings. Peak memory is what comes beyond the list of texts.
Program     `lookalike dedup CORPUS --dry-run --tokens whitespace`, on the same texts as a file. Its time is that of its stages, which read
            the file and decide, and do not write. Its memory is that of the whole process. The first round of it is not counted: it fills
            the page cache.
Quality     Precision and recall of the removed documents. Of the exact pairs at 0.8, every document of a cluster but the first is to be
            removed. A loop that compares only with kept documents removes fewer.
Ratios      Library / Lookalike within a round, median and range.
Writes      RESULTS/DATE-NAME.md: the table, the machine, the command line and every single run.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

from run import BENCH, machine, measure, output_of, spread
from score import Clusters, read_truth

LIBRARIES = "lookalike column seen rensa rensa-bulk rensa-flags gaoya datasketch".split()
PROGRAM, REFERENCE = "program", "lookalike"


def run_library(name: str, corpus: pathlib.Path, documents: int, rows: pathlib.Path) -> dict:
    command = [sys.executable, BENCH / "peers" / "in_memory.py", name, corpus, str(documents), rows]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def run_program(corpus: pathlib.Path, work: pathlib.Path) -> dict:
    """The program of the same wheel: the same code, built in the same way."""
    summary = work / "summary.json"
    options = ["--dry-run", "--tokens", "whitespace", "--quiet", "--summary", summary]
    program = pathlib.Path(sys.executable).with_name("lookalike")
    process = measure([program, "dedup", corpus, *options], work / "program.log", 600)
    if isinstance(process, str):
        sys.exit(f"lookalike: {process}; see {work / 'program.log'}")
    said = json.loads(summary.read_text())
    return {"wall": said["seconds"]["total"], "cpu": process.cpu, "memory": process.memory, "kept": said["kept"], "process": process.wall}


def to_remove(corpus: pathlib.Path, truth: pathlib.Path) -> set[int]:
    """The rows of all documents that are not the first of their cluster."""
    with corpus.open("rb") as lines:
        rows = {json.loads(line)["id"]: row for row, line in enumerate(lines)}
    clusters: dict[object, list[int]] = {}
    for document, label in Clusters(read_truth(truth)).labels().items():
        clusters.setdefault(label, []).append(rows[document])
    return {row for members in clusters.values() for row in members if row != min(members)}


def quality(rows: pathlib.Path, documents: int, true: set[int]) -> tuple[float, float]:
    """Precision and recall of the removed rows."""
    removed = set(range(documents)) - {int(line) for line in rows.read_text().splitlines()}
    right = len(removed & true)
    return right / max(len(removed), 1), right / max(len(true), 1)


def table(runs: dict[str, list[dict]], scores: dict[str, tuple[float, float]]) -> list[str]:
    lines = [
        "| | wall s | CPU s | memory beyond the list, MB | kept | precision | recall | wall ÷ Lookalike | CPU ÷ Lookalike |",
        "|---|" + "---:|" * 8,
    ]
    for name, rounds in runs.items():
        shown = [f"{score:.4f}" for score in scores[name]] if name in scores else ["–", "–"]
        memory = f"{max(run['memory'] for run in rounds) / 1e6:,.0f}"
        ratios = [
            spread([run[of] / reference[of] for run, reference in zip(rounds, runs[REFERENCE])], 1 if name != PROGRAM else 2)
            for of in ("wall", "cpu")
        ]
        wall, cpu = (spread([run[of] for run in rounds], 2) for of in ("wall", "cpu"))
        lines.append("| " + " | ".join([name, wall, cpu, memory, f"{rounds[0]['kept']:,}", *shown, *ratios]) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=pathlib.Path, default=BENCH / "work", help="folder with the corpus and its truth")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--libraries", nargs="+", default=LIBRARIES, choices=LIBRARIES)
    parser.add_argument("--name", default="python-rounds")
    parser.add_argument("--results", type=pathlib.Path, default=BENCH / "results")
    args = parser.parse_args()
    corpus = args.work / f"corpus-first-{args.documents}.jsonl"
    if not corpus.exists():
        with (args.work / "corpus.jsonl").open("rb") as lines, corpus.open("wb") as sink:
            sink.writelines(line for _, line in zip(range(args.documents), lines))
    truth = corpus.with_suffix(".ws.tsv")
    if not truth.exists():
        sys.exit(f"python_rounds.py: {truth} is not there; see bench/README.md")
    work = args.work / "runs"
    work.mkdir(exist_ok=True)

    started, load = datetime.datetime.now(datetime.UTC), os.getloadavg()[0]
    run_program(corpus, work)
    runs: dict[str, list[dict]] = {name: [] for name in [*args.libraries[:1], PROGRAM, *args.libraries[1:]]}
    loads = []
    for number in range(args.rounds):
        for name in runs:
            rows = work / f"rows-{name}"
            is_program = name == PROGRAM
            run = run_program(corpus, work) if is_program else run_library(name, corpus, args.documents, rows)
            runs[name].append(run)
            loads.append(os.getloadavg()[0])
            print(f"round {number + 1}: {name:12} {run['wall']:8.2f} s, load {loads[-1]:.1f}", file=sys.stderr)
            time.sleep(1)
    true = to_remove(corpus, truth)
    scores = {name: quality(work / f"rows-{name}", args.documents, true) for name in runs if name != PROGRAM}
    facts = [
        f"Date: {started:%Y-%m-%d %H:%M} UTC; commit {output_of('git', 'rev-parse', '--short', 'HEAD')}",
        *machine(),
        f"Load average before {load:.2f}; highest of those after each run {max(loads):.2f}",
        f"{args.documents:,} documents, {corpus.stat().st_size / 1e6:.0f} MB of JSONL; {len(true):,} are to be removed",
        f"Command: `{shown_command(sys.argv[1:])}`",
    ]
    single = ["| | round | wall s | CPU s | MB |", "|---|---:|---:|---:|---:|"]
    for name, rounds in runs.items():
        for number, run in enumerate(rounds, 1):
            single.append(f"| {name} | {number} | {run['wall']:.3f} | {run['cpu']:.3f} | {run['memory'] / 1e6:.0f} |")
    notes = [f"The whole process of the program took {spread([run['process'] for run in runs[PROGRAM]], 2)} s."]
    if runs.get("seen") and runs.get("datasketch"):
        loops = [theirs["wall"] / ours["wall"] for theirs, ours in zip(runs["datasketch"], runs["seen"])]
        notes.append(f"The loop of datasketch took {spread(loops, 1)} times as long as that of `Seen.add`.")
    text = "\n".join([
        f"# {args.name}\n", *(f"- {fact}" for fact in facts), "", *table(runs, scores),
        "", *notes, "\n## Every run\n", *single, "",
    ])
    args.results.mkdir(parents=True, exist_ok=True)
    path = args.results / f"{started:%Y-%m-%d}-{args.name}.md"
    path.write_text(text, encoding="utf-8")
    print(text)


def shown_command(arguments: list[str]) -> str:
    """The command line without any machine's folders in it."""
    return shlex.join(["bench/python_rounds.py", *(re.sub(r"(?<![\w.])/(?:[^/=\s]+/)*", "", word) for word in arguments)])


if __name__ == "__main__":
    main()
