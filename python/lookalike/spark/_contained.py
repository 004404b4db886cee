"""Documents that contain one of `against`, or are contained in one: of any length, and none missed.

A document and an old one are compared if they share one of the features of a prefix of the shorter one. It must share a least number k
of its n features with the longer one, so one of any n - k + 1 of them is shared. The prefix has those that the fewest documents of the
other side have: features that none of them has come first, and need no comparison.

Source: Chaudhuri, Ganti and Kaushik, "A primitive operator for similarity joins in data cleaning", 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike.spark._clusters import collected
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import sql
from lookalike.spark._frequent import packed
from lookalike.spark._plan import FEATURE_BYTES
from lookalike.spark._search import Found, among, compared
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHINGLES = 4
"""Fewer shingles are often shared by chance."""

MOST_SENT = 1_000_000
"""Features of old documents that go to all tasks, 8 MB. Tasks then make rows of these features alone."""


class AgainstContainment(NamedTuple):
    """Which documents are removed for containment."""

    containment: float
    """The share of the features of the shorter document that the other one has."""
    shingles: int
    """The fewest features of the shorter document."""

    @classmethod
    def checked(cls, share: float | None, shingles: int | None, *, has_against: bool) -> AgainstContainment | None:
        """What was asked for, or an error that names an option."""
        if share is None:
            if shingles is not None:
                raise ValueError("against_shingles has no effect without against_containment: give both")
            return None
        shingles = SHINGLES if shingles is None else shingles
        if shingles < 1:
            raise ValueError(f"against_shingles is {shingles}; it must be at least 1")
        if not has_against:
            raise ValueError("against_containment needs old documents: give them as against")
        if not 0 < share <= 1:
            raise ValueError(f"against_containment is {share}; it must be above 0, and at most 1")
        return cls(float(share), int(shingles))


def contained(found: Found, wanted: AgainstContainment, options: dict[str, Any], work: Work) -> DataFrame:
    """The new documents that are removed for containment: id, against (the old document of the greatest share), share.

    Of equal shares it is the old document of the least id.
    """
    postings = work.stage("postings", lambda: _postings(found, wanted, options))
    containing = work.stage("containing", lambda: _containing(postings))

    def best() -> DataFrame:
        schema = "a_in_b double, b_in_a double"
        shares = compared(among(found.documents, containing, "a", "b"), containing, "containments", {}, found.kind, schema)
        hits = shares.selectExpr("a", "b", "greatest(a_in_b, b_in_a) AS share").where(f"share >= {wanted.containment!r}D")
        best = hits.groupBy("a").agg(sql("min(struct(-share AS loss, b, share)) AS hit"))
        of_original = best.selectExpr("a AS original", "hit.b AS against", "hit.share AS share")
        # Copies of a document are removed as it is.
        new = found.originals.where("side = 1").select("id", "original")
        return new.join(of_original, "original").select("id", "against", "share")

    return work.stage("contained", best)


def short(found: Found, wanted: AgainstContainment) -> int:
    """The old documents that have too few features to be looked for."""
    return int(found.documents.where(f"side = 0 AND {_size()} < {wanted.shingles}").count())


def _size() -> str:
    return f"CAST(coalesce(length(features), 0) / {FEATURE_BYTES} AS int)"


def _postings(found: Found, wanted: AgainstContainment, options: dict[str, Any]) -> DataFrame:
    """The features that a new document and an old one have: id, is_new, size, feature, is_prefix."""
    from pyspark.sql import Window

    # A new document may be a copy of an old one, which then has its features.
    new = among(found.documents, found.originals.where("side = 1"), "original").withColumn("is_new", sql("true"))
    firsts = found.originals.where("side = 0 AND id = original").select("id")
    old = found.documents.join(firsts, "id", "left_semi").withColumn("is_new", sql("false"))
    new, old = (side.where(f"{_size()} >= {wanted.shingles}") for side in (new, old))
    every = _rows_of(new.unionByName(old), found.kind, options, _few(old, found.kind, options))
    counts = every.groupBy("feature").agg(sql("sum(CAST(is_new AS bigint)) AS new"), sql("sum(CAST(NOT is_new AS bigint)) AS old"))
    shared = every.join(counts.where("new > 0 AND old > 0"), "feature").withColumn("others", sql("if(is_new, old, new)"))
    document = Window.partitionBy("is_new", "id")
    placed = shared.withColumn("place", sql("row_number()").over(document.orderBy("others", "feature")))
    placed = placed.withColumn("shared", sql("count(*)").over(document))
    # A little less, so that rounding loses none. All candidates are compared in the end.
    least = f"greatest(1, CAST(ceil({wanted.containment!r}D * size * (1 - 1e-9D)) AS int))"
    return placed.selectExpr("id", "is_new", "size", "feature", f"place <= shared - {least} + 1 AS is_prefix")


def _rows_of(documents: DataFrame, kind: str, options: dict[str, Any], wanted: bytes | None = None) -> DataFrame:
    """A row for each feature of each document, or for each of these features."""
    given = {"plan": options, "wanted": wanted}
    return documents.select("id", "is_new", "features", "signature", "band_keys").mapInArrow(
        on_executors("postings", given), f"id {kind}, is_new boolean, size int, feature bigint"
    )


def _few(old: DataFrame, kind: str, options: dict[str, Any]) -> bytes | None:
    """The features of old documents, if they are few: otherwise Spark finds those that new documents share."""
    total = old.agg(sql(f"sum({_size()}) AS features")).collect()[0]["features"] or 0
    if total > MOST_SENT:
        return None
    features = collected(_rows_of(old, kind, options).select("feature").distinct())
    return packed(features["feature"].to_pylist())


def _containing(postings: DataFrame) -> DataFrame:
    """The pairs of a new document and an old one that are compared: a, b."""
    new = postings.where("is_new").selectExpr("feature", "id AS a", "size AS size_a", "is_prefix AS prefix_a")
    old = postings.where("NOT is_new").selectExpr("feature", "id AS b", "size AS size_b", "is_prefix AS prefix_b")
    new_is_shorter = new.where("prefix_a").join(old, "feature").where("size_a < size_b")
    old_is_shorter = new.join(old.where("prefix_b"), "feature").where("size_a >= size_b")
    return new_is_shorter.select("a", "b").unionByName(old_is_shorter.select("a", "b")).distinct()


def apart(named: DataFrame, hits: DataFrame) -> DataFrame:
    """The members of clusters, of which each that is removed for containment moves into the cluster of its old document: id, cluster.

    In its own cluster, another document might be removed for it, although it is removed itself.
    """
    of_old = named.selectExpr("id AS against", "cluster AS moved")
    moved = hits.select("id", "against").join(of_old, "against").select("id", "moved")
    return named.join(moved, "id", "left").selectExpr("id", "coalesce(moved, cluster) AS cluster")


def without(pairs: DataFrame, hits: DataFrame) -> DataFrame:
    """The pairs of which no document is removed for containment."""
    gone = hits.select("id")
    others = pairs.join(gone.withColumnRenamed("id", "a"), "a", "left_anti")
    return others.join(gone.withColumnRenamed("id", "b"), "b", "left_anti").select(*pairs.columns)


def removed_for(decisions: DataFrame, hits: DataFrame | None) -> DataFrame:
    """The decisions, with the documents that are removed for containment. `contained` is their share, and null for all others."""
    if hits is None:
        return decisions.withColumn("contained", sql("CAST(NULL AS double)"))
    joined = decisions.join(hits, "id", "left")
    kept, named = "coalesce(against, kept_id) AS kept_id", "(share IS NOT NULL OR is_named) AS is_named"
    return joined.selectExpr("id", "cluster", "side", "size", kept, named, "share AS contained")
