#!/usr/bin/env python3
"""`lookalike pairs --method minhash` against the exact truth: one Markdown row per corpus, threshold and setting.

    quality.py CORPUS.jsonl... [--threshold T...] [--seed N...] [--option OPTIONS...] [--missed]
               [--program PATH] [--truth PATH] [--expect TRUTH.tsv]

Truth   bench/truth computes all pairs for every corpus and threshold. It shares no code with Lookalike.
Wrong   Reported pairs that are not in the truth. `difference` is the largest difference of two similarities of a pair.
Recall  The lowest, the mean and the highest over the seeds. Then the mean promise of the bands for these pairs,
        1 - (1 - J^rows)^bands each, and the mean of the program's estimates. Misses come in groups: pages of one
        template share the same shingles with another page, so either all these pairs meet or none does.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from score import ordered, read_truth

BENCH = Path(__file__).resolve().parent
HEADER = [
    "corpus", "threshold", "options", "bands × rows", "seeds", "true", "found", "wrong", "missed",
    "recall: least", "mean", "most", "promised", "estimated", "difference",
]  # fmt: skip


class Run:
    """One run of the program against one truth."""

    def __init__(self, program, corpus, threshold, options, seed, truth, folder):
        out, summary = Path(folder, "pairs.jsonl"), Path(folder, "summary.json")
        command = [program, "pairs", str(corpus), "--tokens", "whitespace", "--threshold", threshold]
        command += ["--method", "minhash"]  # small corpora would be searched exactly
        command += ["--seed", str(seed), "-o", str(out), "--summary", str(summary), "--quiet", *options]
        subprocess.run(command, check=True)
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        found = {ordered(row["a"], row["b"]): row["jaccard"] for row in rows}
        if len(found) != len(rows):
            sys.exit(f"{len(rows) - len(found)} pairs are listed twice: {shlex.join(command)}")
        plan = json.loads(summary.read_text())
        self.estimated = plan["recall_estimate"]
        self.bands, self.rows = plan["plan"]["bands"], plan["plan"]["rows"]
        self.found = len(found)
        self.wrong = sorted(found.keys() - truth.keys())
        self.missed = sorted(truth.keys() - found.keys())
        self.recall = 1 - len(self.missed) / len(truth) if truth else 1.0
        self.difference = max((abs(found[pair] - truth[pair]) for pair in found.keys() & truth.keys()), default=0.0)


def make_truth(program, corpus, threshold, folder):
    out = Path(folder, "truth.tsv")
    command = [program, str(corpus), "-o", str(out), "--tokens", "whitespace", "--threshold", threshold]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return read_truth(out)


def spread(values):
    least, most = min(values), max(values)
    return str(least) if least == most else f"{least}–{most}"


def row(corpus, threshold, options, truth, runs):
    bands, rows = runs[0].bands, runs[0].rows
    promised = sum(1 - (1 - jaccard**rows) ** bands for jaccard in truth.values()) / max(len(truth), 1)
    recalls = [run.recall for run in runs]
    mean = sum(recalls) / len(runs)
    return [
        corpus.name, threshold, " ".join(options) or "–", f"{bands} × {rows}", str(len(runs)), str(len(truth)),
        spread([run.found for run in runs]), spread([len(run.wrong) for run in runs]),
        spread([len(run.missed) for run in runs]), f"{min(recalls):.5f}", f"{mean:.5f}", f"{max(recalls):.5f}",
        f"{promised:.5f}", f"{sum(run.estimated for run in runs) / len(runs):.5f}",
        f"{max(run.difference for run in runs):g}",
    ]  # fmt: skip


def markdown(cells):
    return f"| {' | '.join(cells)} |"


def similarities(pairs, truth):
    """`0.812 0.845 ×2`: the similarities of the pairs, ascending."""
    counts = sorted(Counter(f"{truth[pair]:.3f}" for pair in pairs).items())
    return " ".join(value if count == 1 else f"{value} ×{count}" for value, count in counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--threshold", nargs="+", default=["0.8"])
    parser.add_argument("--seed", nargs="+", type=int, default=[0])
    parser.add_argument("--option", nargs="+", default=[""], help="more options of the program, a row for each string")
    parser.add_argument("--missed", action="store_true", help="list the similarities of missed pairs, by seed")
    parser.add_argument("--program", default=str(BENCH.parent / "target/release/lookalike"))
    parser.add_argument("--truth", default=str(BENCH / "work/truth-target/release/truth"))
    parser.add_argument("--expect", type=Path, help="stop unless the truth of every corpus and threshold is this")
    args = parser.parse_args()
    print(markdown(HEADER))
    print(markdown(["---"] * len(HEADER)), flush=True)
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        for corpus in args.corpora:
            for threshold in args.threshold:
                truth = make_truth(args.truth, corpus, threshold, folder)
                if args.expect and truth != read_truth(args.expect):
                    sys.exit(f"{corpus} at {threshold}: the truth is not that of {args.expect}")
                for options in map(shlex.split, args.option):
                    runs = [
                        Run(args.program, corpus, threshold, options, seed, truth, folder) for seed in args.seed
                    ]
                    print(markdown(row(corpus, threshold, options, truth, runs)), flush=True)
                    for seed, run in zip(args.seed, runs):
                        name = " ".join([corpus.name, threshold, *options, f"seed {seed}"])
                        notes += [f"{name}: wrong {pair}" for pair in run.wrong]
                        if args.missed and run.missed:
                            notes.append(f"{name}: missed {similarities(run.missed, truth)}")
    print()
    print("\n".join(notes))


if __name__ == "__main__":
    main()
