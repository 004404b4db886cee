"""What is decided among the members of a cluster: stars, and documents that the kept one does not contain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lookalike.spark._executors import on_executors
from lookalike.spark._frames import sql
from lookalike.spark._keep import Keep, about, placed
from lookalike.spark._search import Found

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def starred(
    found: Found, linked: DataFrame, keep: Keep, shares: DataFrame | None = None, least: float | None = None
) -> DataFrame:
    """The stars of all pairs: id, cluster (the centre), refused (it is a centre, as an earlier one does not contain enough of it).

    With `shares` of all pairs, a centre takes only documents of which it has at least the share `least`. Each component is a row
    of its pairs. The documents of equal content have the place of the one that the policy prefers.
    """
    component = linked.selectExpr("id AS original", "cluster AS component")
    members = found.originals.select("id", "original").join(component, "original").join(about(found.documents), "id")
    least = None if least is None else float(least)
    places = placed(members, "component", keep).groupBy("component", "original").agg(sql("min(place) AS place"))
    left = places.selectExpr("component", "original AS a", "place AS place_a")
    right = places.selectExpr("original AS b", "place AS place_b")
    if shares is None:
        pairs = found.pairs.selectExpr("a", "b", "true AS a_takes_b", "true AS b_takes_a")
    else:
        pairs = shares.selectExpr("a", "b", f"b_in_a >= {least!r}D AS a_takes_b", f"a_in_b >= {least!r}D AS b_takes_a")
    both = pairs.join(left, "a").join(right, "b").withColumn("is_first", sql("place_a < place_b"))
    turned = both.selectExpr(
        "component",
        "if(is_first, place_a, place_b) AS earlier",
        "if(is_first, place_b, place_a) AS later",
        "if(is_first, a, b) AS earlier_id",
        "if(is_first, b, a) AS later_id",
        "if(is_first, a_takes_b, b_takes_a) AS takes",
    )
    pair = ", ".join(f"'{name}', {name}" for name in ("earlier", "later", "earlier_id", "later_id", "takes"))
    whole = turned.groupBy("component").agg(
        sql("count(*) AS size"), sql(f"collect_list(named_struct({pair})) AS pairs")
    )
    schema = f"id {found.kind}, cluster {found.kind}, refused boolean"
    return whole.select("size", "pairs").mapInArrow(on_executors("stars", {}), schema)


def spared(found: Found, decisions: DataFrame, keep: Keep, least: float) -> DataFrame:
    """The decisions again: a document is removed only if the kept one contains at least the share `least` of it.

    Each cluster is a row, with the features of its members. Documents that are removed for containment take no part.
    """
    described = found.documents.select("id", "side", "rank", "length", "features")
    chosen = decisions.where("contained IS NULL")
    members = chosen.selectExpr("id", "cluster", "id = kept_id AS stays").join(described, "id")
    member = ", ".join(f"'{name}', {name}" for name in ("place", "id", "stays", "features"))
    whole = placed(members, "cluster", keep).groupBy("cluster").agg(
        sql("count(*) AS size"), sql(f"collect_list(named_struct({member})) AS members")
    )
    schema = f"id {found.kind}, kept_id {found.kind}"
    again = whole.select("size", "members").mapInArrow(on_executors("spare", {"least": least}), schema)
    others = decisions.where("contained IS NOT NULL")
    return chosen.drop("kept_id").join(again, "id").select(*decisions.columns).unionByName(others)
