"""Tables and columns in Arrow memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast, final

from lookalike import _shown
from lookalike._lookalike import ArrowColumn, ArrowTable
from lookalike._pickled import PICKLED, check_version
from lookalike._types import Path

if TYPE_CHECKING:
    import numpy
    import numpy.typing
    import pandas
    import polars
    import pyarrow

SHOWN_ROWS = 10
"""Rows of a table that `repr` shows."""

ROWS_AT_ONCE = 1024
"""Rows that an iteration makes at once."""


def needed(package: str) -> Any:
    """A package that one method needs."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"this needs {package}: pip install {package}") from error


class Table:
    """A table in Arrow memory. Arrow libraries take it without a copy: `pyarrow.table(x)`, `polars.DataFrame(x)`."""

    def __init__(self, table: ArrowTable) -> None:
        self._table = table

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._table.columns)

    def __len__(self) -> int:
        return len(self._table)

    def __getitem__(self, column: str) -> Columns:
        return Columns(self._table.column(column))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Rows as dicts: convenient for hundreds, slow for millions."""
        for start in range(0, len(self), ROWS_AT_ONCE):
            yield from self._table.dicts(start, start + ROWS_AT_ONCE)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """The table of pyarrow."""
        return cast("pyarrow.Table", needed("pyarrow").table(self))

    def to_pandas(self) -> pandas.DataFrame:
        """The DataFrame of pandas."""
        needed("pandas")
        return cast("pandas.DataFrame", needed("pyarrow").table(self).to_pandas())

    def to_polars(self) -> polars.DataFrame:
        """The DataFrame of polars."""
        return cast("polars.DataFrame", needed("polars").DataFrame(self))

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return self._table.dicts(0, len(self))

    def write(self, path: Path) -> None:
        """Writes a file. Its format follows from the name: .jsonl, .csv, .tsv, .parquet or .xlsx."""
        self._table.write(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), PICKLED, self._table.to_bytes(), self.__getstate__())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_table"}

    def __repr__(self) -> str:
        rows = self._table.dicts(0, SHOWN_ROWS)
        return _shown.table(type(self).__name__, self.columns, rows, len(self))

    def _repr_html_(self) -> str:
        rows = self._table.dicts(0, SHOWN_ROWS)
        return _shown.table_html(self._title(), self.columns, rows, len(self))

    def _title(self) -> str:
        """What a notebook shows above the rows."""
        return f"{type(self).__name__}: {_shown.count(len(self), 'row')}"


@final
class Columns:
    """One column in Arrow memory: `pyarrow.array(x)`, `polars.Series(x)`, `numpy.asarray(x)`."""

    def __init__(self, column: ArrowColumn) -> None:
        self._column = column

    def __len__(self) -> int:
        return len(self._column)

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return self._column.__arrow_c_array__(requested_schema)

    def __array__(
        self, dtype: numpy.typing.DTypeLike | None = None, copy: bool | None = None
    ) -> numpy.typing.NDArray[Any]:
        return cast("numpy.typing.NDArray[Any]", needed("numpy").asarray(self.to_numpy(), dtype))

    def to_numpy(self) -> numpy.typing.NDArray[Any]:
        """An array of numpy. Numbers with nulls become floats, and nulls NaN."""
        library = needed("numpy")
        buffer = self._column.buffer()
        if buffer is not None:
            kind, values = buffer
            return cast("numpy.typing.NDArray[Any]", library.frombuffer(values, dtype=kind))
        values_of_python = self.to_pylist()
        if any(isinstance(value, (int, float)) for value in values_of_python):
            floats = [float("nan") if value is None else value for value in values_of_python]
            return cast("numpy.typing.NDArray[Any]", library.array(floats, dtype="float64"))
        array = library.empty(len(values_of_python), dtype=object)
        array[:] = values_of_python
        return cast("numpy.typing.NDArray[Any]", array)

    def to_pylist(self) -> list[Any]:
        """The values as a list."""
        return self._column.to_pylist()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_pylist())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_column, (PICKLED, self._column.to_bytes())

    def __repr__(self) -> str:
        values = ", ".join(map(repr, self.to_pylist()[:SHOWN_ROWS]))
        return f"Columns([{values}{', ...' if len(self) > SHOWN_ROWS else ''}], {len(self)} rows)"


def _restored(kind: type[Table], version: int, content: bytes, state: dict[str, Any]) -> Table:
    check_version(kind.__name__, version)
    restored = kind.__new__(kind)
    vars(restored).update(state, _table=ArrowTable.from_bytes(content))
    return restored


def _restored_column(version: int, content: bytes) -> Columns:
    check_version("Columns", version)
    return Columns(ArrowColumn.from_bytes(content))
