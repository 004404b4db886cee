"""Stars, least containments, groups and annotations of `lookalike.spark` are those of the program, document by document."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks

sparks.need_spark()

import pyarrow  # noqa: E402

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark import _buckets, _clusters, _dedup, _keep, _outcome, _plan, _search  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402
from lookalike.spark._work import Work  # noqa: E402

TEXTS = sparks.documents(600)
IDS = sparks.ids_of(TEXTS)
DRAW = random.Random(11)
SCORES = [DRAW.choice([None, float("nan"), -0.0, 0.0, 1.5, 2.0, -3.0]) for _ in TEXTS]
SITES = [DRAW.choice(["a", "b", "a", "", None]) for _ in TEXTS]
YEARS = [DRAW.choice([2024, 2025, None]) for _ in TEXTS]
TABLE = pyarrow.table({
    "id": IDS,
    "text": pyarrow.array(TEXTS, pyarrow.string()),
    "score": pyarrow.array(SCORES, pyarrow.float64()),
    "site": SITES,
    "year": YEARS,
})
THRESHOLD = 0.6


@pytest.fixture(scope="module")
def searched(session: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[_search.Found, Any]:
    """The pairs and the components of all documents. They are the same for all policies, which rank by the scores."""
    plan, given = _plan.checked({"threshold": THRESHOLD})
    work = Work(session, str(tmp_path_factory.mktemp("searched")), {})
    read = _search.Input(session.createDataFrame(TABLE), "text", "id", "score")
    found = _search.search(read, None, plan, given, _buckets.Bounds(1024, 10_000), work)
    return found, _clusters.connected(found.pairs, "pairs", "bigint", "driver", 10**6, work)


CHOICES = [
    ("star", None, "first"),
    ("star", None, "max:score"),
    ("star", 0.8, "last"),
    ("star", 0.8, "3"),
    ("union", 0.8, "longest"),
    ("union", 0.9, "3"),
]


@pytest.mark.parametrize(("shape", "least", "policy"), CHOICES)
def test_stars_and_least_containments_decide_as_dedup_does(
    searched: tuple[_search.Found, Any], session: Any, tmp_path: Path, shape: Any, least: float | None, policy: str
) -> None:
    found, linked = searched
    work = Work(session, str(tmp_path), {})
    choice = _keep.Choice(_keep.Keep.parsed(policy), shape, least)
    decisions = _dedup._decided(found, linked, choice, work)
    _, given = _plan.checked({"threshold": THRESHOLD})
    removed = _outcome.listed(_outcome.reasons(found, decisions, given), tells_contained=False).collect()
    alone = lookalike.dedup(
        TABLE, id="id", keep=policy, cluster=shape, min_containment=least, threshold=THRESHOLD, method="minhash"
    )
    reasons = {row["id"]: (row["kept_id"], row["similarity"], row["containment"]) for row in removed}
    told = {row["id"]: (row["kept_id"], row["jaccard"], row["containment"]) for row in alone.removed}
    assert reasons == told and len(told) > 40
    clusters = {row["id"]: row["cluster"] for row in decisions.collect()}
    assert clusters == sparks.least({row["id"]: row["cluster"] for row in alone.clusters})
    assert alone.removed.to_pylist() != lookalike.dedup(
        TABLE, id="id", keep=policy, threshold=THRESHOLD, method="minhash"
    ).removed.to_pylist()


def annotations(rows: Any) -> dict[Any, tuple[Any, ...]]:
    """The decision about each document, with clusters named by their least ids."""
    rows = list(rows)
    clusters = sparks.least({row["id"]: row["cluster"] for row in rows if row["cluster"] is not None})
    told = {}
    for row in rows:
        shares = [None if row[name] is None else round(row[name], 6) for name in ("jaccard", "containment")]
        told[row["id"]] = (clusters.get(row["id"]), row["kept"], row["kept_id"], *shares, row["duplicate_count"])
    return told


def lines(rows: list[dict[str, Any]], path: Path) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def written(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder of JSON, which lacks nulls."""
    parts = sorted(folder.glob("*.json"))
    return [json.loads(line) for part in parts for line in part.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("shape", ["star", "union"])
def test_old_documents_are_centres_and_stay(session: Any, tmp_path: Path, shape: Any) -> None:
    options: dict[str, Any] = {"cluster": shape, "min_containment": 0.8, "threshold": THRESHOLD, "keep": "max:score"}
    rows = [
        {"id": f"d{id:05}", "text": text or "", "score": None if score != score else score}
        for id, text, score in zip(IDS, TEXTS, SCORES)
    ]
    paths = lines(rows[:250], tmp_path / "old.jsonl"), lines(rows[250:], tmp_path / "new.jsonl")
    # Files, as the program reads them: the old documents have their numbers too.
    old, new = map(lookalike.Files, paths)
    alone = lookalike.dedup(new, against=old, method="minhash", **options)
    frames = [session.read.schema("id string, text string, score double").json(path) for path in paths]
    result = on_spark.dedup(frames[1], against=frames[0], work=str(tmp_path / "work"), **options)
    assert sorted(row["id"] for row in result.kept.collect()) == [rows[250 + row]["id"] for row in alone.rows.tolist()]
    told = {row["id"]: row["kept_id"] for row in alone.removed}
    removed = {row["id"]: row["kept_id"] for row in result.removed.collect()}
    assert removed.keys() == told.keys() and len(told) > 50
    # The program compares old documents with each other. Clusters of chains then have more of them to choose from.
    assert shape == "union" or removed == told
    for name in ("clustering", "loose_clusters", "kept_for_content", "removed"):
        assert result.summary[name] == alone.summary[name], name
    assert result.summary["kept_for_content"] > 0


def test_the_command_annotates_as_the_program_does(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": f"d{id:05}", "text": text, "site": site, "year": year}
        for id, text, site, year in zip(IDS, TEXTS, SITES, YEARS)
        if text is not None
    ]
    given = lines(rows, tmp_path / "in.jsonl")
    words = ["--keep", "longest", "--threshold", str(THRESHOLD), "--cluster", "star", "--within", "site,year"]
    words += ["--min-containment", "0.8", "--annotate"]
    program = [Path(sys.executable).with_name("lookalike"), "dedup", given, "-o", tmp_path / "alone.jsonl", "--method", "minhash"]
    subprocess.run([*program, *words, "--quiet"], check=True)
    alone = [json.loads(line) for line in (tmp_path / "alone.jsonl").read_text(encoding="utf-8").splitlines()]
    assert main([given, "-o", str(tmp_path / "out"), *words, "--summary", str(tmp_path / "summary.json")]) == 0
    names = ("cluster", "kept_id", "jaccard", "containment")
    ours = [{**dict.fromkeys(names), **row} for row in written(tmp_path / "out")]
    told = annotations(alone)
    assert annotations(ours) == told and len([row for row in told.values() if not row[1]]) > 50
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["within"] == ["site", "year"] and summary["min_containment"] == 0.8 and summary["clustering"] == "star"
    skew = summary["skew"]["documents"]
    assert skew["largest"] >= skew["median"] > 0 and summary["compared_per_second"] > 0
    printed = capsys.readouterr().err
    assert "kept, as no other kept one contains enough of them" in printed and "the least even stage is" in printed


def test_pairs_within_groups_are_those_of_the_function_pairs(session: Any, tmp_path: Path) -> None:
    table = TABLE.slice(0, 300)
    found = on_spark.pairs(session.createDataFrame(table), work=str(tmp_path), within="site", threshold=0.6).collect()
    alone = lookalike.pairs(table, within="site", method="minhash", threshold=0.6)
    assert {(row["a"], row["b"]): row["similarity"] for row in found} == {
        (IDS[row["a"]], IDS[row["b"]]): row["jaccard"] for row in alone
    }
    everything = lookalike.pairs(table, method="minhash", threshold=0.6)
    assert 20 < len(found) == len(alone) < len(everything)


def test_a_dry_run_writes_the_summary_alone(tmp_path: Path, session: Any, capsys: pytest.CaptureFixture[str]) -> None:
    given = lines([{"id": row, "text": text} for row, text in zip(IDS, TEXTS[:50])], tmp_path / "in.jsonl")
    words = [given, "--dry-run", "--work", str(tmp_path / "work"), "--summary", str(tmp_path / "summary.json")]
    assert main(words) == 0
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == ["in.jsonl", "summary.json", "work"]
    alone = lookalike.dedup(TEXTS[:50], method="minhash")
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["removed"] == alone.summary.removed
    capsys.readouterr()
    for more, message in ((["-o", "out"], "leave out --output"), (["--removed", "r"], "leave out --removed")):
        with pytest.raises(SystemExit):
            main([*words, *more])
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([given])
    assert "say --output OUT, or --dry-run" in capsys.readouterr().err


def test_options_that_do_not_go_together_are_refused(session: Any, tmp_path: Path) -> None:
    def call(**options: Any) -> Any:
        documents = sparks.frame(session, ["a b c", "d e f"], [1, 2], site=["a", "b"], kept=[1, 2])
        return on_spark.dedup(documents, work=str(tmp_path / str(len(list(tmp_path.iterdir())))), **options)

    with pytest.raises(ValueError, match='cluster is "chain"'):
        call(cluster="chain")
    with pytest.raises(ValueError, match="min_containment is 2"):
        call(min_containment=2)
    with pytest.raises(ValueError, match='keep="none" keeps none of a cluster'):
        call(min_containment=0.5, keep="none")
    with pytest.raises(KeyError, match='no column "language"'):
        call(within="language")
    with pytest.raises(ValueError, match='a column "kept" already'):
        call().annotate()
    stored = on_spark.sketch(sparks.frame(session, ["a b c"], [3]))
    with pytest.raises(lookalike.Incompatible, match="stored sketches have no columns"):
        call(against=stored, within="site")
