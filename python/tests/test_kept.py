"""What `kept` and `annotate` say of the data that was given, whatever happened to it since."""

import pickle

import pytest

import lookalike

COPIES = ["a b c d e f g", "x y z", "A b c d e f g!", "other words"]
KEPT = ["a b c d e f g", "x y z", "other words"]


def test_kept_is_what_was_decided_on_of_a_list_that_was_changed_since():
    for change in (
        lambda data: data.insert(0, "new"),
        lambda data: data.append("new"),
        lambda data: data.reverse(),
        lambda data: data.clear(),
        lambda data: data.__setitem__(0, None),
    ):
        data = [COPIES[0], None, "日本語 " * 3, *COPIES[1:]]
        expected = [data[0], None, *data[2:4], data[5]]
        result = lookalike.dedup(data)
        change(data)
        kept = result.kept()
        assert kept == expected and all(item is given for item, given in zip(kept, expected, strict=True))
        assert pickle.loads(pickle.dumps(result)).kept() == expected


def test_kept_is_what_was_decided_on_of_other_data_that_was_changed_since():
    numpy, pandas, polars = (pytest.importorskip(name) for name in ("numpy", "pandas", "polars"))
    array = numpy.array(COPIES, dtype=object)
    frame = pandas.DataFrame({"text": COPIES})
    series = pandas.Series(COPIES)
    table = polars.DataFrame({"text": COPIES})
    results = [lookalike.dedup(data) for data in (array, frame, series, table)]
    array[:] = "changed"
    frame.loc[9] = ["new"]
    frame.insert(0, "before", 0)
    series.pop(0)
    table.extend(polars.DataFrame({"text": ["new"]}))
    table.insert_column(0, polars.Series("before", [0] * 5))
    kept = [result.kept() for result in results]
    assert kept[0].tolist() == KEPT and kept[0].dtype == array.dtype
    assert kept[1].columns.tolist() == ["text"] and kept[1]["text"].tolist() == KEPT
    assert kept[2].tolist() == KEPT
    assert kept[3].columns == ["text"] and kept[3]["text"].to_list() == KEPT


def test_a_pickle_is_of_the_other_data_that_was_decided_on():
    pandas = pytest.importorskip("pandas")
    texts, frame = [COPIES[0]], pandas.DataFrame({"text": [COPIES[0]]})
    results = [lookalike.dedup(COPIES, against=texts), lookalike.dedup(pandas.DataFrame({"text": COPIES}), against=frame)]
    texts[0] = "changed"
    frame.loc[0, "text"] = "changed"
    for result in results:
        assert pickle.loads(pickle.dumps(result)).rows.tolist() == result.rows.tolist() == [1, 3]


@pytest.mark.parametrize("name", ["cluster", "kept", "kept_row", "jaccard", "kept_id"])
def test_annotate_refuses_a_table_that_has_a_column_of_that_name(name):
    pandas, polars, pyarrow, datasets = (
        pytest.importorskip(library) for library in ("pandas", "polars", "pyarrow", "datasets")
    )
    columns = {"text": COPIES, "id": [1, 2, 3, 4], name: ["mine"] * 4}
    for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table, pyarrow.RecordBatch.from_pydict, datasets.Dataset.from_dict):
        result = lookalike.dedup(make(columns), id="id")
        with pytest.raises(ValueError, match=f'there is already a column "{name}"; rename it, or use clusters and removed'):
            result.annotate()
        assert list(result.kept()[name]) == ["mine"] * 3 or result.kept()[name].to_pylist() == ["mine"] * 3


def columns_of_other_types():
    pyarrow = pytest.importorskip("pyarrow")
    compute = pytest.importorskip("pyarrow.compute")
    return {
        "string_view": pyarrow.array(["a", None, "c", "a longer text that is not inline"]).cast(pyarrow.string_view()),
        "binary_view": pyarrow.array([b"a", None, b"c", b"d"]).cast(pyarrow.binary_view()),
        "runs": compute.run_end_encode(pyarrow.array([1, 1, None, 2])),
        "runs_of_texts": compute.run_end_encode(pyarrow.array(["a", "a", "b", "b"])),
    }


@pytest.mark.parametrize("kind", ["string_view", "binary_view", "runs", "runs_of_texts"])
def test_kept_removed_and_annotate_work_with_columns_of_every_type_of_arrow(kind):
    pyarrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    column = columns_of_other_types()[kind]
    expected = [column.to_pylist()[row] for row in (0, 1, 3)]
    batch = pyarrow.RecordBatch.from_arrays([pyarrow.array(COPIES), column], names=["text", "other"])
    table = pyarrow.Table.from_batches([batch.slice(0, 1), batch.slice(1)]).replace_schema_metadata({"a": "b"})
    for data in (batch, table, table.slice(0, 4)):
        result = lookalike.dedup(data, id="other")
        kept = result.kept()
        assert type(kept) is type(data) and kept.schema.equals(data.schema, check_metadata=True)
        assert kept["other"].to_pylist() == expected and kept["text"].to_pylist() == KEPT
        assert [(row["id"], row["kept_id"]) for row in result.removed] == [(column[2].as_py(), column[0].as_py())]
        annotated = result.annotate()
        assert annotated["other"].to_pylist() == column.to_pylist()
        assert annotated["kept_id"].to_pylist() == [None, None, column[0].as_py(), None]
    assert lookalike.dedup(table.slice(0, 0)).kept().num_rows == 0
    series = pandas.Series(pandas.arrays.ArrowExtensionArray(pyarrow.chunked_array([column])), index=list("wxyz"))
    frame = pandas.DataFrame({"other": series, "text": pandas.Series(COPIES, index=list("wxyz"))})
    kept = lookalike.dedup(frame).kept()
    assert kept.index.tolist() == ["w", "x", "z"] and kept.columns.tolist() == ["other", "text"]
    assert pyarrow.array(kept["other"].array).to_pylist() == expected and kept.dtypes.equals(frame.dtypes)


def test_texts_may_be_views_or_runs():
    pyarrow = pytest.importorskip("pyarrow")
    compute = pytest.importorskip("pyarrow.compute")
    for column in (pyarrow.array(COPIES).cast(pyarrow.string_view()), compute.run_end_encode(pyarrow.array(COPIES))):
        kept = lookalike.dedup(column).kept()
        assert type(kept) is type(column) and kept.to_pylist() == KEPT
        kept = lookalike.dedup(pyarrow.chunked_array([column[:1], column[1:]])).kept()
        assert type(kept) is pyarrow.ChunkedArray and kept.to_pylist() == KEPT


def test_keep_may_be_a_number_of_documents():
    numpy = pytest.importorskip("numpy")
    texts = ["a b c d e f"] * 4 + ["x"]
    for keep in (2, "2", numpy.int64(2)):
        assert lookalike.dedup(texts, keep=keep).rows.tolist() == [0, 1, 4]
    with pytest.raises(ValueError, match="keep is 0; it must be 1 or more"):
        lookalike.dedup(texts, keep=0)
    for keep in (True, 2.0, None):
        with pytest.raises(TypeError, match=f"keep is {type(keep).__name__}; give a str or a whole number"):
            lookalike.dedup(texts, keep=keep)
