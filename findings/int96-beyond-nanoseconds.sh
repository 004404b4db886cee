#!/usr/bin/env bash
# pyarrow 26.0.1, polars 2.1.0, fastparquet 2026.9.0, DuckDB 2.0.1: four readers see four different instants in one Parquet file.
#
# The file has the years 9999 and 1500 as INT96, the type in which Spark writes instants by default. DuckDB reads them right. pyarrow and fastparquet
# read nanoseconds of 64 bits, which wrap: 1816 and 2084. polars gives the last nanosecond of 64 bits, in the year 2262, for both: the year 1500 lies
# then after the year 2026. None of them raises an error or warns. pyarrow is right with coerce_int96_timestamp_unit="us".
#
# Seen while kept rows of such files were compared. Lookalike copies INT96 as it is, and compares it in microseconds.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q pyarrow==26.0.1 polars==2.1.0 fastparquet==2026.9.0 pandas==3.1.1 duckdb==2.0.1
venv/bin/python - <<'PYTHON'
import datetime

import duckdb
import fastparquet
import polars
import pyarrow
import pyarrow.parquet as parquet

written = [datetime.datetime(9999, 12, 31), datetime.datetime(1500, 1, 1)]
table = pyarrow.table({"moment": pyarrow.array(written, pyarrow.timestamp("us"))})
parquet.write_table(table, "file.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
seen = {
    "DuckDB": [row[0].year for row in duckdb.sql("SELECT moment FROM 'file.parquet'").fetchall()],
    "pyarrow": [1970 + int(ns / 1e9 // 31_556_952) for ns in parquet.read_table("file.parquet")["moment"].cast("int64").to_pylist()],
    "pyarrow, us": [at.year for at in parquet.read_table("file.parquet", coerce_int96_timestamp_unit="us")["moment"].to_pylist()],
    "fastparquet": [at.year for at in fastparquet.ParquetFile("file.parquet").to_pandas()["moment"]],
    "polars": [at.year for at in polars.read_parquet("file.parquet")["moment"]],
}
for reader, years in seen.items():
    print(f"{reader}: {years}")
assert seen == {
    "DuckDB": [9999, 1500],
    "pyarrow": [1816, 2084],
    "pyarrow, us": [9999, 1500],
    "fastparquet": [1816, 2084],
    "polars": [2262, 2262],
}
PYTHON
