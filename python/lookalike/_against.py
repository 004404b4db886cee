"""Other data, which `dedup` compares against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lookalike._files import Files
from lookalike._input import ColumnNames, is_rows, library, source
from lookalike._lookalike import Source

if TYPE_CHECKING:
    from lookalike._index import Index


def check_names(columns: ColumnNames, has_data: bool) -> None:
    """Refuses names of columns of `against` without data that has columns."""
    for name, given in (("against_text", columns.against_text), ("against_id", columns.against_id)):
        if given is not None and not has_data:
            raise TypeError(f"{name} names a column of against=: give data there, and not an index, or leave it out")


def index_of(against: Any) -> tuple[Index | None, list[Any]]:
    """The index of `against`, or the data."""
    from lookalike._index import Index

    if isinstance(against, Index):
        return against, []
    several = _several(against)
    if any(isinstance(one, Index) for one in several):
        raise TypeError("give an index alone, or add the other data to it")
    return None, several


def source_of_against(data: Any, columns: ColumnNames) -> Source:
    """The documents of `against`, with errors that say so. It may have no ids, and files name their own fields."""
    text, id, join = columns.against_text, columns.against_id, None
    if not isinstance(data, Files):
        text, id, join = text or columns.text, id or _present(data, columns.id), columns.join
    try:
        return source(data, text or "text", id, None, columns.within, join)
    except (TypeError, ValueError, KeyError) as error:
        # Subclasses, such as UnicodeEncodeError, are not made of a message alone.
        if type(error) not in (TypeError, ValueError, KeyError):
            raise
        raise type(error)(f"against: {error.args[0]}") from error


def _several(against: Any) -> list[Any]:
    """The data of `against`: one, or a list or tuple of several. A list of texts is one."""
    if against is None:
        return []
    is_several = isinstance(against, (list, tuple)) and not any(isinstance(one, (str, dict, type(None))) for one in against)
    return list(against) if is_several else [against]


def _present(data: Any, id: str | None) -> str | None:
    """The column of ids, if the data has it."""
    if is_rows(data):
        return id if any(id in row for row in data) else None
    columns = getattr(data, "column_names" if library(data) in ("datasets", "pyarrow") else "columns", ())
    return id if id is not None and id in list(columns) else None
