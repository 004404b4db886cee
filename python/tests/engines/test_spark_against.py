"""Documents that are removed for containment on Spark are those of the program, document by document."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks

sparks.need_spark()

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark import _contained  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402

DRAW = random.Random(5)


def words(count: int) -> str:
    return " ".join(f"w{DRAW.randrange(3000)}" for _ in range(count))


BANNER = words(30)
"""Words that very many documents have."""

OLD_TEXTS = [words(DRAW.choice([3, 7, 8, 9, 15, 40, 120])) for _ in range(80)]
OLD_TEXTS += [*OLD_TEXTS[:5], *(f"{BANNER} {text}" for text in OLD_TEXTS[20:35]), "", OLD_TEXTS[40] + " and one more"]


def new_texts() -> Iterator[str]:
    for text in OLD_TEXTS[:60]:
        place = DRAW.randrange(40)
        yield f"{words(place)} {text} {words(40)}"
        yield " ".join(text.split()[: DRAW.randrange(1, 30)])
        yield " ".join(word if DRAW.random() < 0.97 else "changed" for word in text.split()) + " " + words(DRAW.randrange(60))
    yield from (f"{BANNER} {words(50)}" for _ in range(60))
    yield from (words(60) for _ in range(30))
    yield from OLD_TEXTS[2:12]


NEW_TEXTS = [*new_texts()]
NEW_TEXTS += [*NEW_TEXTS[:20], *(f"{text} and more" for text in NEW_TEXTS[:40]), "", "..."]
DRAW.shuffle(NEW_TEXTS)


def rows(texts: list[str], first: int) -> list[dict[str, Any]]:
    return [
        {"id": f"d{first + row:04}", "text": text, "site": DRAW.choice("ab"), "score": DRAW.randrange(9)}
        for row, text in enumerate(texts)
    ]


OLD, NEW = rows(OLD_TEXTS, 0), rows(NEW_TEXTS, 1000)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("texts")
    for name, content in (("old.jsonl", OLD), ("new.jsonl", NEW)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in content), encoding="utf-8")
    return [str(folder / name) for name in ("old.jsonl", "new.jsonl")]


SUMMED = "removed", "loose_clusters", "removed_words", "against", "removed_against", "removed_contained", "against_short"

CASES: list[dict[str, Any]] = [
    {"against_containment": 0.8, "cluster": "star"},
    {"against_containment": 0.6, "against_shingles": 10, "cluster": "star", "min_containment": 0.8, "keep": "max:score"},
    {"against_containment": 1.0, "against_shingles": 1, "min_containment": 0.9, "keep": "longest"},
    {"against_containment": 0.01, "against_shingles": 1, "within": "site", "keep": "none"},
    {"against_containment": 0.7, "measure": "word-jaccard", "threshold": 0.9, "keep": "3"},
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_documents_are_removed_as_by_the_program(session: Any, paths: list[str], tmp_path: Path, number: int) -> None:
    options = CASES[number]
    old, new = map(lookalike.Files, paths)
    alone = lookalike.dedup(new, against=old, method="minhash", **options)
    frames = [session.read.schema("id string, text string, site string, score int").json(path).repartition(3) for path in paths]
    result = on_spark.dedup(frames[1], against=frames[0], work=str(tmp_path / "work"), **options)
    score = "word_jaccard" if options.get("measure") else "jaccard"
    expected = {
        row["id"]: (row[score], row["containment"], row["against_containment"], row["uncovered_words"], row["uncovered"])
        for row in alone.removed
    }
    found = result.uncovered().collect()
    removed = {
        row["id"]: (row["similarity"], row["containment"], row["against_containment"], row["uncovered_words"], row["uncovered"])
        for row in found
    }
    hits = {row["id"]: row["kept_id"] for row in alone.removed if row["against_containment"] is not None}
    assert {row["id"]: row["kept_id"] for row in found if row["against_containment"] is not None} == hits and len(hits) > 20
    assert removed == expected and len(expected) > len(hits)
    assert {row["id"]: row["kept_id"] for row in found} == {row["id"]: row["kept_id"] for row in alone.removed}
    for name in SUMMED:
        assert result.summary[name] == alone.summary[name], name


def test_many_old_features_are_joined_by_spark(
    session: Any, paths: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postings = []
    for most in (_contained.MOST_SENT, 0):
        monkeypatch.setattr(_contained, "MOST_SENT", most)
        old, new = (session.read.json(path).repartition(3) for path in paths)
        on_spark.dedup(new, against=old, work=str(tmp_path / str(most)), against_containment=0.6, within="site")
        postings.append(session.read.parquet(str(tmp_path / str(most) / "postings")).drop("lookalike_task").collect())
    assert sorted(postings[0]) == sorted(postings[1]) and len(postings[0]) > 1000


def test_stored_sketches_and_the_command_do_the_same(
    session: Any, paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on_spark.sketch(session.read.json(paths[0])).write.parquet(str(tmp_path / "sketches"))
    report, summary = str(tmp_path / "page.html"), tmp_path / "summary.json"
    asked = ["--against-containment", "0.8", "--against-shingles", "6", "--report", report, "--summary", str(summary)]
    assert main([paths[1], "-o", str(tmp_path / "kept"), "--against", str(tmp_path / "sketches"), *asked]) == 0
    printed = capsys.readouterr().err
    old, new = map(lookalike.Files, paths)
    alone = lookalike.dedup(new, against=old, method="minhash", against_containment=0.8, against_shingles=6).summary
    told = json.loads(summary.read_text(encoding="utf-8"))
    assert {name: told[name] for name in SUMMED} == {name: alone[name] for name in SUMMED}
    assert f"{alone['removed_contained']} of these by containment: 0.8 or more" in printed
    assert f"{alone['removed_contained']} documents removed for one of the old documents" in Path(report).read_text(encoding="utf-8")


def test_it_needs_old_documents_and_a_share(session: Any, tmp_path: Path) -> None:
    documents = sparks.frame(session, ["a b c", "d e f"], [1, 2])
    with pytest.raises(ValueError, match="against_containment needs old documents"):
        on_spark.dedup(documents, work=str(tmp_path / "none"), against_containment=0.5)
    for options, message in (
        ({"against_containment": 0}, "against_containment is 0"),
        ({"against_containment": 0.5, "against_shingles": 0}, "against_shingles is 0"),
        ({"against_shingles": 5}, "against_shingles has no effect without against_containment"),
    ):
        with pytest.raises(ValueError, match=message):
            on_spark.dedup(documents, against=documents, work=str(tmp_path / "wrong"), **options)
