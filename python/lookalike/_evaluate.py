"""`evaluate`: how far a list of pairs or clusters agrees with the truth."""

from __future__ import annotations

import json
import os
from collections.abc import Hashable, Iterable
from typing import Any, cast, final

from lookalike import _lookalike
from lookalike._decided import Dedup
from lookalike._input import library
from lookalike._progress import Running
from lookalike._table import Table, needed
from lookalike._types import ArrowStream, Path


@final
class Evaluation:
    """Found pairs or clusters beside the true ones."""

    def __init__(self, content: str, wrong: list[dict[str, Any]], missing: list[dict[str, Any]]) -> None:
        self._content: dict[str, Any] = json.loads(content)
        self._wrong = wrong
        self._missing = missing

    @property
    def precision(self) -> float | None:
        """The share of the found pairs that are true. None if no pair was found."""
        return cast("float | None", self._content["pairs"]["precision"])

    @property
    def recall(self) -> float | None:
        """The share of the true pairs that were found. None if there are no true pairs."""
        return cast("float | None", self._content["pairs"]["recall"])

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall."""
        return cast("float | None", self._content["pairs"]["f1"])

    @property
    def adjusted_rand_index(self) -> float:
        """How far the clusters agree: 1 if they are the same, 0 if they agree as by chance."""
        return float(self._content["clusters"]["adjusted_rand_index"])

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The found pairs that are not true."""
        return self._wrong

    @property
    def missing(self) -> list[dict[str, Any]]:
        """The true pairs that were not found."""
        return self._missing

    def to_dict(self) -> dict[str, Any]:
        """All figures, as `lookalike eval --format json` prints them."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._content)))

    def __repr__(self) -> str:
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        known = ", ".join(f"{name} {value:.4f}" for name, value in shares.items() if value is not None)
        return f"Evaluation: {known or 'no pairs'}; adjusted Rand index {self.adjusted_rand_index:.4f}"


def evaluate(
    found: Table | Dedup[Any] | ArrowStream | Path | Iterable[tuple[Hashable, Hashable]],
    truth: Table | Dedup[Any] | ArrowStream | Path | Iterable[tuple[Hashable, Hashable]],
    *,
    documents: int | None = None,
) -> Evaluation:
    """Scores pairs or clusters against the truth: precision, recall, F1 and the adjusted Rand index.

    A list is the result of `pairs` or `dedup`; a table with columns a and b, or id and cluster; a file of `lookalike
    pairs` or `lookalike dedup
    --clusters`; or pairs of ids. `documents` is the number of all documents, with those that no list names.

    >>> import lookalike
    >>> lookalike.evaluate([(1, 2), (3, 4)], [(2, 1), (5, 6)])
    Evaluation: precision 0.5000, recall 0.5000, f1 0.5000; adjusted Rand index 0.4231
    """
    # Few programs evaluate, and all would wait for this import.
    import tempfile

    with tempfile.TemporaryDirectory() as folder, Running({"progress": False}) as run:
        wrong, missing = os.path.join(folder, "wrong.jsonl"), os.path.join(folder, "missing.jsonl")
        lists = [_List(data, os.path.join(folder, name)) for data, name in ((found, "found"), (truth, "truth"))]
        content = _lookalike.evaluate(lists[0].path, lists[1].path, documents, wrong, missing, run)
        originals = {**lists[0].originals, **lists[1].originals}
        return Evaluation(content, _differences(wrong, originals), _differences(missing, originals))


class _List:
    """A list as a file, with the ids that its texts stand for."""

    def __init__(self, data: Any, path: str) -> None:
        self.originals: dict[str, Any] = {}
        if isinstance(data, (str, os.PathLike)):
            self.path = os.fspath(data)
            return
        self.path = path + ".jsonl"
        with open(self.path, "w", encoding="utf-8") as file:
            for row in _rows(data):
                file.write(json.dumps({column: self.named(column, value) for column, value in row.items()}) + "\n")

    def named(self, column: str, value: Any) -> Any:
        """A value of the file. Ids become texts, and texts must stand for one id only."""
        if column not in ("a", "b", "id"):
            return value
        name = value if isinstance(value, str) else repr(value)
        if self.originals.setdefault(name, value) != value:
            raise TypeError(f"the ids {value!r} and {self.originals[name]!r} are written alike")
        return name


def _rows(data: Any) -> Iterable[dict[str, Any]]:
    """The rows of a list, with the columns a and b, or id and cluster."""
    if isinstance(data, Dedup):
        data = data.clusters
    if isinstance(data, Table):
        # Ids name documents better than rows do.
        renamed = {"a_id": "a", "b_id": "b"} if "a_id" in data.columns else {}
        if "cluster" in data.columns and "id" not in data.columns:
            renamed = {"row": "id"}
        wanted = [name for name in data.columns if renamed.get(name, name) not in renamed.values() or name in renamed]
        return ({renamed.get(name, name): row[name] for name in wanted if name != "kept"} for row in data)
    if library(data) == "pandas":
        return (dict(row) for row in data.to_dict("records"))
    if hasattr(data, "__arrow_c_stream__"):
        return (dict(row) for row in needed("pyarrow").table(data).to_pylist())
    return (_pair(row, given) for row, given in enumerate(data))


def _pair(row: int, given: Any) -> dict[str, Any]:
    try:
        a, b = given
    except (TypeError, ValueError):
        raise TypeError(f"row {row} is {given!r}, and a pair of two ids is needed") from None
    return {"a": a, "b": b}


def _differences(path: str, originals: dict[str, Any]) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [{name: originals.get(value, value) for name, value in row.items()} for row in rows]
