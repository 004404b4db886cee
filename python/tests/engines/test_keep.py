"""`keep="max:COLUMN"` compares all digits, dates and instants, alike in tables, in files and on Spark."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import lookalike
import sparks

TEXT = "one two three four five six seven"

# The type of a column, and its least, middle and greatest value.
COLUMNS: list[tuple[Any, list[Any]]] = [
    (pyarrow.int64(), [2**53 - 1, 2**53, 2**53 + 1]),
    (pyarrow.decimal128(38, 18), [Decimal("0.1"), Decimal("0.100000000000000001"), Decimal("0.100000000000000002")]),
    (pyarrow.string(), ["9007199254740991", "9007199254740992", "9007199254740993"]),
    (pyarrow.string(), ["1500-01-01", "2026-01-31", "9999-12-31"]),
    (pyarrow.string(), ["2026-01-31T23:59:59+01:00", "2026-01-31 23:30:00", "2026-02-01"]),
    (pyarrow.date32(), [datetime.date(1500, 1, 1), datetime.date(2026, 1, 31), datetime.date(9999, 12, 31)]),
    (pyarrow.timestamp("us", "UTC"), [-(10**16), 1, 2 * 10**17]),
    (pyarrow.timestamp("us"), [-(10**16), 1, 2 * 10**17]),
    (pyarrow.float64(), [-1e300, 0.1, 1e300]),
]


def table_of(kind: Any, values: list[Any]) -> pyarrow.Table:
    least, middle, greatest = values
    column = pyarrow.array([greatest, least, middle], kind)
    return pyarrow.table({"id": ["greatest", "least", "middle"], "n": column, "text": [TEXT] * 3})


@pytest.mark.parametrize(("kind", "values"), COLUMNS)
def test_tables_and_files_keep_the_same_document(tmp_path: Path, kind: Any, values: list[Any]) -> None:
    table = table_of(kind, values)
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    pyarrow.parquet.write_table(table, tmp_path / "96.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
    for policy, kept in (("max:n", "greatest"), ("min:n", "least")):
        assert lookalike.dedup(table, id="id", keep=policy).kept()["id"].to_pylist() == [kept]
        for name in ("in.parquet", "96.parquet"):
            output = tmp_path / "out.parquet"
            lookalike.dedup(lookalike.Files(tmp_path / name), keep=policy, output=output)
            assert pyarrow.parquet.read_table(output)["id"].to_pylist() == [kept], name


@pytest.mark.parametrize(("kind", "values"), COLUMNS)
def test_spark_keeps_the_same_document(session: Any, tmp_path: Path, kind: Any, values: list[Any]) -> None:
    from lookalike import spark as on_spark

    frame = session.createDataFrame(table_of(kind, values))
    for policy, kept in (("max:n", "greatest"), ("min:n", "least")):
        result = on_spark.dedup(frame, work=str(tmp_path / policy[:3]), keep=policy)
        assert [row["id"] for row in result.kept.collect()] == [kept]


def test_files_that_spark_writes_are_kept_as_spark_reads_them(session: Any, tmp_path: Path) -> None:
    sparks.need_spark()
    session.conf.set("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
    rows = session.sql(
        "SELECT CAST(id AS string) AS id, concat_ws(' ', transform(sequence(1, 9), n -> concat('w', id, 'x', n))) AS text, "
        "element_at(array(timestamp'9999-12-31 23:59:59', timestamp'1500-01-01', timestamp'2026-01-31', null), CAST(id % 4 + 1 AS int)) AS ts, "
        "named_struct('at', timestamp'0100-01-01', 'day', date'2026-01-31') AS nested, array(timestamp'9999-01-01') AS list FROM range(40)"
    )
    written = tmp_path / "in"
    rows.coalesce(1).write.option("compression", "gzip").parquet(str(written))
    lookalike.dedup(lookalike.Files(written), output=tmp_path / "out")
    kept = session.read.parquet(str(tmp_path / "out"))
    assert kept.schema == session.read.parquet(str(written)).schema
    assert sorted(map(str, kept.collect())) == sorted(map(str, rows.collect()))
    # Spark reads both as one table.
    assert session.read.parquet(str(written), str(tmp_path / "out")).count() == 80
