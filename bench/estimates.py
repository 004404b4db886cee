#!/usr/bin/env python3
"""`pairs --verify=estimate` beside the exact similarities: what it finds, what is wrong, and how often its intervals hold.

    estimates.py --program target/release/lookalike [--threshold 0.8] [--seeds 5] INPUT.jsonl

Exact similarities are those of `pairs --method exact` from half of the threshold on. For each number of values, and over all seeds, it prints a row:

    found      found pairs, on average
    precision  the share of them whose exact similarity reaches the threshold
    recall     the share of the pairs at or above the threshold that was found
    near       the same of pairs less than 0.05 above the threshold
    far        the same of pairs further above it
    interval   the share of found pairs whose interval holds the exact similarity
    all        the same of all pairs of which signatures share a band, at half of the threshold
    time       processor-seconds of a run beside those of one that verifies, both by MinHash
"""
import argparse
import json
import resource
import subprocess


def pairs(arguments, *options):
    """The rows of a list, by their ids, and the processor-seconds of the run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [arguments.program, "pairs", arguments.input, "-q", *map(str, options)]
    rows = [json.loads(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {(row["a"], row["b"]): row for row in rows}, seconds


def holds(row, truth):
    return row["estimate_low"] - 1e-6 <= truth <= row["estimate_high"] + 1e-6


def share(part, whole):
    return f"{part / whole:.4f}" if whole else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("input")
    arguments = parser.parse_args()
    threshold = arguments.threshold
    exact, _ = pairs(arguments, "--method", "exact", "--threshold", threshold / 2)
    truth = {ids: row["jaccard"] for ids, row in exact.items()}
    # Copies have equal signatures, and say nothing of estimates.
    truth = {ids: similarity for ids, similarity in truth.items() if similarity < 1}
    similar = {ids for ids, similarity in truth.items() if similarity >= threshold}
    print(f"{len(similar):,} pairs from {threshold} on, without those of similarity 1; {len(truth):,} from {threshold / 2} on")
    print("values  found  precision  recall  near  far  interval  all  time")
    for values in (64, 128, 256, 512):
        found = right = near = far = held = held_all = compared = 0
        times = [0.0, 0.0]
        for seed in range(arguments.seeds):
            by = ["--num-perm", values, "--seed", seed, "--threshold", threshold]
            rows, seconds = pairs(arguments, "--verify=estimate", *by)
            times[0] += seconds
            times[1] += pairs(arguments, *by)[1]
            below = {ids for ids in rows if ids not in truth and rows[ids]["estimate_low"] < threshold / 2}
            rows = {ids: row for ids, row in rows.items() if ids in truth or ids in below}
            found += len(rows)
            right += len(similar & rows.keys())
            is_near = {ids for ids in similar if truth[ids] < threshold + 0.05}
            near += len(is_near & rows.keys())
            far += len((similar - is_near) & rows.keys())
            held += sum(holds(row, truth[ids]) for ids, row in rows.items() if ids in truth)
            lower, _ = pairs(arguments, "--verify=estimate", "--num-perm", values, "--seed", seed, "--threshold", threshold / 2)
            known = [ids for ids in lower if ids in truth and truth[ids] >= threshold / 2 + 0.15]
            held_all += sum(holds(lower[ids], truth[ids]) for ids in known)
            compared += len(known)
        runs = arguments.seeds
        print(
            f"{values:6} {found / runs:6.0f}  {share(right, found)}  {share(right, runs * len(similar))}  {share(near, runs * len(is_near))}  "
            f"{share(far, runs * len(similar - is_near))}  {share(held, found)}  {share(held_all, compared)}  {times[0] / max(times[1], 1e-9):.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
