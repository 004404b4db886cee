"""An audit: random documents are compared with all others, and the run should have found each similar pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

from lookalike._lookalike import Plan, recall_of_sample
from lookalike.spark._clusters import collected
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import sql
from lookalike.spark._keep import Shape
from lookalike.spark._search import Found
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST = 100_000
"""The most documents of an audit. The driver holds their features: 0.3 GB, if they have 350 each."""

SENT = 32 << 20
"""Bytes of features that go to all tasks at once. Connect takes messages of up to 128 MB."""


def checked(count: int) -> int:
    """The number of documents of an audit, or an error if it cannot be."""
    if not 0 <= count <= MOST:
        raise ValueError(f"audit is {count}; it must be from 0 to {MOST:,}")
    return int(count)


def audited(
    found: Found, linked: DataFrame, shape: Shape, plan: Plan, options: dict[str, Any], count: int, work: Work
) -> dict[str, Any]:
    """What the summary says of an audit of so many new documents. The hash of an id and the seed choose them."""
    sampled = work.stage("sampled", lambda: _sampled(found, options.get("seed") or 0, count))
    partners = work.stage("partners", lambda: _partners(found, sampled, options, work))
    pairs = [(row["found"], row["partners"]) for row in _counted(found, linked, shape, partners).collect()]
    documents, (with_words, spread) = work.rows("sampled"), _spread(found, linked, shape)
    recall = recall_of_sample(pairs, spread * documents / max(with_words, 1))
    interval = None if recall is None else recall[1:] if documents < with_words else (recall[0], recall[0])
    return {
        "documents": documents,
        "partners": sum(partners for _, partners in pairs),
        "found": sum(found for found, _ in pairs),
        "recall": None if recall is None else recall[0],
        "recall_interval": None if interval is None else list(interval),
    }


def _sampled(found: Found, seed: int, count: int) -> DataFrame:
    """Random new documents with words: id, original, and what they are compared by."""
    chosen = found.originals.where("side = 1").select("id", "original").orderBy(sql(f"xxhash64(id, '{seed}')"), "id").limit(count)
    return chosen.join(found.documents.select("id", "features", "signature", "band_keys"), "id")


def _partners(found: Found, sampled: DataFrame, options: dict[str, Any], work: Work) -> DataFrame:
    """The documents that are similar to a sampled one, without copies of earlier documents: id, original, partner."""
    firsts = found.originals.where("id = original").select("id")
    documents = found.documents.join(firsts, "id", "left_semi").select("id", "features", "signature", "band_keys")
    schema = f"id {found.kind}, original {found.kind}, partner {found.kind}"

    def of(piece: bytes) -> DataFrame:
        return documents.mapInArrow(on_executors("partners", {"plan": options, "sampled": piece}), schema)

    return reduce(lambda left, right: left.unionByName(right), map(of, _pieces(collected(sampled))), work.session.createDataFrame([], schema))


def _pieces(table: Any) -> Iterator[bytes]:
    """The rows of a table, in pieces that go to all tasks."""
    import pyarrow

    rows = max(1, SENT * len(table) // max(table.nbytes, 1))
    for start in range(0, len(table), rows):
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table.slice(start, rows))
        yield sink.getvalue().to_pybytes()


def _counted(found: Found, linked: DataFrame, shape: Shape, partners: DataFrame) -> DataFrame:
    """For each sampled document, how many others are similar to it, and how many of them the run has found."""
    copies = found.originals.groupBy("original").agg(sql("count(*) AS copies")).withColumnRenamed("original", "partner")
    every = partners.join(copies, "partner").withColumn("others", sql("copies - if(partner = original, 1, 0)"))
    if shape == "star":
        pairs = found.pairs.selectExpr("a", "b", "true AS is_pair")
        sides = every.withColumn("a", sql("least(original, partner)")).withColumn("b", sql("greatest(original, partner)"))
        known = sides.join(pairs, ["a", "b"], "left").withColumn("is_found", sql("partner = original OR is_pair IS NOT NULL"))
    else:
        own = linked.selectExpr("id AS original", "cluster AS own")
        other = linked.selectExpr("id AS partner", "cluster AS other")
        joined = every.join(own, "original", "left").join(other, "partner", "left")
        known = joined.withColumn("is_found", sql("partner = original OR coalesce(own = other, false)"))
    return known.groupBy("id").agg(sql("sum(others) AS partners"), sql("sum(if(is_found, others, 0)) AS found"))


def _spread(found: Found, linked: DataFrame, shape: Shape) -> tuple[int, float]:
    """The new documents with words, and over how many of them the found pairs are spread: see `Recall::spread` of the engine."""
    new = found.originals.where("side = 1")
    if shape == "star":
        both = found.pairs.selectExpr("a AS original", "b AS other").unionByName(found.pairs.selectExpr("b AS original", "a AS other"))
        copies = found.originals.groupBy("original").agg(sql("count(*) AS copies"))
        others = both.join(copies.withColumnRenamed("original", "other"), "other").groupBy("original").agg(sql("sum(copies) AS others"))
        partners = copies.join(others, "original", "left").selectExpr("original", "copies - 1 + coalesce(others, 0) AS partners")
        counted = new.join(partners, "original").selectExpr("partners", "1 AS documents")
    else:
        named = found.originals.join(linked.selectExpr("id AS original", "cluster"), "original", "left")
        of_cluster = named.groupBy(sql("coalesce(cluster, original)")).agg(sql("count(*) - 1 AS partners"), sql("sum(side) AS documents"))
        counted = of_cluster.where("documents > 0")
    total = counted.agg(
        sql("sum(documents) AS documents"),
        sql("sum(CAST(documents * partners AS double)) AS sum"),
        sql("sum(CAST(documents * partners AS double) * partners) AS squares"),
    ).collect()[0]
    spread = total["sum"] ** 2 / total["squares"] if total["squares"] else float("inf")
    return total["documents"] or 0, spread
