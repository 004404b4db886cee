"""`within`: only documents with equal values in some columns are compared."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike
from conftest import corpus

TEXTS = [*corpus(400, seed=5), *corpus(400, seed=5)]
SITES = [("a", "b", None)[row % 3] for row in range(len(TEXTS))]
YEARS = [2020 + row % 2 for row in range(len(TEXTS))]
ROWS = {"text": TEXTS, "site": SITES, "year": YEARS, "id": [f"d{row}" for row in range(len(TEXTS))]}


def files(folder: Path) -> Path:
    path = folder / "in.jsonl"
    with path.open("w") as lines:
        for row in range(len(TEXTS)):
            record = {name: column[row] for name, column in ROWS.items() if column[row] is not None}
            lines.write(json.dumps(record) + "\n")
    return path


def tables():
    for library in ("pandas", "polars", "pyarrow", "datasets"):
        module = pytest.importorskip(library)
        table = {
            "pandas": lambda: module.DataFrame(ROWS),
            "polars": lambda: module.DataFrame(ROWS),
            "pyarrow": lambda: module.table(ROWS),
            "datasets": lambda: module.Dataset.from_dict(ROWS),
        }
        yield table[library]()


@pytest.mark.parametrize("within", ["site", ["site"], ("site", "year"), ["year"], []])
def test_tables_and_files_have_the_groups_of_the_program(within, tmp_path):
    path, kept = files(tmp_path), tmp_path / "kept.jsonl"
    names = [within] if isinstance(within, str) else list(within)
    words = ["--within", ",".join(names)] if names else []
    program = Path(sys.executable).with_name("lookalike")
    subprocess.run([program, "dedup", path, "-o", kept, "--quiet", *words], check=True)
    expected = [int(json.loads(line)["id"][1:]) for line in kept.read_text().splitlines()]
    assert lookalike.dedup(lookalike.Files(path), within=within).rows.tolist() == expected
    for table in tables():
        assert lookalike.dedup(table, within=within).rows.tolist() == expected
        found = lookalike.pairs(table, within=within, threshold=0.5)
        assert found.to_pylist() and all(
            all(ROWS[name][row["a"]] == ROWS[name][row["b"]] for name in names) for row in found
        )
    everything = lookalike.dedup(TEXTS).rows.tolist()
    assert (expected == everything) == (not names)


def test_other_data_has_the_groups_too():
    pyarrow = pytest.importorskip("pyarrow")
    text = "some words of a text that are there twice"
    table = pyarrow.table({"text": [text, "others"], "site": ["a", "a"]})
    for site, rows in (("a", [1]), ("b", [0, 1])):
        seen = pyarrow.table({"text": [text], "site": [site]})
        assert lookalike.dedup(table, within="site", against=seen).rows.tolist() == rows


def test_data_without_columns_has_no_groups(tmp_path):
    pyarrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    for data in (TEXTS, tuple(TEXTS), pyarrow.array(TEXTS), pandas.Series(TEXTS)):
        with pytest.raises(TypeError, match="within names columns of a table"):
            lookalike.dedup(data, within="site")
        with pytest.raises(TypeError, match="within names columns of a table"):
            lookalike.pairs(data, within="site")
    for table in tables():
        with pytest.raises(KeyError, match="no column"):
            lookalike.dedup(table, within="language")
    with pytest.raises(lookalike.InputError, match="language"):
        lookalike.dedup(lookalike.Files(files(tmp_path)), within="language")
