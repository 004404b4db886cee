"""Ids of every kind come back from every call."""

import datetime
import decimal
import json
import pickle
import uuid

import pytest

import lookalike

TEXTS = ["a b c d e f g", "A b c d e f g!", "x y z"]
UUIDS = [uuid.UUID(int=number) for number in (1, 2**100, 2**128 - 1)]
DAYS = [datetime.date(1899, 12, 31), datetime.date(2026, 1, 2), datetime.date(9999, 12, 31)]
MOMENTS = [datetime.datetime(1899, 12, 31, 1, 2, 3, 456000), *(datetime.datetime(2026, 1, day) for day in (2, 3))]


def columns():
    """For each kind, a column of pyarrow, its values in results, and the first value in a file."""
    pyarrow = pytest.importorskip("pyarrow")
    compute = pytest.importorskip("pyarrow.compute")
    numbers = {
        name: (pyarrow.array(values, name), values, text)
        for name, values, text in [
            *((f"int{bits}", [-(2 ** (bits - 1)), 0, 2 ** (bits - 1) - 1], str(-(2 ** (bits - 1)))) for bits in (8, 16, 32, 64)),
            *((f"uint{bits}", [2**bits - 1, 0, 1], 2**bits - 1) for bits in (8, 16, 32, 64)),
        ]
    }
    vienna = datetime.timezone(datetime.timedelta(hours=1))
    aware = [moment.replace(tzinfo=vienna) for moment in MOMENTS[1:]] + [None]
    texts = ["first", None, "third"]
    return {
        **numbers,
        **{
            kind: (pyarrow.array(texts, kind), texts, "first")
            for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
        },
        "dictionary": (pyarrow.array(texts).dictionary_encode(), texts, "first"),
        "dictionary of int8": (pyarrow.array([5, None, 7], "int8").dictionary_encode(), [5, None, 7], "5"),
        "runs": (compute.run_end_encode(pyarrow.array([5, 5, 7])), [5, 5, 7], "5"),
        "uuid": (pyarrow.array(UUIDS, pyarrow.uuid()), list(map(str, UUIDS)), str(UUIDS[0])),
        "date32": (pyarrow.array(DAYS, "date32"), DAYS, "1899-12-31"),
        "date64": (pyarrow.array(DAYS, "date64"), DAYS, "1899-12-31"),
        **{
            f"timestamp {unit}": (pyarrow.array(MOMENTS, pyarrow.timestamp(unit)), MOMENTS, "1899-12-31T01:02:03.456")
            for unit in ("ms", "us", "ns")
        },
        "aware": (pyarrow.array(aware, pyarrow.timestamp("s", "+01:00")), aware, "2026-01-01T23:00:00Z"),
        "zone": (pyarrow.array(aware, pyarrow.timestamp("ms", "Europe/Vienna")), aware, "2026-01-01T23:00:00Z"),
        "time": (pyarrow.array([datetime.time(1, 2, 3), None, datetime.time(4)]), [datetime.time(1, 2, 3), None, datetime.time(4)], "01:02:03"),
        "elapsed": (pyarrow.array([5, None, -1], pyarrow.duration("ms")), [datetime.timedelta(milliseconds=5), None, datetime.timedelta(milliseconds=-1)], "PT0.005S"),
        "decimal": (pyarrow.array(list(map(decimal.Decimal, ("1.50", "2.50", "3.00")))), list(map(decimal.Decimal, ("1.50", "2.50", "3.00"))), "1.50"),
        "binary": (pyarrow.array([b"\xff\x00", None, b""]), [b"\xff\x00", None, b""], "ff00"),
        "binary_view": (pyarrow.array([b"\xff\x00", None, b""], pyarrow.binary_view()), [b"\xff\x00", None, b""], "ff00"),
        "null": (pyarrow.nulls(3), [None] * 3, None),
    }


KINDS = list(map(str, columns()))


@pytest.mark.parametrize("kind", KINDS)
def test_ids_of_every_type_work_in_every_result(kind, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    column, ids, written = next(value for name, value in columns().items() if str(name) == kind)
    table = pyarrow.Table.from_batches(
        pyarrow.table({"text": TEXTS[start:end], "key": column[start:end]}).to_batches()[0] for start, end in ((0, 1), (1, 3))
    )
    result = lookalike.dedup(table, id="key")
    assert [(row["id"], row["kept_id"]) for row in result.removed] == [(ids[1], ids[0])]
    assert result.annotate()["kept_id"].to_pylist() == [None, ids[0], None]
    assert [row["id"] for row in result.clusters] == ids[:2]
    assert result.kept()["key"].to_pylist() == [column[0].as_py(), column[2].as_py()]
    [pair] = lookalike.pairs(table, id="key")
    assert (pair["a_id"], pair["b_id"]) == (ids[0], ids[1])
    assert lookalike.similar(TEXTS[0], table, id="key", k=2)["id"].to_pylist() == ids[:2]
    assert lookalike.sketch(table, id="key", method="minhash")["id"].to_pylist() == ids
    assert "Table: 1 row" in repr(result.removed) and "<td" in result.removed._repr_html_()
    assert pickle.loads(pickle.dumps(result.removed["kept_id"])).to_pylist() == [ids[0]]
    assert pyarrow.array(result.removed["kept_id"]).to_pylist() == [ids[0]]
    result.removed.write(tmp_path / "removed.jsonl")
    [line] = map(json.loads, (tmp_path / "removed.jsonl").read_text().splitlines())
    assert line["kept_id"] == written
    result.removed.write(tmp_path / "removed.parquet")
    against = lookalike.dedup(table.slice(1, 1), id="key", against=table.slice(0, 1))
    assert [row["kept_id"] for row in against.removed] == ["against 1:1" if written is None else str(written)]


def test_moments_that_python_has_not_are_texts():
    pyarrow = pytest.importorskip("pyarrow")
    found = lookalike.pairs(pyarrow.table({"text": TEXTS, "key": pyarrow.array([1, 2, 3], pyarrow.timestamp("ns"))}), id="key")
    assert found["a_id"].to_pylist() == ["1970-01-01T00:00:00.000000001"]
    found = lookalike.pairs(pyarrow.table({"text": TEXTS, "key": pyarrow.array([253402300800] * 3, pyarrow.timestamp("s"))}), id="key")
    assert found["a_id"].to_pylist() == ["+10000-01-01T00:00:00"]


def frames():
    """For each kind, a frame with it and its ids in results."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    made = {
        "pandas category": (pandas.Categorical(["b", "a", None]), ["b", "a", None]),
        "pandas category of numbers": (pandas.Categorical([7, 5, 7]), [7, 5, 7]),
        "pandas int8": (pandas.array([1, 2, 3], dtype="int8"), [1, 2, 3]),
        "pandas UInt64": (pandas.array([2**63 + 1, None, 3], dtype="UInt64"), [2**63 + 1, None, 3]),
        "pandas uuid": (UUIDS, list(map(str, UUIDS))),
        "pandas date": (DAYS, DAYS),
        "pandas datetime": (MOMENTS, MOMENTS),
        "polars Categorical": (polars.Series(["b", "a", None], dtype=polars.Categorical), ["b", "a", None]),
        "polars Enum": (polars.Series(["b", "a", None], dtype=polars.Enum(["a", "b"])), ["b", "a", None]),
        "polars Int16": (polars.Series([1, 2, 3], dtype=polars.Int16), [1, 2, 3]),
        "polars uuid": (polars.Series(UUIDS, dtype=polars.Object), list(map(str, UUIDS))),
        "polars date": (polars.Series(DAYS), DAYS),
    }
    return {
        kind: ((pandas if kind.startswith("pandas") else polars).DataFrame({"text": TEXTS, "key": column}), ids)
        for kind, (column, ids) in made.items()
    }


@pytest.mark.parametrize("kind", list(frames()))
def test_ids_of_frames_work_in_every_result(kind):
    frame, ids = frames()[kind]
    result = lookalike.dedup(frame, id="key")
    assert [(row["id"], row["kept_id"]) for row in result.removed] == [(ids[1], ids[0])]
    annotated = result.annotate()
    assert annotated["kept_id"][1] == ids[0] and list(annotated["key"]) == list(frame["key"])
    assert list(result.kept()["key"]) == [frame["key"][0], frame["key"][2]]
    assert lookalike.pairs(frame, id="key")["b_id"].to_pylist() == [ids[1]]
    assert "row" in repr(result.clusters)


def test_a_large_id_beside_gaps_is_not_rounded_in_pandas():
    pandas = pytest.importorskip("pandas")
    for large in (2**53 + 1, 2**64 - 1):
        frame = pandas.DataFrame({"text": TEXTS, "key": pandas.Series([large, 2, 3], dtype="uint64")})
        assert int(lookalike.dedup(frame, id="key").annotate()["kept_id"][1]) == large


def test_objects_of_polars_that_are_no_uuids_are_refused():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": TEXTS, "key": polars.Series([{1}, {2}, {3}], dtype=polars.Object)})
    for options in ({"id": "key"}, {"within": "key"}):
        with pytest.raises(TypeError, match='column "key" has objects of type set; make them texts'):
            lookalike.dedup(frame, **options)


def test_documents_are_compared_within_values_of_every_type():
    pyarrow = pytest.importorskip("pyarrow")
    for column in (pyarrow.array([1, 2, 1], "int8").dictionary_encode(), pyarrow.array([UUIDS[0], UUIDS[1], UUIDS[0]], pyarrow.uuid())):
        table = pyarrow.table({"text": [TEXTS[0]] * 3, "key": column})
        assert lookalike.dedup(table, within="key").rows.tolist() == [0, 1]


def test_tables_show_columns_of_every_type():
    pyarrow = pytest.importorskip("pyarrow")
    for column, ids, _ in columns().values():
        kept = lookalike.dedup(pyarrow.table({"text": TEXTS, "key": column}).to_reader()).kept()
        assert kept["key"].to_pylist() == [ids[0], ids[2]]
        assert [row["key"] for row in kept] == [ids[0], ids[2]]
        assert pyarrow.array(kept["key"]).type == column.type
        assert "key" in repr(kept)


def test_seen_has_ids_of_every_width(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    for kind, ids in (("int8", [-128, 0, 127]), ("int64", [-(2**63), 0, 2**63 - 1]), ("uint64", [2**64 - 1, 2**63, 0])):
        seen = lookalike.Seen()
        seen.add_many(pyarrow.table({"text": TEXTS, "key": pyarrow.array(ids, kind)}), id="key")
        seen.save(tmp_path / "seen")
        for again in (seen, lookalike.Seen.load(tmp_path / "seen"), pickle.loads(pickle.dumps(seen))):
            assert again.find(TEXTS[1]).id == ids[0]
            assert ids[0] in again and ids[2] in again and str(ids[0]) not in again
            with pytest.raises(ValueError, match=f"a document has the id {ids[2]} already"):
                again.add("more words", id=ids[2])
