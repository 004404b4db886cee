"""Results as people see them, in a terminal and in a notebook. Texts come from outside, so they are escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 40
"""Characters of a value in a table."""


def value(of: Any) -> str:
    """A value on one line, cut to the width of a column."""
    text = f"{of:.4f}" if isinstance(of, float) else "" if of is None else str(of)
    # Line ends and control characters would break the table, or the terminal.
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def table(name: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """A table as text."""
    cells = [list(columns), *([value(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[index]) for line in cells) for index in range(len(columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    more = [f"… {total - len(rows):,} more"] if total > len(rows) else []
    return "\n".join([f"{name}: {count(total, 'row')}", *lines, *more])


def table_html(name: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(value(row[column]))}</td>" for column in columns) + "</tr>" for row in rows
    )
    more = f"<p>… {total - len(rows):,} more</p>" if total > len(rows) else ""
    return (
        f"<p>{html.escape(name)}: {count(total, 'row')}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def count(number: int, what: str) -> str:
    """A number with its noun: 1 row, 2,000 rows."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def share(part: float) -> str:
    """A share as a percentage."""
    return f"{100 * part:.1f} %"


def bars_html(bars: Sequence[tuple[str, int]]) -> str:
    """A small chart of horizontal bars, with their numbers."""
    most = max((number for _, number in bars), default=0) or 1
    rows = "".join(
        f"<tr><td>{html.escape(label)}</td><td>{number:,}</td><td>"
        f'<svg width="200" height="12" role="img" aria-label="{number:,}">'
        f'<rect width="{200 * number / most:.1f}" height="12" fill="currentColor" opacity="0.6"/></svg></td></tr>'
        for label, number in bars
    )
    return f"<table>{rows}</table>"
