#!/usr/bin/env bash
# fastparquet 2026.9.0 with pandas 3.1.1: times="int96" writes instants in microseconds as if they were nanoseconds.
#
# A reader of "times" in its documentation expects the same instants in 64 and in 96 bits. pandas 3 makes datetime64[us] of dates in texts, and the
# year 2026 becomes January 1970 in the file, without an error. With datetime64[ns], and with times="int64", the instants are right.
#
# Seen: pyarrow and fastparquet itself read the same wrong instant from the file.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import fastparquet
import pandas
import pyarrow.parquet

seen = {}
for unit in ("us", "ns"):
    frame = pandas.DataFrame({"at": pandas.to_datetime(["2026-01-01"]).astype(f"datetime64[{unit}]")})
    for times in ("int64", "int96"):
        fastparquet.write("file.parquet", frame, times=times)
        own = fastparquet.ParquetFile("file.parquet").to_pandas()["at"][0]
        other = pyarrow.parquet.read_table("file.parquet")["at"][0].as_py()
        assert own == pandas.Timestamp(other)
        seen[unit, times] = str(own)
        print(unit, times, own)
assert seen["us", "int96"] == "1970-01-21 10:53:45.600000"
assert {value for key, value in seen.items() if key != ("us", "int96")} == {"2026-01-01 00:00:00"}
PYTHON
