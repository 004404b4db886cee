"""Bulk requests: lines are cut into batches, and a batch knows which of its lines have an answer.

A batch is sent again as long as lines of it have none. Answers that have come are kept, so a line that was answered is not
sent twice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from lookalike._errors import ServiceError, ServiceUnreachable
from lookalike.service import _checked as checked
from lookalike.service import _requests as requests
from lookalike.service._answers import AddAnswer, CheckAnswer, RemoveAnswer
from lookalike.service._fields import Line, Operation
from lookalike.service._reply import exception, no_answer
from lookalike.service._requests import Request
from lookalike.service._retries import may_pass

_T = TypeVar("_T")

BATCH_LINES = 1024
BATCH_BYTES = 512 << 10
"""A batch is sent before its answers are read. A service holds the answers of 64 groups of lines, and a group is at least the 8 KiB that it
reads at once. So it reads a whole batch of this size, and neither side waits for the other."""

KINDS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "check": CheckAnswer.of,
    "add": AddAnswer.of,
    "put": AddAnswer.of,
    "remove": RemoveAnswer.of,
}


class Batch(Generic[_T]):
    """Lines of one bulk request, and their answers as far as they have come."""

    def __init__(self, op: Operation, lines: list[bytes | ServiceError]) -> None:
        self._op = op
        self._lines = lines
        # A line that is too long is answered here: a service would read nothing behind it.
        self._answers: list[_T | ServiceError | None] = [
            line if isinstance(line, ServiceError) else None for line in lines
        ]
        self._refusals: dict[int, ServiceError] = {}
        self._sent: list[int] = []
        self._answered = 0
        self._rest = b""
        self._is_whole = False

    def request(self) -> Request[None] | None:
        """The request with all lines that have no answer. None if all have one."""
        self._sent = [place for place, answer in enumerate(self._answers) if answer is None]
        self._answered, self._rest, self._is_whole = 0, b"", not self._sent
        if not self._sent:
            return None
        return requests.bulk(self._op, b"".join(line for place in self._sent if isinstance(line := self._lines[place], bytes)))

    def take(self, piece: bytes) -> None:
        """Reads a piece of the reply."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            try:
                self._take_line(json.loads(line))
            except (ValueError, TypeError, KeyError, IndexError) as error:
                raise no_answer(200) from error

    def _take_line(self, data: Mapping[str, Any]) -> None:
        if "errors" in data:
            self._is_whole = True
            return
        place = self._sent[self._answered]
        self._answered += 1
        if "code" not in data:
            self._answers[place] = KINDS[self._op](data)
            return
        error = exception(data["detail"], data["status"], data["code"])
        if may_pass(error):
            self._refusals[place] = error
        else:
            self._answers[place] = error

    def end(self) -> None:
        """Raises an exception if lines are still without an answer."""
        if not self._is_whole or self._answered < len(self._sent):
            raise ServiceUnreachable("the answer broke off", code="no_answer")
        for place in self._sent:
            if self._answers[place] is None:
                raise self._refusals[place]

    def given_up(self) -> Iterator[_T | ServiceError]:
        """The answers up to the first line without one, if the batch is not sent again. A refusal is an answer then."""
        for place, error in self._refusals.items():
            self._answers[place] = self._answers[place] or error
        return self.answers()

    def answers(self) -> Iterator[_T | ServiceError]:
        """The answers of the lines, up to the first line without one."""
        for answer in self._answers:
            if answer is None:
                return
            yield answer

    @property
    def is_answered(self) -> bool:
        """Whether all lines have an answer."""
        return None not in self._answers


class BatchCutter(Generic[_T]):
    """Cuts lines into batches."""

    def __init__(self, op: Operation) -> None:
        if op not in KINDS:
            raise ValueError(f"op is {op!r}; it must be check, add, put or remove")
        self._op = op
        self._count = 0
        self._lines: list[bytes | ServiceError] = []
        self._bytes = 0

    def add(self, line: Line) -> Iterator[Batch[_T]]:
        """Takes a line. Gives the batch that is full."""
        encoded = self._encoded(line)
        length = len(encoded) if isinstance(encoded, bytes) else 0
        if self._bytes + length > BATCH_BYTES or len(self._lines) == BATCH_LINES:
            yield from self.rest()
        self._lines.append(encoded)
        self._bytes += length

    def rest(self) -> Iterator[Batch[_T]]:
        """The batch with all lines that are left, if there are any."""
        if self._lines:
            yield Batch(self._op, self._lines)
        self._lines, self._bytes = [], 0

    def _encoded(self, line: Line) -> bytes | ServiceError:
        number, self._count = self._count, self._count + 1
        if not isinstance(line, Mapping):
            raise TypeError(f"lines[{number}] is {type(line).__name__}; give a dict with the fields of a request")
        try:
            encoded = checked.as_json(dict(line))
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"lines[{number}] cannot be JSON: {error}") from error
        if len(encoded) > checked.MOST_BYTES:
            return exception(f"the line has {len(encoded):,} bytes; a service takes {checked.MOST_BYTES:,}", 413, "too_large")
        return encoded + b"\n"
