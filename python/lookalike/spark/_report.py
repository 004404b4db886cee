"""The report page of a run on Spark: figures, charts, and examples with both texts side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike import _shown
from lookalike._lookalike import Plan, found_page
from lookalike._summary import Summary
from lookalike.spark._examples import Examples
from lookalike.spark._frames import sql
from lookalike.spark._keep import Choice
from lookalike.spark._search import Found, Input
from lookalike.spark._sentences import share_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BINS = 100
"""Bins of the charts of similarities."""

STEPS = 100 * BINS
"""Classes of similarity, for whose pairs the chance to be found is computed."""

Row = tuple[str, str, str]
"""A figure of the page: its name, its value and a note."""


class Run(NamedTuple):
    """A run that has ended."""

    read: Input
    against: DataFrame | None
    found: Found
    decisions: DataFrame
    removed: DataFrame
    choice: Choice
    plan: Plan
    summary: Summary


def page(run: Run, inputs: Sequence[str], skipped: int) -> str:
    """The page as HTML. It quotes texts of the examples, which are read again. So many records of the inputs were skipped."""
    summary, plan = run.summary, run.plan
    links = _bins(run.found.pairs)
    chances = [plan.probability(step / BINS) for step in range(BINS + 1)]
    is_known = summary.recall_estimate is not None
    # As on the page of the program, documents that are removed for containment are counted, and neither charted nor shown.
    removed = run.removed.where("contained IS NULL")
    below = removed.where(f"similarity < {plan.threshold!r}D").count()
    examples = Examples(run.read, run.against, run.decisions, removed, plan.threshold)
    content = {
        "inputs": list(inputs),
        "done": _done(summary),
        "skipped": skipped,
        "figures": _figures(summary, below),
        "removal": _removal(run.choice, summary),
        "within": run.read.within,
        "effort": _effort(summary),
        "removed": _bins(removed),
        "below": below,
        "links": links,
        "curve": {"chances": chances, "estimated": _estimated(run.found.pairs, plan)} if is_known else None,
        "clusters": _sizes(run.decisions.groupBy("cluster").agg(sql("count(*) AS size"))),
        "buckets": _sizes(run.found.members.groupBy("key").agg(sql("max(size) AS size"))),
        **examples.chosen(),
    }
    return found_page(json.dumps(content), plan)


def _bins(frame: DataFrame) -> dict[str, Any]:
    """How often each similarity is there: below 1 in bins, and 1 apart."""
    # A quotient such as 0.29 counts as 0.29, even if its last bit is rounded down.
    bin = f"least(CAST(floor(similarity * {BINS} + 1e-9D) AS int), {BINS - 1})"
    step = sql(f"CASE WHEN similarity < 1 THEN {bin} ELSE {BINS} END AS step")
    counted = {row["step"]: row["documents"] for row in frame.groupBy(step).agg(sql("count(*) AS documents")).collect()}
    return {"bins": [counted.get(bin, 0) for bin in range(BINS)], "same": counted.get(BINS, 0)}


def _estimated(pairs: DataFrame, plan: Plan) -> list[float]:
    """How many pairs there are in each bin, if each found pair stands for as many as its chance to be found says."""
    step = sql(f"CAST(floor(similarity * {STEPS} + 1e-9D) AS int) AS step")
    estimated = [0.0] * BINS
    for row in pairs.where("similarity < 1").groupBy(step).agg(sql("count(*) AS pairs")).collect():
        chance = plan.probability(max(row["step"] / STEPS, plan.threshold))
        estimated[min(row["step"] * BINS // STEPS, BINS - 1)] += row["pairs"] / chance
    return estimated


def _sizes(groups: DataFrame) -> list[tuple[int, int, int, int]]:
    """Groups by size, in classes of which each is twice as wide as the one before: least and greatest size, groups, documents."""
    classed = groups.groupBy(sql("CAST(floor(log2(size)) AS int) AS class"))
    counted = classed.agg(sql("count(*) AS groups"), sql("sum(size) AS documents"), sql("max(size) AS largest")).collect()
    rows = sorted(counted, key=lambda row: row["class"])
    return [(2 ** row["class"], min(2 ** (row["class"] + 1) - 1, rows[-1]["largest"]), row["groups"], row["documents"]) for row in rows]


def _done(summary: Summary) -> list[str]:
    if not summary.removed:
        return ["No near-duplicates were found."]
    share = f"{100 * summary.removed / summary.documents:.1f} %"
    return [
        f"{summary.removed:,} of {summary.documents:,} documents were removed ({share}); there are {summary.clusters:,} clusters. "
        "Apache Spark has searched them."
    ]


def _figures(summary: Summary, below: int) -> list[Row]:
    def share(part: int | None) -> str:
        return f"{100 * (part or 0) / max(summary.documents, 1):.1f} % of the documents"

    rows = [
        ("Read", f"{summary.documents:,} documents", ""),
        ("Kept", f"{summary.kept:,}", share(summary.kept)),
        ("Removed", f"{summary.removed:,}", f"{share(summary.removed)}; {summary['removed_bytes'] / 1e6:,.1f} MB of text"),
        ("Copies", f"{summary['copies']:,}", "documents have the same content as an earlier one, and are set aside first"),
        ("By a chain", f"{below:,}", "of the removed documents are no pair with the kept one; other documents of the cluster connect them"),
        ("Clusters", f"{summary.clusters:,}", f"the largest of {summary.largest_cluster:,} documents"),
        ("Candidates", f"{summary.candidates:,}", f"pairs share a bucket; {summary['compared']:,} of them were compared exactly"),
    ]
    if summary["without_words"]:
        rows.append(("Empty", f"{summary['without_words']:,}", "documents without features, similar to no other"))
    if "frequent_shingles" in summary:
        frequent = summary["frequent_shingles"]
        rows.append(("Frequent shingles", f"{frequent['dropped']:,}", f"do not count: more than {share_of(frequent)} have them"))
    if summary.recall_estimate is not None:
        rows.append(("Recall", _shown.share(summary.recall_estimate, 2), "of such pairs found, as estimated from them"))
    if "audit" in summary and summary["audit"]["recall"] is not None:
        audit = summary["audit"]
        low, high = (_shown.share(end, 2) for end in audit["recall_interval"])
        note = f"of the pairs of {audit['documents']:,} random documents found; {low} to {high} of all pairs with 95 % certainty"
        rows.append(("Audit", _shown.share(audit['recall'], 2), note))
    return rows


def _removal(choice: Choice, summary: Summary) -> list[Row]:
    note = {
        "star": "each removed document makes a pair with the kept one",
        "union": "a chain of pairs connects all documents of a cluster",
    }
    rows = [("Keep", choice.keep.name, "of a cluster"), ("Clusters", choice.shape, note[choice.shape])]
    if choice.min_containment is not None:
        spared = f"of a removed document is in the kept one; {summary['kept_for_content']:,} documents kept only for this reason"
        rows.append(("Least containment", f"{choice.min_containment:g}", spared))
    if "against_containment" in summary:
        told = f"of the shorter one is in the other: {summary['removed_contained']:,} documents removed for one of the old documents"
        rows.append(("Containment", f"{summary['against_containment']:g}", told))
    return rows


def _effort(summary: Summary) -> list[Row]:
    stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in summary.seconds.items() if name != "total")
    rows = [("Time", f"{summary.seconds['total']:.1f} s", stages)]
    if summary["compared_per_second"]:
        rows.append(("Compared", f"{summary['compared_per_second']:,}", "pairs a second"))
    return rows
