"""Sessions of Spark for the tests, and what a search should find."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import lookalike
from conftest import corpus

# Spark starts a shell and Java.
PATH = os.pathsep.join([os.environ.get("PATH", ""), os.defpath])

# Java runs for a minute: to compile code again, for speed, takes longer than it gains.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m"

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    # To compile a query takes longer than to run it on so few rows.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
}


def environment() -> dict[str, str]:
    """What a program on Spark may see."""
    return {
        "PATH": PATH,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_SUBMIT_OPTS": JAVA_OPTIONS,
        "PYTHONWARNINGS": "ignore",
    }


def need_spark() -> None:
    """Skips the test if Spark cannot run here."""
    pytest.importorskip("pyarrow")
    pyspark = pytest.importorskip("pyspark")
    if not hasattr(pyspark, "SparkContext") or not (Path(pyspark.__file__).parent / "jars").is_dir():
        pytest.skip("this is pyspark-client, which has no Spark of its own: pip install pyspark", allow_module_level=True)
    if not (os.environ.get("JAVA_HOME") or shutil.which("java", path=PATH)):
        pytest.skip("Spark needs Java", allow_module_level=True)


@contextmanager
def classic() -> Iterator[Any]:
    """A session of a classic Spark with two threads."""
    from pyspark.sql import SparkSession

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        builder = SparkSession.builder.master("local[2]")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        started = builder.getOrCreate()
        started.sparkContext.setLogLevel("ERROR")
        yield started
        started.stop()


def frame(session: Any, texts: list[Any], ids: list[Any], **others: list[Any]) -> Any:
    """A frame of texts, with other columns."""
    import pyarrow

    columns = {name: pyarrow.array(values) for name, values in others.items()}
    return session.createDataFrame(
        pyarrow.table({"id": pyarrow.array(ids), "text": pyarrow.array(texts, pyarrow.string()), **columns})
    )


def documents(count: int) -> list[str | None]:
    """Texts with near-duplicates and copies, and some that are null, empty or without words. Rows are shuffled."""
    texts: list[str | None] = [*corpus(count), None, "", "...", None]
    texts += [*texts[:40], *(text.upper() for text in texts[20:60] if text)]
    random.Random(7).shuffle(texts)
    return texts


def of_template(count: int) -> list[str]:
    """Texts that share a template and differ in some words, so that they share buckets and few are similar."""
    draw = random.Random(3)
    template = [f"t{number}" for number in range(60)]
    texts = []
    for _ in range(count):
        words = list(template)
        for _ in range(draw.randrange(5)):
            words[draw.randrange(60)] = f"w{draw.randrange(10_000)}"
        texts.append(" ".join(words))
    return texts


def least(clusters: dict[Any, Any]) -> dict[Any, Any]:
    """The cluster of each id, named by its least id."""
    names: dict[Any, Any] = {}
    for id, cluster in clusters.items():
        names[cluster] = min(id, names.get(cluster, id))
    return {id: names[cluster] for id, cluster in clusters.items()}


def expected(texts: Any, ids: list[Any], **options: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The cluster of each id, and the kept id and the similarity for each removed one, by `lookalike.dedup`.

    The texts are a list, or a table with other columns.
    """
    result = lookalike.dedup(texts, method="minhash", **options)
    clusters = least({ids[row["row"]]: row["cluster"] for row in result.clusters})
    removed = {ids[row["row"]]: (ids[row["kept_row"]], round(row["jaccard"], 9)) for row in result.removed}
    return clusters, removed


def ids_of(texts: list[str | None]) -> list[int]:
    """Ids that are no positions, in the order of rows."""
    return [7 * row + 3 for row in range(len(texts))]


def found(result: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The same of a result of Spark."""
    clusters = {row["id"]: row["cluster"] for row in result.clusters.collect()}
    removed = {row["id"]: (row["kept_id"], round(row["similarity"], 9)) for row in result.removed.collect()}
    return clusters, removed


def run(python: str, arguments: list[str], **variables: str) -> dict[str, Any]:
    """What `spark_program.py` prints in a process of its own."""
    program = str(Path(__file__).parent / "spark_program.py")
    ran = subprocess.run(
        [python, program, *arguments],
        env={**os.environ, **environment(), "PYSPARK_PYTHON": python, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    answer: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return answer
