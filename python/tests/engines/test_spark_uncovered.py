"""The words that are lost with removed documents on Spark are those that `lookalike.dedup` lists."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import lookalike
import sparks
from lookalike import columns

sparks.need_spark()

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402

TEXTS = sparks.documents(600)
IDS = sparks.ids_of(TEXTS)


def test_a_column_of_kept_features_leaves_the_words_that_it_does_not_cover() -> None:
    plan = lookalike.Plan(method="minhash", shingle=2)
    kept = columns.features(columns.of(["a b c d", "a b c d", "...", "x"]), plan)
    made = columns.uncovered(columns.of(["a b x, y\nz c d", "A b c", "one", None]), kept, plan)
    assert list(made) == [
        {"uncovered_words": 3, "uncovered": "x, y z"},
        {"uncovered_words": 0, "uncovered": ""},
        {"uncovered_words": 1, "uncovered": "one"},
        {"uncovered_words": 0, "uncovered": ""},
    ]
    with pytest.raises(ValueError, match="the columns have 1 and 4 rows"):
        columns.uncovered(columns.of(["a"]), kept, plan)


def lost(removed: Any) -> dict[Any, tuple[int, str]]:
    return {row["id"]: (row["uncovered_words"], row["uncovered"]) for row in removed}


def test_words_are_those_of_dedup(session: Any, tmp_path: Path) -> None:
    table = pyarrow.table({"id": IDS, "text": pyarrow.array(TEXTS, pyarrow.string())})
    for number, options in enumerate(({}, {"keep": "none"}, {"tokens": "chars", "measure": "cosine"})):
        result = on_spark.dedup(session.createDataFrame(table), work=str(tmp_path / str(number)), threshold=0.6, **options)
        alone = lookalike.dedup(table, id="id", method="minhash", threshold=0.6, **options)
        expected = lost(alone.removed)
        assert lost(result.uncovered().collect()) == expected
        assert len(expected) > 50 and len({words for words, _ in expected.values()}) > 5
        assert (result.summary.removed_words, result.summary.removed_bytes) == (alone.summary.removed_words, alone.summary.removed_bytes)


def test_old_documents_need_features_alone_and_words_of_frequent_shingles_are_not_lost(session: Any, tmp_path: Path) -> None:
    banner = "this banner stands below each of our pages and nobody reads it"
    old = [f"{banner} {' '.join(f'w{page}x{word}' for word in range(30))}" for page in range(4)]
    new = [f"{old[0]} and these are new", f"{old[1]} new too"]
    before = on_spark.sketch(sparks.frame(session, old, [1, 2, 3, 4]), threshold=0.7)
    result = on_spark.dedup(
        sparks.frame(session, new, [10, 11]), against=before, work=str(tmp_path / "work"), drop_frequent=0.9, threshold=0.7
    )
    assert lost(result.uncovered().collect()) == {10: (4, "and these are new"), 11: (2, "new too")}


def test_a_frequent_shingle_of_the_removed_document_alone_is_lost(session: Any, tmp_path: Path) -> None:
    banner = "this banner stands below most of our pages and nobody reads it"
    text = " ".join(f"w{word}" for word in range(30))
    others = [f"{banner} {' '.join(f'p{page}x{word}' for word in range(30))}" for page in range(4)]
    documents = sparks.frame(session, [text, f"{banner} {text}", *others], list(range(6)))
    result = on_spark.dedup(documents, work=str(tmp_path / "work"), drop_frequent=0.7, shingle=1, threshold=0.7)
    assert lost(result.uncovered().collect()) == {1: (12, banner)}


def test_documents_that_are_annotated_already_have_them_too(session: Any, tmp_path: Path) -> None:
    documents = sparks.frame(session, ["a b c d e f g h i j", "a b c d e f g h i j k"], [1, 2])
    annotated = on_spark.dedup(documents, work=str(tmp_path / "first"), threshold=0.7).annotate()
    assert {"kept", "kept_id"} < set(annotated.columns)
    result = on_spark.dedup(annotated, work=str(tmp_path / "second"), threshold=0.7)
    assert lost(result.uncovered().collect()) == {2: (1, "k")}


def test_the_command_lists_them(session: Any, tmp_path: Path) -> None:
    text = "one two three four five six seven eight nine ten eleven twelve"
    sparks.frame(session, [text, f"{text} and more", text.upper()], [1, 2, 3]).write.parquet(str(tmp_path / "in"))
    words = [str(tmp_path / "in"), "-o", str(tmp_path / "kept"), "--threshold", "0.7", "--removed", str(tmp_path / "removed.csv")]
    assert main(words) == 0
    rows = [row for part in (tmp_path / "removed.csv").glob("*.csv") for row in csv.DictReader(part.open(encoding="utf-8"))]
    assert {row["id"]: (row["uncovered_words"], row["uncovered"]) for row in rows} == {"2": ("2", "and more"), "3": ("0", "")}
