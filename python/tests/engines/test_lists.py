"""Lists of the program are joined with their inputs by ids of their own type."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pyarrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

import pyarrow.parquet  # noqa: E402

TEXT = "the city council voted on tuesday to close the old harbour bridge"
TEXTS = [TEXT, "rain is expected over the northern hills before saturday morning", TEXT.upper(), f"{TEXT}!"]


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint32", "string"])
def test_each_library_joins_by_the_id(tmp_path: Path, kind: str) -> None:
    numbers = [3, 1, 2, 9]
    ids = pyarrow.array(numbers).cast(kind)
    rows = pyarrow.table({"id": ids, "text": TEXTS})
    pyarrow.parquet.write_table(rows, tmp_path / "in.parquet")
    command = [sys.executable, "-m", "lookalike", "dedup", "in.parquet", "-o", "out.parquet", "-q"]
    subprocess.run([*command, "--removed", "removed.parquet", "--clusters", "clusters.parquet"], cwd=tmp_path, check=True)
    removed: Any = pyarrow.parquet.read_table(tmp_path / "removed.parquet")
    assert removed.schema.field("id").type == removed.schema.field("kept_id").type == ids.type
    expected = {"ids": ids.take([2, 3]).to_pylist(), "texts": [TEXTS[2], TEXTS[3]]}
    # pandas and polars refuse other types than that of the input, or find nothing.
    frame = pandas.read_parquet(tmp_path / "in.parquet").merge(pandas.read_parquet(tmp_path / "removed.parquet"), on="id")
    assert {"ids": frame["id"].tolist(), "texts": frame["text"].tolist()} == expected
    joined = polars.read_parquet(tmp_path / "in.parquet").join(polars.read_parquet(tmp_path / "removed.parquet"), on="id", maintain_order="left")
    assert {"ids": joined["id"].to_list(), "texts": joined["text"].to_list()} == expected
    query = f"SELECT id, text FROM '{tmp_path}/in.parquet' JOIN '{tmp_path}/clusters.parquet' USING (id) WHERE NOT kept ORDER BY text DESC"
    found = duckdb.sql(query).fetchall()
    assert sorted(found, key=str) == sorted(zip(expected["ids"], expected["texts"], strict=True), key=str)
