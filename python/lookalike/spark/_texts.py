"""Texts of several columns, and of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lookalike.spark._frames import quoted, sql

if TYPE_CHECKING:
    from pyspark.sql import Column

SECTION_SEPARATOR = "\ufdd0"
"""Stands between two sections of a text. No shingle has tokens of two."""


def text_of(*columns: str, join: str | None = None) -> Column:
    """The text of several columns, as `dedup` of this package has it with `text=[...]`.

    `paragraphs[]` stands for the texts of an array, and `messages[].content` for a field of the structs in an array. Without
    `join`, no shingle goes from one text to the next. Nulls and empty texts add nothing.

        frame = frame.withColumn("text", text_of("title", "messages[].content"))
    """
    if not columns:
        raise TypeError("text_of needs the name of a column")
    from pyspark.sql.functions import array_join

    texts = sql(f"filter(concat({', '.join(map(_texts, columns))}), text -> text <> '')")
    return array_join(texts, SECTION_SEPARATOR if join is None else join)


def _texts(name: str) -> str:
    """The texts of one name as an array, without a value where it is null."""
    head, is_list, rest = name.partition("[]")
    path = ".".join(map(quoted, head.split(".")))
    if not is_list:
        return f"array(CAST({path} AS string))"
    if "[]" in rest or (rest and not rest.startswith(".")):
        raise ValueError(f'"{name}": Spark reads one array, as in paragraphs[] or messages[].content; explode the others first')
    fields = "".join(f".{quoted(field)}" for field in rest.removeprefix(".").split(".") if field)
    return f"coalesce(CAST({path}{fields} AS array<string>), array())"
