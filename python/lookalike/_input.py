"""Data of every kind that is accepted, as a source for the engine, and the part of it that is kept."""

from __future__ import annotations

import itertools
import os
import sys
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lookalike._files import Files
from lookalike._lookalike import Source
from lookalike._types import Text

ROWS_OF_A_BATCH = 10_000
"""Rows of a Hugging Face data set that are read at once. Its own default for reading is 1,000, which takes longer."""


class ColumnNames(NamedTuple):
    """The names of columns, which count for tables only."""

    text: Text = "text"
    id: str | None = None
    number: str | None = None
    within: Sequence[str] = ()
    join: str | None = None
    """What stands between several texts of a document."""
    against_text: Text | None = None
    """The column of texts in `against`, if it has another name there."""
    against_id: str | None = None

    @property
    def is_single(self) -> bool:
        """Whether the text is the value of one column."""
        texts = text_names(self.text)
        return len(texts) == 1 and LIST not in texts[0]

    def wanted(self, present: Iterable[Any]) -> list[str]:
        """The columns to read of a table that has the columns `present`, with those that are missing."""
        present = set(present)
        heads = (name if name in present else name.partition(LIST)[0] for name in text_names(self.text))
        texts = (head if head in present or self.is_single else head.partition(".")[0] for head in heads)
        return _wanted(*texts, self.id, self.number, *self.within)

    def source(self, pieces: list[Any]) -> Source:
        """The texts of these columns in Arrow data."""
        return Source.of_columns(pieces, text_names(self.text), self.join, self.id, self.number, self.within)


LIST = "[]"
"""Stands behind the name of a list, in the name of a text."""


def source(
    data: Any,
    text: Text = "text",
    id: str | None = None,
    number: str | None = None,
    within: Sequence[str] = (),
    join: str | None = None,
) -> Source:
    """The documents of `data`. `text`, `id`, `number` and `within` name columns, and count only for tables."""
    if isinstance(data, Source):
        return data
    if isinstance(data, Files):
        if text != "text" or id is not None or join is not None:
            raise TypeError("Files names the fields of its documents: say Files(..., text=..., id=..., join=...)")
        return Source.of_files(list(data.inputs), text_names(data.text), data.join, data.id, data.strict)
    refuse(data)
    columns = ColumnNames(text, id, number, within, join)
    if is_rows(data):
        return columns.source([_table(data, columns)])
    kind = library(data)
    if kind == "datasets":
        return columns.source(_hf_tables(data, columns.wanted(data.column_names)))
    if kind == "pandas":
        return _pandas(data, columns)
    if kind == "polars":
        wanted = columns.wanted(getattr(data, "columns", ()))
        data = _with_types(_without_objects(data, _wanted(id, *within)), wanted)
    if kind in ("polars", "pyarrow") and hasattr(data, "select"):
        present = set(data.columns if kind == "polars" else data.schema.names)
        # Other columns may be of types that cost a conversion.
        wanted = columns.wanted(present)
        if present.issuperset(wanted):
            return columns.source([data.select(wanted)])
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
        return columns.source([data])
    if within:
        raise TypeError(NO_COLUMNS)
    return Source.of_list(data if type(data) is list else _listed(data))


def is_rows(data: Any) -> bool:
    """Whether `data` is a list of dicts: a row each, with values by the names of columns."""
    return isinstance(data, (list, tuple)) and len(data) > 0 and isinstance(data[0], dict)


def _table(rows: Sequence[Any], columns: ColumnNames) -> Any:
    """The wanted columns of a list of dicts."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("a list of dicts needs pyarrow: pip install pyarrow") from error
    other = next((place for place, row in enumerate(rows) if not isinstance(row, dict)), None)
    if other is not None:
        raise TypeError(f"row {other} is a {type(rows[other]).__name__}, and the rows before it are dicts")
    present = set().union(*rows)
    # Fields of dicts are columns of structs.
    wanted = [name if name in present else name.partition(".")[0] for name in columns.wanted(present)]
    missing = [name for name in wanted if name not in present]
    if missing:
        raise KeyError(f'no column "{missing[0]}"; the columns are {", ".join(map(str, sorted(present, key=str)))}')
    return pyarrow.table({name: _column(name, [row.get(name) for row in rows], pyarrow) for name in wanted})


def _column(name: str, values: list[Any], pyarrow: Any) -> Any:
    try:
        return pyarrow.array(values)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        raise TypeError(f'column "{name}" has values of several types: {error}') from error


NO_COLUMNS = "within names columns of a table, or fields of Files, and the data has no columns"


def names(given: str | Sequence[str]) -> list[str]:
    """The names of one column or several."""
    return [given] if isinstance(given, str) else list(given)


def text_names(given: Text) -> list[str]:
    """The names of the columns of a text: one at least."""
    found = names(given)
    if not found or not all(found):
        raise ValueError("text names no column: give its name, or a list of names")
    return found


def refuse(data: Any) -> None:
    """Raises `TypeError` for data that would be misunderstood, with the remedy."""
    name = type(data).__name__
    if isinstance(data, (str, bytes, os.PathLike)):
        raise TypeError(f"data is a {name}: say [text] if it is a text, or Files(path) if it is a path")
    if name == "LazyFrame" and library(data) == "polars":
        raise TypeError("data is a LazyFrame, which has no rows yet: say data.collect()")
    if library(data) == "datasets" and not hasattr(data, "select"):
        raise TypeError(f"data is a {name}: give a datasets.Dataset, such as one of its splits, which can be read again")
    if isinstance(data, (dict, set, frozenset)):
        raise TypeError(f"data is a {name}, whose texts have no rows: give a list")


def library(data: Any) -> str:
    """The name of the package that the type of `data` comes from."""
    return type(data).__module__.partition(".")[0]


def _listed(data: Any) -> list[Any]:
    if hasattr(data, "tolist"):
        return list(data.tolist())
    if isinstance(data, Sequence):
        return list(data)
    if hasattr(data, "__next__"):
        raise TypeError(f"data is a {type(data).__name__}, which can be read only once: say list(data)")
    raise TypeError(
        f"data is a {type(data).__name__}; give a list of str, a pandas or polars Series or DataFrame, "
        "an Arrow table or array, a datasets.Dataset, or Files"
    )


def _wanted(*names: str | None) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


def _without_objects(frame: Any, wanted: list[str]) -> Any:
    """A frame of polars whose columns of UUIDs are texts. polars has them as objects of Python, and would give their addresses."""
    polars = sys.modules["polars"]
    objects = [name for name in wanted if name in getattr(frame, "columns", ()) and frame.schema[name] == polars.Object]
    for name in objects:
        values = frame[name].to_list()
        other = next((value for value in values if not isinstance(value, (uuid.UUID, type(None)))), None)
        if other is not None:
            raise TypeError(f'column "{name}" has objects of type {type(other).__name__}; make them texts')
        texts = [None if value is None else str(value) for value in values]
        frame = frame.with_columns(polars.Series(name, texts, dtype=polars.String))
    return frame


def _with_types(data: Any, wanted: list[str]) -> Any:
    """A frame or a column of polars whose nulls alone are null texts. polars hands on such a column with a buffer, which Arrow refuses."""
    polars = sys.modules["polars"]
    if isinstance(data, polars.Series):
        return data.cast(polars.String) if data.dtype == polars.Null else data
    nulls = [name for name in wanted if name in getattr(data, "columns", ()) and data.schema[name] == polars.Null]
    return data.with_columns(polars.col(*nulls).cast(polars.String)) if nulls else data


def _hf_tables(data: Any, wanted: list[str]) -> list[Any]:
    missing = [name for name in wanted if name not in data.column_names]
    if missing:
        raise KeyError(f'no column "{missing[0]}"; the columns are {", ".join(data.column_names)}')
    # The format of Arrow respects the rows that were selected.
    return list(data.select_columns(wanted).with_format("arrow").iter(ROWS_OF_A_BATCH)) or [
        data.select_columns(wanted).with_format("arrow")[:0]
    ]


def _pandas(data: Any, columns: ColumnNames) -> Source:
    if not hasattr(data, "columns"):
        if columns.within:
            raise TypeError(NO_COLUMNS)
        return _pandas_column(data)
    wanted = columns.wanted(data.columns)
    for name in wanted:
        if name not in data.columns:
            raise KeyError(f'no column "{name}"; the columns are {", ".join(map(str, data.columns))}')
    if columns.is_single and len(wanted) == 1:
        return _pandas_column(data[wanted[0]])
    try:
        return columns.source([data[wanted]])
    except (TypeError, ValueError):
        if columns.is_single:
            # If it is for the texts, this error names the row.
            _pandas_column(data[wanted[0]])
        raise
    except ImportError as error:
        raise ImportError("the columns of a pandas DataFrame need pyarrow, or leave out id and within: pip install pyarrow") from error


def _pandas_column(series: Any) -> Source:
    """The texts of a Series. pandas needs pyarrow to give them as Arrow, so without it they are read as a list."""
    if hasattr(series, "__arrow_c_stream__"):
        try:
            return ColumnNames("").source([series])
        except (ImportError, TypeError, ValueError):
            # An error of pyarrow names neither the row nor the column. As a list, both can be named.
            pass
    missing = series.isna().tolist()
    try:
        return Source.of_list([None if gone else text for text, gone in zip(series.tolist(), missing, strict=True)])
    except TypeError as error:
        named = "" if series.name is None else f'column "{series.name}": '
        raise TypeError(f"{named}{error.args[0]}") from error
