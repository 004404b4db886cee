#!/usr/bin/env python3
"""Precision, recall and F1 of found clusters or pairs against the exact truth.

    score.py FOUND --truth TRUTH.tsv [--within SLICE.jsonl] [--json]

FOUND   The content decides: `id TAB cluster` (the peers), JSONL of {"id", "cluster", ...} (`lookalike dedup --clusters`),
        or JSONL of {"a", "b", "jaccard"} (`lookalike pairs`). A missing document is in no cluster.
TRUTH   `a TAB b TAB jaccard`, every pair at or above the threshold (bench/truth).
Closure Pairs of the transitive closure of FOUND against pairs of the transitive closure of TRUTH.
        Both are counted from cluster sizes, so huge clusters cost nothing.
Pairs   If FOUND has pairs: the same for the pairs themselves, and the largest error of the reported similarity.
        If FOUND has clusters, only `pair_recall`: the share of true pairs that are in one cluster.
--within counts only truth between documents of that corpus, for example the first N documents.
"""

import argparse
import json
from collections import Counter


class Clusters:
    """The connected components of pairs, by union-find. A document without a pair is in no cluster."""

    def __init__(self, pairs=()):
        self.parent = {}
        for a, b in pairs:
            self.join(a, b)

    def root(self, item):
        while self.parent.setdefault(item, item) != item:
            self.parent[item] = self.parent[self.parent[item]]
            item = self.parent[item]
        return item

    def join(self, a, b):
        a, b = self.root(a), self.root(b)
        if a != b:
            self.parent[b] = a

    def labels(self):
        return {item: self.root(item) for item in self.parent}


def read_found(path):
    """Returns (labels by id, pairs with similarity or None)."""
    labels, pairs = {}, None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("{"):
                identity, cluster = line.rstrip("\n").split("\t")[:2]
                labels[identity] = cluster
                continue
            row = json.loads(line)
            if "cluster" in row:
                if row["cluster"] is not None:
                    labels[row["id"]] = row["cluster"]
            else:
                pairs = pairs or {}
                pairs[ordered(row["a"], row["b"])] = row["jaccard"]
    if pairs is not None:
        labels = Clusters(pairs).labels()
    return labels, pairs


def read_truth(path, within=None):
    """{(a, b): jaccard}, between documents of `within` if given."""
    pairs = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            a, b, jaccard = line.rstrip("\n").split("\t")
            if within is None or (a in within and b in within):
                pairs[ordered(a, b)] = float(jaccard)
    return pairs


def ordered(a, b):
    return (a, b) if a < b else (b, a)


def pairs_in(sizes):
    return sum(size * (size - 1) // 2 for size in sizes)


def ratios(right, found, true):
    """Precision, recall, F1. All are 1 if nothing is found and nothing is true."""
    precision = right / found if found else 1.0
    recall = right / true if true else 1.0
    f1 = 2 * right / (found + true) if found + true else 1.0
    return {"precision": precision, "recall": recall, "f1": f1, "right": right, "found": found, "true": true}


def score(found, truth):
    """Scores `found`, from read_found, against `truth`, from read_truth."""
    labels, pairs = found
    true_labels = Clusters(truth).labels()
    both = Counter((label, true_labels[item]) for item, label in labels.items() if item in true_labels)
    found_sizes, true_sizes = Counter(labels.values()), Counter(true_labels.values())
    result = {
        "closure": ratios(pairs_in(both.values()), pairs_in(found_sizes.values()), pairs_in(true_sizes.values())),
        "clusters_found": sum(size > 1 for size in found_sizes.values()),
        "clusters_true": len(true_sizes),
        "largest_found": max(found_sizes.values(), default=0),
        "largest_true": max(true_sizes.values(), default=0),
    }
    together = sum(a in labels and labels[a] == labels.get(b) for a, b in truth)
    result["pair_recall"] = together / len(truth) if truth else 1.0
    if pairs is not None:
        right = pairs.keys() & truth.keys()
        result["pairs"] = ratios(len(right), len(pairs), len(truth))
        result["largest_similarity_error"] = max((abs(pairs[p] - truth[p]) for p in right), default=0.0)
    return result


def ids_of(path):
    with open(path, "rb") as lines:
        return {json.loads(line)["id"] for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("found")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--within", help="count only truth between documents of this JSONL")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    result = score(read_found(args.found), read_truth(args.truth, ids_of(args.within) if args.within else None))
    if args.json:
        print(json.dumps(result))
        return
    for name in ("closure", "pairs"):
        if name in result:
            values = result.pop(name)
            print(f"{name:8} precision {values['precision']:.4f}  recall {values['recall']:.4f}  F1 {values['f1']:.4f}"
                  f"  ({values['right']} right of {values['found']} found, {values['true']} true)")
    for key, value in result.items():
        print(f"{key} {value:.6f}" if isinstance(value, float) else f"{key} {value}")


if __name__ == "__main__":
    main()
