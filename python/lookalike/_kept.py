"""The part of data that is kept, and data with the decisions as columns."""

from __future__ import annotations

import itertools
import sys
from typing import Any

from lookalike._files import Files
from lookalike._input import is_rows, library
from lookalike._lookalike import Source, chosen_rows

EXACT_FLOATS = 2**53
"""Integers beyond this are not exact as floats, which pandas makes of integers with gaps."""


def snapshot(data: Any) -> Any:
    """`data`, or a copy without its values if it may get other rows later. A list of texts is read from its source instead."""
    kind = library(data)
    if kind == "pandas" and hasattr(data, "iloc"):
        return data.copy(deep=False)
    if kind == "polars" and hasattr(data, "clone"):
        return data.clone()
    if is_rows(data):
        # Another list: rows may be appended to the one of the caller.
        return data[:]
    return data


def as_read(data: Any, source: Source) -> Any:
    """`data` with the items that the source has read. A list or an array of numpy may have others since."""
    if type(data) is list and not is_rows(data):
        return source.items(bytearray(b"\x01") * (source.rows or 0))
    if library(data) == "numpy":
        return _array(data, source.items(bytearray(b"\x01") * (source.rows or 0)))
    return data


def kept(data: Any, source: Source, mask: bytearray, rows: bytearray) -> Any:
    """The rows of `data` that stay, as data of the same type."""
    kind = library(data)
    if type(data) is tuple:
        return tuple(itertools.compress(data, mask))
    if is_rows(data):
        return list(itertools.compress(data, mask))
    if isinstance(data, Files):
        raise TypeError("kept documents of Files are written: say output=..., or use rows and removed")
    if kind == "pyarrow" and hasattr(data, "filter"):
        return _pyarrow_rows(data, mask)
    numbers = memoryview(rows).cast("q").tolist()
    if kind == "pandas":
        return _pandas_rows(data, numbers, mask)
    if kind == "polars":
        return data.filter(sys.modules["polars"].Series(list(map(bool, mask)), dtype=sys.modules["polars"].Boolean))
    if kind == "datasets":
        return data.select(numbers)
    items = source.items(mask)
    if items is not None:
        return _array(data, items) if kind == "numpy" else items
    table = source.table(numbers)
    if table is not None:
        from lookalike._table import Table

        return Table(table)
    return list(itertools.compress(source_texts(source), mask))


def _array(data: Any, items: list[Any] | None) -> Any:
    """An array of numpy of the type of `data`."""
    return sys.modules["numpy"].array(items, dtype=data.dtype)


def _pyarrow_rows(data: Any, mask: bytearray) -> Any:
    """Rows of a table, a record batch or a column. pyarrow filters no columns of views and of runs, so Rust does."""
    pyarrow = sys.modules["pyarrow"]
    stays = pyarrow.Array.from_buffers(pyarrow.uint8(), len(mask), [None, pyarrow.py_buffer(mask)])
    try:
        return data.filter(stays.cast(pyarrow.bool_()))
    except pyarrow.ArrowNotImplementedError:
        pass
    if hasattr(data, "columns"):
        columns = [_pyarrow_rows(column, mask) for column in data.columns]
        return type(data).from_arrays(columns, schema=data.schema)
    chosen = pyarrow.table(chosen_rows(pyarrow.table({"": data}), mask)).column(0)
    return chosen if isinstance(data, pyarrow.ChunkedArray) else chosen.chunk(0)


def _pandas_rows(data: Any, numbers: list[int], mask: bytearray) -> Any:
    """Rows of a Series or a DataFrame. Its columns may be of pyarrow, which cannot take rows of all."""
    try:
        return data.iloc[numbers]
    except Exception as error:
        if type(error).__name__ != "ArrowNotImplementedError":
            raise
    pandas = sys.modules["pandas"]
    if hasattr(data, "columns"):
        columns = [_pandas_rows(data.iloc[:, place], numbers, mask) for place in range(data.shape[1])]
        rows = pandas.concat(columns, axis=1)
        rows.columns = data.columns
        return rows
    values = sys.modules["pyarrow"].array(data.array)
    chosen = pandas.arrays.ArrowExtensionArray(_pyarrow_rows(values, mask))
    return pandas.Series(chosen, index=data.index[numbers], name=data.name)


def source_texts(source: Source) -> list[str]:
    """All texts of a source in memory."""
    return [source.text(row) or "" for row in range(source.rows or 0)]


def annotated(data: Any, table: Any) -> Any:
    """`data` with the columns of `table`, or `table` if `data` has no columns of its own.

    Raises:
        ValueError: `data` has a column with the name of one of them.
    """
    kind = library(data)
    if kind == "pandas" and hasattr(data, "columns"):
        _refuse_taken(data.columns, table)
        return data.assign(**{name: _pandas_values(table[name].to_pylist()) for name in table.columns})
    if kind == "polars" and hasattr(data, "with_columns"):
        _refuse_taken(data.columns, table)
        return data.with_columns(*table.to_polars().get_columns())
    if kind == "pyarrow" and hasattr(data, "append_column"):
        _refuse_taken(data.schema.names, table)
        for name in table.columns:
            data = data.append_column(name, sys.modules["pyarrow"].array(table[name]))
        return data
    if kind == "datasets":
        _refuse_taken(data.column_names, table)
        for name in table.columns:
            data = data.add_column(name, table[name].to_pylist())
        return data
    return table


def _refuse_taken(columns: Any, table: Any) -> None:
    """Refuses to write over a column, as `lookalike dedup --annotate` does."""
    taken = next((name for name in table.columns if name in columns), None)
    if taken is not None:
        raise ValueError(f'there is already a column "{taken}"; rename it, or use clusters and removed')


def _pandas_values(values: list[Any]) -> Any:
    """A column for pandas. Large integers beside gaps would be rounded."""
    numbers = [value for value in values if type(value) is int]
    if len(numbers) == len(values) or not any(abs(number) > EXACT_FLOATS for number in numbers):
        return values
    numpy = sys.modules["numpy"]
    kind = "uint64" if max(numbers) >= 1 << 63 else "int64"
    exact = numpy.array([value or 0 for value in values], dtype=kind)
    return sys.modules["pandas"].arrays.IntegerArray(exact, numpy.array([value is None for value in values]))
