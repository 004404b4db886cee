"""The example of docs/spark.md, as printed: it keeps what `lookalike.dedup` keeps."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike
import sparks
from conftest import ROOT

pyarrow = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")


def test_the_example_of_the_page_keeps_what_dedup_keeps(tmp_path: Path) -> None:
    sparks.need_spark()
    page = (ROOT / "docs/spark.md").read_text(encoding="utf-8")
    program = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)[0]
    command = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)[0]
    (tmp_path / "keep_one.py").write_text(program, encoding="utf-8")
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.master local[2]\nspark.ui.enabled false\nspark.sql.shuffle.partitions 2\nspark.sql.codegen.wholeStage false\n", encoding="utf-8"
    )
    texts = sparks.documents(300)
    ids = sparks.ids_of(texts)
    table = pyarrow.table({"id": ids, "text": pyarrow.array(texts, pyarrow.string())})
    parquet.write_table(table, tmp_path / "documents.parquet")
    alone = lookalike.dedup(table, id="id", keep="longest", threshold=0.7, method="minhash")
    path = os.pathsep.join([str(Path(sys.executable).parent), sparks.PATH])
    variables = {**os.environ, **sparks.environment(), "PATH": path, "SPARK_CONF_DIR": str(tmp_path)}
    for words in ([sys.executable, "keep_one.py"], ["/bin/sh", "-c", command]):
        ran = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=300)
        assert ran.returncode == 0, ran.stderr[-4000:]
        if "keep_one.py" in words:
            assert f"{len(texts)} documents, {alone.summary.removed} removed" in ran.stdout and "'sizes'" in ran.stdout
    for kept, removed in (("kept.parquet", "removed.parquet"), ("kept", "removed")):
        found = dataset.dataset(tmp_path / kept, format="parquet").to_table().sort_by("id")
        assert found["id"].to_pylist() == [ids[row] for row in alone.rows.tolist()]
        assert found["text"].to_pylist() == [texts[row] for row in alone.rows.tolist()]
        listed = dataset.dataset(tmp_path / removed, format="parquet").to_table()
        assert dict(zip(listed["id"].to_pylist(), listed["kept_id"].to_pylist())) == {
            ids[row["row"]]: ids[row["kept_row"]] for row in alone.removed
        }
