"""`dedup` on Spark: one document of each cluster of near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from lookalike._checked import policy
from lookalike._lookalike import Plan
from lookalike.spark import _buckets, _outcome, _plan
from lookalike.spark._audit import audited
from lookalike.spark._audit import checked as checked_audit
from lookalike.spark._clusters import EDGES_ON_DRIVER, Components, connected
from lookalike.spark._contained import AgainstContainment, apart, contained, removed_for, without
from lookalike.spark._frequent import checked
from lookalike.spark._groups import names
from lookalike.spark._keep import Choice, Keep, Shape, decided
from lookalike.spark._keys import over
from lookalike.spark._members import spared, starred
from lookalike.spark._report import Run, page
from lookalike.spark._result import SparkDedup
from lookalike.spark._search import Found, Input, among, compared, search
from lookalike.spark._totals import Request, totals
from lookalike.spark._uncovered import uncovered
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lookalike._types import PlanOptions, Unpack

BUCKET = 1024
"""Documents of a bucket whose pairs are candidates one by one: half a million at most."""

LEADERS_ABOVE = 100_000
"""Documents of a bucket that one task can hold: 100,000 of 300 shingles are 0.3 GB."""

STAGES = 2
"""It grows when stages get other columns, so that the folder of an earlier version is refused."""


def dedup(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    work: str,
    keep: str | int = "first",
    cluster: Shape = "union",
    min_containment: float | None = None,
    within: str | Sequence[str] = (),
    against: DataFrame | None = None,
    against_containment: float | None = None,
    against_shingles: int | None = None,
    components: Components = "auto",
    edges_on_driver: int = EDGES_ON_DRIVER,
    bucket: int = BUCKET,
    leaders_above: int = LEADERS_ABOVE,
    drop_frequent: float | None = None,
    audit: int = 0,
    **options: Unpack[PlanOptions],
) -> SparkDedup:
    """Keeps one document of each cluster of near-duplicates.

    Args:
        df: The documents.
        text: The column of texts. A null is an empty document, which is similar to no other.
        id: The column of ids: integers or texts. They must be unique, and this is checked. Without ids: `with_ids(df)`.
        work: A folder that the driver and all executors see. Each stage is written there as Parquet. After a failure the
            same call goes on from the last complete stage. Delete the folder when the result is written.
        keep: "first", "last", "longest", "none", "max:COLUMN", "min:COLUMN", or how many documents of a cluster to keep. The order is that of the ids.
        cluster: "union" connects documents over any number of others, "star" only documents that are similar to the kept one.
        min_containment: Remove a document only if at least this share of its shingles is in the kept one. One task holds the
            features of a cluster.
        within: Columns. Only documents with equal values in them are compared, written as texts. An empty text counts as null.
        against: Other documents, or what `sketch` made of them. What is similar to them is removed, and none of them is kept
            or removed. They are not compared with each other.
        against_containment: Remove a document also if it contains one of `against`, or is contained in one: if at least this share of
            the shorter document's distinct shingles is in the other. Its near-duplicates are not removed with it. `removed` then has the column
            against_containment.
        against_shingles: Ignore documents with fewer distinct shingles. It goes with `against_containment`, and is 4 by default.
        components: "driver" connects the pairs in the memory of the driver, "spark" in rounds of joins. "auto" takes the driver
            if there are at most `edges_on_driver` pairs.
        edges_on_driver: The most pairs for the driver.
        bucket: In a bucket of at most so many documents all pairs are candidates. A larger one is searched by one task, which
            finds the same pairs.
        leaders_above: The documents of a bucket of more than this are compared with 16 of them only. Pairs may then be missed;
            the summary counts these buckets.
        drop_frequent: Leave out the shingles that more than this share of the documents have, such as 0.1: they count neither
            for the search nor for the similarity. The summary counts them, and names the most frequent ones.
        audit: Compare so many random documents with all others exactly, and report the share of their pairs that the run found:
            `summary["audit"]`. All documents are read from `work` once for each 32 MB of these, which are 9,000 of 350 shingles. A run
            that is complete can be audited by the same call with `audit`.
        **options: What is similar. See `PlanOptions`. The method is "minhash".

    Raises:
        InputError: An id is null or not unique, or `work` is of other documents.
        Incompatible: `work` is of a call with other options, or `against` was sketched by another plan.
        PlanError: An option is out of range, or has no effect here.
        ValueError: An argument is out of range, or two do not go together.
        KeyError: There is no such column.
    """
    plan, given = _plan.checked(dict(options))
    keep = policy(keep)
    choice = Choice(Keep.parsed(keep), cluster, min_containment).checked()
    bounds = checked_bounds(bucket, leaders_above, drop_frequent, plan)
    containment = AgainstContainment.checked(against_containment, against_shingles, has_against=against is not None)
    audit = checked_audit(audit)
    read = Input(df, text, id, choice.keep.field, names(within)).checked()
    identity = {
        **{name: value for name, value in given.items() if name != "method"},
        **{"plan": _plan.name_of(plan), "threshold": plan.threshold, "keep": keep, "text": text, "id": id},
        **{"components": components, "bucket": bucket, "leaders_above": leaders_above, "call": "dedup"},
        **{"cluster": cluster, "min_containment": min_containment, "within": read.within},
        **({"drop_frequent": drop_frequent} if drop_frequent is not None else {}),
        **({f"against_{name}": value for name, value in containment._asdict().items()} if containment is not None else {}),
        "against": None if against is None else sorted(against.columns),
        "stages": STAGES,
    }
    run = Work(df.sparkSession, work, identity)
    found = search(read, against, plan, given, bounds, run)
    linked = connected(found.pairs, "pairs", found.kind, components, edges_on_driver, run)
    hits = None if containment is None else contained(found, containment, given, run)
    decisions = _decided(found, linked, choice, run, hits)
    removed = run.stage("removed", lambda: _outcome.reasons(found, decisions, given))
    measured = partial(audited, found, linked, choice.shape, plan, given, audit, run) if audit else None
    request = Request(plan, given, choice, read, bounds, has_against=against is not None, containment=containment, audit=measured)
    summary = totals(found, decisions, removed, request, run)
    return SparkDedup(
        kept=_outcome.kept(read, removed, found.kind),
        removed=_outcome.listed(removed, tells_contained=hits is not None),
        clusters=decisions.selectExpr("id", "cluster", "id = kept_id AS kept"),
        pairs=found.pairs,
        summary=summary,
        taken_over=run.taken_over,
        _page=partial(page, Run(read, against, found, decisions, removed, choice, plan, summary)),
        _uncovered=lambda: uncovered(read, found, removed, given, run, tells_contained=hits is not None),
        _annotated=lambda: _outcome.annotated(read, decisions, removed, plan, found.kind),
    )


def checked_bounds(bucket: int, leaders_above: int, drop_frequent: float | None, plan: Plan) -> _buckets.Bounds:
    """The bounds of buckets, in their order, and of the share of documents that have a shingle."""
    if bucket < 1:
        raise ValueError(f"bucket is {bucket}; it must be at least 1")
    if leaders_above < bucket:
        raise ValueError(f"leaders_above is {leaders_above}; it must be at least bucket, which is {bucket}")
    return _buckets.Bounds(bucket, leaders_above, checked(drop_frequent, plan))


def _decided(found: Found, linked: DataFrame, choice: Choice, run: Work, hits: DataFrame | None = None) -> DataFrame:
    """The decision about each member of a cluster. `hits` are documents that are removed for containment."""
    keep, least = choice.keep, choice.min_containment
    clustered = linked
    if choice.shape == "star":
        # A document that is removed is no centre.
        free = found if hits is None else found._replace(pairs=without(found.pairs, hits))
        shares = None if least is None else run.stage("shares", lambda: _shares(free))
        clustered = run.stage("stars", lambda: starred(free, linked, keep, shares, least), rows_at_once=1)
    members = _with_copies(found, clustered, hits)
    decisions = run.stage("decisions", lambda: removed_for(decided(found.documents, members, keep), hits))
    if least is None or choice.shape == "star":
        return decisions
    return run.stage("spared", lambda: spared(found, decisions, keep, least), rows_at_once=1)


def _shares(found: Found) -> DataFrame:
    """The share of each document of a pair that the other one has."""
    schema = "a_in_b double, b_in_a double"
    return compared(among(found.documents, found.pairs, "a", "b"), found.pairs, "containments", {}, found.kind, schema)


def _with_copies(found: Found, linked: DataFrame, hits: DataFrame | None) -> DataFrame:
    """All members of clusters of two or more, with copies: id, cluster."""
    component = linked.selectExpr("id AS original", "cluster")
    named = found.originals.select("id", "original").join(component, "original", "left")
    named = named.selectExpr("id", "coalesce(cluster, original) AS cluster")
    if hits is not None:
        named = apart(named, hits)
    return over(named, "cluster", found.originals.count(), size="count(*)").where("size > 1").select("id", "cluster")
