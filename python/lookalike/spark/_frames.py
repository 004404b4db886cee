"""Frames of Spark: expressions, and the columns that a caller names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

INTEGERS = ("tinyint", "smallint", "int", "bigint")
"""The types of ids that become bigint."""

TEXTS = ("string", "varchar", "char")
"""The types of ids and texts that become string."""


def sql(expression: str) -> Column:
    """A column by an expression of SQL. `pyspark` is imported here, so that this package can be imported without it."""
    from pyspark.sql.functions import expr

    return expr(expression)


def quoted(name: str) -> str:
    """A column's name in an expression."""
    return "`" + name.replace("`", "``") + "`"


def check_columns(frame: DataFrame, *names: str) -> None:
    """Raises `KeyError` for a column that the frame has not."""
    for name in names:
        if name not in frame.columns:
            raise KeyError(f'no column "{name}"; the columns are {", ".join(frame.columns)}')


def id_type(frame: DataFrame, id: str) -> str:
    """The type that ids have in all stages: bigint or string."""
    kind = type_of(frame, id)
    if kind in INTEGERS:
        return "bigint"
    if kind.partition("(")[0] in TEXTS:
        return "string"
    raise TypeError(
        f'the column "{id}" has type {kind}; ids are integers or texts: '
        f'say df.withColumn("{id}", df["{id}"].cast("string"))'
    )


def check_text(frame: DataFrame, text: str) -> None:
    """Raises `TypeError` for a column of texts that has another type."""
    kind = type_of(frame, text)
    if kind.partition("(")[0] not in TEXTS:
        raise TypeError(
            f'the column "{text}" has type {kind}, and texts are needed: '
            f'say df.withColumn("{text}", df["{text}"].cast("string"))'
        )


def type_of(frame: DataFrame, name: str) -> str:
    """The type of a column, as SQL names it."""
    kind: str = frame.schema[name].dataType.simpleString()
    return kind
