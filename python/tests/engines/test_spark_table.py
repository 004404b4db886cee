"""examples/spark/table.py: what Spark finds lies where the mathematics of MinHash expects it."""

from __future__ import annotations

import itertools
import math
import runpy
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

numpy = pytest.importorskip("numpy")

DEVIATIONS = 4
"""A number that is further from its expectation has a chance of less than one in ten thousand."""


def pairs_agree(sets: Any, pairs: Any) -> Any:
    """For each two pairs of sets, the chance that one hash function agrees on both pairs.

    The hash function orders the shingles of all four sets at random. If the first is in sets of one pair only, it decides
    that pair, and the other one agrees with a chance of its own similarity. If it is in sets of both, it decides both.
    """
    left, right = pairs.T
    both = sets[left] * sets[right]
    sizes = both.sum(axis=1)
    both_both = both @ both.T
    # "either" is the union of a pair: left + right - both.
    both_set = both @ sets.T
    either_both = both_set.T[left] + both_set.T[right] - both_both
    overlaps = sets @ sets.T
    either_set = overlaps[left] + overlaps[right] - both_set
    either_either = either_set[:, left] + either_set[:, right] - either_both
    unions = either_either.diagonal()
    similarity = sizes / unions
    first_decides = (sizes[:, None] - either_both.T) * similarity[None, :]
    second_decides = (sizes[None, :] - either_both) * similarity[:, None]
    return (first_decides + second_decides + both_both) / (unions[:, None] + unions[None, :] - either_either)


def expectation(agree: Any, bands: int, rows: int) -> tuple[float, float]:
    """How many of the pairs share a band, and the standard deviation of this number. Bands have hash functions of their own."""
    shares = agree.diagonal().astype("float64") ** rows
    missed = (1 - shares) ** bands
    variance = 0.0
    # In parts, because the matrix has a row and a column for each pair.
    for at in range(0, len(shares), 100):
        part = slice(at, at + 100)
        together = agree[part].astype("float64") ** rows
        both_missed = (1 - shares[part, None] - shares[None, :] + together) ** bands
        variance += float((both_missed - missed[part, None] * missed[None, :]).sum())
    return float((1 - missed).sum()), math.sqrt(max(variance, 0.0))


def test_spark_finds_as_many_candidates_and_pairs_as_expected(session: Any, tmp_path: Path) -> None:
    table = runpy.run_path(str(ROOT / "examples/spark/table.py"))
    texts = table["documents"](3)
    title, _, _, *lines = table["lines"](session, texts, str(tmp_path))

    shingles = [{text[at : at + 3] for at in range(len(text) - 2)} for text in texts]
    places = {shingle: place for place, shingle in enumerate(sorted(set().union(*shingles)))}
    sets = numpy.zeros((len(texts), len(places)), dtype="float32")
    for row, found in enumerate(shingles):
        sets[row, [places[shingle] for shingle in found]] = 1
    pairs = numpy.array([*itertools.combinations(range(len(texts)), 2)])
    agree = pairs_agree(sets, pairs)
    true = numpy.flatnonzero(agree.diagonal() >= 0.5)
    assert title == f"100 documents, 4,950 pairs, {len(true)} of similarity 0.5 or more\n" and 20 <= len(true) <= 25

    assert len(lines) == 5
    for line in lines:
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        bands, rows = map(int, cells[:2])
        candidates, printed, recall, printed_recall = map(float, cells[2:6])
        expected, deviation = expectation(agree, bands, rows)
        assert abs(printed - expected) <= 0.5 and abs(candidates - expected) <= DEVIATIONS * deviation, line
        found, deviation = expectation(agree[numpy.ix_(true, true)], bands, rows)
        assert abs(printed_recall * len(true) - found) <= 0.005 * len(true)
        assert abs(recall * len(true) - found) <= DEVIATIONS * deviation + 0.005 * len(true), line
        # All pairs are verified. A dash says that there is none.
        assert cells[6] == ("1.000" if recall else "-")
