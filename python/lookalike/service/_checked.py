"""Checks arguments before they are sent, so that a sentence names the argument."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 16 << 20
"""The most bytes of a body, and of a line of a bulk request, that a service reads."""

MOST_SECONDS = 2**32 - 1
"""The most seconds of a `ttl`: a service keeps them in 32 bits."""

MOST_ID_BYTES = 1024


def text(name: str, value: Any) -> str:
    """A text. It may be empty."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {type(value).__name__}; give a str")
    return value


def document_id(value: Any) -> str:
    """An id that a service takes."""
    if not text("id", value):
        raise ValueError("id is empty")
    try:
        length = len(value.encode())
    except UnicodeEncodeError as error:
        raise ValueError(f"id is {value!r}, which is not Unicode") from error
    if length > MOST_ID_BYTES:
        raise ValueError(f"id has {length:,} bytes; at most {MOST_ID_BYTES:,} are possible")
    return str(value)


def one_of(**given: Any) -> dict[str, str]:
    """The one text that is given."""
    there = {name: text(name, value) for name, value in given.items() if value is not None}
    if len(there) != 1:
        *names, last = given
        raise ValueError(f"give one of {', '.join(names)} and {last}")
    return there


def share(name: str, value: float | None) -> float | None:
    """A number from 0 to 1, or None."""
    if value is not None and not 0 <= number(name, value) <= 1:
        raise ValueError(f"{name} is {value}; it must be from 0 to 1")
    return value


def number(name: str, value: Any) -> float:
    """A finite number."""
    # A bool is an int to Python, and JSON has no numbers of numpy.
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is {type(value).__name__}; give a number")
    if not math.isfinite(value):
        raise ValueError(f"{name} is {value}; give a finite number")
    return value


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is {type(value).__name__}; give an int")
    if not least <= value <= most:
        raise ValueError(f"{name} is {value:,}; it must be from {least:,} to {most:,}")
    return value


def sending(timeout: float, retries: int) -> None:
    """How a client sends requests."""
    if number("timeout", timeout) <= 0:
        raise ValueError(f"timeout is {timeout}; it must be more than 0")
    whole("retries", retries, 0, 1000)


def encoded(fields: Mapping[str, Any]) -> bytes:
    """The body of a request. None is left out."""
    given = {name: value for name, value in fields.items() if value is not None}
    try:
        body = as_json(given)
    except (TypeError, ValueError):
        for name, value in given.items():
            _check_json(name, value)
        raise
    if len(body) > MOST_BYTES:
        raise ValueError(f"{_longest(given)} is too long: the request has {len(body):,} bytes, and a service takes {MOST_BYTES:,}")
    return body


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _check_json(name: str, value: Any) -> None:
    """Raises an exception that names an argument which JSON cannot have."""
    try:
        as_json(value)
    except TypeError as error:
        raise TypeError(f"{name} cannot be JSON: {error}") from error
    except ValueError as error:
        raise ValueError(f"{name} cannot be JSON: {error}") from error


def _longest(given: Mapping[str, Any]) -> str:
    return max(given, key=lambda name: len(as_json(given[name])))
