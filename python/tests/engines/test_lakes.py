"""Tables of Delta, Iceberg and Lance: the lines of docs/formats.md pass them, and the program refuses their folders by name."""

import pathlib
import re
import subprocess

import pyarrow as pa
import pytest

import lookalike

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "formats.md"
A = "the city council voted on tuesday to close the old harbour bridge"
B = "rain is expected over the northern hills tonight and tomorrow"
TABLE = pa.table({"id": [1, 2, 3], "text": [A, A, B]})
# A table has files of rows that were removed.
OLD = pa.table({"id": [4], "text": ["a row that is no more in the table"]})


def delta():
    deltalake = pytest.importorskip("deltalake")
    deltalake.write_deltalake("lake/delta", OLD)
    deltalake.write_deltalake("lake/delta", TABLE, mode="overwrite")
    return {"deltalake": deltalake}, "lake/delta"


def iceberg():
    pytest.importorskip("pyiceberg")
    from pyiceberg.catalog.sql import SqlCatalog

    pathlib.Path("lake").mkdir(exist_ok=True)
    here = pathlib.Path("lake").resolve()
    catalog = SqlCatalog("local", uri=f"sqlite:///{here}/catalog.db", warehouse=f"file://{here}")
    catalog.create_namespace("lake")
    table = catalog.create_table("lake.iceberg", schema=TABLE.schema)
    table.append(OLD)
    table.overwrite(TABLE)
    return {"catalog": catalog}, table.location().removeprefix("file://")


def lance():
    lance = pytest.importorskip("lance")
    lance.write_dataset(OLD, "lake/lance")
    lance.write_dataset(TABLE, "lake/lance", mode="overwrite")
    return {"lance": lance}, "lake/lance"


@pytest.mark.parametrize(("name", "make"), [("Delta", delta), ("Iceberg", iceberg), ("Lance", lance)])
def test_the_line_of_the_page_passes_a_table_and_its_folder_is_refused(name, make, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, folder = make()
    line = re.search(rf"^\| {name} \| `\w+` \| `(.+)` \|$", PAGE.read_text(), re.MULTILINE)
    exec(line[1], names)
    assert sorted(lookalike.dedup(names["table"]).kept()["id"].to_pylist()) == [1, 3]
    done = subprocess.run(["lookalike", "dedup", folder, "-o", "out", "-q"], capture_output=True, text=True)
    assert done.returncode == 1, done
    assert re.search(rf"this is an? {name} (table|data set)", done.stderr) or f"{name} " in done.stderr, done.stderr
