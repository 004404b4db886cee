"""Texts of several columns and of arrays on Spark are those of the package, and so are the documents that are removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks

sparks.need_spark()

from lookalike import spark as on_spark  # noqa: E402

QUESTION, ANSWER = "what is the best way to cross the old harbour bridge", "it is closed so take the ferry from the northern pier"
TYPES = "id bigint, title string, paragraphs array<string>, messages array<struct<role: string, content: string>>"


def row(id: int, title: str | None, paragraphs: list[str | None] | None, contents: list[str | None] | None) -> dict[str, Any]:
    messages = None if contents is None else [{"role": "user", "content": content} for content in contents]
    return {"id": id, "title": title, "paragraphs": paragraphs, "messages": messages}


ROWS = [
    row(0, "One", [QUESTION, ANSWER], [QUESTION, ANSWER]),
    row(1, "Two", [QUESTION.upper(), "", None, ANSWER], [ANSWER, QUESTION]),
    row(2, None, [f"{QUESTION} {ANSWER}"], [f"{QUESTION} {ANSWER}"]),
    row(3, "One", [], []),
    row(4, "One", None, None),
    row(5, "", [None], [None]),
]


COLUMNS = [["title"], ["paragraphs[]"], ["messages[].content"], ["title", "messages[].content"], ["paragraphs[]", "title"]]
JOINS = [None, " ", "'\n\\"]
GIVEN: dict[str, Any] = {"threshold": 1.0}


def removed(found: list[dict[str, Any]]) -> dict[int, int]:
    return {row["id"]: row["kept_id"] for row in found}


def test_texts_and_decisions_are_those_of_the_package(tmp_path: Path) -> None:
    ways = {f"way{number}": way for number, way in enumerate((columns, join) for columns in COLUMNS for join in JOINS)}
    with sparks.classic() as session:
        frame = session.createDataFrame(ROWS, TYPES)
        for name, (columns, join) in ways.items():
            frame = frame.withColumn(name, on_spark.text_of(*columns, join=join))
        frame = frame.select("id", *ways)
        texts = sorted((row.asDict() for row in frame.collect()), key=lambda row: row["id"])
        # The messages, once apart and once joined.
        for name, expected in (("way6", {1: 0}), ("way7", {2: 0})):
            found = on_spark.dedup(frame, text=name, work=str(tmp_path / name), **GIVEN).removed.collect()
            assert removed([row.asDict() for row in found]) == expected
    for join, expected in ((None, {1: 0}), (" ", {2: 0})):
        found = lookalike.dedup(ROWS, text="messages[].content", join=join, id="id", **GIVEN).removed.to_pylist()
        assert removed(found) == expected
    # The texts are the same, and not only similar.
    plan = lookalike.Plan(tokens="chars", shingle=2)
    for name, (columns, join) in ways.items():
        sketches = lookalike.columns.sketch(lookalike.columns.of([row[name] for row in texts]), plan)
        given = lookalike.sketch(ROWS, text=columns, join=join, plan=plan)
        assert sketches.to_pylist() == given["signature"].to_pylist(), (columns, join)


def test_a_name_that_spark_cannot_follow_is_refused() -> None:
    with pytest.raises(ValueError, match=r'"rows\[\]\[\]": Spark reads one array'):
        on_spark.text_of("rows[][]")
    with pytest.raises(TypeError, match="the name of a column"):
        on_spark.text_of()
