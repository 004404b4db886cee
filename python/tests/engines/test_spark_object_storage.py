"""The example of spark-submit with object storage keeps what `lookalike.dedup` keeps."""

from __future__ import annotations

import os
import runpy
import signal
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
    command = [sys.executable, str(EXAMPLE / "run"), "--moto", moto, *(["--ivy", ivy] if ivy else [])]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = subprocess.Popen(command, env={**os.environ, **sparks.environment()}, start_new_session=True, **pipes)
    try:
        stdout, stderr = running.communicate(timeout=300)
    except subprocess.TimeoutExpired:
        # With the server and with Spark.
        os.killpg(running.pid, signal.SIGKILL)
        stdout, stderr = running.communicate()
        if ":: resolving dependencies ::" in stderr and ":: resolution report ::" not in stderr:
            pytest.skip("spark-submit waits for Maven Central")
        raise
    for reason in ("unresolved dependency", "download failed", "this PySpark has another Hadoop"):
        if reason in stderr:
            pytest.skip(f"the jars for s3a:// cannot be had here: {reason}")
    assert running.returncode == 0, stdout + stderr[-4000:]
    printed = stdout.splitlines()
    kept = [line.split(":")[0].removeprefix("kept ") for line in printed if line.startswith("kept ")]
    assert kept == [ids[order[row]] for row in alone.rows.tolist()] and len(kept) == 4
    removed = {line.split(",")[0].removeprefix("removed ") for line in printed if line.startswith("removed ")}
    assert removed == {*ids} - {*kept}
    assert "6 documents: 4 kept, 2 removed" in stdout
