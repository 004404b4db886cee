"""Frequent shingles: those that more than a given share of the documents have. They are counted, named and left out."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike._errors import PlanError
from lookalike._lookalike import Plan
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import quoted, sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lookalike.spark._search import Input
    from lookalike.spark._work import Work

LEAST = 0.001
"""The least share. For less, almost every shingle would have to be counted."""

MOST_SUSPECTS = 2_000_000
"""The shingles that are counted in all documents. Each task gets them, and they take 8 bytes each."""

NAMED = 10
"""The shingles that the summary names."""


class Frequent(NamedTuple):
    """The shingles that a call leaves out."""

    share: float
    documents: int
    """The documents with words, old ones too."""
    shingles: DataFrame
    """feature, documents, example: the id of a new document that has it, if there is one."""


def checked(share: float | None, plan: Plan) -> float | None:
    """The share, or an error if it cannot be used."""
    if share is None:
        return None
    if not isinstance(share, (int, float)):
        raise TypeError(f"drop_frequent is {type(share).__name__}; give a number such as 0.1")
    # numpy has numbers of its own, which are no SQL.
    share = float(share)
    if not LEAST <= share < 1:
        raise ValueError(f"drop_frequent is {share}; it must be at least {LEAST} and less than 1")
    if plan.score_column == "word_jaccard":
        message = 'drop_frequent has no effect on measure "word_jaccard", which compares words: name them by stop_words'
        raise PlanError(message, "drop_frequent")
    return share


def frequent(documents: DataFrame, share: float, kind: str, work: Work) -> Frequent:
    """Counts the shingles that more than a share of the documents have. The counts are exact."""
    with_words = documents.where("content IS NOT NULL")
    total = with_words.count()

    def counted() -> DataFrame:
        # What more than a share of all documents have, more than the same share of some batch has.
        suspects = with_words.select("features").mapInArrow(on_executors("suspects", {"share": share}), "feature bigint")
        found = [row["feature"] for row in suspects.distinct().limit(MOST_SUSPECTS + 1).collect()]
        if len(found) > MOST_SUSPECTS:
            raise ValueError(f"drop_frequent is {share}, and too many shingles may have that share: take a larger one")
        # Old documents may have no texts, by which a shingle is named.
        named = with_words.selectExpr("features", "CASE WHEN side = 1 THEN id END AS id")
        of_batches = named.mapInArrow(
            on_executors("occurrences", {"features": packed(found)}), f"feature bigint, documents bigint, example {kind}"
        )
        totals = of_batches.groupBy("feature").agg(sql("sum(documents) AS documents"), sql("min(example) AS example"))
        # The share counts as it is typed: 0.29 of 100 is 29, and by numbers of a computer a little less.
        return totals.where(f"documents * 1000000000L > {round(share * 10**9)}L * {total}L")

    return Frequent(share, total, work.stage("frequent", counted))


def thinned(documents: DataFrame, without: Frequent, options: dict[str, Any], work: Work) -> DataFrame:
    """The documents without these shingles: their features, and the signatures and band keys of what is left."""
    features = [row["feature"] for row in without.shingles.select("feature").collect()]
    if not features:
        return documents
    given = {"plan": options, "features": packed(features)}
    return work.stage("thinned", lambda: documents.mapInArrow(on_executors("thin", given), documents.schema))


def packed(features: list[int]) -> bytes:
    """Features as executors get them: 8 bytes each, in an order that is the same each time."""
    return array("q", sorted(features)).tobytes()


def told(without: Frequent, read: Input, kind: str, plan: Plan) -> dict[str, Any]:
    """What the summary says of them: how many there are, and the words of the most frequent ones."""
    largest = without.shingles.orderBy(sql("-documents"), "feature").limit(NAMED).collect()
    examples = sorted({row["example"] for row in largest if row["example"] is not None})
    texts: list[str] = []
    if examples:
        chosen = read.frame.where(sql(f"CAST({quoted(read.id)} AS {kind})").isin(examples))
        texts = [row["text"] for row in chosen.selectExpr(f"CAST({quoted(read.text)} AS string) AS text").collect()]
    names = _names(texts, plan)
    return {
        "share": without.share,
        "documents": without.documents,
        "dropped": without.shingles.count(),
        "largest": [{"shingle": names.get(row["feature"]), "documents": row["documents"]} for row in largest],
    }


def _names(texts: list[str], plan: Plan) -> dict[int, str]:
    """The words of each shingle, by its feature."""
    from lookalike import columns

    column, names = columns.of(texts), {}
    sets, shingles = columns.features(column, plan).to_pylist(), columns.shingles(column, plan).to_pylist()
    for features, words in zip(sets, shingles, strict=True):
        for start, name in zip(range(0, len(features or b""), 8), words or (), strict=True):
            names[int.from_bytes(features[start : start + 8], "little", signed=True)] = name
    return names
