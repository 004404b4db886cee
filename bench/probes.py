#!/usr/bin/env python3
"""Multi-probe search of MinHash bands: what it finds, and what it costs, beside more bands. Needs numpy.

    python3 bench/probes.py [--pairs 20000] [--features 200]

A query looks up each band by its own key, and by the keys in which one of its values is replaced by the second least one: the value that it
would have without its least feature. So a band is found if both documents agree in it, or if the stored one lacks the query's least feature in
one row. The index stores what it stores without probes. Pairs of random sets with a given Jaccard similarity are drawn, with one hash function
a row, and counted.
"""
import argparse

import numpy

BELOW = (0.2, 0.3, 0.5)
"""Similarities of pairs that nobody wants."""


AT_ONCE = 1000
"""Pairs that are drawn together: 100 MB."""


def chances(generator, jaccard, rows, pairs, features):
    """How often a band of so many rows is shared by a pair of this similarity: without probes, and with them."""
    common = round(2 * features * jaccard / (1 + jaccard))
    plain, probed = 0, 0
    for _ in range(pairs // AT_ONCE):
        # The hashes of the features that both have, and of those of each alone.
        both = generator.random((AT_ONCE, rows, common), dtype=numpy.float32)
        ours, theirs = generator.random((2, AT_ONCE, rows, features - common), dtype=numpy.float32)
        least, second = numpy.partition(numpy.concatenate([both, ours], axis=2), 1, axis=2)[:, :, :2].transpose(2, 0, 1)
        stored = numpy.minimum(both.min(axis=2), theirs.min(axis=2))
        agrees, agrees_flipped = least == stored, second == stored
        found = agrees.all(axis=1)
        one_flipped = (agrees.sum(axis=1) == rows - 1) & (~agrees & agrees_flipped).any(axis=1)
        plain, probed = plain + found.sum(), probed + (found | one_flipped).sum()
    return plain / pairs, probed / pairs


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", type=int, default=20000)
    arguments.add_argument("--features", type=int, default=200)
    arguments.add_argument("--threshold", type=float, default=0.8)
    arguments.add_argument("--recall", type=float, default=0.995)
    given = arguments.parse_args()
    generator = numpy.random.default_rng(1)
    print("| rows | probes | bands | bytes a document | look-ups | " + " | ".join(f"candidates at {below}" for below in BELOW) + " |")
    print("|" + "---|" * (5 + len(BELOW)))
    for rows in range(4, 9):
        at, *below = (chances(generator, jaccard, rows, given.pairs, given.features) for jaccard in (given.threshold, *BELOW))
        for probes in (0, 1):
            bands = int(numpy.ceil(numpy.log(1 - given.recall) / numpy.log(1 - at[probes])))
            # Eight bytes a key, one a value, and the content hash.
            size = 8 * bands + bands * rows + 24
            # Of 1,000 pairs of each similarity.
            found = [f"{1000 * (1 - (1 - chance[probes]) ** bands):.1f}" for chance in below]
            look_ups = bands * (1 + probes * rows)
            print("| " + " | ".join(map(str, (rows, ("no", "yes")[probes], bands, size, look_ups, *found))) + " |")


if __name__ == "__main__":
    main()
