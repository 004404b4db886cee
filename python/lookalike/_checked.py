"""Arguments that are checked before a call begins, so that an error names them."""

from __future__ import annotations

from operator import index
from typing import Any


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number of at least `least`."""
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} is {type(value).__name__}; give a whole number") from None
    if not least <= number < 1 << 63:
        raise ValueError(f"{name} is {number}; it must be {least} or more" + (", and less than 2**63" if number > least else ""))
    return number


def text_of(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {type(value).__name__}; give a str")
    return value


def policy(keep: Any) -> str:
    """The policy of `keep` as a text, as the command line has it. A whole number is one too."""
    if isinstance(keep, str):
        return keep
    if isinstance(keep, bool) or not hasattr(keep, "__index__"):
        raise TypeError(f"keep is {type(keep).__name__}; give a str or a whole number")
    return str(whole("keep", keep, 1))
