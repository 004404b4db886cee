"""What `keep="max:COLUMN"` compares: numbers, dates and instants, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lookalike.spark._frames import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EXACT = "decimal(38,18)"
"""The type of exact values. Of a number beyond it, its floating-point number is compared alone."""

NO_RANK = f"CAST(NULL AS struct<number: double, exact: {EXACT}>)"


def rank(frame: DataFrame, column: str) -> str:
    """An expression of the rank of a row: its number, rounded, and its exact value. Dates and instants are seconds since 1970 in UTC."""
    from pyspark.sql import types

    kind, value = frame.schema[column].dataType, quoted(column)
    if isinstance(kind, (types.FloatType, types.DoubleType)):
        return _struct(f"CAST({value} AS double)", "NULL")
    if isinstance(kind, types.DateType):
        return _struct(*_numbers(f"CAST(unix_date({value}) AS bigint) * 86400"))
    if isinstance(kind, types.TimestampType):
        return _struct(*_seconds(value))
    if isinstance(kind, types.TimestampNTZType):
        return _struct(*_seconds(f"CAST(concat(CAST({value} AS string), 'Z') AS timestamp)"))
    if isinstance(kind, types.StringType):
        return _of_text(f"trim({value})")
    return _struct(*_numbers(value))


def _struct(number: str, exact: str) -> str:
    return f"named_struct('number', {number}, 'exact', TRY_CAST({exact} AS {EXACT}))"


def _numbers(value: str) -> tuple[str, str]:
    return f"CAST({value} AS double)", value


def _seconds(instant: str) -> tuple[str, str]:
    microseconds = f"unix_micros({instant})"
    return f"CAST({microseconds} AS double) / 1e6D", f"CAST({microseconds} AS decimal(20,0)) * CAST(0.000001 AS decimal(7,6))"


def _of_text(text: str) -> str:
    # Without a zone it is in UTC, whatever the zone of the session.
    instants = ", ".join(f"TRY_CAST({written} AS timestamp)" for written in (f"concat({text}, 'Z')", f"concat({text}, 'T00:00:00Z')", text))
    number, exact = _seconds(f"coalesce({instants})")
    is_number = f"TRY_CAST({text} AS double) IS NOT NULL"
    return _struct(
        f"if({is_number}, TRY_CAST({text} AS double), {number})",
        f"if({is_number}, TRY_CAST({text} AS {EXACT}), TRY_CAST({exact} AS {EXACT}))",
    )
