"""Skew on Spark: shingles that very many documents have, and keys that very many rows share."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks
from lookalike import columns
from sparks import frame

sparks.need_spark()

import pyarrow  # noqa: E402

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark import _frequent, _keys  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402

PLAN = lookalike.Plan(method="minhash")
BANNER = "we use cookies and similar methods to recognise visitors and remember their preferences on this site"
SHARE = 0.2


def pages() -> list[str | None]:
    """Pages of 40 words of their own, most of them behind the same banner. Every fourth is an edited copy of an earlier one."""
    draw = random.Random(5)
    words = [f"word{number}" for number in range(3000)]
    bodies: list[list[str]] = []
    for number in range(240):
        body = list(bodies[number // 2]) if number % 4 == 3 else draw.choices(words, k=40)
        if number % 8 == 7:
            body[draw.randrange(40)] = "edited"
        bodies.append(body)
    texts: list[str | None] = [" ".join(body) if draw.random() < 0.4 else BANNER + " " + " ".join(body) for body in bodies]
    return [*texts, None, "...", BANNER, BANNER]


def sets_of(texts: list[str | None]) -> tuple[list[set[bytes]], list[dict[bytes, str]]]:
    """The features of each text, and their shingles."""
    column = columns.of(texts)
    sets, names = [], []
    for row, shingles in zip(columns.features(column, PLAN).to_pylist(), columns.shingles(column, PLAN).to_pylist(), strict=True):
        each = [row[start : start + 8] for start in range(0, len(row or b""), 8)]
        sets.append(set(each))
        names.append(dict(zip(each, shingles or [], strict=True)))
    return sets, names


def expected(texts: list[str | None]) -> tuple[dict[tuple[int, int], float], Counter[bytes], dict[bytes, str]]:
    """Every similar pair of the shingles that are left, by brute force, and in how many documents each frequent shingle is."""
    sets, names = sets_of(texts)
    counts = Counter(itertools.chain.from_iterable(sets))
    with_words = sum(map(bool, sets))
    frequent = Counter({feature: count for feature, count in counts.items() if count > SHARE * with_words})
    left = [features - set(frequent) for features in sets]
    pairs, only_with_frequent = {}, False
    for a, b in itertools.combinations(range(len(texts)), 2):
        # Copies are similar, even if nothing is left of them.
        similarity = 1.0 if sets[a] and sets[a] == sets[b] else len(left[a] & left[b]) / max(len(left[a] | left[b]), 1)
        if similarity >= 0.8:
            pairs[a, b] = similarity
        else:
            only_with_frequent |= len(sets[a] & sets[b]) >= 0.8 * max(len(sets[a] | sets[b]), 1)
    assert only_with_frequent
    all_names = {feature: name for of_text in names for feature, name in of_text.items()}
    return pairs, frequent, all_names


def all_but_firsts(pairs: dict[tuple[int, int], float]) -> set[int]:
    """The documents that are not the first of their connected component."""
    found = pyarrow.table(columns.clusters(pyarrow.array([a for a, _ in pairs]), pyarrow.array([b for _, b in pairs]))).to_pylist()
    return {row["id"] for row in found if row["id"] != row["cluster"]}


def test_frequent_shingles_do_not_count_and_are_counted_and_named(session: Any, tmp_path: Path) -> None:
    texts = pages()
    pairs, frequent, names = expected(texts)
    assert 10 < len(frequent) < 20 and len(pairs) > 20
    documents = frame(session, texts, list(range(len(texts))))
    found = on_spark.pairs(documents.repartition(1), work=str(tmp_path / "pairs"), drop_frequent=SHARE).collect()
    assert {(row["a"], row["b"]): row["similarity"] for row in found} == pairs
    result = on_spark.dedup(documents.repartition(40), work=str(tmp_path / "dedup"), drop_frequent=SHARE)
    told = result.summary["frequent_shingles"]
    assert (told["share"], told["documents"], told["dropped"]) == (SHARE, len(texts) - 1, len(frequent))
    # The program and the package find the same.
    alone = lookalike.pairs(pyarrow.array(texts), drop_frequent=SHARE, method="minhash")
    assert {(row["a"], row["b"]): row["jaccard"] for row in alone.to_pylist()} == pairs
    assert alone.summary["frequent_shingles"] == told
    counted = {names[feature]: count for feature, count in frequent.items()}
    assert len(told["largest"]) == _frequent.NAMED and all(counted[each["shingle"]] == each["documents"] for each in told["largest"])
    removed = {row["id"]: (row["kept_id"], row["similarity"], row["containment"]) for row in result.removed.collect()}
    # The two banners are copies, of which no shingle is left.
    assert removed[len(texts) - 1] == (len(texts) - 2, 1.0, 1.0)
    assert set(removed) == all_but_firsts(pairs)


def test_groups_and_stored_sketches_go_with_frequent_shingles(session: Any, tmp_path: Path) -> None:
    texts = pages()
    halves = [number % 2 for number in range(len(texts))]
    pairs, _, _ = expected(texts)
    documents = frame(session, texts, list(range(len(texts))), half=halves)
    found = on_spark.pairs(documents, work=str(tmp_path / "pairs"), drop_frequent=SHARE, within="half").collect()
    assert {(row["a"], row["b"]) for row in found} == {(a, b) for a, b in pairs if a % 2 == b % 2}
    old, new = documents.where("id < 120").drop("half"), documents.where("id >= 120").drop("half")
    result = on_spark.dedup(new, against=on_spark.sketch(old), work=str(tmp_path / "old"), drop_frequent=SHARE)
    with_new = {(a, b): similarity for (a, b), similarity in pairs.items() if b >= 120}
    assert any(a < 120 for a, _ in with_new)
    assert {row["id"] for row in result.removed.collect()} == {id for id in all_but_firsts(with_new) if id >= 120}


def test_shares_that_cannot_be_used_are_refused(session: Any, tmp_path: Path) -> None:
    documents = frame(session, ["a b c d e f"], [1])
    for share in (0.0, 1.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="drop_frequent is .*; it must be at least 0.001 and less than 1"):
            on_spark.dedup(documents, work=str(tmp_path), drop_frequent=share)
    with pytest.raises(TypeError, match="drop_frequent is str; give a number"):
        on_spark.dedup(documents, work=str(tmp_path), drop_frequent="0.5")  # type: ignore[arg-type]
    with pytest.raises(lookalike.PlanError, match="word_jaccard"):
        on_spark.dedup(documents, work=str(tmp_path), drop_frequent=0.5, measure="word-jaccard")


def test_the_command_names_frequent_shingles(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = pages()
    frame(session, texts, list(range(len(texts)))).write.parquet(str(tmp_path / "in"))
    words = [str(tmp_path / "in"), "--dry-run", "--work", str(tmp_path / "work"), "--drop-frequent", str(SHARE)]
    assert main(words) == 0
    said = re.search(r"(\d+) shingles do not count, as more than 20 % of 243 documents have them, such as '(.+?)' \(in ", capsys.readouterr().err)
    assert said and int(said[1]) == 12 and said[2] in BANNER


def test_signatures_of_features_are_those_of_texts() -> None:
    texts = columns.of(["one two three four five six seven", "", None, "a b"])
    for plan in (PLAN, lookalike.Plan(method="minhash", scheme="classic", shingle=2, seed=7)):
        of_features = columns.sketch_features(columns.features(texts, plan), plan).to_pylist()
        assert of_features == columns.sketch(texts, plan).to_pylist()
    with pytest.raises(ValueError, match="row 0 has 3 bytes"):
        columns.sketch_features(pyarrow.array([b"abc"]), PLAN)


def test_hot_keys_change_nothing_and_stay_in_all_tasks(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All share some keys, and two thirds of them one content.
    base = [f"common{number}" for number in range(60)]
    texts: list[str | None] = [" ".join(base)] * 200
    texts += [" ".join([*base[:-2], f"own{number}", "end"]) for number in range(100)]
    documents = frame(session, texts, list(range(300))).repartition(8)
    plain = on_spark.dedup(documents, work=str(tmp_path / "plain"))
    monkeypatch.setattr(_keys, "HOT", 40)
    monkeypatch.setattr(_keys, "SAMPLED", 2)
    salted = on_spark.dedup(documents, work=str(tmp_path / "salted"))
    assert sparks.found(salted) == sparks.found(plain) == sparks.expected(texts, list(range(300)))
    for stage in ("originals", "members"):
        assert salted.summary["skew"][stage]["largest"] < plain.summary["skew"][stage]["largest"], stage
