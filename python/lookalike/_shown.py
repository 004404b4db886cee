"""Results as people see them, in a terminal and in a notebook. Texts come from outside, so they are escaped."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 40
"""Characters of a value in a table."""

EXAMPLE_WIDTH = 120
"""Characters of a text that is an example."""

BEFORE_DIFFERENCE = 30
"""Characters that two examples show before their first difference."""


def value(of: Any, width: int = WIDTH) -> str:
    """A value on one line, cut to a width."""
    text = f"{of:.4f}" if isinstance(of, float) else "" if of is None else str(of)
    # Line ends and control characters would break the table, or the terminal.
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= width else text[: width - 1] + "…"


def side_by_side(a: str, b: str) -> tuple[str, str]:
    """Two texts from a few words before their first difference on, or from their start on if the difference is near it."""
    if a == b:
        return value(a, EXAMPLE_WIDTH), "(the same text)"
    pairs = enumerate(zip(a, b, strict=False))
    different = next((place for place, (one, other) in pairs if one != other), min(len(a), len(b)))
    start = 0 if different < EXAMPLE_WIDTH // 2 else different - BEFORE_DIFFERENCE
    if start > 0:
        # The first whole word. A text in a script without spaces is cut anywhere.
        start = a.find(" ", start, different) + 1 or start
    dots = "… " if start > 0 else ""
    return dots + value(a[start:], EXAMPLE_WIDTH), dots + value(b[start:], EXAMPLE_WIDTH)


def table(name: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """A table as text."""
    cells = [list(columns), *([value(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[index]) for line in cells) for index in range(len(columns))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells]
    more = [f"… {total - len(rows):,} more"] if total > len(rows) else []
    return "\n".join([f"{name}: {count(total, 'row')}", *lines, *more])


def table_html(title: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], total: int) -> str:
    """The first rows of a table as HTML."""
    cells = [[row[column] for column in columns] for row in rows]
    more = f"<p>… {total - len(rows):,} more</p>" if total > len(rows) else ""
    return f"<p>{html.escape(title)}</p>{rows_html(columns, cells)}{more}"


def rows_html(columns: Sequence[str], rows: Sequence[Sequence[Any]], width: int = WIDTH) -> str:
    """Rows as HTML. Columns of texts are aligned to the left, where a notebook aligns all to the right."""
    of_texts = [any(isinstance(row[index], str) for row in rows) for index in range(len(columns))]

    def line(tag: str, cells: Sequence[Any]) -> str:
        aligned = zip(cells, of_texts, strict=True)
        return "<tr>" + "".join(_cell(tag, value(cell, width), is_text) for cell, is_text in aligned) + "</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', columns)}</thead><tbody>{body}</tbody></table>"


def _cell(tag: str, content: str, is_text: bool) -> str:
    style = ' style="text-align: left"' if is_text else ""
    return f"<{tag}{style}>{html.escape(content)}</{tag}>"


def count(number: int, what: str) -> str:
    """A number with its noun: 1 row, 2,000 rows."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def share(part: float, decimals: int = 1) -> str:
    """A share as a percentage. It is 100 % only if nothing is missing."""
    percent = round(100 * part, decimals)
    if part < 1 and percent >= 100:
        percent -= 10**-decimals
    return f"{percent:.{decimals}f} %"


def bars_html(bars: Sequence[tuple[str, int]]) -> str:
    """A small chart of horizontal bars, with their numbers."""
    most = max((number for _, number in bars), default=0) or 1
    rows = "".join(
        f'<tr>{_cell("td", label, True)}<td>{number:,}</td><td style="text-align: left">'
        f'<svg width="200" height="12" role="img" aria-label="{number:,}">'
        f'<rect width="{200 * number / most:.1f}" height="12" fill="currentColor" opacity="0.6"/></svg></td></tr>'
        for label, number in bars
    )
    return f"<table>{rows}</table>"
