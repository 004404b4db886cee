#!/usr/bin/env python3
"""The table of a case study about locality-sensitive hashing on Spark, measured again beside what the mathematics expects.

    table.py [--seed 3] [--work FOLDER]

The case study has 100 documents of 80 words, 25 pairs of which one is an edited copy of the other, shingles of three
characters, signatures of 100 values, a threshold of 0.5, and five settings of bands and rows. This program makes such
documents by its own generator, so its similarities differ from those of the study.

For each setting it prints the candidates and the recall that Spark finds. Beside them are the expected ones: a pair of
similarity s shares a band with a chance of 1 - (1 - s ** rows) ** bands, summed over all pairs. All pairs share the same
hash functions, so one seed may be a third above or below. The numbers of the study come last.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
from collections.abc import Iterator

import pyarrow
from pyspark.sql import SparkSession

import lookalike
from lookalike import columns, spark

DOCUMENTS, WORDS, PAIRS, THRESHOLD, NUM_PERM = 100, 80, 25, 0.5, 100
OPTIONS = {"tokens": "chars", "shingle": 3, "num_perm": NUM_PERM, "scheme": "classic", "threshold": THRESHOLD}

STUDY = {(5, 20): (0, 0.00), (10, 10): (12, 0.19), (20, 5): (775, 0.85), (25, 4): (2187, 1.00), (50, 2): (4947, 1.00)}
"""The candidates and the recall of the case study, by bands and rows."""

LETTERS = "eeeeeeettttaaaaooooiiiinnnnsssshhhrrrddllcumwfgypbvk"


def documents(seed: int) -> list[str]:
    """Texts of words from a vocabulary. The last ones are edited copies of the first ones, from lightly to heavily."""
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices(LETTERS, k=draw.randrange(3, 9))) for _ in range(200)]
    texts = [draw.choices(vocabulary, k=WORDS) for _ in range(DOCUMENTS - PAIRS)]
    for number in range(PAIRS):
        copy = list(texts[number])
        for place in draw.sample(range(WORDS), 2 + number):
            copy[place] = draw.choice(vocabulary)
        texts.append(copy)
    return [" ".join(words) for words in texts]


def similarities(texts: list[str]) -> dict[tuple[int, int], float]:
    """The exact similarity of every pair."""
    plan = lookalike.Plan(method="minhash", **{**OPTIONS, "threshold": 1e-9})
    features = pyarrow.array(columns.features(columns.of(texts), plan))
    pairs = list(itertools.combinations(range(len(texts)), 2))
    sides = [features.take(pyarrow.array([pair[side] for pair in pairs])) for side in (0, 1)]
    return {pair: value or 0.0 for pair, value in zip(pairs, columns.verify(*sides, plan))}


def lines(session: SparkSession, texts: list[str], work: str) -> Iterator[str]:
    """The lines of the table, each as soon as Spark has its numbers."""
    exact = similarities(texts)
    true = {pair for pair, similarity in exact.items() if similarity >= THRESHOLD}
    frame = session.createDataFrame(list(enumerate(texts)), "id long, text string")
    yield f"{len(texts)} documents, {len(exact):,} pairs, {len(true)} of similarity {THRESHOLD} or more\n"
    yield "| bands | rows | candidates | expected | recall | expected | precision | candidates and recall of the study |"
    yield "|---|---|---|---|---|---|---|---|"
    for (bands, rows), (candidates, recall) in STUDY.items():
        result = spark.dedup(frame, work=f"{work}/{bands}x{rows}", bands=bands, rows=rows, **OPTIONS)
        found = {(row["a"], row["b"]) for row in result.pairs.collect()}

        def chance(similarity: float) -> float:
            return 1 - (1 - similarity**rows) ** bands

        expected = sum(map(chance, exact.values())), sum(chance(exact[pair]) for pair in true) / len(true)
        precision = f"{len(found & true) / len(found):.3f}" if found else "-"
        yield (
            f"| {bands} | {rows} | {result.summary.candidates:,} | {expected[0]:,.0f} | {len(found & true) / len(true):.2f} | "
            f"{expected[1]:.2f} | {precision} | {candidates:,}, {recall:.2f} |"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seed", type=int, default=3)
    arguments.add_argument("--work", help="a folder for the stages; default: a temporary one")
    given = arguments.parse_args()
    session = SparkSession.builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        for line in lines(session, documents(given.seed), given.work or folder):
            print(line, flush=True)
    session.stop()


if __name__ == "__main__":
    main()
