"""The functions of `lookalike.columns` in SQL, for DuckDB.

>>> import duckdb
>>> import lookalike.duckdb
>>> db = duckdb.connect()
>>> lookalike.duckdb.register(db, lookalike.Plan(method="minhash", threshold=0.7))
>>> db.sql('''
...     WITH described AS (SELECT lookalike_features(text) AS features FROM (VALUES
...         ('one two three four five six'), ('One, two, three; four five six!')) AS texts(text))
...     SELECT lookalike_similarity(min(features), max(features)) AS similarity FROM described''').fetchall()
[(1.0,)]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lookalike import columns
from lookalike._lookalike import Plan
from lookalike._table import Columns, needed

if TYPE_CHECKING:
    import duckdb

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection, plan: Plan | None = None) -> None:
    """Adds SQL functions to a connection of DuckDB. Functions that were added before take the new plan. Needs pyarrow.

    =====================================  =========  ==================================================================
    `lookalike_content(text)`              BLOB       16 bytes, which are equal for texts of equal shingles
    `lookalike_sketch(text)`               BLOB       the signature
    `lookalike_band_keys(sketch)`          BIGINT[]   the keys of its bands: texts that share one are candidates
    `lookalike_features(text)`             BLOB       the features, which are compared
    `lookalike_similarity(left, right)`    DOUBLE     the exact similarity of two features, or NULL below the threshold
    =====================================  =========  ==================================================================

    All give NULL for NULL, and for a text without tokens. `plan` is of method "minhash", which is the default.
    `PlanError` for a plan of another method.
    """
    if not hasattr(connection, "create_function"):
        raise TypeError(f"connection is {type(connection).__name__}, not a connection of DuckDB")
    plan = Plan(method="minhash") if plan is None else plan
    # A plan without signatures is refused here, and not by the first query.
    columns.sketch(columns.of([]), plan)
    arrow, duckdb = needed("pyarrow"), needed("duckdb")
    # DuckDB takes the names of kinds of functions, and its types refuse them.
    database: Any = connection

    def add(name: str, function: Callable[..., Any], parameters: list[str], result: str) -> None:
        try:
            database.remove_function(name)
        except duckdb.InvalidInputException:
            pass  # It was not there.
        database.create_function(name, function, parameters, result, type="arrow", null_handling="special")

    # DuckDB counts the parameters of a function, so it refuses one with `*values`.
    def of_one(function: Callable[[Any, Plan], Columns]) -> Callable[[Any], Any]:
        return lambda values: arrow.array(function(values, plan))

    def similarity(left: Any, right: Any) -> Any:
        return arrow.array(columns.verify(left, right, plan))

    add("lookalike_content", of_one(columns.content), ["VARCHAR"], "BLOB")
    add("lookalike_sketch", of_one(columns.sketch), ["VARCHAR"], "BLOB")
    add("lookalike_band_keys", of_one(columns.band_keys), ["BLOB"], "BIGINT[]")
    add("lookalike_features", of_one(columns.features), ["VARCHAR"], "BLOB")
    add("lookalike_similarity", similarity, ["BLOB", "BLOB"], "DOUBLE")
