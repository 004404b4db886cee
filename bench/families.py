#!/usr/bin/env python3
"""A million documents of one template among a million others, beside two million unrelated ones, in turns.

    families.py --program target/release/lookalike [--shapes 0.33 0.60 0.745 0.79 0.81 mixed] [--rounds 3] [--memory 400MiB]
                [--documents 2000000] [--work bench/work]

`template.py` makes the corpora. Prints a Markdown table: medians of wall and processor seconds (user and system), the ratio of each to the
unrelated documents of the same round, the pairs and clusters, and the peak memory in the summary.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time


def measured(command):
    start, before = time.monotonic(), os.times()
    subprocess.run([str(part) for part in command], check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - start, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--shapes", nargs="+", default=["0.33", "0.60", "0.745", "0.79", "0.81", "mixed"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory")
    parser.add_argument("--documents", type=int, default=2_000_000)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(__file__).parent / "work")
    arguments = parser.parse_args()
    shapes = ["unrelated", *arguments.shapes]
    corpora = {shape: arguments.work / f"template-{shape}-{arguments.documents}.jsonl" for shape in shapes}
    for shape, corpus in corpora.items():
        if not corpus.exists():
            template = pathlib.Path(__file__).parent / "template.py"
            subprocess.run([sys.executable, template, shape, corpus, f"--documents={arguments.documents}"], check=True)
    summary = arguments.work / "families-summary.json"
    options = ["--tokens", "whitespace", "--dry-run", "--quiet", "--summary", summary]
    options += ["--memory", arguments.memory] if arguments.memory else []
    runs, told = {shape: [] for shape in shapes}, {}
    for turn in range(arguments.rounds + 1):
        for shape, corpus in corpora.items():
            seconds = measured([arguments.program.resolve(), "dedup", corpus, *options])
            told[shape] = json.loads(summary.read_text())
            # The first round fills caches.
            if turn:
                runs[shape].append(seconds)
    print("| shape | wall s | ratio | processor s | ratio | candidates | similar | removed | peak MB |\n|---|---|---|---|---|---|---|---|---|")
    for shape in shapes:
        cells = [shape]
        for kind in range(2):
            ratios = [run[kind] / base[kind] for run, base in zip(runs[shape], runs["unrelated"])]
            cells.append(f"{statistics.median(run[kind] for run in runs[shape]):.1f}")
            cells.append(f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})")
        cells += [f"{told[shape][key]:,}" for key in ["candidates", "pairs", "removed"]]
        print("|", " | ".join([*cells, f"{told[shape]['peak_memory_bytes'] / 1e6:.0f}"]), "|")


if __name__ == "__main__":
    main()
