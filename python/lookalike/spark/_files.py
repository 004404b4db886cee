"""Files that Spark reads and writes for the command: formats, delimiters, and records that are broken."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lookalike._errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

FORMATS = {".parquet": "parquet", ".jsonl": "json", ".json": "json", ".csv": "csv", ".tsv": "csv", ".orc": "orc"}
"""The formats of Spark, by the extension of a file. A folder without an extension is Parquet."""

DOUBLED = {"escape": '"'}
"""Spark's options for tables in which a quote in a quoted field is written twice."""

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")

BROKEN = "_lookalike_broken"
"""The column in which Spark keeps records that it cannot read. Inputs may have Spark's own name for it, `_corrupt_record`."""

FILE = "_lookalike_file"
"""The column of the file that a broken record is in."""

SAIL_STOPS = "incorrect number of fields"
"""What Sail says of a table with such a column, and of a row with too many or too few fields."""

KINDS = {
    "json": ("line that is no JSON", "lines that are no JSON"),
    "csv": ("row with too many or too few fields", "rows with too many or too few fields"),
}
"""How a message names one broken record of a format, and several."""


def quotes_of(quote: str | None, escape: str | None) -> dict[str, str]:
    """Spark's options for the quotes of a table, by `--quote` and `--escape`."""
    # An empty character is Spark's way to have none.
    return {"quote": "", "escape": ""} if quote == "none" else DOUBLED if escape is None else {"escape": escape}


def format_of(path: str) -> str:
    """The format of a path, by its extension."""
    for ending in COMPRESSIONS:
        path = path.removesuffix(ending)
    name = path.rstrip("/*").rpartition("/")[2]
    extension = os.path.splitext(name)[1]
    if extension not in FORMATS and os.path.isfile(path):
        raise ValueError(f"{path} has an unknown extension: say --format parquet, json, csv or orc")
    return FORMATS.get(extension, "parquet")


def common_format(paths: Sequence[str]) -> str:
    """The format of several paths."""
    kinds = {format_of(path): path for path in paths}
    if len(kinds) > 1:
        raise ValueError(f"the inputs have several formats ({', '.join(sorted(kinds.values()))}): give those of one format")
    return next(iter(kinds))


def read(
    session: SparkSession,
    paths: Sequence[str],
    kind: str,
    *,
    delimiter: str | None = None,
    quotes: Mapping[str, str] = DOUBLED,
    is_strict: bool = False,
) -> tuple[DataFrame, int]:
    """The records of these paths, and the number of broken ones, of which it names one.

    Raises:
        InputError: `is_strict`, and a record is broken.
    """
    reader = session.read.format(kind)
    if kind not in KINDS:
        return reader.load(list(paths)), 0
    reader = reader.option("columnNameOfCorruptRecord", BROKEN)
    if kind == "csv":
        reader = reader.options(header=True, multiLine=True, sep=delimiter or delimiter_of(paths[0]), **quotes)
    frame = reader.load(list(paths))
    if kind == "csv" and delimiter is None and len(frame.columns) == 1 and any(mark in frame.columns[0] for mark in ";|\t"):
        raise InputError(f"{paths[0]} has one column, {frame.columns[0]!r}: name its delimiter by --delimiter")
    if kind == "csv" and frame.columns:
        return _of_table(reader, frame, paths, is_strict=is_strict)
    # Spark adds this column to JSON if there are such lines. It would take them for rows of nulls.
    return _without_broken(frame, kind, is_strict=is_strict) if BROKEN in frame.columns else (frame, 0)


def _of_table(reader: DataFrameReader, frame: DataFrame, paths: Sequence[str], *, is_strict: bool) -> tuple[DataFrame, int]:
    """The rows of a table without broken ones, and their number."""
    from pyspark.errors import PySparkException
    from pyspark.sql.types import StringType, StructField, StructType

    # Otherwise Spark fills rows of too few fields with nulls, and cuts those of too many.
    schema = StructType([*frame.schema.fields, StructField(BROKEN, StringType())])
    try:
        return _without_broken(reader.schema(schema).load(list(paths)), "csv", is_strict=is_strict)
    except PySparkException as error:
        if SAIL_STOPS not in str(error):
            raise
        # Sail has no such column, and stops at a broken row itself.
        return frame, 0


def _without_broken(frame: DataFrame, kind: str, *, is_strict: bool) -> tuple[DataFrame, int]:
    """The frame without broken records, and their number."""
    # Spark refuses a query about this column alone, unless the records are kept.
    broken = frame.where(f"{BROKEN} IS NOT NULL").selectExpr("*", f"input_file_name() AS {FILE}").cache()
    try:
        skipped = broken.count()
        first = broken.orderBy(FILE, BROKEN).limit(1).collect()
    finally:
        broken.unpersist()
    for row in first:
        example = f"{row[BROKEN]!r} of {row[FILE]}"
        one, several = KINDS[kind]
        if is_strict:
            name = f"a {one}" if skipped == 1 else f"{skipped:,} {several}"
            raise InputError(f"cannot read {name}, such as {example}: without --strict the run goes on and counts such records")
        name = f"1 {one}" if skipped == 1 else f"{skipped:,} {several}"
        print(f"skipped {name}, such as {example}", file=sys.stderr)
    return frame.where(f"{BROKEN} IS NULL").drop(BROKEN), skipped


def write(
    frame: DataFrame, path: str, kind: str, delimiter: str | None = None, quotes: Mapping[str, str] = DOUBLED
) -> None:
    """Writes a frame in place of what Spark has written there before."""
    writer = frame.write.mode("overwrite").format(kind)
    if kind == "csv":
        spaces = {"ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False}
        writer = writer.options(header=True, sep=delimiter or delimiter_of(path), **spaces, **quotes)
        if quotes.get("quote") == "":
            # Otherwise Spark writes two quotes for an empty text.
            writer = writer.option("emptyValue", "")
    writer.save(path)


def delimiter_of(path: str) -> str:
    """The delimiter that the name of a table says."""
    return "\t" if ".tsv" in path else ","
