"""Clusters: the connected components of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from lookalike._errors import InputError, LookalikeError
from lookalike.spark._frames import check_columns, id_type, sql
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EDGES_ON_DRIVER = 20_000_000
"""Edges that the driver connects: 320 MB of ids that are numbers. Spark's own limit for results is 1 GiB."""

ROWS_OF_A_FRAME = 1_000_000
"""Rows that the driver gives back to Spark in one piece. Connect sends each piece as one message."""

MOST_ROUNDS = 60
"""Rounds of stars. A chain of 20,000 documents took 16, and their number grows with its logarithm."""

Components = Literal["auto", "driver", "spark"]


def clusters(
    pairs: DataFrame,
    *,
    work: str,
    components: Components = "auto",
    edges_on_driver: int = EDGES_ON_DRIVER,
) -> DataFrame:
    """The connected components of pairs: id and cluster, which is the least id.

    Args:
        pairs: A frame with the columns a and b. A pair of a document with itself does not count.
        work: A folder that the driver and all executors see. It holds the stages, so that a call goes on after a failure.
        components: "driver" connects the pairs in the memory of the driver. "spark" does it in rounds of joins. "auto" takes the
            driver if there are at most `edges_on_driver`.
        edges_on_driver: The most pairs for the driver.
    """
    check_columns(pairs, "a", "b")
    if id_type(pairs, "a") != id_type(pairs, "b"):
        raise TypeError("the columns a and b have different types: cast one of them")
    kind = id_type(pairs, "a")
    run = Work(pairs.sparkSession, work, {"call": "clusters", "components": components, "ids": kind})
    given = pairs.selectExpr(f"CAST(a AS {kind}) AS a", f"CAST(b AS {kind}) AS b").where("NOT (a <=> b)").distinct()
    edges = run.stage("edges", lambda: given)
    if _total(edges) != _total(given):
        raise InputError(f"{work} is the work of other pairs: give another folder, or delete it", work)
    if edges.where("a IS NULL OR b IS NULL").limit(1).count():
        raise InputError("an id of a pair is null: remove such pairs")
    return connected(edges, "edges", kind, components, edges_on_driver, run)


def _total(edges: DataFrame) -> tuple[Any, ...]:
    """A number of all pairs, by which they are known again."""
    counted = edges.agg(sql("count(*) AS pairs"), sql("sum(CAST(xxhash64(a, b) AS decimal(38, 0))) AS total"))
    return tuple(counted.collect()[0])


def connected(
    edges: DataFrame, stage: str, kind: str, components: Components, edges_on_driver: int, work: Work
) -> DataFrame:
    """The components of the edges of a stage: id, cluster."""
    if components not in ("auto", "driver", "spark"):
        raise ValueError(f'components is "{components}"; say "auto", "driver" or "spark"')
    is_small = work.rows(stage) <= edges_on_driver
    if components == "driver" or components == "auto" and is_small:
        return work.stage("components", lambda: _on_driver(edges.select("a", "b"), kind, work))
    return work.stage("components", lambda: _by_stars(edges.select("a", "b"), work))


def _on_driver(edges: DataFrame, kind: str, work: Work) -> DataFrame:
    """By union-find, in the memory of the driver."""
    import pyarrow

    from lookalike import columns

    table = collected(edges)
    found = pyarrow.table(columns.clusters(table["a"], table["b"]))
    schema = f"id {kind}, cluster {kind}"
    frame = work.session.createDataFrame([], schema)
    for start in range(0, len(found), ROWS_OF_A_FRAME):
        part: Any = found.slice(start, ROWS_OF_A_FRAME)
        if not hasattr(edges, "toArrow"):
            part = list(zip(part["id"].to_pylist(), part["cluster"].to_pylist(), strict=True))
        frame = frame.union(work.session.createDataFrame(part, schema))
    return frame


def collected(frame: DataFrame) -> Any:
    """A frame as a table of the driver. Spark 3.5 gives Arrow only by way of pandas, so its rows are collected."""
    import pyarrow

    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    from pyspark.sql.pandas.types import to_arrow_schema

    rows = frame.collect()
    # A column of nulls alone would get a type of its own.
    return pyarrow.table({name: [row[name] for row in rows] for name in frame.columns}, to_arrow_schema(frame.schema))


def _by_stars(edges: DataFrame, work: Work) -> DataFrame:
    """By alternating stars, in rounds that are stages of their own.

    Each round links the neighbours of a document to the least one of them. In the end each document is linked to the least
    one of its component.

    Source: Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, "Connected components in MapReduce and beyond", 2014.
    """
    links = edges.where("a <> b").selectExpr("greatest(a, b) AS id", "least(a, b) AS least").distinct()
    for number in range(MOST_ROUNDS):
        before = links
        links = work.stage(f"components-{number}", lambda: _small_star(_large_star(before)))
        if _are_stars(links):
            centres = links.selectExpr("least AS id", "least AS cluster").distinct()
            return links.selectExpr("id", "least AS cluster").unionByName(centres)
    raise LookalikeError(f"after {MOST_ROUNDS} rounds documents are not connected yet; please report it")


def _large_star(links: DataFrame) -> DataFrame:
    """Links the greater neighbours of each document to the least of its neighbours and itself."""
    both = links.selectExpr("id AS u", "least AS v").unionByName(links.selectExpr("least AS u", "id AS v"))
    least = both.groupBy("u").agg(sql("least(u, min(v)) AS m"))
    return both.where("v > u").join(least, "u").selectExpr("v AS id", "m AS least").distinct()


def _small_star(links: DataFrame) -> DataFrame:
    """Links the smaller neighbours of each document, and itself, to the least of them."""
    least = links.groupBy("id").agg(sql("min(least) AS m"))
    others = links.join(least, "id").where("least <> m").selectExpr("least AS id", "m AS least")
    return others.unionByName(least.selectExpr("id", "m AS least")).distinct()


def _are_stars(links: DataFrame) -> bool:
    """Whether each document has one link, and leads to one that has none."""
    if links.groupBy("id").agg(sql("count(*) AS links")).where("links > 1").limit(1).count():
        return False
    centres = links.selectExpr("least AS id").distinct()
    return not links.select("id").join(centres, "id", "left_semi").limit(1).count()
