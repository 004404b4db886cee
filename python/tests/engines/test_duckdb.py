"""The SQL functions for DuckDB: each gives what the function of `lookalike.columns` gives."""

from __future__ import annotations

from typing import Any

import pytest

import lookalike
import lookalike.duckdb as functions
from conftest import corpus
from lookalike import columns

pyarrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")

TEXTS = [*corpus(300), None, "", " "]
PLAN = lookalike.Plan(method="minhash", threshold=0.6, shingle=3)


@pytest.fixture
def connection() -> Any:
    """A connection with the table `documents` and the functions."""
    connection = duckdb.connect()
    connection.register("documents", pyarrow.table({"id": range(len(TEXTS)), "text": TEXTS}))
    functions.register(connection, PLAN)
    return connection


def values(connection: Any, expression: str) -> list[Any]:
    return [row[0] for row in connection.sql(f"SELECT {expression} FROM documents ORDER BY id").fetchall()]


def test_a_function_in_sql_gives_the_column_of_its_namesake(connection: Any):
    texts = columns.of(TEXTS)
    signatures = columns.sketch(texts, PLAN)
    expected = {
        "lookalike_content(text)": columns.content(texts, PLAN),
        "lookalike_sketch(text)": signatures,
        "lookalike_band_keys(lookalike_sketch(text))": columns.band_keys(signatures, PLAN),
        "lookalike_features(text)": columns.features(texts, PLAN),
    }
    for expression, column in expected.items():
        found = values(connection, expression)
        assert found == column.to_pylist()
        is_empty = [not text or text.isspace() for text in TEXTS]
        assert [value is None for value in found] == is_empty and sum(is_empty) == 5


def test_a_join_in_sql_finds_the_pairs_of_an_exact_search(connection: Any):
    found = connection.sql("""
        WITH described AS (SELECT id, lookalike_features(text) AS features FROM documents)
        SELECT a.id, b.id, lookalike_similarity(a.features, b.features) AS similarity
        FROM described AS a JOIN described AS b ON a.id < b.id WHERE similarity IS NOT NULL ORDER BY ALL""")
    pairs = lookalike.pairs(TEXTS, method="exact", threshold=0.6, shingle=3)
    assert found.fetchall() == [(row["a"], row["b"], row["jaccard"]) for row in pyarrow.table(pairs).to_pylist()]
    assert len(pairs) > 20


def test_functions_that_are_added_again_take_the_new_plan(connection: Any):
    other = lookalike.Plan(method="minhash", threshold=0.6, shingle=2)
    functions.register(connection, other)
    texts = columns.of(TEXTS)
    assert values(connection, "lookalike_sketch(text)") == columns.sketch(texts, other).to_pylist()
    functions.register(connection)
    default = lookalike.Plan(method="minhash")
    assert values(connection, "lookalike_sketch(text)") == columns.sketch(texts, default).to_pylist()


def test_what_has_no_functions_is_refused():
    with pytest.raises(TypeError, match="connection is str, not a connection of DuckDB"):
        functions.register("documents.duckdb")  # type: ignore[arg-type]
    with pytest.raises(lookalike.PlanError, match='sketch needs a plan of method "minhash"'):
        functions.register(duckdb.connect(), lookalike.Plan(method="simhash"))


def test_a_value_that_is_no_signature_is_named(connection: Any):
    with pytest.raises(duckdb.Error, match="row 0 has 3 bytes, and a signature of the plan has 512"):
        connection.sql("SELECT lookalike_band_keys('abc'::BLOB)").fetchall()


def test_a_relation_is_read():
    relation = duckdb.connect().from_arrow(pyarrow.table({"text": TEXTS}))
    kept = lookalike.dedup(TEXTS).kept()
    assert len(kept) < len(TEXTS) and lookalike.dedup(relation).kept()["text"].to_pylist() == kept
