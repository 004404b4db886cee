"""An audit: random documents are compared with all others, and the run should have found each similar pair."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Any

from lookalike._checked import whole
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
"""Bytes of sampled documents that go to all tasks at once. Connect takes messages of up to 128 MB."""

MOST_BYTES = 1 << 30
"""The most bytes of sampled documents that the driver collects. Spark's own limit for results is 1 GiB."""

SIZE = "coalesce(length(features), 0) + coalesce(length(signature), 0) + 8 * coalesce(size(band_keys), 0)"
"""The bytes of a sampled document."""


def checked(count: int) -> int:
    """The number of documents of an audit, or an error if it cannot be."""
    if whole("audit", count) > MOST:
        raise ValueError(f"audit is {count}; it must be {MOST:,} or less")
    return count


def audited(
    found: Found, linked: DataFrame, shape: Shape, plan: Plan, options: dict[str, Any], count: int, work: Work
) -> dict[str, Any]:
    """What the summary says of an audit of so many new documents. It is counted once, and is then in `work` as a marker."""
    if f"audit-{count}" not in work.done:
        work.mark(f"audit-{count}", _measured(found, linked, shape, plan, options, count, work))
    return work.done[f"audit-{count}"]


def _measured(
    found: Found, linked: DataFrame, shape: Shape, plan: Plan, options: dict[str, Any], count: int, work: Work
) -> dict[str, Any]:
    """The hash of an id and the seed choose the documents."""
    sampled = work.stage(f"sampled-{count}", lambda: _sampled(found, options.get("seed") or 0, count))
    partners = _partners(found, sampled, options, f"partners-{count}", work)
    # The last bits of a sum of floats depend on the order.
    pairs = sorted((row["found"], row["partners"]) for row in _counted(found, linked, shape, partners).collect())
    documents, (with_words, spread) = work.rows(f"sampled-{count}"), _spread(found, linked, shape)
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


def _partners(found: Found, sampled: DataFrame, options: dict[str, Any], name: str, work: Work) -> DataFrame:
    """The documents that are similar to a sampled one, without copies of earlier documents: id, original, partner.

    Each piece of the sampled documents is a stage, because all pieces in one query may be too large a message for Connect.
    """
    firsts = found.originals.where("id = original").select("id")
    documents = found.documents.join(firsts, "id", "left_semi").select("id", "features", "signature", "band_keys")
    schema = f"id {found.kind}, original {found.kind}, partner {found.kind}"

    def of(number: int, piece: bytes) -> DataFrame:
        given = {"plan": options, "sampled": piece}
        return work.stage(f"{name}-{number}", lambda: documents.mapInArrow(on_executors("partners", given), schema))

    stages = [of(number, piece) for number, piece in enumerate(_pieces(_sample(sampled)))]
    return reduce(lambda left, right: left.unionByName(right), stages, work.session.createDataFrame([], schema))


def _sample(sampled: DataFrame) -> Any:
    """The sampled documents as a table of the driver. They are in the order of ids, so that another call makes the same pieces."""
    size = sampled.agg(sql(f"sum({SIZE}) AS bytes")).collect()[0]["bytes"] or 0
    if size > MOST_BYTES:
        raise ValueError(f"the documents of the audit have {size / 1e9:.1f} GB of features: take fewer documents for the audit")
    return collected(sampled.orderBy("id"))


def _pieces(table: Any) -> Iterator[bytes]:
    """The rows of a table, in pieces that go to all tasks."""
    import pyarrow

    for start, end in _bounds(_sizes(table)):
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table.slice(start, end - start))
        yield sink.getvalue().to_pybytes()


def _sizes(table: Any) -> list[int]:
    """The bytes of each row of a table."""
    from pyarrow import compute

    bytes_of = [compute.binary_length(table[name]) for name in ("features", "signature")]
    lengths = [*bytes_of, compute.list_value_length(table["band_keys"])]
    features, signatures, keys = (compute.fill_null(each, 0).to_pylist() for each in lengths)
    return [feature + signature + 8 * key for feature, signature, key in zip(features, signatures, keys, strict=True)]


def _bounds(sizes: list[int]) -> Iterator[tuple[int, int]]:
    """The start and end of each piece. A row that is too large is a piece of its own."""
    start = held = 0
    for row, size in enumerate(sizes):
        if row > start and held + size > SENT:
            yield start, row
            start, held = row, 0
        held += size
    if sizes:
        yield start, len(sizes)


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
