"""Keep policies: which documents of a cluster stay, as `lookalike dedup --keep` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from lookalike.spark._frames import sql

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


Shape = Literal["union", "star"]
"""The shapes of clusters: connected by any chain of pairs, or by pairs with the kept document alone."""


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
    def name(self) -> str:
        """The policy as a text, which `parsed` reads."""
        if self.field is not None:
            return f"{self.policy}:{self.field}"
        return str(self.most) if self.policy == "count" else self.policy

    @property
    def _ranks(self) -> list[str]:
        """What documents are ranked by before their ids. The least is preferred."""
        number = "CASE WHEN isnan(rank.number) THEN NULL ELSE rank.number END"
        return {
            "longest": ["-length"],
            # No number comes after all numbers. 0 and -0 are equal.
            "max": [f"-coalesce({number}, double('-infinity')) + 0D", "-coalesce(rank.exact, 0)"],
            "min": [f"coalesce({number}, double('infinity')) + 0D", "coalesce(rank.exact, 0)"],
        }.get(self.policy, [])

    @property
    def chosen(self) -> str:
        """An aggregate that chooses the preferred document of a cluster. Documents that were there before come first."""
        if self.policy == "last":
            return "max(struct(-side AS side, id)).id"
        return f"min(struct({', '.join(['side', *self._ranks, 'id'])})).id"

    def order(self) -> list[Column]:
        """The order of preference. `chosen` is the first document of it."""
        id = sql("id")
        return [sql("side"), *map(sql, self._ranks), id.desc() if self.policy == "last" else id.asc()]


class Choice(NamedTuple):
    """How clusters are made, and which of their documents stay."""

    keep: Keep
    shape: Shape
    min_containment: float | None

    def checked(self) -> Choice:
        """The same, or an error that names an option."""
        if self.shape not in ("union", "star"):
            raise ValueError(f'cluster is "{self.shape}"; it must be "union" or "star"')
        if self.min_containment is None:
            return self
        if not 0 <= self.min_containment <= 1:
            raise ValueError(f"min_containment is {self.min_containment}; it must be from 0 to 1")
        if self.keep.policy == "none":
            raise ValueError('min_containment needs a kept document, and keep="none" keeps none of a cluster')
        return self


def placed(documents: DataFrame, group: str, keep: Keep) -> DataFrame:
    """The documents with their place in the order of preference of their group. They have the columns that `about` gives."""
    from pyspark.sql import Window

    return documents.withColumn("place", sql("row_number()").over(Window.partitionBy(group).orderBy(*keep.order())))


def about(documents: DataFrame) -> DataFrame:
    """The columns that policies choose by."""
    return documents.select("id", "side", "rank", "length")


def decided(documents: DataFrame, clustered: DataFrame, keep: Keep) -> DataFrame:
    """The members of clusters with a new document: id, cluster, side, size, kept_id, is_named.

    A document whose kept_id is its id stays. If a cluster keeps none, kept_id is a document to compare with, and `is_named` is false.
    """
    members = clustered.withColumnRenamed("cluster", "component").join(about(documents), "id")
    chosen = members.groupBy("component").agg(
        sql(f"{keep.chosen} AS chosen"),
        sql("min(id) AS cluster"),
        sql("min(side) AS oldest"),
        sql("max(side) AS newest"),
        sql("count(*) AS size"),
    )
    told = members.join(chosen.where("newest = 1"), "component")
    if keep.policy in ("count", "none"):
        told = _numbered(told)
    kept = {
        "count": f"CASE WHEN place <= {keep.most} THEN id ELSE chosen END",
        "none": "CASE WHEN id = chosen THEN second ELSE chosen END",
    }.get(keep.policy, "chosen")
    decision = f"CASE WHEN side = 0 THEN id WHEN oldest = 0 THEN chosen ELSE {kept} END AS kept_id"
    is_named = "oldest = 0 AS is_named" if keep.policy == "none" else "true AS is_named"
    return told.selectExpr("id", "cluster", "side", "size", decision, is_named)


def _numbered(members: DataFrame) -> DataFrame:
    """The members with their place in the cluster, and the second one of it."""
    from pyspark.sql import Window

    of_cluster = Window.partitionBy("component")
    numbered = members.withColumn("place", sql("row_number()").over(of_cluster.orderBy("id")))
    return numbered.withColumn("second", sql("min(CASE WHEN place = 2 THEN id END)").over(of_cluster))
