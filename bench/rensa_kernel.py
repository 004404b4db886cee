#!/usr/bin/env python3
"""Lookalike's signature kernel and rensa's RMinHash over the same hashed shingles, one thread each, in turns.

    rensa_kernel.py FLAT... --kernels FOLDER [--rounds 31] [--passes 5] [--level NAME [SCHEME]]
    rensa_kernel.py --random N... --kernels FOLDER
    rensa_kernel.py FLAT --planted PLANTED.tsv --corpus CORPUS.jsonl [--seeds 10]

`features CORPUS.jsonl FLAT` makes FLAT, and FOLDER has `signature`, both of bench/kernels. Needs rensa and numpy.
Both read 64-bit hashes and row ends from flat arrays and fill a new matrix of 128 × u32 per document. rensa uses the
full set (`digest_matrix_from_flat_token_hashes`), not the sampling `rho` sketch.
In a round each goes over the file PASSES times, and the first one changes every round. Prints M shingles/s of
wall time and of CPU time as medians of the rounds. The ratio is the median of the rounds' ratios.
With --random: documents of N random hashes each, four million hashes or 40,000 documents in all.
With --planted: rensa's estimator error over the pairs of documents in PLANTED, as `estimator` measures ours.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median

os.environ["RAYON_NUM_THREADS"] = "1"  # read by rensa when its first call makes its threads

import numpy
from rensa import RMinHash

NUM_PERM, SEED = 128, 42


class Lookalike:
    """The program `signature`. It runs one round for each line of input."""

    def __init__(self, program, flat, passes, level):
        command = [program, flat, str(passes), *level]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.round()

    def round(self):
        """(wall seconds, CPU seconds)"""
        before = self.cpu()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        wall = float(self.process.stdout.readline().split()[0])
        return wall, self.cpu() - before

    def cpu(self):
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Rensa:
    """RMinHash over the arrays of a flat file."""

    def __init__(self, flat, passes):
        words = numpy.fromfile(flat, dtype="<u8")
        count = int(words[0])
        self.offsets = numpy.ascontiguousarray(words[1 : count + 2])
        self.hashes = numpy.ascontiguousarray(words[count + 2 :])
        self.passes = passes

    def signatures(self, seed):
        matrix = RMinHash.digest_matrix_from_flat_token_hashes(self.hashes, self.offsets, NUM_PERM, seed)
        return numpy.array(matrix.to_rows(), dtype=numpy.uint32)

    def round(self):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(self.passes):
            RMinHash.digest_matrix_from_flat_token_hashes(self.hashes, self.offsets, NUM_PERM, SEED)
        return time.perf_counter() - wall, time.process_time() - cpu


def compare(flat, args):
    rensa = Rensa(flat, args.passes)
    rensa.round()
    lookalike = Lookalike(str(Path(args.kernels, "signature")), flat, args.passes, args.level)
    rounds = []
    for number in range(args.rounds):
        if number % 2:
            theirs = rensa.round()
            ours = lookalike.round()
        else:
            ours = lookalike.round()
            theirs = rensa.round()
        rounds.append((ours, theirs))
    lookalike.close()
    millions = len(rensa.hashes) * args.passes / 1e6
    for index, clock in enumerate(["wall", "CPU"]):
        ours = median(millions / ours[index] for ours, _ in rounds)
        theirs = median(millions / theirs[index] for _, theirs in rounds)
        ratios = sorted(theirs[index] / ours[index] for ours, theirs in rounds)
        quarter = len(ratios) // 4
        print(
            f"| {Path(flat).name} | {' '.join(args.level) or 'fastest'} "
            f"| {len(rensa.offsets) - 1} | {len(rensa.hashes)} | {clock} | {ours:.0f} | {theirs:.0f} | {median(ratios):.2f} "
            f"| {ratios[quarter]:.2f}–{ratios[-1 - quarter]:.2f} |"
        )


def write_random(path, size):
    count = min(4_000_000 // size, 40_000)
    generator = numpy.random.default_rng(size)
    hashes = generator.integers(0, 2**64, size=count * size, dtype=numpy.uint64)
    ends = numpy.arange(count + 1, dtype=numpy.uint64) * numpy.uint64(size)
    numpy.concatenate([numpy.array([count], dtype=numpy.uint64), ends, hashes]).astype("<u8").tofile(path)


def error(flat, corpus, planted, seeds):
    rensa = Rensa(flat, 1)
    with open(corpus, "rb") as lines:
        place = {json.loads(line)["id"]: number for number, line in enumerate(lines)}
    with open(planted, encoding="utf-8") as lines:
        pairs = numpy.array([[place[identity] for identity in line.split("\t")[:2]] for line in lines])
    sets = [numpy.unique(features) for features in numpy.split(rensa.hashes, rensa.offsets[1:-1].astype(int))]
    common = numpy.array([len(numpy.intersect1d(sets[a], sets[b], assume_unique=True)) for a, b in pairs])
    sizes = numpy.array([(len(sets[a]), len(sets[b])) for a, b in pairs])
    jaccard = common / (sizes.sum(axis=1) - common)
    errors = numpy.empty((seeds, len(pairs)))
    for seed in range(seeds):
        rows = rensa.signatures(seed)
        errors[seed] = (rows[pairs[:, 0]] == rows[pairs[:, 1]]).mean(axis=1) - jaccard
    print("| pairs | number | rensa RMSE | bias |")
    print("|---|---|---|---|")
    for name, chosen in [
        ("all", jaccard >= 0),
        ("all but identical", jaccard < 1),
        ("documents under 128 shingles", sizes.max(axis=1) < 128),
        ("J 0.75–0.85", (jaccard >= 0.75) & (jaccard < 0.85)),
    ]:
        those = errors[:, chosen]
        print(f"| {name} | {chosen.sum()} | {(those**2).mean() ** 0.5:.4f} | {those.mean():+.4f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flat", nargs="*")
    parser.add_argument("--random", nargs="+", type=int, default=[], metavar="N")
    parser.add_argument("--kernels", help="the folder of the built programs")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--level", nargs="*", default=[], help="instruction set, then scheme, for `signature`")
    parser.add_argument("--planted")
    parser.add_argument("--corpus", help="with --planted: the corpus of the flat file, for its ids")
    parser.add_argument("--seeds", type=int, default=10)
    args = parser.parse_args()
    if args.planted and args.corpus and args.flat:
        return error(args.flat[0], args.corpus, args.planted, args.seeds)
    if not args.kernels or args.planted or args.corpus:
        parser.error("either --kernels, or --planted and --corpus")
    print("| flat file | level | documents | shingles | clock | lookalike M/s | rensa M/s | ratio | middle half |")
    print("|---|---|---|---|---|---|---|---|---|")
    for flat in args.flat:
        compare(flat, args)
    with tempfile.TemporaryDirectory() as folder:
        for size in args.random:
            flat = str(Path(folder, f"random-{size}"))
            write_random(flat, size)
            compare(flat, args)


if __name__ == "__main__":
    main()
