"""The example of spark-submit with object storage keeps what `lookalike.dedup` keeps."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import lookalike
import sparks
from conftest import ROOT

EXAMPLE = ROOT / "examples/spark/object-storage"


def test_spark_submit_goes_from_a_bucket_to_a_bucket() -> None:
    sparks.need_spark()
    moto, ivy = os.environ.get("LOOKALIKE_MOTO"), os.environ.get("LOOKALIKE_IVY")
    if not moto or not Path(moto).exists():
        pytest.skip("LOOKALIKE_MOTO names no program moto_server")
    documents = runpy.run_path(str(EXAMPLE / "run"))["DOCUMENTS"]
    ids, texts = zip(*(document for part in documents.values() for document in part))
    # The first one in the order of ids stays.
    order = sorted(range(len(ids)), key=ids.__getitem__)
    alone = lookalike.dedup([texts[row] for row in order], threshold=0.7, method="minhash")
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE / "run"), "--moto", moto, *(["--ivy", ivy] if ivy else [])],
        env={**os.environ, **sparks.environment()},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if "unresolved dependency" in ran.stderr:
        pytest.skip("the jars for s3a:// are not here, and spark-submit does not reach Maven Central")
    assert ran.returncode == 0, ran.stdout + ran.stderr[-4000:]
    printed = ran.stdout.splitlines()
    kept = [line.split(":")[0].removeprefix("kept ") for line in printed if line.startswith("kept ")]
    assert kept == [ids[order[row]] for row in alone.rows.tolist()] and len(kept) == 4
    removed = {line.split(",")[0].removeprefix("removed ") for line in printed if line.startswith("removed ")}
    assert removed == {*ids} - {*kept}
    assert "6 documents: 4 kept, 2 removed" in ran.stdout
