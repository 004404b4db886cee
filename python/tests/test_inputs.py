"""Data of every kind."""

import array

import pytest

import lookalike
from conftest import corpus, jsonl

TEXTS = corpus(200, seed=7)
KEPT = lookalike.dedup(TEXTS).kept()
IDS = [f"d{row}" for row in range(len(TEXTS))]


def kept_of(data, **options):
    return lookalike.dedup(data, **options).kept()


def test_a_list_and_a_tuple_stay_what_they_are():
    assert kept_of(TEXTS) == KEPT and len(KEPT) < len(TEXTS)
    assert kept_of(tuple(TEXTS)) == tuple(KEPT)


@pytest.mark.parametrize("dtype", ["str", "object", "category", "string[python]"])
def test_a_pandas_series_keeps_its_index(dtype):
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(TEXTS, index=IDS).astype(dtype)
    kept = kept_of(series)
    assert type(kept) is pandas.Series and kept.tolist() == KEPT
    assert kept.index.tolist() == [id for id, stays in zip(IDS, lookalike.dedup(TEXTS).mask) if stays]


def test_an_array_of_pandas_is_read():
    pandas = pytest.importorskip("pandas")
    assert lookalike.dedup(pandas.array(TEXTS)).rows.tolist() == lookalike.dedup(TEXTS).rows.tolist()


def test_a_pandas_frame_is_masked_by_the_result():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"body": TEXTS, "id": IDS, "other": [object()] * len(TEXTS)}, index=range(500, 700))
    result = lookalike.dedup(frame, text="body")
    assert result.kept().equals(frame[result.mask]) and result.kept()["body"].tolist() == KEPT
    assert frame.iloc[result.rows].equals(result.kept())


def test_pandas_is_read_without_pyarrow(monkeypatch):
    pandas = pytest.importorskip("pandas")

    def without(*_):
        raise ImportError("no pyarrow")

    monkeypatch.setattr(pandas.Series, "__arrow_c_stream__", without, raising=False)
    series = pandas.Series([*TEXTS, None, float("nan")], dtype=object)
    assert [text for text in kept_of(series) if isinstance(text, str)] == KEPT


def test_polars_series_and_frames_stay_what_they_are():
    polars = pytest.importorskip("polars")
    kept = kept_of(polars.Series("t", TEXTS))
    assert type(kept) is polars.Series and kept.to_list() == KEPT
    frame = polars.DataFrame({"text": TEXTS, "id": IDS})
    kept = kept_of(frame)
    assert type(kept) is polars.DataFrame and kept["text"].to_list() == KEPT
    assert kept_of(frame.with_columns(polars.col("text").cast(polars.Categorical)))["text"].to_list() == KEPT


def test_a_polars_lazy_frame_is_refused_with_the_remedy():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match=r"data.collect\(\)"):
        lookalike.dedup(polars.DataFrame({"text": TEXTS}).lazy())


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
def test_pyarrow_columns_of_every_type_of_text_are_read(kind):
    pyarrow = pytest.importorskip("pyarrow")
    types = {
        "string": pyarrow.string(),
        "large_string": pyarrow.large_string(),
        "string_view": pyarrow.string_view(),
        "dictionary": pyarrow.dictionary(pyarrow.int16(), pyarrow.string()),
    }
    column = pyarrow.array(TEXTS).cast(types[kind]) if kind != "dictionary" else pyarrow.array(TEXTS).dictionary_encode()
    found = lookalike.dedup(column)
    assert found.rows.tolist() == lookalike.dedup(TEXTS).rows.tolist()
    assert found.kept().to_pylist() == KEPT


def test_pyarrow_tables_stay_what_they_are():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"n": list(range(200)), "text": TEXTS})
    assert kept_of(table).column("text").to_pylist() == KEPT
    assert kept_of(pyarrow.chunked_array([TEXTS[:70], [], TEXTS[70:]])).to_pylist() == KEPT
    batch = table.to_batches()[0]
    assert kept_of(batch).column("text").to_pylist() == KEPT


def test_what_is_read_only_once_becomes_a_table():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"n": list(range(200)), "text": TEXTS})
    kept = kept_of(table.to_reader(max_chunksize=33))
    assert type(kept) is lookalike.Table
    assert kept.columns == ("n", "text") and [row["text"] for row in kept] == KEPT


def test_a_data_set_of_hugging_face_is_read_by_its_selection():
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_dict({"text": TEXTS[::-1], "id": IDS}).select(range(len(TEXTS) - 1, -1, -1))
    kept = kept_of(data)
    assert type(kept) is datasets.Dataset and kept["text"][:] == KEPT
    with pytest.raises(KeyError, match="no column"):
        lookalike.dedup(data, text="body")


def test_files_are_read(tmp_path):
    files = lookalike.Files(jsonl(tmp_path / "in.jsonl", TEXTS))
    result = lookalike.dedup(files, output=tmp_path / "out.jsonl")
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == len(KEPT) == result.summary.kept
    with pytest.raises(TypeError, match="output="):
        result.kept()
    assert result.rows.tolist() == lookalike.dedup(TEXTS).rows.tolist()
    expected = [{"id": f"d{row['row']}", **row} for row in lookalike.dedup(TEXTS).clusters]
    assert result.clusters.to_pylist() == expected


def test_files_name_their_own_fields(tmp_path):
    files = lookalike.Files(jsonl(tmp_path / "in.jsonl", TEXTS))
    for options in ({"text": "body"}, {"id": "id"}):
        with pytest.raises(TypeError, match=r"Files\(..., text=..., id=..., join=...\)"):
            lookalike.dedup(files, **options)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"body": [*TEXTS[:20], "a text of new words"]})
    assert lookalike.dedup(frame, text="body", against=files).kept()["body"].to_list()[-1] == "a text of new words"


@pytest.mark.parametrize("data", ["a text", b"bytes", {"text": 1}, {"a"}, 5, iter(["a"]), array.array("d")])
def test_other_data_is_refused_with_a_sentence(data):
    with pytest.raises(TypeError, match="data is a|row 0 is"):
        lookalike.dedup(data if not isinstance(data, array.array) else array.array("d", [1.0]))


def test_a_bare_text_is_refused_with_both_remedies():
    with pytest.raises(TypeError, match=r"\[text\].*Files\(path\)"):
        lookalike.pairs("news.jsonl")


def test_nothing_is_an_empty_document_that_is_kept():
    pyarrow = pytest.importorskip("pyarrow")
    texts = ["some words", None, "", None, "some words"]
    assert lookalike.dedup(texts).kept() == ["some words", None, "", None]
    assert lookalike.dedup(pyarrow.array(texts)).rows.tolist() == [0, 1, 2, 3]
    assert lookalike.dedup(pyarrow.nulls(3)).rows.tolist() == [0, 1, 2]


def test_no_documents_are_no_error():
    pyarrow = pytest.importorskip("pyarrow")
    assert lookalike.dedup([]).kept() == []
    assert lookalike.pairs([]).to_pylist() == []
    assert kept_of(pyarrow.table({"text": pyarrow.array([], pyarrow.string())})).num_rows == 0


def test_errors_name_row_and_column():
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match="row 2 is int, not str"):
        lookalike.dedup(["a", "b", 3])
    with pytest.raises(UnicodeEncodeError, match="row 1"):
        lookalike.dedup(["a", "\ud800"])
    with pytest.raises(KeyError, match='no column "text"; the columns are a, b'):
        lookalike.dedup(pyarrow.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(TypeError, match='column "a" has type Int64; name a column of texts'):
        lookalike.dedup(pyarrow.table({"a": [1], "b": ["y"]}), text="a")
    with pytest.raises(TypeError, match="ids are texts, integers, UUIDs, dates, times, decimals or bytes"):
        lookalike.dedup(pyarrow.table({"text": ["x"], "b": [0.5]}), id="b")
    with pytest.raises(lookalike.InputError) as error:
        lookalike.dedup(lookalike.Files("/nowhere/at/all.jsonl"))
    assert error.value.filename == "/nowhere/at/all.jsonl"


@pytest.mark.parametrize(
    "call, message",
    [
        ("lookalike.dedup(pandas.DataFrame({'text': ['a b', 5.0, None]}))", 'column "text": row 1 is float, not str'),
        ("lookalike.dedup(pandas.DataFrame({'id': [1, 2], 'text': ['a', 5.0]}), id='id')", 'column "text": row 1 is float, not str'),
        ("lookalike.dedup(pandas.Series(['a b', 5.0]))", "row 1 is float, not str"),
        ("lookalike.dedup(['a'], against=['b', 3])", "against: row 1 is int, not str"),
        ("lookalike.dedup(['a'], audit=-1)", "audit is -1; it must be 0 or more"),
        ("lookalike.dedup(['a'], progress=5)", "progress is int; give True, False or a function of a Progress"),
        ("lookalike.dedup(['a'], memory=-1)", "memory is -1; it must be 0 or more"),
        ("lookalike.pairs(['a'], limit=-1)", "limit is -1; it must be 0 or more"),
        ("lookalike.similar('a', ['a'], k='3')", "k is str; give a whole number"),
        ("lookalike.tune(['a'], sample='x')", "sample is str; give a whole number"),
        ("lookalike.evaluate([(1, 2, 3)], [(1, 2)])", "row 0 is (1, 2, 3), and a pair of two ids is needed"),
        ("lookalike.HammingIndex(3).add([1, 'a'])", "row 1 is 'a'; codes and ids are ints"),
        ("lookalike.Seen().add(5)", "text is int; give a str"),
    ],
)
def test_errors_name_the_argument(call, message):
    pandas = pytest.importorskip("pandas")
    with pytest.raises((TypeError, ValueError)) as raised:
        eval(call, {"lookalike": lookalike, "pandas": pandas})
    assert str(raised.value) == message


def test_similar_takes_a_plan():
    plan = lookalike.Plan(threshold=0.5, shingle=2)
    found = lookalike.similar("one two three", ["one two three four", "one", "three two one"], plan=plan)
    assert found.to_pylist() == [{"row": 0, "jaccard": 2 / 3}]


def test_ids_come_back_as_they_were_given():
    pyarrow = pytest.importorskip("pyarrow")
    for ids in (list(range(1000, 1200)), IDS, [-row for row in range(200)]):
        found = lookalike.pairs(pyarrow.table({"text": TEXTS, "key": ids}), id="key", threshold=0.5)
        assert len(found) > 10
        assert all(row["a_id"] == ids[row["a"]] and row["b_id"] == ids[row["b"]] for row in found)


def test_a_nested_column_is_named_with_a_point():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"meta": [{"text": text} for text in TEXTS]})
    assert len(lookalike.dedup(table.to_reader(), text="meta.text").kept()) == len(KEPT)


def test_a_column_of_nulls_alone_is_one_of_null_texts():
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    ids, nulls = [1, 2, 3], [None, None, None]
    frame = polars.DataFrame({"id": ids, "text": nulls})
    tables = [frame, pyarrow.table({"id": ids, "text": pyarrow.nulls(3)}), pandas.DataFrame({"id": ids, "text": nulls})]
    for data in tables:
        result = lookalike.dedup(data)
        assert len(result.kept()) == 3
        assert len(lookalike.pairs(data, id="id")) == 0
    assert frame.schema["text"] == polars.Null
    assert len(lookalike.dedup(frame["text"]).kept()) == 3
