"""`lookalike.spark` on a classic Spark with two threads: it finds what `lookalike.dedup` finds, whatever the partitions."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks
from conftest import ROOT
from lookalike import columns
from sparks import frame

sparks.need_spark()

import pyarrow  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark import _buckets, _keep, _outcome, _plan, _search  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402
from lookalike.spark._rank import rank  # noqa: E402
from lookalike.spark._work import Work  # noqa: E402

TEXTS = sparks.documents(2000)
IDS = sparks.ids_of(TEXTS)


@pytest.fixture(scope="module")
def whole(session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, str]:
    """The result for all texts in one partition, and its folder."""
    work = str(tmp_path_factory.mktemp("whole"))
    return on_spark.dedup(frame(session, TEXTS, IDS).coalesce(1), work=work), work


def test_clusters_and_decisions_are_those_of_dedup(whole: tuple[Any, str]) -> None:
    result, _ = whole
    clusters, removed = sparks.expected(TEXTS, IDS)
    assert sparks.found(result) == (clusters, removed) and len(removed) > 200
    kept = {row["id"]: row["text"] for row in result.kept.collect()}
    assert kept == {id: text for id, text in zip(IDS, TEXTS) if id not in removed}
    summary, alone = result.summary, lookalike.dedup(TEXTS, method="minhash").summary
    assert (summary.documents, summary.removed, summary.clusters) == (alone.documents, alone.removed, alone.clusters)
    assert summary.largest_cluster == alone.largest_cluster
    assert summary.recall_estimate == pytest.approx(alone.recall_estimate, abs=2e-3)


def test_partitions_and_types_of_ids_change_nothing(session: SparkSession, tmp_path: Path) -> None:
    names = [f"d{id:06}" for id in IDS]
    shuffled = frame(session, TEXTS, names).repartition(200)
    result = on_spark.dedup(shuffled, work=str(tmp_path))
    assert sparks.found(result) == sparks.expected(TEXTS, names)


@pytest.mark.parametrize("policy", ["last", "longest", "max:score", "min:score", "3", "none"])
def test_policies_keep_what_dedup_keeps(session: SparkSession, whole: tuple[Any, str], policy: str) -> None:
    result, work = whole
    draw = random.Random(11)
    scores = [draw.choice([None, float("nan"), -0.0, 0.0, 1.5, 2.0, -3.0]) for _ in TEXTS]
    table = pyarrow.table({"text": pyarrow.array(TEXTS, pyarrow.string()), "score": pyarrow.array(scores, pyarrow.float64())})
    alone = lookalike.dedup(table, method="minhash", keep=policy)
    ranks = session.createDataFrame(pyarrow.table({"id": IDS, "rank": pyarrow.array(scores, pyarrow.float64())}))
    ranks = ranks.selectExpr("id", f"{rank(ranks, 'rank')} AS rank")
    described = session.read.parquet(f"{work}/documents").selectExpr("id", "1 AS side", "length").join(ranks, "id")
    decided = _keep.decided(described, result.clusters.select("id", "cluster"), _keep.Keep.parsed(policy)).collect()
    gone = [row for row in decided if row["id"] != row["kept_id"]]
    removed = {row["id"]: row["kept_id"] if row["is_named"] else None for row in gone}
    told = {IDS[row["row"]]: None if row["kept_row"] is None else IDS[row["kept_row"]] for row in alone.removed}
    assert removed == told and len(told) > 20


def test_keep_may_be_a_number_of_documents(session: SparkSession, tmp_path: Path) -> None:
    copies = frame(session, ["a b c d e f"] * 4 + ["x y z"], [1, 2, 3, 4, 5])
    result = on_spark.dedup(copies, work=str(tmp_path), keep=2)
    assert sorted(row["id"] for row in result.kept.collect()) == [1, 2, 5]


def test_pairs_are_those_of_the_function_pairs(session: SparkSession, tmp_path: Path) -> None:
    texts, ids = TEXTS[:500], IDS[:500]
    rows = on_spark.pairs(frame(session, texts, ids), work=str(tmp_path), threshold=0.6).collect()
    alone = lookalike.pairs(texts, method="minhash", threshold=0.6)
    expected = {(ids[row["a"]], ids[row["b"]]): row["jaccard"] for row in alone}
    assert {(row["a"], row["b"]): row["similarity"] for row in rows} == pytest.approx(expected) and len(expected) > 50
    assert len(rows) == len(expected)


def test_large_buckets_are_searched_whole(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = sparks.of_template(400)
    documents, ids = frame(session, texts, IDS[:400]).repartition(3), IDS[:400]
    result = on_spark.dedup(documents, work=str(tmp_path / "whole"), threshold=0.9, bucket=20)
    buckets = result.summary["buckets"]
    assert buckets["searched_by_a_task"] > 3 and buckets["searched_by_leaders"] == 0
    assert sparks.found(result) == sparks.expected(texts, ids, threshold=0.9)
    # All pairs, and not only enough of them for the clusters.
    alone = lookalike.pairs(texts, method="minhash", threshold=0.9)
    firsts = {}
    for id, text in zip(ids, texts):
        firsts.setdefault(text, id)
    ours = {(row["a"], row["b"]) for row in result.pairs.collect()}
    assert ours == {(ids[row["a"]], ids[row["b"]]) for row in alone} & {(a, b) for a in firsts.values() for b in firsts.values()}

    monkeypatch.setattr(_buckets, "LEADERS", 1)
    led = on_spark.dedup(documents, work=str(tmp_path / "led"), threshold=0.9, bucket=20, leaders_above=20)
    assert led.summary["buckets"]["searched_by_leaders"] == buckets["searched_by_a_task"]
    fewer = {(row["a"], row["b"]) for row in led.pairs.collect()}
    assert fewer < ours and led.summary.candidates < len(texts) ** 2 / 4


def test_old_documents_stay_and_remove_new_ones(session: SparkSession, tmp_path: Path) -> None:
    old, new = TEXTS[:600], TEXTS[600:1000]
    old_ids, new_ids = [f"old {id}" for id in IDS[:600]], [f"new {id}" for id in IDS[600:1000]]
    alone = lookalike.dedup(new, against=old, method="minhash")
    expected = {new_ids[row] for row in alone.rows.tolist()}
    before, fresh = frame(session, old, old_ids), frame(session, new, new_ids)
    by_texts = on_spark.dedup(fresh, against=before, work=str(tmp_path / "texts"))
    on_spark.sketch(before).write.parquet(str(tmp_path / "stored"))
    stored = session.read.parquet(str(tmp_path / "stored"))
    by_sketches = on_spark.dedup(fresh, against=stored, work=str(tmp_path / "sketches"))
    for result in (by_texts, by_sketches):
        assert {row["id"] for row in result.kept.collect()} == expected and len(expected) < 360
        assert not any(row["a"].startswith("old") and row["b"].startswith("old") for row in result.pairs.collect())
        removed = {row["id"]: row["kept_id"] for row in result.removed.collect()}
        assert all(id.startswith("new") for id in removed) and any(kept.startswith("old") for kept in removed.values())
    assert sparks.found(by_texts) == sparks.found(by_sketches)
    with pytest.raises(lookalike.Incompatible, match="made by another plan"):
        on_spark.dedup(fresh, against=stored, work=str(tmp_path / "other"), num_perm=64)
    with pytest.raises(lookalike.InputError, match="ids must be unique"):
        on_spark.dedup(before, against=stored, work=str(tmp_path / "twice"))


def files(work: Path) -> set[str]:
    return {str(path) for path in work.rglob("*.parquet")}


def test_a_call_goes_on_from_the_last_complete_stage(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, ids = frame(session, TEXTS[:300], IDS[:300]), IDS[:300]

    def fail(*_: object) -> None:
        raise RuntimeError("the driver died")

    with monkeypatch.context() as patch, pytest.raises(RuntimeError, match="the driver died"):
        patch.setattr(_buckets, "candidates", fail)
        on_spark.dedup(documents, work=str(tmp_path))
    # A stage that was half written: files without a marker.
    documents.write.parquet(str(tmp_path / "candidates"))
    before = {path for path in files(tmp_path) if "candidates" not in path}
    assert any("members" in path for path in before)
    result = on_spark.dedup(documents, work=str(tmp_path))
    assert sparks.found(result) == sparks.expected(TEXTS[:300], ids)
    complete = files(tmp_path)
    assert before < complete
    again = on_spark.dedup(documents, work=str(tmp_path))
    assert files(tmp_path) == complete and dict(again.summary) == dict(result.summary)

    with pytest.raises(lookalike.Incompatible, match="threshold was 0.8 and is 0.7"):
        on_spark.dedup(documents, work=str(tmp_path), threshold=0.7)
    with pytest.raises(lookalike.InputError, match="work of other documents"):
        on_spark.dedup(frame(session, TEXTS[1:301], ids), work=str(tmp_path))
    next(path for path in (tmp_path / "pairs").glob("*.parquet") if path.stat().st_size > 1000).unlink()
    with pytest.raises(lookalike.InputError, match="the stage pairs of .* delete the folder"):
        on_spark.dedup(documents, work=str(tmp_path))


def test_what_is_wrong_is_refused_with_a_sentence(session: SparkSession, tmp_path: Path) -> None:
    texts: list[Any] = ["a b c", "d e f", "g h i"]

    def call(ids: list[Any], **options: Any) -> Any:
        return on_spark.dedup(frame(session, texts, ids), work=str(tmp_path / str(len(list(tmp_path.iterdir())))), **options)

    with pytest.raises(lookalike.InputError, match=r"several documents have the id 4: .*with_ids"):
        call([4, 5, 4])
    with pytest.raises(lookalike.InputError, match="an id is null"):
        call(["x", None, "y"])
    with pytest.raises(TypeError, match=r'"id" has type double; ids are integers or texts: say df.withColumn'):
        call([1.5, 2.5, 3.5])
    with pytest.raises(KeyError, match='no column "body"; the columns are id, text'):
        call([1, 2, 3], text="body")
    with pytest.raises(TypeError, match='"id" has type bigint, and texts are needed'):
        call([1, 2, 3], text="id")
    with pytest.raises(lookalike.PlanError, match="leave method out"):
        call([1, 2, 3], method="simhash")
    with pytest.raises(lookalike.PlanError, match="leave weights out"):
        call([1, 2, 3], weights="tf")
    with pytest.raises(ValueError, match="use first, last, longest"):
        call([1, 2, 3], keep="best")
    with pytest.raises(ValueError, match="keep is 0; it must be 1 or more"):
        call([1, 2, 3], keep=0)
    with pytest.raises(ValueError, match="leaders_above is 5"):
        call([1, 2, 3], bucket=10, leaders_above=5)


def graphs() -> list[tuple[int, int]]:
    """Edges of a chain, of a chain in random order, of a star and of random ones, each among ids of its own."""
    draw = random.Random(5)
    order = list(range(300))
    draw.shuffle(order)
    shapes = [
        [(node, node + 1) for node in range(300)],
        list(zip(order, order[1:])),
        [(150, node) for node in range(300) if node != 150],
        [(draw.randrange(400), draw.randrange(400)) for _ in range(250)],
    ]
    return [(1000 * at + a, 1000 * at + b) for at, shape in enumerate(shapes) for a, b in shape if a != b]


def test_stars_connect_what_the_driver_connects(session: SparkSession, tmp_path: Path) -> None:
    edges = graphs()
    pairs = session.createDataFrame(edges, "a long, b long")
    stars = on_spark.clusters(pairs, work=str(tmp_path), components="spark").collect()
    table = columns.clusters(pyarrow.array([a for a, _ in edges]), pyarrow.array([b for _, b in edges]))
    assert {row["id"]: row["cluster"] for row in stars} == {row["id"]: row["cluster"] for row in table}
    with pytest.raises(lookalike.InputError, match="the work of other pairs"):
        on_spark.clusters(pairs.where("a > 5"), work=str(tmp_path), components="spark")
    with pytest.raises(lookalike.InputError, match="an id of a pair is null"):
        on_spark.clusters(session.createDataFrame([(1, None)], "a long, b long"), work=str(tmp_path / "null"))
    assert len(stars) == len(table) and len(set(row["cluster"] for row in stars)) > 3


def test_ids_from_content_do_not_change_with_partitions(session: SparkSession) -> None:
    rows = [("a", 1), ("a", 2), ("a", 1), (None, 1), ("b", None), ("a", 1)]
    documents = session.createDataFrame(rows, "text string, number int")
    given = [sorted(map(tuple, on_spark.with_ids(documents.repartition(parts)).collect()), key=repr) for parts in (1, 5)]
    assert given[0] == given[1] and len({row[2] for row in given[0]}) == len(rows)
    assert sorted(row[2].split("-")[1] for row in given[0]) == ["1", "1", "1", "1", "2", "3"]
    with pytest.raises(ValueError, match='a column "text" already'):
        on_spark.with_ids(documents, "text")


def test_executors_make_the_golden_vectors(session: SparkSession) -> None:
    vectors = json.loads((ROOT / "vectors/sketches.json").read_text(encoding="utf-8"))["sketches"]
    compared = 0
    for scheme in ("bucketed", "classic"):
        for vector in [vector for vector in vectors if 0 < vector["distinct"] <= 20][:4]:
            tokens, period = vector["tokens"], vector.get("period")
            text = " ".join(f"t{number % period if period else number}" for number in range(tokens))
            options = {name: vector[name] for name in ("shingle", "num_perm", "threshold", "recall") if name in vector}
            seed = vector["seed"]
            options["seed"] = int(seed, 16) if isinstance(seed, str) else seed
            documents = frame(session, [text], [1])
            row = on_spark.sketch(documents, tokens="whitespace", scheme=scheme, **options).collect()[0]
            assert [f"{key % (1 << 64):016x}" for key in row["band_keys"]] == vector[scheme]["band_keys"]
            features = [row["features"][at : at + 8] for at in range(0, len(row["features"]), 8)]
            assert [f"{int.from_bytes(feature, 'little'):016x}" for feature in features] == vector["feature_set"]
            compared += 1
    assert compared == 8


def test_the_search_compares_what_the_program_compares(session: SparkSession, tmp_path: Path) -> None:
    """The candidates that pass are those of the definition: a shared band key, and signatures that agree enough."""
    texts, ids = TEXTS[:200], IDS[:200]
    plan, given = _plan.checked({"threshold": 0.5})
    work = Work(session, str(tmp_path), {})
    found = _search.search(
        _search.Input(frame(session, texts, ids), "text", "id"), None, plan, given, _buckets.Bounds(1024, 10_000), work
    )
    table = columns.documents(pyarrow.array(texts, pyarrow.string()), plan).to_pylist()
    firsts = {row["content"]: place for place, row in reversed(list(enumerate(table))) if row["content"]}
    places = sorted(firsts.values())
    keys = {place: set(table[place]["band_keys"]) for place in places}
    shared = [(a, b) for a in places for b in places if a < b and keys[a] & keys[b]]
    signatures = [pyarrow.array([table[pair[side]]["signature"] for pair in shared], pyarrow.binary()) for side in (0, 1)]
    passes = columns.passes(*signatures, plan).to_pylist()
    rows = {(row["a"], row["b"]): row["passes"] for row in found.candidates.collect()}
    assert rows == {(ids[a], ids[b]): passed for (a, b), passed in zip(shared, passes)}
    assert {True, False} == set(rows.values())


def test_the_command_keeps_what_dedup_keeps(
    session: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = TEXTS[:300]
    rows = [{"url": f"u{row:04}", "body": text, "score": row % 7} for row, text in enumerate(texts)]
    given, out, summary = tmp_path / "in.jsonl", str(tmp_path / "out"), tmp_path / "summary.json"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    words = [str(given), "--text-field", "body", "--id-field", "url", "--keep", "max:score", "--threshold", "0.7"]
    lists = ["-o", out, "--removed", str(tmp_path / "removed.csv"), "--summary", str(summary)]
    assert main([*words, *lists]) == 0
    printed = capsys.readouterr().err
    table = pyarrow.Table.from_pylist(rows)
    alone = lookalike.dedup(table, text="body", id="url", keep="max:score", threshold=0.7, method="minhash")
    kept = [json.loads(line) for part in Path(out).glob("*.json") for line in part.read_text(encoding="utf-8").splitlines()]
    assert sorted(row["url"] for row in kept) == [rows[row]["url"] for row in alone.rows.tolist()]
    assert json.loads(summary.read_text(encoding="utf-8"))["removed"] == alone.summary.removed > 5
    assert f"{alone.summary.removed:,} removed" in printed and "estimated recall" in printed
    listed = "".join(part.read_text(encoding="utf-8") for part in (tmp_path / "removed.csv").glob("*.csv"))
    assert len([line for line in listed.splitlines() if line.startswith("u0")]) == alone.summary.removed

    assert main([str(given), "-o", out, "--text-field", "text", "--id-field", "url"]) == 1
    assert capsys.readouterr().err == 'error: no column "text"; the columns are body, score, url\n'
    assert main([*words, "-o", out, "--tokens", "chars"]) == 1
    assert "out.work is the work of a call with other options" in capsys.readouterr().err


def test_ids_that_change_are_an_error(session: SparkSession, tmp_path: Path) -> None:
    documents = frame(session, TEXTS[:100], IDS[:100])

    def random_ids(batches: Iterator[Any]) -> Iterator[Any]:
        import uuid

        for batch in batches:
            ids = pyarrow.array([str(uuid.uuid4()) for _ in range(batch.num_rows)])
            yield pyarrow.RecordBatch.from_arrays([ids, batch["text"]], ["id", "text"])

    with pytest.raises(lookalike.InputError, match="each time that Spark computes it: write it, and read it back"):
        on_spark.dedup(documents.mapInArrow(random_ids, "id string, text string"), work=str(tmp_path / "random"))
    # The ids are turned after the call: then a removed id has another text.
    path, work = str(tmp_path / "documents"), str(tmp_path / "work")
    documents.write.parquet(path)
    result = on_spark.dedup(session.read.parquet(path), work=work)
    assert result.removed.count() > 0
    frame(session, TEXTS[:100][::-1], IDS[:100]).write.mode("overwrite").parquet(path)
    turned = session.read.parquet(path)
    found = _search.Input(turned, "text", "id")
    removed = session.read.parquet(f"{work}/removed")
    with pytest.raises(Exception, match="a removed id has another text now"):
        _outcome.kept(found, removed, "bigint").collect()


def test_the_command_leaves_out_lines_that_are_no_json_and_names_one(session, tmp_path, capsys):
    given = tmp_path / "documents.jsonl"
    given.write_text('{"id": 1, "text": "one two three"}\n{"id": 2, "text":\n{"id": 3, "text": "four five six"}\n', encoding="utf-8")
    summary = tmp_path / "summary.json"
    assert main([str(given), "-o", str(tmp_path / "kept"), "--summary", str(summary)]) == 3
    assert json.loads(summary.read_text())["skipped"] == 1
    assert f"""skipped 1 line that is no JSON, such as '{{"id": 2, "text":' of file://{given}\n""" in capsys.readouterr().err
    kept = session.read.json(str(tmp_path / "kept"))
    assert kept.columns == ["id", "text"] and sorted(row["id"] for row in kept.collect()) == [1, 3]
