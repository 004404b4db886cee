"""Aggregates of all rows with the same key, also of keys that very many rows share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lookalike.spark._frames import sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HOT = 1_000_000
"""Rows of a key from which it is hot: a window sorts all rows of a key in one task."""

SAMPLED = 64
"""One of so many documents is counted to find hot keys."""


def over(frame: DataFrame, key: str, documents: int, **aggregates: str) -> DataFrame:
    """The frame with aggregates of all rows that have the same key, by the names of the columns.

    A document has a key once, so `documents` says how many rows a key may have. The frame has their `id`. The rows of hot keys
    stay in all tasks: each task aggregates its own, and the totals are sent to all.
    """
    from pyspark.sql.functions import broadcast

    hot = _hot(frame, key) if documents > HOT else None
    if hot is None:
        return _windows(frame, key, aggregates)
    many = frame.join(broadcast(hot), key, "left_semi")
    totals = many.groupBy(key).agg(*(sql(f"{aggregate} AS {name}") for name, aggregate in aggregates.items()))
    others = _windows(frame.join(broadcast(hot), key, "left_anti"), key, aggregates)
    return others.unionByName(many.join(broadcast(totals), key))


def _windows(frame: DataFrame, key: str, aggregates: dict[str, str]) -> DataFrame:
    """By windows, which sort the rows by their keys once. To count, and to join the counts, would send them twice."""
    from pyspark.sql import Window

    same = Window.partitionBy(key)
    for name, aggregate in aggregates.items():
        frame = frame.withColumn(name, sql(aggregate).over(same))
    return frame


def _hot(frame: DataFrame, key: str) -> DataFrame | None:
    """The keys that seem to have more than `HOT` rows, by a sample of documents that is the same each time."""
    sample = frame.where(f"pmod(xxhash64(id), {SAMPLED}) = 0").groupBy(key).agg(sql("count(*) AS rows"))
    found = sample.where(f"rows * {SAMPLED} > {HOT}").select(key).collect()
    return frame.sparkSession.createDataFrame(found, frame.select(key).schema) if found else None
