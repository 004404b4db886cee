"""Documents: the sketch of each text, ids, and what is refused before a search begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lookalike._errors import Incompatible, InputError
from lookalike._lookalike import Plan
from lookalike.spark import _plan
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import check_columns, check_text, id_type, quoted, sql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from lookalike._types import PlanOptions, Unpack

SKETCH = "content binary, signature binary, band_keys array<bigint>, features binary, words bigint, length bigint"
"""The columns of a described text, after the id and the columns that go with it."""

SKETCH_COLUMNS = ("content", "signature", "band_keys", "features", "length")
"""Those of a sketch that is stored."""

EXAMPLES = 5
"""Ids that a message names."""


def sketch(df: DataFrame, *, text: str = "text", id: str = "id", **options: Unpack[PlanOptions]) -> DataFrame:
    """The sketch of each document: id, plan, content, signature, band_keys, features, length.

    Write it, and give it to `dedup(new, against=stored)`: the old texts are then not read again. `features` holds 8 bytes for
    each shingle, and is what documents are compared by. `signature` has 4 bytes for each value, little-endian.
    """
    plan, given = _plan.checked(dict(options))
    described = described_by(df, text, id, given)
    return described.selectExpr("id", f"'{_plan.name_of(plan)}' AS plan", *SKETCH_COLUMNS)


def described_by(
    df: DataFrame, text: str, id: str, options: dict[str, Any], others: dict[str, str] | None = None
) -> DataFrame:
    """The sketch of each document, beside its id and `others`: expressions by the names that they get.

    `within`, if it is one of them, is the group of the document. It goes into the sketch, and is not in the frame.
    """
    check_columns(df, text, id)
    check_text(df, text)
    kind = id_type(df, id)
    others = others or {}
    chosen = [f"CAST({quoted(id)} AS {kind}) AS id", f"CAST({quoted(text)} AS string) AS text"]
    frame = df.selectExpr(*chosen, *(f"{expression} AS {name}" for name, expression in others.items()))
    types = "".join(f"{name} {frame.schema[name].dataType.simpleString()}, " for name in others if name != "within")
    return frame.mapInArrow(on_executors("describe", options), f"id {kind}, {types}{SKETCH}")


def with_ids(df: DataFrame, column: str = "id") -> DataFrame:
    """The frame with a column of ids, made from the content of each row.

    Equal rows are counted: their ids end in -1, -2 and so on. Such ids do not change with partitions or when a stage is
    computed again, as those of `monotonically_increasing_id()` do.
    """
    if column in df.columns:
        raise ValueError(f'the frame has a column "{column}" already: give another name')
    from pyspark.sql import Window

    key = "lookalike_content"
    row = ", ".join(quoted(name) for name in df.columns)
    # All columns count. Rows that share a key are then equal, and may be numbered in any order.
    keyed = df.withColumn(key, sql(f"substring(sha2(to_json(struct({row})), 256), 1, 32)"))
    number = sql("row_number()").over(Window.partitionBy(key).orderBy(key))
    numbered = keyed.withColumn(column, number)
    return numbered.withColumn(column, sql(f"concat({key}, '-', {quoted(column)})")).drop(key)


def is_stored(frame: DataFrame) -> bool:
    """Whether a frame has the columns that `sketch` makes."""
    return {"id", "plan", *SKETCH_COLUMNS} <= set(frame.columns)


def stored(against: DataFrame, plan: Plan) -> DataFrame | None:
    """The stored sketches that `against` is, or `None` if it is a frame of texts. Another plan is refused."""
    if not is_stored(against):
        return None
    names = [row["plan"] for row in against.select("plan").distinct().limit(EXAMPLES).collect()]
    ours = _plan.name_of(plan)
    for name in names:
        if name != ours:
            raise Incompatible(
                f"the stored sketches were made by another plan ({name}) than this call has ({ours}): "
                "give the options that they were made with, or sketch the old documents again"
            )
    return against.select("id", *SKETCH_COLUMNS)


class UnusableIds(InputError):
    """An id is null, or not the only one of its kind."""

    problem: str
    """What is wrong, without a remedy: the command has others than a program."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}: {remedy}")
        self.problem = problem


def check_ids(documents: DataFrame) -> None:
    """Raises `InputError` if an id is null, or not the only one of its kind."""
    nulls = documents.where("id IS NULL").limit(1).count()
    if nulls:
        raise UnusableIds("an id is null", "give each document an id, or call lookalike.spark.with_ids(df)")
    counted = documents.groupBy("id").agg(sql("count(*) AS documents")).where("documents > 1")
    repeated = [row["id"] for row in counted.limit(EXAMPLES).collect()]
    if repeated:
        shown = ", ".join(sorted(map(repr, repeated)))
        problem = f"ids must be unique, and several documents have the id {shown}"
        raise UnusableIds(problem, "remove one of each, or give ids by lookalike.spark.with_ids(df)")
