"""`pairs` on Spark: every pair of near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lookalike.spark import _plan
from lookalike.spark._dedup import BUCKET, LEADERS_ABOVE, checked_bounds
from lookalike.spark._frames import sql
from lookalike.spark._groups import names
from lookalike.spark._search import Found, Input, search
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lookalike._types import PlanOptions, Unpack


def pairs(
    df: DataFrame,
    *,
    text: str = "text",
    id: str = "id",
    work: str,
    within: str | Sequence[str] = (),
    bucket: int = BUCKET,
    leaders_above: int = LEADERS_ABOVE,
    drop_frequent: float | None = None,
    **options: Unpack[PlanOptions],
) -> DataFrame:
    """Every pair of near-duplicates: a, b, similarity, with a before b. Arguments as for `dedup`.

    Pairs of copies are among them: n documents of one content are n²/2 pairs.
    """
    plan, given = _plan.checked(dict(options))
    bounds = checked_bounds(bucket, leaders_above, drop_frequent, plan)
    read = Input(df, text, id, within=names(within)).checked()
    told = {
        **{name: value for name, value in given.items() if name != "method"},
        **{"plan": _plan.name_of(plan), "threshold": plan.threshold, "text": text, "id": id},
        **{"bucket": bucket, "leaders_above": leaders_above, "within": read.within, "call": "pairs"},
        **({"drop_frequent": drop_frequent} if drop_frequent is not None else {}),
    }
    run = Work(df.sparkSession, work, told)
    found = search(read, None, plan, given, bounds, run)
    return run.stage("all_pairs", lambda: _with_copies(found))


def _with_copies(found: Found) -> DataFrame:
    """The pairs of all documents: of copies with each other, and of the copies of two similar documents."""
    left = found.originals.selectExpr("id AS left_id", "original AS a")
    right = found.originals.selectExpr("id AS right_id", "original AS b")
    similar = found.pairs.join(left, "a").join(right, "b").select("left_id", "right_id", "similarity")
    copies = left.join(right, sql("a = b AND left_id < right_id"))
    every = similar.unionByName(copies.selectExpr("left_id", "right_id", "1D AS similarity"))
    return every.selectExpr(
        "least(left_id, right_id) AS a", "greatest(left_id, right_id) AS b", "similarity"
    )
