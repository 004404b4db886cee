"""The summary of a run on Spark, for people."""

from __future__ import annotations

from typing import Any, cast

from lookalike import _shown
from lookalike._summary import Summary


def sentences(summary: Summary) -> str:
    """The summary for people."""
    buckets = cast("dict[str, Any]", summary["buckets"])
    largest = buckets["largest"][0]["documents"] if buckets["largest"] else 0
    lines = [
        f"{summary.documents:,} documents: {summary.kept:,} kept, {summary.removed:,} removed, "
        f"{summary.clusters:,} clusters (the largest has {summary.largest_cluster:,})",
        f"{_size(summary['removed_bytes'])} of text and {summary['removed_words']:,} words are removed",
        f"{summary['copies']:,} copies set aside; {summary.candidates:,} candidates{_fewer(summary.reduction)}, {summary['compared']:,} compared exactly, "
        f"{summary['pairs']:,} similar pairs",
        f"the largest bucket has {largest:,} documents; {buckets['searched_by_a_task']:,} buckets were searched whole, "
        f"{buckets['searched_by_leaders']:,} by leaders only",
    ]
    lines += _of_options(summary)
    if summary.recall_estimate is not None:
        lines.append(f"estimated recall {_shown.share(summary.recall_estimate, 2)}")
    if "audit" in summary:
        lines.append(_of_audit(summary["audit"]))
    stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in summary.seconds.items() if name != "total")
    lines.append(f"{summary.seconds['total']:.1f} s of stages: {stages}")
    lines += _of_speed(summary)
    return "\n".join(lines)


def _fewer(reduction: float | None) -> str:
    return "" if reduction is None else f" ({_shown.share(reduction, 2)} fewer than all pairs)"


def _size(count: int) -> str:
    """A number of bytes."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB"


def _of_options(summary: Summary) -> list[str]:
    """What options have done, and what one would do."""
    lines = []
    if "frequent_shingles" in summary:
        lines.append(_of_frequent(cast("dict[str, Any]", summary["frequent_shingles"])))
    if summary["loose_clusters"]:
        lines.append(
            f"{_shown.count(summary['loose_clusters'], 'loose cluster')}: a removed document is less similar to the kept one than the threshold "
            "(--cluster star makes none of these)"
        )
    if "against" in summary:
        old = _shown.count(summary["against"], "old document")
        lines.append(f"{_shown.count(summary['removed_against'], 'document')} removed for one of {old}")
    if "removed_contained" in summary:
        lines.append(
            f"{summary['removed_contained']:,} of these by containment: {summary['against_containment']:g} or more of the shingles of the "
            "shorter text are in the longer one"
        )
    if summary.get("against_short"):
        lines.append(
            f"not looked for: {_shown.count(summary['against_short'], 'old document')} of fewer than {summary['against_shingles']:,} shingles"
        )
    if "kept_for_content" in summary:
        lines.append(f"{_shown.count(summary['kept_for_content'], 'document')} kept, as no other kept one contains enough of them")
    return lines


def _of_audit(audit: dict[str, Any]) -> str:
    """What an audit has found."""
    counts = f"{_shown.count(audit['documents'], 'document')} audited: {audit['found']:,} of their {audit['partners']:,} similar documents were found"
    if audit["recall"] is None:
        return counts
    low, high = (_shown.share(end, 2) for end in audit["recall_interval"])
    return f"{counts}, {_shown.share(audit['recall'], 2)} ({low} to {high} with 95 % certainty)"


def share_of(frequent: dict[str, Any]) -> str:
    """The share of the documents that a frequent shingle has to be in."""
    return f"{100 * frequent['share']:g} % of {frequent['documents']:,} documents"


def _of_frequent(frequent: dict[str, Any]) -> str:
    """The shingles that did not count."""
    said = f"{frequent['dropped']:,} shingles do not count, as more than {share_of(frequent)} have them"
    named = [f"{each['shingle']!r} (in {each['documents']:,})" for each in frequent["largest"] if each["shingle"] is not None]
    return f"{said}, such as {', '.join(named[:3])}" if named else said


def _of_speed(summary: Summary) -> list[str]:
    """How fast pairs were compared, and which stage was the least even."""
    lines = []
    if summary["candidates_per_second"] and summary["compared_per_second"]:
        lines.append(
            f"{summary['candidates_per_second']:,} candidates a second went through their signatures, "
            f"{summary['compared_per_second']:,} were compared exactly"
        )
    ratios = {name: tasks["largest_to_median"] or 0 for name, tasks in summary["skew"].items()}
    uneven = {name: ratio for name, ratio in ratios.items() if ratio > 1}
    if uneven:
        name = max(uneven, key=lambda name: uneven[name])
        rows = summary["skew"][name]
        lines.append(
            f"the least even stage is {name}: its largest task wrote {rows['largest']:,} rows, "
            f"{uneven[name]:.1f} times the median of {rows['tasks']:,} tasks"
        )
    return lines
