"""An audit on Spark counts what the audit of the program counts, whatever the partitions."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks

sparks.need_spark()

import pyarrow  # noqa: E402

from lookalike import spark as on_spark  # noqa: E402
from lookalike import columns  # noqa: E402
from lookalike.spark import _audit, _kernel  # noqa: E402
from lookalike.spark._clusters import collected  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402

TEXTS = sparks.documents(400)
IDS = sparks.ids_of(TEXTS)
SITES = [("a", "b")[id % 2] for id in IDS]
TABLE = pyarrow.table({"id": IDS, "text": pyarrow.array(TEXTS, pyarrow.string()), "site": SITES})

WEAK: dict[str, Any] = {"threshold": 0.5, "bands": 4, "rows": 6}
"""Options by which many pairs are missed."""


def test_parts_of_a_batch_have_the_partners_of_the_whole() -> None:
    options = {"method": "minhash", "threshold": 0.5}
    described = columns.documents(TABLE["text"], lookalike.Plan(**options))
    arrays = {name: pyarrow.array(described[name]) for name in ("features", "signature", "band_keys")}
    whole = pyarrow.RecordBatch.from_pydict({"id": TABLE["id"].combine_chunks(), "original": TABLE["id"].combine_chunks(), **arrays})
    (piece,) = _audit._pieces(pyarrow.Table.from_batches([whole.slice(30, 200)]))
    parts = [whole.slice(start, 70) for start in range(0, len(whole), 70)]
    given = {"plan": options, "sampled": piece}
    found = [[row for batch in _kernel.partners(iter(batches), given) for row in batch.to_pylist()] for batches in ([whole], parts)]
    assert found[0] == found[1] and len(found[0]) > 220
    sampled = set(IDS[30:230])
    expected = {(IDS[row["a"]], IDS[row["b"]]) for row in lookalike.pairs(TABLE, method="exact", threshold=0.5)}
    expected = {pair for a, b in expected for pair in ((a, b), (b, a)) if pair[0] in sampled}
    assert {(row["id"], row["partner"]) for row in found[0] if row["id"] != row["partner"]} == expected


@pytest.mark.parametrize("more", [{}, {"cluster": "star"}, {"within": "site", "measure": "containment"}])
def test_an_audit_of_all_documents_is_that_of_dedup(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, Any]
) -> None:
    monkeypatch.setattr(_audit, "SENT", 100_000)
    frame = session.createDataFrame(TABLE).repartition(3)
    audit = on_spark.dedup(frame, work=str(tmp_path), audit=1000, **WEAK, **more).summary["audit"]
    alone = lookalike.dedup(TABLE, id="id", method="minhash", audit=1000, **WEAK, **more).summary["audit"]
    assert audit == alone and 20 < audit["found"] < audit["partners"]


def test_new_documents_are_audited_with_their_old_partners(session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_audit, "SENT", 100_000)
    new, old = (session.createDataFrame(TABLE).where(f"id % 4 {sign} 0").repartition(3) for sign in ("<>", "="))
    result = on_spark.dedup(new, against=old, work=str(tmp_path), audit=1000, cluster="star", **WEAK)
    pairs = lookalike.pairs(TABLE, method="exact", threshold=0.5)
    partners = sum(IDS[row] % 4 != 0 for pair in pairs for row in (pair["a"], pair["b"]))
    assert result.summary["audit"]["partners"] == partners > result.summary["audit"]["found"] > 20
    assert result.summary["audit"]["documents"] == sum(bool(text) for id, text in zip(IDS, TEXTS, strict=True) if id % 4)


def test_frequent_shingles_do_not_count_for_an_audit(session: Any, tmp_path: Path) -> None:
    result = on_spark.dedup(session.createDataFrame(TABLE), work=str(tmp_path), audit=1000, drop_frequent=0.01, **WEAK)
    assert result.summary["frequent_shingles"]["dropped"] > 0
    described = columns.features(TABLE["text"], lookalike.Plan(method="minhash")).to_pylist()
    sets = [{text[start : start + 8] for start in range(0, len(text), 8)} for text in described if text]
    counts = Counter(feature for features in sets for feature in features)
    left = [{feature for feature in features if counts[feature] <= 0.01 * len(sets)} for features in sets]
    pairs = [len(a & b) / len(a | b) >= 0.5 for a, b in itertools.combinations(left, 2) if a and b]
    assert result.summary["audit"]["partners"] == 2 * sum(pairs) > 50


def test_a_complete_run_can_be_audited_with_the_rows_of_spark_3_5(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, work = session.createDataFrame(TABLE), str(tmp_path)
    assert "audit" not in on_spark.dedup(frame, work=work, **WEAK).summary
    for kind in type(frame).__mro__:
        monkeypatch.delattr(kind, "toArrow", raising=False)
    monkeypatch.setattr(_audit, "SENT", 20_000)
    result = on_spark.dedup(frame, work=work, audit=60, **WEAK)
    assert result.summary["audit"]["documents"] == 60 and "pairs" in result.taken_over
    parts = sorted(path.name for path in tmp_path.glob("partners-60-*"))
    assert len(parts) >= 3 and len(session.read.parquet(*(str(tmp_path / part) for part in parts)).collect()) >= 60
    again = on_spark.dedup(frame, work=work, audit=60, **WEAK)
    assert again.summary["audit"] == result.summary["audit"] and set(parts) < set(again.taken_over)
    nulls = session.createDataFrame([(1, None)], "id bigint, band_keys array<bigint>")
    assert str(collected(nulls).schema.field("band_keys").type).startswith("list<")
    monkeypatch.setattr(_audit, "MOST_BYTES", 20_000)
    with pytest.raises(ValueError, match="GB of features: take fewer documents for the audit"):
        on_spark.dedup(frame, work=work, audit=61, **WEAK)


def test_pieces_are_cut_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_audit, "SENT", 10)
    assert [*_audit._bounds([4, 4, 4, 30, 1, 9, 1])] == [(0, 2), (2, 3), (3, 4), (4, 6), (6, 7)]
    assert [*_audit._bounds([])] == []


def test_a_sample_is_the_same_whatever_the_partitions_and_each_pair_of_it_counts(session: Any, tmp_path: Path) -> None:
    results = [
        on_spark.dedup(session.createDataFrame(TABLE).repartition(parts), work=str(tmp_path / str(parts)), audit=60, **WEAK)
        for parts in (1, 4)
    ]
    audit = results[0].summary["audit"]
    assert audit == results[1].summary["audit"] and audit["documents"] == 60
    sampled = {row["id"] for row in session.read.parquet(str(tmp_path / "1" / "sampled-60")).collect()}
    rows = {id: row for row, id in enumerate(IDS)}
    pairs = lookalike.pairs(TEXTS, method="exact", threshold=0.5)
    sides = [rows_of for pair in pairs for rows_of in (pair["a"], pair["b"])]
    assert audit["partners"] == sum(sides.count(rows[id]) for id in sampled) > 5
    low, high = audit["recall_interval"]
    assert low < audit["recall"] <= high
    other = on_spark.dedup(session.createDataFrame(TABLE), work=str(tmp_path / "seed"), audit=60, seed=2, **WEAK)
    assert {row["id"] for row in session.read.parquet(str(tmp_path / "seed" / "sampled-60")).collect()} != sampled
    assert other.summary["audit"]["documents"] == 60


def test_the_command_audits(session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session.createDataFrame(TABLE).write.parquet(str(tmp_path / "in"))
    words = [str(tmp_path / "in"), "--dry-run", "--work", str(tmp_path / "work"), "--audit", "50", "--report", str(tmp_path / "page.html")]
    assert main([*words, "--summary", str(tmp_path / "summary.json")]) == 0
    audit = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["audit"]
    assert audit["documents"] == 50 and audit["found"] <= audit["partners"]
    assert f"50 documents audited: {audit['found']} of their {audit['partners']} similar documents were found" in capsys.readouterr().err
    assert "of the pairs of 50 random documents found" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="audit is -1; it must be 0 or more"):
        on_spark.dedup(session.createDataFrame(TABLE), work=str(tmp_path / "none"), audit=-1)
