"""The summary of a run on Spark."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lookalike._lookalike import Plan
from lookalike._summary import Summary
from lookalike.spark import _buckets
from lookalike.spark._frames import sql
from lookalike.spark._search import Found
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LARGEST = 10
"""Buckets that the summary names."""

SIZES = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""The upper ends of the classes of bucket sizes."""

STEPS = 1000
"""Classes of similarity for the estimate of the recall."""


def totals(
    found: Found, decisions: DataFrame, plan: Plan, options: dict[str, Any], bounds: _buckets.Bounds, work: Work
) -> Summary:
    """The summary. It is counted once, and is then in `work` as a marker."""
    if "summary" not in work.done:
        work.mark("summary", _counted(found, decisions, plan, options, bounds, work))
    seconds = work.seconds()
    content = {**work.done["summary"], "seconds": {**seconds, "total": round(sum(seconds.values()), 3)}}
    return Summary(json.dumps(content))


def _counted(
    found: Found, decisions: DataFrame, plan: Plan, options: dict[str, Any], bounds: _buckets.Bounds, work: Work
) -> dict[str, Any]:
    documents, removed = work.rows("documents"), work.rows("removed")
    sizes = decisions.groupBy("cluster").agg(sql("count(*) AS size"))
    clusters = sizes.agg(sql("count(*) AS clusters"), sql("max(size) AS largest")).collect()[0]
    candidates = work.rows("candidates")
    compared = found.candidates.where("passes").count()
    seconds = work.seconds()
    return {
        "documents": documents,
        "without_words": documents - found.originals.where("side = 1").count(),
        "copies": found.originals.where("side = 1 AND id <> original").count(),
        "candidates": candidates,
        "compared": compared,
        "compared_a_second": round(compared / seconds["pairs"]) if seconds["pairs"] else None,
        "pairs": work.rows("pairs"),
        "clusters": clusters["clusters"],
        "largest_cluster": clusters["largest"] or 0,
        "kept": documents - removed,
        "removed": removed,
        "skipped": 0,
        "recall_estimate": _recall(found.pairs, plan, options),
        "buckets": _of_buckets(found.members, bounds),
        "plan": {**options, "threshold": plan.threshold, "bands": plan.bands, "rows": plan.rows, "id": plan.id},
    }


def _of_buckets(members: DataFrame, bounds: _buckets.Bounds) -> dict[str, Any]:
    """How many buckets there are of which size, and which are the largest."""
    buckets = members.groupBy("key").agg(sql("max(size) AS size")).persist()
    classes = "CASE " + " ".join(f"WHEN size <= {end} THEN {end}" for end in SIZES) + f" ELSE {SIZES[-1]}0 END"
    counted = buckets.groupBy(sql(f"{classes} AS most")).agg(sql("count(*) AS buckets")).collect()
    # Keys of equal sizes are in the order of the keys, so that the summary is the same each time.
    largest = buckets.orderBy(sql("-size"), "key").limit(LARGEST).collect()
    in_tasks = buckets.where(f"size > {bounds.bucket} AND size <= {bounds.leaders_above}").count()
    led = buckets.where(f"size > {bounds.leaders_above}").count()
    buckets.unpersist()
    return {
        "sizes": {f"up to {row['most']}": row["buckets"] for row in sorted(counted, key=lambda row: row["most"])},
        "largest": [{"key": f"{row['key'] % (1 << 64):016x}", "documents": row["size"]} for row in largest],
        "searched_by_a_task": in_tasks,
        "searched_by_leaders": led,
    }


def _recall(pairs: DataFrame, plan: Plan, options: dict[str, Any]) -> float | None:
    """The share of all pairs that was found. Each found pair stands for as many as its chance to be found says."""
    if options.get("measure") not in (None, "jaccard"):
        return None
    counted = pairs.groupBy(sql(f"floor(similarity * {STEPS}) AS step")).agg(sql("count(*) AS pairs")).collect()
    found = sum(row["pairs"] for row in counted)
    if not found:
        return plan.probability(plan.threshold)
    # The lower end of each class: the estimate is a little too low, never too high.
    chance = {row["step"]: plan.probability(max(row["step"] / STEPS, plan.threshold)) for row in counted}
    return float(found / sum(row["pairs"] / chance[row["step"]] for row in counted))
