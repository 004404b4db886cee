"""`dedup` on Spark: one document of each cluster of near-duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike._summary import Summary
from lookalike.spark import _buckets, _plan
from lookalike.spark._clusters import EDGES_ON_DRIVER, Components, connected
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import over, quoted, sql
from lookalike.spark._keep import Keep, decided
from lookalike.spark._search import Found, Input, search
from lookalike.spark._totals import totals
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lookalike._types import SearchOptions, Unpack

BUCKET = 1024
"""Documents of a bucket whose pairs are candidates one by one: half a million at most."""

LEADERS_ABOVE = 100_000
"""Documents of a bucket that one task can hold: 100,000 of 300 shingles are 0.3 GB."""


class SparkDedup(NamedTuple):
    """Which documents stay. All frames but `kept` are read from the folder `work`."""

    kept: DataFrame
    """The given frame without near-duplicates."""
    removed: DataFrame
    """id, kept_id, cluster, similarity: what was removed, and the document that stays in its place."""
    clusters: DataFrame
    """id, cluster, kept: the members of clusters of two or more. The cluster is its least id."""
    pairs: DataFrame
    """a, b, similarity: the pairs that connect the clusters. Of equal contents only the first document is in a pair."""
    summary: Summary
    """What the call read, searched and found. `seconds` has the stages, by the call that wrote each."""


def dedup(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    work: str,
    keep: str = "first",
    against: DataFrame | None = None,
    components: Components = "auto",
    edges_on_driver: int = EDGES_ON_DRIVER,
    bucket: int = BUCKET,
    leaders_above: int = LEADERS_ABOVE,
    **options: Unpack[SearchOptions],
) -> SparkDedup:
    """Keeps one document of each cluster of near-duplicates.

    Args:
        df: The documents.
        text: The column of texts. A null is an empty document, which is similar to no other.
        id: The column of ids: integers or texts. They must be unique, and this is checked. Without ids: `with_ids(df)`.
        work: A folder that the driver and all executors see. Each stage is written there as Parquet. After a failure the
            same call goes on from the last complete stage. Delete the folder when the result is written.
        keep: "first", "last", "longest", "none", a number, "max:COLUMN" or "min:COLUMN". The order is that of the ids.
        against: Other documents, or what `sketch` made of them. What is similar to them is removed, and none of them is kept
            or removed. They are not compared with each other.
        components: "driver" connects the pairs in the memory of the driver, "spark" in rounds of joins. "auto" takes the driver
            if there are at most `edges_on_driver` pairs.
        edges_on_driver: The most pairs for the driver.
        bucket: In a bucket of at most so many documents all pairs are candidates. A larger one is searched by one task, which
            finds the same pairs.
        leaders_above: The documents of a bucket of more than this are compared with 16 of them only. Pairs may then be missed;
            the summary counts these buckets.
        **options: What is similar. See `SearchOptions`. The method is "minhash".

    Raises:
        InputError: An id is null or not unique, or `work` is of other documents.
        Incompatible: `work` is of a call with other options, or `against` was sketched by another plan.
        PlanError: An option is out of range, or has no effect here.
    """
    plan, given = _plan.checked(dict(options))
    policy = Keep.parsed(keep)
    bounds = checked_bounds(bucket, leaders_above)
    read = Input(df, text, id, policy.field).checked()
    told = {
        **{name: value for name, value in given.items() if name != "method"},
        **{"plan": _plan.name_of(plan), "threshold": plan.threshold, "keep": keep, "text": text, "id": id},
        **{"components": components, "bucket": bucket, "leaders_above": leaders_above, "call": "dedup"},
        "against": None if against is None else sorted(against.columns),
    }
    run = Work(df.sparkSession, work, told)
    found = search(read, against, plan, given, bounds, run)
    linked = connected(found.pairs, "pairs", found.kind, components, edges_on_driver, run)
    decisions = run.stage("decisions", lambda: decided(found.documents, _with_copies(found, linked), policy))
    gone = decisions.where("id <> kept_id")
    removed = run.stage("removed", lambda: _reasons(found, gone, given))
    summary = totals(found, decisions, plan, given, bounds, run)
    clusters = decisions.selectExpr("id", "cluster", "id = kept_id AS kept")
    listed = removed.select("id", "kept_id", "cluster", "similarity")
    return SparkDedup(_kept(read, removed, found.kind), listed, clusters, found.pairs, summary)


def checked_bounds(bucket: int, leaders_above: int) -> _buckets.Bounds:
    """The bounds of buckets, in their order."""
    if bucket < 1:
        raise ValueError(f"bucket is {bucket}; it must be at least 1")
    if leaders_above < bucket:
        raise ValueError(f"leaders_above is {leaders_above}; it must be at least bucket, which is {bucket}")
    return _buckets.Bounds(bucket, leaders_above)


def _kept(read: Input, removed: DataFrame, kind: str) -> DataFrame:
    """The frame without the removed documents. A removed id must be that of the same text as before."""
    gone = removed.selectExpr("id AS lookalike_id", "row_check AS lookalike_check")
    joined = read.frame.join(gone, sql(f"CAST({quoted(read.id)} AS {kind}) = lookalike_id"), "left")
    changed = "a removed id has another text now: ids must not change when Spark computes the frame again; write the frame first"
    stays = joined.where(
        f"CASE WHEN lookalike_id IS NULL THEN true WHEN lookalike_check = {read.check()} THEN false "
        f"ELSE CAST(raise_error('{changed}') AS boolean) END"
    )
    return stays.drop("lookalike_id", "lookalike_check")


def _with_copies(found: Found, linked: DataFrame) -> DataFrame:
    """All members of clusters of two or more, with copies: id, cluster."""
    component = linked.selectExpr("id AS original", "cluster")
    named = found.originals.select("id", "original").join(component, "original", "left")
    named = named.selectExpr("id", "coalesce(cluster, original) AS cluster")
    return over(named, "cluster", size="count(*)").where("size > 1").select("id", "cluster")


def _reasons(found: Found, gone: DataFrame, options: dict[str, Any]) -> DataFrame:
    """The similarity of each removed document and the kept one."""
    left = found.documents.selectExpr("id", "row_check", "features AS left")
    right = found.documents.selectExpr("id AS kept_id", "features AS right")
    both = gone.select("id", "kept_id", "cluster").join(left, "id").join(right, "kept_id")
    compared = both.select("id", "kept_id", "cluster", "row_check", "left", "right")
    schema = f"id {found.kind}, kept_id {found.kind}, cluster {found.kind}, row_check bigint, similarity double"
    return compared.mapInArrow(on_executors("similarities", _plan.for_reasons(options)), schema)
