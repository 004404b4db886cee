"""`lookalike.spark` on Spark Connect, on Spark 3.5, on Sail and shipped to its workers: one program, and the clusters of `dedup`."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks
from lookalike import columns

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

SAMPLED = [73, 115, 206, 311, 318]
"""The least ids that the hash of Spark chooses. It is the same on all engines."""

OPTIONS = {"cluster": "star", "min_containment": 0.9, "within": "site"}

TEXTS = sparks.documents(2000)
IDS = sparks.ids_of(TEXTS)
SITES = [("a", "b", None)[id % 3] for id in IDS]
TABLE = pyarrow.table({"id": IDS, "text": pyarrow.array(TEXTS, pyarrow.string()), "site": SITES})


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("documents") / "documents.parquet"
    parquet.write_table(TABLE, path, row_group_size=300)
    return str(path)


def check(answer: dict[str, Any], version: str, **options: Any) -> None:
    """The answer of `spark_program.py` is that of `dedup`."""
    clusters, removed = sparks.expected(TABLE, IDS, **options)
    assert answer["version"].startswith(version)
    assert dict(answer["clusters"]) == clusters
    assert {id: (kept, round(similarity, 9)) for id, kept, similarity in answer["removed"]} == removed
    assert answer["kept"] == answer["annotated"] == [id for id in IDS if id not in removed]
    alone = lookalike.dedup(TABLE, id="id", method="minhash", audit=10_000, **options)
    assert answer["audit"] == alone.summary["audit"]
    assert len(answer["sampled_ids"]) == answer["sampled"]["documents"] == 50
    assert answer["sampled_ids"][:5] == SAMPLED
    pairs = lookalike.pairs(TABLE, method="exact", **({"within": options["within"]} if options else {}))
    sides = Counter(IDS[row] for pair in pairs for row in (pair["a"], pair["b"]))
    assert answer["sampled"]["partners"] == sum(sides[id] for id in answer["sampled_ids"]) > 10
    uncovered = {row["id"]: (row["uncovered_words"], row["uncovered"]) for row in alone.removed}
    assert {id: (words, text) for id, words, text in answer["uncovered"]} == uncovered
    old, new = (TABLE.filter([(id % 4 == 0) == is_old for id in IDS]) for is_old in (True, False))
    beside = lookalike.dedup(new, against=old, id="id", method="minhash", against_containment=0.4, **options).removed
    assert dict(answer["beside"]) == {row["id"]: row["against_containment"] for row in beside}
    assert len([share for share in dict(answer["beside"]).values() if share is not None]) > 20

    assert answer["tasks"]["tasks"] >= 1 and answer["tasks"]["largest"] >= answer["tasks"]["median"] > 0


    frequent = answer["frequent"]
    features = columns.features(columns.of(TEXTS), lookalike.Plan(method="minhash")).to_pylist()
    counts = Counter(text[start : start + 8] for text in features if text for start in range(0, len(text), 8))
    dropped = [count for count in counts.values() if count > frequent["share"] * frequent["documents"]]
    assert frequent["dropped"] == len(dropped) > 0
    assert [each["documents"] for each in frequent["largest"]] == sorted(dropped, reverse=True)[:10]


def test_connect_finds_the_clusters_of_dedup(documents: str, tmp_path: Path) -> None:
    sparks.need_spark()
    pytest.importorskip("grpc_status")
    answer = sparks.run(sys.executable, ["connect", documents, str(tmp_path / "work"), "rounds", json.dumps(OPTIONS)])
    check(answer, "4.", **OPTIONS)
    assert "connect" in answer["class"]


def test_spark_3_5_finds_the_clusters_of_dedup(documents: str, tmp_path: Path) -> None:
    python = os.environ.get("LOOKALIKE_SPARK_35")
    if not python:
        pytest.skip("LOOKALIKE_SPARK_35 names no Python that has pyspark 3.5, pyarrow and lookalike")
    check(sparks.run(python, ["classic", documents, str(tmp_path / "work"), json.dumps(OPTIONS)]), "3.5", **OPTIONS)


@pytest.fixture
def sail() -> Iterator[tuple[str, str]]:
    python = os.environ.get("LOOKALIKE_SAIL")
    if not python:
        pytest.skip("LOOKALIKE_SAIL names no Python that has pysail, pyspark-client, pyarrow and lookalike")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(python).parent / "sail"), "spark", "server", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield python, f"sc://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def test_sail_finds_the_clusters_of_dedup(sail: tuple[str, str], documents: str, tmp_path: Path) -> None:
    python, address = sail
    for number, (flags, options) in enumerate((([], {}), (["rounds", json.dumps(OPTIONS)], OPTIONS))):
        check(sparks.run(python, [address, documents, str(tmp_path / str(number)), *flags]), "", **options)


def test_a_package_that_no_worker_has_is_shipped(documents: str, tmp_path: Path) -> None:
    sparks.need_spark()
    # A Python that sees all packages of this one but Lookalike.
    packages = tmp_path / "packages"
    packages.mkdir()
    for name in ("pyspark", "py4j", "pyarrow", "pandas", "numpy", "dateutil", "six.py", "pytz", "tzdata", "zstandard"):
        module = importlib.util.find_spec(name.removesuffix(".py"))
        if module is not None and module.origin is not None:
            origin = Path(module.origin)
            (packages / name).symlink_to(origin if name.endswith(".py") else origin.parent)
    for libraries in (Path(pyarrow.__file__).parent.parent).glob("*.libs"):
        (packages / libraries.name).symlink_to(libraries)
    worker = tmp_path / "python"
    worker.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}:$PYTHONPATH" exec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    worker.chmod(0o755)
    variables = {"PYSPARK_PYTHON": str(worker), "PYSPARK_DRIVER_PYTHON": sys.executable}
    answer = sparks.run(sys.executable, ["classic", documents, str(tmp_path / "work"), "ship"], **variables)
    assert "an executor cannot import lookalike" in answer["refused"]
    assert "call lookalike.spark.ship(session) once, or install it on all workers" in answer["refused"]
    check(answer, "4.")
