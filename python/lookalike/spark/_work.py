"""The folder of a run: each stage is written once, and read by all later ones.

A stage is a folder of Parquet files. A row in the folder `done` says that it is complete: with its name, the number of
its rows and its schema. Half-written files have no such row, and the next call writes them again. All of it goes through
DataFrames, so that the folder may be wherever the cluster writes: in a file system, in HDFS or in object storage.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Any

from lookalike._errors import Incompatible, InputError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS_AT_ONCE = 1000
"""Rows of a batch. Spark takes 10,000, which are 10 GB if a text is 1 MB."""

MARKERS = "stage string, content string"
"""The schema of the folder `done`."""

OPTIONS = "options"
"""The marker with the options of the run."""


TASK = "lookalike_task"
"""The column with the number of the task that wrote a row. When a stage is read again, Sail has no names of its files."""


class Work:
    """The stages of a run that are complete, and those that this call writes."""

    def __init__(self, session: SparkSession, folder: str, options: dict[str, Any]) -> None:
        """Raises `Incompatible` if the folder was made by other options."""
        self.session = session
        self.folder = folder.rstrip("/")
        self.done = self._markers()
        self.written: list[str] = []
        self.taken_over = tuple(name for name, marker in self.done.items() if "rows" in marker)
        # As JSON has them, so that numbers and texts are compared as they were written.
        options = json.loads(json.dumps(options))
        if OPTIONS not in self.done:
            self._check_new()
            self.mark(OPTIONS, options)
        elif self.done[OPTIONS] != options:
            raise Incompatible(_differences(self.folder, self.done[OPTIONS], options))

    def _check_new(self) -> None:
        """Raises `InputError` if the folder holds something, and is on this machine: stages would overwrite it."""
        folder = self.folder.removeprefix("file://")
        # A call that was killed at its start has left this.
        found = set(os.listdir(folder)) - {"done"} if os.path.isdir(folder) else set()
        if found:
            raise InputError(f"work {self.folder} holds {min(found)}, and is of no run: give another folder, or empty it", self.folder)

    def stage(
        self,
        name: str,
        make: Callable[[], DataFrame],
        check: Callable[[DataFrame], None] | None = None,
        rows_at_once: int = ROWS_AT_ONCE,
    ) -> DataFrame:
        """The frame of a stage. If the stage is not complete, `make` gives it, and it is written and checked."""
        if name in self.done:
            frame = self.frame(name)
            rows = frame.count()
            if rows != self.done[name]["rows"]:
                raise InputError(
                    f"the stage {name} of {self.folder} has {rows} rows, and {self.done[name]['rows']} were written: "
                    "delete the folder, and start again",
                    self.folder,
                )
            return frame
        started = time.monotonic()
        with self._batches(rows_at_once):
            made = make()
            with_task(made).write.mode("overwrite").parquet(f"{self.folder}/{name}")
        schema = made.schema.json()
        frame = self._read(name, schema)
        if check is not None:
            check(frame)
        seconds = round(time.monotonic() - started, 3)
        self.written.append(name)
        tasks = self._rows_of_tasks(name)
        number = len(self.done)
        self.mark(name, {"number": number, "rows": sum(tasks), "tasks": _spread(tasks), "seconds": seconds, "schema": schema})
        return frame

    def frame(self, name: str) -> DataFrame:
        """The frame of a complete stage."""
        return self._read(name, self.done[name]["schema"])

    def mark(self, name: str, content: dict[str, Any]) -> None:
        """Writes that a stage is complete."""
        from pyspark.sql.functions import lit

        row = self.session.range(0, 1, 1, 1)
        marker = row.select(lit(name).alias("stage"), lit(json.dumps(content)).alias("content"))
        marker.write.mode("append").parquet(f"{self.folder}/done")
        self.done[name] = content

    def rows(self, name: str) -> int:
        """The rows of a complete stage."""
        return int(self.done[name]["rows"])

    def seconds(self) -> dict[str, float]:
        """The seconds that each stage took, when it was written."""
        return {name: marker["seconds"] for name, marker in self.done.items() if "seconds" in marker}

    def skew(self) -> dict[str, dict[str, Any]]:
        """How unevenly the tasks of each stage wrote its rows."""
        return {name: marker["tasks"] for name, marker in self.done.items() if "tasks" in marker}

    def _read(self, name: str, schema: str) -> DataFrame:
        from pyspark.sql.types import StructType

        return self.session.read.schema(StructType.fromJson(json.loads(schema))).parquet(f"{self.folder}/{name}")

    def _rows_of_tasks(self, name: str) -> list[int]:
        """The rows that each task wrote. Only the column of their numbers is read."""
        written = self.session.read.schema(f"{TASK} int").parquet(f"{self.folder}/{name}")
        return [row["count"] for row in written.groupBy(TASK).count().collect()]

    def _markers(self) -> dict[str, dict[str, Any]]:
        from pyspark.errors import PySparkException

        try:
            rows = self.session.read.schema(MARKERS).parquet(f"{self.folder}/done").collect()
        except PySparkException as error:
            if _is_missing(str(error)):
                return {}
            raise
        markers = [(row["stage"], json.loads(row["content"])) for row in rows]
        return dict(sorted(markers, key=lambda marker: marker[1].get("number", 0)))

    def _batches(self, rows: int) -> BatchRows:
        return BatchRows(self.session, rows)


class BatchRows:
    """Sets how many rows a function on the executors gets at once, and puts the setting of the session back."""

    KEY = "spark.sql.execution.arrow.maxRecordsPerBatch"

    def __init__(self, session: SparkSession, rows: int) -> None:
        self._session, self._rows = session, rows
        self._before: str | None = None

    def __enter__(self) -> None:
        self._before = self._session.conf.get(self.KEY, None)
        self._session.conf.set(self.KEY, str(self._rows))

    def __exit__(self, *_: object) -> None:
        if self._before is None:
            self._session.conf.unset(self.KEY)
        else:
            self._session.conf.set(self.KEY, self._before)


def with_task(frame: DataFrame) -> DataFrame:
    """The frame with the number of the task that computes each row."""
    from pyspark.sql.functions import expr

    return frame.withColumn(TASK, expr("spark_partition_id()"))


def _spread(tasks: list[int]) -> dict[str, Any]:
    """The largest task beside the median one."""
    largest, middle = max(tasks, default=0), median(tasks) if tasks else 0
    ratio = round(largest / middle, 2) if middle else None
    return {"tasks": len(tasks), "largest": largest, "median": middle, "largest_to_median": ratio}


def _is_missing(message: str) -> bool:
    """Whether a folder is not there, in the words of Spark 3.5 and 4, and of Sail."""
    words = ("PATH_NOT_FOUND", "Path does not exist", "No such file", "not found", "does not exist", "No files found")
    return any(word in message for word in words)


def _differences(folder: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    if before.get("stages") != now.get("stages"):
        return f"{folder} was made by another version of lookalike: give another folder"
    names = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    parts = [f"{name} was {before.get(name)!r} and is {now.get(name)!r}" for name in names]
    return f"{folder} is the work of a call with other options ({'; '.join(parts)}): delete {folder}, or give another folder as work"
