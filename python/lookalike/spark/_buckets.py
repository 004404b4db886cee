"""Buckets: the documents that share a band key, and the candidate pairs among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lookalike.spark._frames import sql
from lookalike.spark._keys import over

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LEADERS = 16
"""The most leaders of a bucket that is too large for one task."""


class Bounds(NamedTuple):
    """The sizes of buckets from which they are searched in another way."""

    bucket: int
    """Above, one task searches the bucket by the features of its documents. Below, its pairs are candidates one by one."""
    leaders_above: int
    """Above, a bucket is too large for a task: its documents are compared with leaders alone."""
    frequent: float | None = None
    """Shingles that more than this share of the documents have do not count."""


def members(documents: DataFrame, originals: DataFrame, count: int) -> DataFrame:
    """The documents of all buckets that hold a new document and another one. Copies take no part."""
    firsts = originals.where("id = original").select("id")
    keyed = documents.select("id", "side", "band_keys").join(firsts, "id", "left_semi")
    bands = keyed.selectExpr("id", "side", "explode(band_keys) AS key")
    sized = over(bands, "key", count, size="count(*)", newest="max(side)")
    return sized.where("size > 1 AND newest = 1").select("key", "size", "id", "side")


def of_size(members: DataFrame, above: int, most: int) -> DataFrame:
    """The members of buckets of these sizes."""
    return members.where(f"size > {above} AND size <= {most}")


def candidates(members: DataFrame, bounds: Bounds) -> DataFrame:
    """The pairs of small buckets, and the pairs of leaders in the largest ones. Each pair is there once: a, b."""
    small = members.where(f"size <= {bounds.bucket}")
    left = small.selectExpr("key", "id AS a", "side AS side_a")
    right = small.selectExpr("key", "id AS b", "side AS side_b")
    # A band key that many documents share cannot be salted away: the bound keeps a bucket to a million rows or so.
    pairs = left.join(right, "key").where("a < b AND side_a + side_b > 0").select("a", "b")
    return pairs.unionByName(_led(members.where(f"size > {bounds.leaders_above}"))).distinct()


def _led(huge: DataFrame) -> DataFrame:
    """Each document of a bucket with each leader. Leaders are chosen by ids, so they are the same whatever the partitions."""
    from pyspark.sql.functions import broadcast

    part = f"pmod(xxhash64(id), {LEADERS})"
    leaders = huge.groupBy("key", sql(f"{part} AS part")).agg(sql("min(struct(id, side)) AS leader"))
    # They are a few for each key of very many rows, so they are sent to all tasks.
    led = huge.join(broadcast(leaders.select("key", "leader")), "key").where("id <> leader.id AND side + leader.side > 0")
    return led.selectExpr("least(id, leader.id) AS a", "greatest(id, leader.id) AS b")


def whole(documents: DataFrame, large: DataFrame) -> DataFrame:
    """One row for each bucket, with the features and signatures of its documents."""
    held = large.select("key", "size", "id", "side").join(documents.select("id", "features", "signature"), "id")
    member = "named_struct('id', id, 'side', side, 'features', features, 'signature', signature)"
    return held.groupBy("key").agg(sql("max(size) AS size"), sql(f"collect_list({member}) AS members"))
