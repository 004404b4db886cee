"""Texts of several columns, and of lists of texts and of dicts."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import lookalike

QUESTION, ANSWER = "what is the best way to cross the old harbour bridge", "it is closed so take the ferry from the northern pier"
ROWS: list[dict[str, Any]] = [
    {"key": 7, "title": "One", "messages": [{"role": "user", "content": QUESTION}, {"role": "bot", "content": ANSWER}]},
    {"key": 8, "title": None, "messages": [{"content": QUESTION.upper()}, {"content": None}, {"content": ANSWER}]},
    {"key": 9, "title": "Two", "messages": [{"role": "user", "content": f"{QUESTION} {ANSWER}"}]},
    {"key": 10, "title": "Two", "messages": []},
    {"key": 11, "title": "Two", "messages": None},
]
CHAT = "messages[].content"


def test_a_list_of_dicts_is_a_table() -> None:
    pytest.importorskip("pyarrow")
    rows = copy.deepcopy(ROWS)
    found = lookalike.dedup(rows, text=CHAT, id="key", threshold=1)
    rows.append({"other": 1})
    assert found.removed.to_pylist()[0]["id"] == 8 and found.rows.tolist() == [0, 2, 3, 4]
    assert found.kept() == [ROWS[0], *ROWS[2:]]
    assert lookalike.dedup(tuple(ROWS), text=CHAT, threshold=1).kept() == (ROWS[0], *ROWS[2:])
    assert pickle.loads(pickle.dumps(found)).kept() == found.kept()
    # Joined, the first and the third row are one text, and the second is too, without its null.
    assert lookalike.dedup(ROWS, text=CHAT, join="\n", threshold=1).rows.tolist() == [0, 3, 4]
    assert lookalike.dedup(ROWS[:1], text=CHAT, against=ROWS[1:], against_containment=0.9).rows.tolist() == []
    nested = [{"meta": {"text": text}} for text in (QUESTION, ANSWER, QUESTION)]
    assert lookalike.dedup(nested, text="meta.text").rows.tolist() == [0, 1]
    assert lookalike.dedup([{"messages": []}, {"messages": []}], text=CHAT).rows.tolist() == [0, 1]
    with pytest.raises(ValueError, match="text names no column"):
        lookalike.dedup(ROWS, text=[])
    with pytest.raises(KeyError, match='no column "text"; the columns are key, messages, title'):
        lookalike.dedup(ROWS)
    with pytest.raises(TypeError, match="row 1 is a str"):
        lookalike.dedup([{"text": "a"}, "b"])
    with pytest.raises(TypeError, match='column "text" has values of several types'):
        lookalike.dedup([{"text": "a"}, {"text": 1}])


def frames() -> list[Any]:
    """The rows as tables of each library that is here."""
    found: list[Any] = []
    pyarrow = pytest.importorskip("pyarrow")
    found.append(pyarrow.Table.from_pylist(ROWS))
    for name, make in (
        ("pandas", lambda module: module.DataFrame(ROWS)),
        ("polars", lambda module: module.DataFrame(ROWS)),
        ("datasets", lambda module: module.Dataset.from_list(ROWS)),
    ):
        try:
            found.append(make(__import__(name)))
        except ImportError:
            continue
    return found


@pytest.mark.parametrize("text", [CHAT, ["title", CHAT], [CHAT, "title"], ["title"]])
@pytest.mark.parametrize("join", [None, " "])
def test_each_kind_of_table_has_the_texts_of_files(tmp_path: Path, text: str | list[str], join: str | None) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    given: dict[str, Any] = {"threshold": 0.9, "text": text, "join": join}
    if text == ["title"]:
        given["join"] = None
    files = lookalike.Files(path, text=text, join=given["join"])
    expected = lookalike.dedup(files, threshold=0.9)
    assert expected.rows.tolist() == lookalike.dedup(ROWS, **given).rows.tolist()
    for frame in frames():
        assert lookalike.dedup(frame, **given).rows.tolist() == expected.rows.tolist(), type(frame)
        found = lookalike.dedup(frame, id="key", **given)
        assert [row["id"] for row in found.removed.to_pylist()] == [ROWS[row]["key"] for row in range(len(ROWS)) if row not in expected.rows.tolist()]
        sketches = lookalike.sketch(frame, text=text, join=given["join"]).to_pylist()
        assert sketches == lookalike.sketch(ROWS, text=text, join=given["join"]).to_pylist()


def test_columns_that_are_not_there_or_hold_no_texts_are_named() -> None:
    for frame in frames():
        for text, error, message in (
            (["title", "body"], KeyError, "body"),
            ("messages", TypeError, "messages"),
            ("messages[].words", KeyError, r"messages\[\].words"),
            (["title", "key"], TypeError, "key"),
        ):
            with pytest.raises(error, match=message):
                lookalike.dedup(frame, text=text)
    with pytest.raises(TypeError, match="say Files"):
        lookalike.dedup(lookalike.Files("a.jsonl"), join=" ")
