"""Examples of removed documents for the report page, with their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lookalike.spark._documents import is_stored
from lookalike.spark._frames import quoted, sql
from lookalike.spark._search import Input

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

CLUSTERS = 6
"""Clusters of a kind that are shown."""

REMOVED = 12
"""Removed documents that are shown, and members of a cluster that are named."""

CHARACTERS = 1 << 16
"""Characters of a text that an example holds."""

GONE = "(The text of this old document is not in its sketch.)"


class Examples(NamedTuple):
    """The decisions, of which examples are chosen."""

    read: Input
    against: DataFrame | None
    decisions: DataFrame
    removed: DataFrame
    threshold: float

    def chosen(self) -> dict[str, list[dict[str, Any]]]:
        """The examples of each kind. A cluster is shown by the removed document that is least similar to the kept one."""
        farthest = "min(struct(similarity, id, kept_id, is_named, containment)) AS pair"
        by_cluster = self.removed.groupBy("cluster").agg(
            sql(farthest), sql("count(*) AS removed"), sql("avg(similarity) AS mean")
        )
        sizes = self.decisions.groupBy("cluster").agg(sql("count(*) AS size"))
        clusters = by_cluster.join(sizes, "cluster")
        similar = self.removed.where(f"similarity >= {self.threshold!r}D AND similarity < 1")
        closest = similar.groupBy("cluster").agg(sql(farthest)).orderBy("pair.similarity", "cluster").limit(REMOVED).collect()
        largest = clusters.orderBy(sql("-size"), "cluster").limit(CLUSTERS).collect()
        loosest = clusters.where("size > 2 AND pair.similarity < 1").orderBy("pair.similarity", "cluster").limit(CLUSTERS).collect()
        members = self._members([row["cluster"] for row in (*largest, *loosest)])
        texts = self._texts({row["pair"][side] for row in (*closest, *largest, *loosest) for side in ("id", "kept_id")})

        def of_cluster(row: Any) -> dict[str, Any]:
            cluster = {"documents": row["size"], "removed": row["removed"], "mean": row["mean"], "members": members[row["cluster"]]}
            return {**_of_pair(row, texts), "cluster": cluster}

        return {
            "closest": [{**_of_pair(row, texts), "cluster": None} for row in closest],
            "loosest": list(map(of_cluster, loosest)),
            "largest": list(map(of_cluster, largest)),
        }

    def _members(self, clusters: list[Any]) -> dict[Any, list[tuple[str, float]]]:
        """Some removed documents of each of these clusters, the least similar first."""
        from pyspark.sql import Window

        order = Window.partitionBy("cluster").orderBy("similarity", "id")
        chosen = self.removed.where(sql("cluster").isin(clusters)).withColumn("place", sql("row_number()").over(order))
        members: dict[Any, list[tuple[str, float]]] = {cluster: [] for cluster in clusters}
        for row in sorted(chosen.where(f"place <= {REMOVED}").collect(), key=lambda row: row["place"]):
            members[row["cluster"]].append((str(row["id"]), row["similarity"]))
        return members

    def _texts(self, ids: set[Any]) -> dict[Any, dict[str, Any]]:
        """The texts of documents, by their ids."""
        texts: dict[Any, dict[str, Any]] = {id: {"id": str(id), "text": GONE, "characters": len(GONE)} for id in ids}
        text, id = quoted(self.read.text), quoted(self.read.id)
        wanted = f"{id} AS id", f"substring(CAST({text} AS string), 1, {CHARACTERS}) AS text", f"length({text}) AS characters"
        frames = [self.read.frame]
        if self.against is not None and not is_stored(self.against):
            frames.append(self.against)
        for frame in frames:
            for row in frame.where(sql(id).isin(sorted(ids))).selectExpr(*wanted).collect():
                texts[row["id"]] = {"id": str(row["id"]), "text": row["text"] or "", "characters": row["characters"] or 0}
        return texts


def _of_pair(row: Any, texts: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    """A removed document beside the one that it was compared with."""
    pair = row["pair"]
    return {
        "kept": texts[pair["kept_id"]],
        "removed": texts[pair["id"]],
        "stays": pair["is_named"],
        "similarity": pair["similarity"],
        "containment": pair["containment"],
    }
