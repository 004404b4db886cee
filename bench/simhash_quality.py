#!/usr/bin/env python3
"""`lookalike pairs --method simhash` against the exact truth, by features, distance and verification.

    simhash_quality.py CORPUS.jsonl... [--seed N...] [--timeout SECONDS] [--program PATH] [--truth PATH]

Truth      Every pair with word-5-gram Jaccard J of at least 0.8, and of at least 0.7, with tokens by white space.
           bench/truth computes it, and shares no code with Lookalike.
Distance   First table: all pairs within K bits, by weights. Precision against 0.7 shows how many of the pairs that
           are wrong at 0.8 are near misses.
Balanced   Second table: `--verify` compares pairs within K bits exactly, by the truth's own measure. If a pair is not in
           the truth, or has another similarity there, the script ends with exit status 1. `estimated` is the program's
           own estimate of its recall, from the pairs it found. MinHash with its defaults is the last row.

Elsewhere  Recall of the true pairs outside the largest cluster. Pages of one template are found or missed together, and n of
           them are n(n - 1)/2 pairs. One group can therefore decide the recall of a corpus.

Every setting runs once for each seed. Values are means. Recall also has its minimum and maximum. A run of more than --timeout
seconds is stopped, and its row says so.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from quality import BENCH, make_truth, markdown, spread
from score import Clusters, ordered

FEATURES = {
    "word set": ["--shingle", "1", "--weights", "set"],
    "word tf": ["--shingle", "1", "--weights", "tf"],
    "word log-tf": ["--shingle", "1", "--weights", "log-tf"],
    "word tf-idf": ["--shingle", "1", "--weights", "tf-idf"],
    "3-shingle set": ["--shingle", "3", "--weights", "set"],
    "3-shingle tf-idf": ["--shingle", "3", "--weights", "tf-idf"],
    "5-shingle set": ["--shingle", "5", "--weights", "set"],
}
DISTANCES = ["3", "7", "10"]
# Bits, distance, weights. 10 is the default of 64 bits with --verify, 12 the default of 128 and the maximum.
# With weights other than `set`, the search uses another angle than the measure, a Jaccard similarity, implies.
BALANCED = [
    ("64", "8", "set"), ("64", "10", "set"), ("64", "12", "set"), ("128", "12", "set"),
    ("64", "10", "log-tf"), ("64", "10", "tf-idf"),
]  # fmt: skip
VERIFIED = ["--shingle", "5", "--measure", "jaccard", "--threshold", "0.8"]


class Run:
    """One run of the program: its pairs, with their similarity if verified, and its estimate of the recall."""

    def __init__(self, args, corpus, options, seed, folder):
        out, summary = Path(folder, "pairs.jsonl"), Path(folder, "summary.json")
        command = [args.program, "pairs", str(corpus), "--tokens", "whitespace", "--seed", str(seed), *options]
        command += ["-o", str(out), "--summary", str(summary), "--quiet"]
        subprocess.run(command, check=True, timeout=args.timeout)
        with open(out, encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        self.found = {ordered(row["a"], row["b"]): row.get("jaccard") for row in rows}
        self.repeated = len(rows) - len(self.found)
        self.estimated = json.loads(summary.read_text())["recall_estimate"]

    def recall(self, truth):
        return len(self.found.keys() & truth.keys()) / len(truth) if truth else 1.0

    def precision(self, truth):
        return len(self.found.keys() & truth.keys()) / len(self.found) if self.found else 1.0

    def wrong(self, truth):
        """Pairs listed twice, absent from the truth, or of another similarity there."""
        return self.repeated + sum(truth.get(pair) != similarity for pair, similarity in self.found.items())


def run_all(args, corpus, options, folder):
    """A run for each seed, or None if one takes too long."""
    try:
        return [Run(args, corpus, options, seed, folder) for seed in args.seed]
    except subprocess.TimeoutExpired:
        return []


def outside_largest(truth):
    """The pairs of the truth outside the cluster with the most pairs."""
    labels = Clusters(truth).labels()
    largest = Counter(labels[a] for a, _ in truth).most_common(1)
    return {pair: value for pair, value in truth.items() if labels[pair[0]] != largest[0][0]}


def mean(values):
    return sum(values) / len(values)


def mean_and_spread(values):
    return f"{mean(values):.3f} ({min(values):.3f}–{max(values):.3f})"


def by_distance(args, corpus, truth, near, folder):
    elsewhere = outside_largest(truth)
    for name, features in FEATURES.items():
        for distance in DISTANCES:
            cells = [corpus.name, name, distance]
            runs = run_all(args, corpus, ["--method", "simhash", "--hamming", distance, *features], folder)
            if runs:
                cells += [
                    spread([len(run.found) for run in runs]), mean_and_spread([run.recall(truth) for run in runs]),
                    mean_and_spread([run.recall(elsewhere) for run in runs]),
                    f"{mean([run.precision(truth) for run in runs]):.3f}",
                    f"{mean([run.precision(near) for run in runs]):.3f}",
                ]  # fmt: skip
            else:
                cells += [f"over {args.timeout} s", "–", "–", "–", "–"]
            print(markdown(cells), flush=True)


def balanced(args, corpus, truth, folder):
    """Returns how many pairs are wrong."""
    settings = {
        f"SimHash, {bits} bits, K = {distance}, {weights}":
            ["--method", "simhash", "--verify", "--bits", bits, "--hamming", distance, "--weights", weights]
        for bits, distance, weights in BALANCED
    }  # fmt: skip
    settings["MinHash"] = []
    elsewhere, all_wrong = outside_largest(truth), 0
    for name, options in settings.items():
        runs = run_all(args, corpus, [*VERIFIED, *options], folder)
        if not runs:
            print(markdown([corpus.name, name, f"over {args.timeout} s", "–", "–", "–", "–", "–"]), flush=True)
            continue
        wrong = sum(run.wrong(truth) for run in runs)
        all_wrong += wrong
        cells = [
            corpus.name, name, spread([len(run.found) for run in runs]), str(wrong),
            f"{min(run.precision(truth) for run in runs):.3f}", mean_and_spread([run.recall(truth) for run in runs]),
            mean_and_spread([run.recall(elsewhere) for run in runs]), mean_and_spread([run.estimated for run in runs]),
        ]  # fmt: skip
        print(markdown(cells), flush=True)
    return all_wrong


def head(*names):
    print(markdown(names))
    print(markdown(["---"] * len(names)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--seed", nargs="+", type=int, default=[0])
    parser.add_argument("--timeout", type=float, default=120, help="seconds that one run may take [120]")
    parser.add_argument("--program", default=str(BENCH.parent / "target/release/lookalike"))
    parser.add_argument("--truth", default=str(BENCH / "work/truth-target/release/truth"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        truths = {
            corpus: [make_truth(args.truth, corpus, threshold, folder) for threshold in ("0.8", "0.7")]
            for corpus in args.corpora
        }
        for corpus, (truth, near) in truths.items():
            print(f"{corpus.name}: {len(truth)} pairs with J ≥ 0.8, of them "
                  f"{len(truth) - len(outside_largest(truth))} in the largest cluster; {len(near)} with J ≥ 0.7  ")
        print()
        head("corpus", "features", "K", "pairs", "recall, J ≥ 0.8", "elsewhere", "precision, J ≥ 0.8", "J ≥ 0.7")
        for corpus, (truth, near) in truths.items():
            by_distance(args, corpus, truth, near, folder)
        print()
        head("corpus", "search", "pairs", "wrong", "precision", "recall", "elsewhere", "estimated")
        wrong = sum(balanced(args, corpus, truth, folder) for corpus, (truth, _) in truths.items())
    if wrong:
        sys.exit(f"{wrong} verified pairs are not in the truth, or not with this similarity")


if __name__ == "__main__":
    main()
