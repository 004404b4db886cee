"""The summary of a run on Spark."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike._lookalike import Plan
from lookalike._summary import Summary
from lookalike.spark import _buckets
from lookalike.spark._contained import AgainstContainment, short
from lookalike.spark._frames import sql
from lookalike.spark._keep import Choice
from lookalike.spark._frequent import told
from lookalike.spark._search import Found, Input
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

LARGEST = 10
"""Buckets that the summary names."""

SIZES = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""The upper ends of the classes of bucket sizes."""

STEPS = 1000
"""Classes of similarity for the estimate of the recall."""


class Request(NamedTuple):
    """What a call of `dedup` has asked for."""

    plan: Plan
    options: dict[str, Any]
    """The options of the plan, as they were given."""
    choice: Choice
    read: Input
    bounds: _buckets.Bounds
    has_against: bool
    containment: AgainstContainment | None
    audit: Callable[[], dict[str, Any]] | None
    """Audits the run, if that was asked for."""


def totals(found: Found, decisions: DataFrame, removed: DataFrame, request: Request, work: Work) -> Summary:
    """The summary. It is counted once, and is then in `work` as a marker."""
    if "summary" not in work.done:
        work.mark("summary", _counted(found, decisions, removed, request, work))
    # A complete run can be audited later, so this is no part of the marker.
    audit = {} if request.audit is None else {"audit": request.audit()}
    seconds = work.seconds()
    times = {"seconds": {**seconds, "total": round(sum(seconds.values()), 3)}, "skew": work.skew()}
    return Summary(json.dumps({**work.done["summary"], **audit, **times}))


def _reduction(candidates: int, documents: int) -> float | None:
    """The share of all pairs of documents that are no candidates."""
    return None if documents < 2 else max(0.0, 1 - candidates / (documents * (documents - 1) / 2))


def _counted(found: Found, decisions: DataFrame, removed: DataFrame, request: Request, work: Work) -> dict[str, Any]:
    plan, options, documents = request.plan, request.options, work.rows("documents")
    sizes = decisions.groupBy("cluster").agg(sql("count(*) AS size"))
    clusters = sizes.agg(sql("count(*) AS clusters"), sql("max(size) AS largest")).collect()[0]
    return {
        "documents": documents,
        "without_words": documents - found.originals.where("side = 1").count(),
        "copies": found.originals.where("side = 1 AND id <> original").count(),
        **_speeds(found, work),
        "reduction": _reduction(work.rows("candidates"), documents),
        "pairs": work.rows("pairs"),
        "clusters": clusters["clusters"],
        "largest_cluster": clusters["largest"] or 0,
        "clustering": request.choice.shape,
        "loose_clusters": removed.where(f"contained IS NULL AND similarity < {plan.threshold!r}D").select("cluster").distinct().count(),
        **_spared(request.choice, work),
        **(_against(found, removed, request, work) if request.has_against else {}),
        "kept": documents - work.rows("removed"),
        "removed": work.rows("removed"),
        **_lost(removed, work),
        "skipped": 0,
        "recall_estimate": _recall(found.pairs, plan, options),
        "buckets": _of_buckets(found.members, request.bounds),
        **_frequent(found, request),
        **({"within": list(request.read.within)} if request.read.within else {}),
        "plan": {**options, "threshold": plan.threshold, "bands": plan.bands, "rows": plan.rows, "id": plan.id},
    }


def _lost(removed: DataFrame, work: Work) -> dict[str, int]:
    """The bytes of the texts of the removed documents, and their words."""
    gone = work.frame("documents").select("id", "length", "words").join(removed.select("id"), "id", "left_semi")
    counted = gone.agg(sql("sum(length) AS bytes"), sql("sum(words) AS words")).collect()[0]
    return {"removed_bytes": counted["bytes"] or 0, "removed_words": counted["words"] or 0}


def _against(found: Found, removed: DataFrame, request: Request, work: Work) -> dict[str, Any]:
    """How many old documents there are, and how many documents are removed for them."""
    old = found.documents.where("side = 0").selectExpr("id AS kept_id")
    told = {"against": old.count(), "removed_against": removed.join(old, "kept_id", "left_semi").count()}
    if request.containment is None:
        return told
    return {
        **told,
        "against_containment": request.containment.containment,
        "removed_contained": work.rows("contained"),
        "against_shingles": request.containment.shingles,
        "against_short": short(found, request.containment),
    }


def _frequent(found: Found, request: Request) -> dict[str, Any]:
    """The shingles that do not count, if that was asked for."""
    if found.frequent is None:
        return {}
    return {"frequent_shingles": told(found.frequent, request.read, found.kind, request.plan)}


def _speeds(found: Found, work: Work) -> dict[str, Any]:
    """How many candidates there are, how many of them were compared exactly, and how fast."""
    candidates, compared, seconds = work.rows("candidates"), found.candidates.where("passes").count(), work.seconds()

    def speed(rows: int, stage: str) -> int | None:
        return round(rows / seconds[stage]) if rows and seconds[stage] else None

    return {
        "candidates": candidates,
        "candidates_per_second": speed(candidates, "candidates"),
        "compared": compared,
        "compared_per_second": speed(compared, "pairs"),
    }


def _spared(choice: Choice, work: Work) -> dict[str, Any]:
    """How many documents are kept only because no kept one contains enough of them, if that was asked for."""
    if choice.min_containment is None:
        return {}
    if choice.shape == "star":
        spared = work.frame("stars").where("refused").count()
    else:
        spared = work.frame("decisions").where("id <> kept_id").count() - work.rows("removed")
    return {"min_containment": choice.min_containment, "kept_for_content": spared}


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
