"""The frames of a result: what stays, what is removed and why, and the decision about each document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lookalike._lookalike import Plan
from lookalike.spark import _plan
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import quoted, sql
from lookalike.spark._search import Found, Input, among

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ADDED = ("cluster", "kept", "kept_id", "SCORE", "containment", "duplicate_count")
"""The columns that `annotated` adds, as `lookalike dedup --annotate` names them. SCORE has the name of the measure."""


def reasons(found: Found, decisions: DataFrame, options: dict[str, Any]) -> DataFrame:
    """The removed documents, each with its similarity to the kept one and the share of it that is in the kept one."""
    gone = decisions.where("id <> kept_id")
    documents = among(found.documents, gone, "id", "kept_id")
    left = documents.selectExpr("id", "row_check", "features AS left")
    right = documents.selectExpr("id AS kept_id", "features AS right")
    both = gone.select("id", "kept_id", "is_named", "cluster", "contained").join(left, "id").join(right, "kept_id")
    compared = both.select("id", "kept_id", "is_named", "cluster", "contained", "row_check", "left", "right")
    schema = (
        f"id {found.kind}, kept_id {found.kind}, is_named boolean, cluster {found.kind}, contained double, row_check bigint, "
        "similarity double, containment double"
    )
    return compared.mapInArrow(on_executors("similarities", _plan.for_reasons(options)), schema)


def kept(read: Input, removed: DataFrame, kind: str) -> DataFrame:
    """The frame without the removed documents."""
    gone = removed.selectExpr("id AS lookalike_id", "row_check AS lookalike_check")
    joined = read.frame.join(gone, sql(f"CAST({quoted(read.id)} AS {kind}) = lookalike_id"), "left")
    return joined.where(_stays(read)).drop("lookalike_id", "lookalike_check")


def listed(removed: DataFrame, *, tells_contained: bool) -> DataFrame:
    """The list of the removed documents. It names no kept one where a cluster keeps none."""
    kept_id = "CASE WHEN is_named THEN kept_id END AS kept_id"
    contained = ["contained AS against_containment"] if tells_contained else []
    return removed.selectExpr("id", kept_id, "cluster", "similarity", "containment", *contained)


def annotated(read: Input, decisions: DataFrame, removed: DataFrame, plan: Plan, kind: str) -> DataFrame:
    """The frame with the decision about each document."""
    # The frame has a column `containment` already.
    score = "overlap" if plan.score_column == "containment" else plan.score_column
    names = [score if name == "SCORE" else name for name in ADDED]
    # Spark takes capital letters and small ones for the same.
    taken = {name.casefold() for name in read.frame.columns}
    for name in names:
        if name in taken:
            raise ValueError(f'the frame has a column "{name}" already: rename it before documents are annotated')
    why = removed.selectExpr("id", "row_check", "CASE WHEN is_named THEN kept_id END AS kept_id", "similarity", "containment")
    members = decisions.where("side = 1").select("id", "cluster", "size").join(why, "id", "left")
    about = members.selectExpr(
        "id AS lookalike_id",
        "row_check AS lookalike_check",
        "struct(cluster, kept_id, similarity, containment, size) AS lookalike_about",
    )
    joined = read.frame.join(about, sql(f"CAST({quoted(read.id)} AS {kind}) = lookalike_id"), "left")
    values = (
        "lookalike_about.cluster",
        _stays(read),
        "lookalike_about.kept_id",
        "lookalike_about.similarity",
        "lookalike_about.containment",
        "coalesce(lookalike_about.size - 1, 0L)",
    )
    added = [f"{value} AS {quoted(name)}" for value, name in zip(values, names, strict=True)]
    return joined.selectExpr(*map(quoted, read.frame.columns), *added)


def _stays(read: Input) -> str:
    """Whether a document stays. A removed id must be that of the same text as before."""
    return f"CASE WHEN lookalike_check IS NULL THEN true ELSE {unchanged(read, 'false', 'boolean')} END"


def unchanged(read: Input, value: str, kind: str = "string") -> str:
    """A value of a row, or an error if its id had another text before, of which `lookalike_check` was made."""
    changed = "a removed id has another text now: ids must not change when Spark computes the frame again; write the frame first"
    return f"CASE WHEN lookalike_check = {read.check()} THEN {value} ELSE CAST(raise_error('{changed}') AS {kind}) END"
