"""Rows of `Files` are positions of records, also of those that are skipped."""

import json

import pytest

import lookalike
from conftest import corpus

COPIES = ["a b c d e f g", "x y z", "A b c d e f g!", "other words"]
KEPT = ["a b c d e f g", "x y z", "other words"]


def lines(path, records):
    path.write_text("".join((record if type(record) is str else json.dumps(record)) + "\n" for record in records))
    return path


def test_rows_of_files_are_positions_of_records_behind_a_skipped_one(tmp_path):
    pandas = pytest.importorskip("pandas")
    texts = [7, *COPIES[:2], 5, True, *COPIES[2:], 7, "A B C D E F G"]
    path = lines(tmp_path / "in.jsonl", [{"text": text} for text in texts])
    frame = pandas.read_json(path, lines=True)
    result = lookalike.dedup(lookalike.Files(path), output=tmp_path / "out.jsonl")
    assert frame.iloc[result.rows]["text"].tolist() == KEPT
    assert frame[result.mask]["text"].tolist() == KEPT
    assert [json.loads(line)["text"] for line in (tmp_path / "out.jsonl").read_text().splitlines()] == KEPT
    assert [(row["row"], row["kept_row"]) for row in result.removed] == [(5, 1), (8, 1)]
    assert [row["row"] for row in result.clusters] == [1, 5, 8]
    assert result.cluster.to_pylist() == [None, 1, None, None, None, 1, None, None, 1]
    assert (len(result), result.summary.documents) == (9, 5)
    found = lookalike.pairs(lookalike.Files(path))
    assert [(row["a"], row["b"]) for row in found] == [(1, 5), (1, 8), (5, 8)]
    assert found.clusters == [[1, 5, 8]]


def test_rows_of_files_count_over_files_and_not_those_that_are_compared_against(tmp_path):
    bad = "{broken"
    files = [
        lines(tmp_path / name, records)
        for name, records in {
            "a.jsonl": [bad, {"text": COPIES[0]}, bad],
            "b.jsonl": [bad, bad],
            "c.jsonl": [{"text": COPIES[1]}, bad, {"text": COPIES[2]}, {"text": COPIES[3]}],
        }.items()
    ]
    result = lookalike.dedup(lookalike.Files(*files))
    assert result.rows.tolist() == [1, 5, 8]
    result = lookalike.dedup(lookalike.Files(files[2]), against=lookalike.Files(*files[:2]))
    assert result.rows.tolist() == [0, 3]
    assert [(row["row"], row["kept_row"]) for row in result.removed] == [(2, None)]


def test_rows_of_files_are_positions_also_if_documents_are_on_disk(tmp_path):
    texts = corpus(4000, words=12)
    records = [{"text": 7 if row % 7 == 3 else text} for row, text in enumerate(texts)]
    files = lookalike.Files(lines(tmp_path / "in.jsonl", records))
    options = {"method": "minhash", "num_perm": 4096, "threads": 1}
    in_memory = lookalike.dedup(files, **options)
    on_disk = lookalike.dedup(files, memory="70MiB", temp_dir=tmp_path, **options)
    assert on_disk.summary.spilled and not in_memory.summary.spilled
    assert all(records[row]["text"] != 7 for row in on_disk.rows)
    assert on_disk.rows.tolist() == in_memory.rows.tolist()


def test_rows_of_files_are_positions_in_every_format(tmp_path):
    pandas, pyarrow, parquet = (pytest.importorskip(name) for name in ("pandas", "pyarrow", "pyarrow.parquet"))
    texts = [None, *COPIES[:2], None, *COPIES[2:], None]
    frame = pandas.DataFrame({"text": texts})
    parquet.write_table(pyarrow.table(frame), tmp_path / "in.parquet", row_group_size=2)
    (tmp_path / "in.json").write_text(json.dumps([{"text": text} for text in texts]))
    (tmp_path / "in.jsonl").write_text("\n\n".join(json.dumps({"text": text}) for text in texts))
    for name in ("in.parquet", "in.json", "in.jsonl"):
        result = lookalike.dedup(lookalike.Files(tmp_path / name))
        # A null is a document without text.
        assert result.rows.tolist() == [0, 1, 2, 3, 5, 6], name
        assert frame.iloc[result.rows]["text"].dropna().tolist() == KEPT, name
        assert len(result) == len(texts), name
    both = lookalike.dedup(lookalike.Files(tmp_path / "in.parquet", tmp_path / "in.json"))
    assert pandas.concat([frame, frame]).iloc[both.rows]["text"].dropna().tolist() == KEPT


def test_null_texts_stay_in_files_and_in_tables_and_are_counted_apart(tmp_path):
    pyarrow, parquet = (pytest.importorskip(name) for name in ("pyarrow", "pyarrow.parquet"))
    table = pyarrow.table({"text": [None, COPIES[0], None, COPIES[2]]})
    parquet.write_table(table, tmp_path / "in.parquet")
    for data in (table, table["text"].to_pylist(), lookalike.Files(tmp_path / "in.parquet")):
        result = lookalike.dedup(data)
        assert result.rows.tolist() == [0, 1, 2]
        assert (result.summary.without_text, result.summary.empty) == (2, 2)


def test_decisions_about_files_that_have_changed_are_not_explained(tmp_path):
    path = lines(tmp_path / "in.jsonl", [{"text": text} for text in COPIES])
    result = lookalike.dedup(lookalike.Files(path))
    lines(path, [{"text": text} for text in ["something else", *COPIES[1:]]])
    with pytest.raises(lookalike.InputError, match="the documents have changed since the call"):
        _ = result.removed
    assert result.rows.tolist() == [0, 1, 3]
    lines(path, [{"text": text} for text in COPIES])
    assert [(row["row"], row["kept_row"]) for row in result.removed] == [(2, 0)]
