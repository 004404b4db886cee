"""The recipes of docs/engines.md, as printed: each finds the clusters of `dedup`, and keeps what it keeps."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lookalike
from conftest import ROOT, corpus

pyarrow = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

# Engines start other programs: Ray `ps`, and Spark a shell and Java.
PATH = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])
PACKAGES = {
    "with_duckdb.py": "duckdb",
    "with_polars.py": "polars",
    "with_daft.py": "daft",
    "with_ray.py": "ray",
    "with_spark.py": "pyspark",
    "with_datasets.py": "datasets",
    "with_datatrove.py": "datatrove",
}
SHARED = {"near.py", "duckdb_search.py"}


def programs() -> dict[str, str]:
    """The programs of the page, by the name that their first line has."""
    page = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
    return {block.splitlines()[0].removeprefix("# "): block for block in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)}


def documents() -> list[str | None]:
    """Texts with near-duplicates and copies, and some that are null, empty or without words."""
    texts = corpus(400)
    return [*texts, None, "", "...", None, "", *texts[:40], *(text.upper() for text in texts[20:60])]


def environment(folder: Path) -> dict[str, str]:
    """What an engine may see: little memory and few partitions, and no other folder to write to."""
    (folder / "spark-defaults.conf").write_text(
        "spark.master local[2]\nspark.ui.enabled false\nspark.sql.shuffle.partitions 4\n"
        f"spark.sql.warehouse.dir {folder}/warehouse\n",
        encoding="utf-8",
    )
    return {
        **os.environ,
        "PATH": PATH,
        "HOME": str(folder),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_CONF_DIR": str(folder),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "DAFT_ANALYTICS_ENABLED": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_enable_metrics_collection": "0",
        "HF_HUB_OFFLINE": "1",
    }


def test_the_page_has_a_recipe_for_each_engine():
    assert {*SHARED, *PACKAGES} == programs().keys()


def run(recipe: str, program: str, folder: Path) -> None:
    """Runs a recipe in a folder that has the documents."""
    for name, text in {**programs(), recipe: program}.items():
        (folder / name).write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, recipe], cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stderr[-4000:]


def check(folder: Path, texts: list[str | None], ids: list[Any]) -> None:
    """What a recipe has written is what `dedup` finds and keeps. Ids are in the order of rows."""
    table = pyarrow.table({"id": ids, "text": pyarrow.array(texts, pyarrow.string())})
    expected = lookalike.dedup(table, id="id", method="minhash", threshold=0.8)
    firsts: dict[int, int] = {}
    clusters = {ids[row["row"]]: ids[firsts.setdefault(row["cluster"], row["row"])] for row in expected.clusters}
    found = parquet.read_table(folder / "clusters.parquet")
    assert dict(zip(found["id"].to_pylist(), found["cluster"].to_pylist(), strict=True)) == clusters and len(clusters) > 100
    kept = dataset.dataset(folder / "kept.parquet").to_table().sort_by("id")
    assert kept["id"].to_pylist() == [ids[row] for row in expected.rows.tolist()]
    assert kept["text"].to_pylist() == [texts[row] for row in expected.rows.tolist()]


@pytest.mark.parametrize("recipe", [recipe for recipe in PACKAGES if recipe != "with_datatrove.py"])
def test_a_recipe_finds_the_clusters_of_dedup(recipe, tmp_path):
    pytest.importorskip(PACKAGES[recipe])
    if recipe == "with_spark.py" and not (os.environ.get("JAVA_HOME") or shutil.which("java", path=PATH)):
        pytest.skip("Spark needs Java")
    texts = documents()
    # Ids that are no positions.
    ids = [7 * row + 3 for row in range(len(texts))]
    table = pyarrow.table({"id": pyarrow.array(ids, pyarrow.int64()), "text": pyarrow.array(texts, pyarrow.string())})
    parquet.write_table(table, tmp_path / "documents.parquet", row_group_size=100)
    run(recipe, programs()[recipe], tmp_path)
    check(tmp_path, texts, ids)


@pytest.mark.parametrize("tasks", ["TASKS, WORKERS = 4, 2", "TASKS, WORKERS = 1, 1"])
def test_the_steps_of_datatrove_find_the_clusters_of_dedup_with_any_number_of_tasks(tasks, tmp_path):
    pytest.importorskip("datatrove")
    # Readers of datatrove leave out documents without text.
    texts = [text for text in documents() if text]
    ids = [f"d{row:05}" for row in range(len(texts))]
    (tmp_path / "documents").mkdir()
    # More files than tasks, and near-duplicates in different files.
    for part in range(5):
        table = pyarrow.table({"id": ids[part::5], "text": texts[part::5]})
        parquet.write_table(table, tmp_path / f"documents/{part}.parquet", row_group_size=50)
    program = programs()["with_datatrove.py"]
    assert "TASKS, WORKERS = 4, 2" in program
    run("with_datatrove.py", program.replace("TASKS, WORKERS = 4, 2", tasks), tmp_path)
    check(tmp_path, texts, ids)
