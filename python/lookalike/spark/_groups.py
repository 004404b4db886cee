"""Groups: only documents with the same values in some columns are compared, as with `lookalike dedup --within`."""

from __future__ import annotations

from collections.abc import Sequence

from lookalike.spark._frames import quoted


def names(within: str | Sequence[str]) -> tuple[str, ...]:
    """The columns, of which one may be given as a text."""
    return (within,) if isinstance(within, str) else tuple(within)


def group(within: Sequence[str]) -> str:
    """An expression for the values of a row. Different values have different texts. An empty text and a null are no value."""
    # With its length before it, a value cannot run into the next one. No length is "-".
    return f"concat({', '.join(map(_value, within))})"


def _value(name: str) -> str:
    text = f"CAST({quoted(name)} AS string)"
    return f"CASE WHEN coalesce({text}, '') = '' THEN '-' ELSE concat(CAST(char_length({text}) AS string), ':', {text}) END"
