"""Keep policies: which documents of a cluster stay, as `lookalike dedup --keep` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lookalike.spark._frames import sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Keep(NamedTuple):
    """A policy."""

    policy: str
    """first, last, longest, none, max, min or count."""
    field: str | None = None
    """The column that max and min rank by."""
    most: int = 1
    """The documents that count keeps."""

    @classmethod
    def parsed(cls, text: str) -> Keep:
        """The policy of a text, as the command line has it."""
        policy, colon, field = text.partition(":")
        if colon and policy in ("max", "min") and field:
            return cls(policy, field)
        if text in ("first", "last", "longest", "none"):
            return cls(text)
        if text.isdecimal() and int(text) > 0:
            return cls("count", most=int(text))
        raise ValueError(f'keep is "{text}"; use first, last, longest, max:FIELD, min:FIELD, none, or a number from 1')

    @property
    def chosen(self) -> str:
        """An aggregate that chooses the preferred document of a cluster. Documents that were there before come first."""
        number = "CASE WHEN isnan(rank) THEN NULL ELSE rank END"
        order = {
            "longest": "-length, ",
            # No number comes after all numbers. 0 and -0 are equal.
            "max": f"-coalesce({number}, double('-infinity')) + 0D, ",
            "min": f"coalesce({number}, double('infinity')) + 0D, ",
        }.get(self.policy, "")
        if self.policy == "last":
            return "max(struct(-side AS side, id)).id"
        return f"min(struct(side, {order}id)).id"


def decided(documents: DataFrame, clustered: DataFrame, keep: Keep) -> DataFrame:
    """The members of clusters with a new document: id, cluster, side, kept_id. A document whose kept_id is its id stays."""
    about = documents.select("id", "side", "rank", "length")
    members = clustered.withColumnRenamed("cluster", "component").join(about, "id")
    chosen = members.groupBy("component").agg(
        sql(f"{keep.chosen} AS chosen"),
        sql("min(id) AS cluster"),
        sql("min(side) AS oldest"),
        sql("max(side) AS newest"),
    )
    told = members.join(chosen.where("newest = 1"), "component")
    if keep.policy in ("count", "none"):
        told = _numbered(told)
    kept = {
        "count": f"CASE WHEN place <= {keep.most} THEN id ELSE chosen END",
        "none": "CASE WHEN id = chosen THEN second ELSE chosen END",
    }.get(keep.policy, "chosen")
    decision = f"CASE WHEN side = 0 THEN id WHEN oldest = 0 THEN chosen ELSE {kept} END AS kept_id"
    return told.selectExpr("id", "cluster", "side", decision)


def _numbered(members: DataFrame) -> DataFrame:
    """The members with their place in the cluster, and the second one of it."""
    from pyspark.sql import Window

    of_cluster = Window.partitionBy("component")
    placed = members.withColumn("place", sql("row_number()").over(of_cluster.orderBy("id")))
    return placed.withColumn("second", sql("min(CASE WHEN place = 2 THEN id END)").over(of_cluster))
