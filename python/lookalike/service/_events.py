"""Reads server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lookalike._errors import ServiceError, ServiceUnreachable
from lookalike.service import _checked as checked
from lookalike.service import _requests as requests
from lookalike.service._answers import read
from lookalike.service._answers_on_lists import Event
from lookalike.service._reply import no_answer
from lookalike.service._requests import Request
from lookalike.service._retries import Retries

PATIENCE = 45.0
"""Seconds without a byte after which a stream is broken: a service sends a line every 15 seconds, also if nothing happens."""


MOST_EVENTS = 65_536
"""The events that a service keeps."""


class EventStream:
    """Cuts the bytes of connections into events, and knows where the next connection begins."""

    def __init__(self, retries: int, timeout: float, after: str | None, last: int) -> None:
        self.timeout = max(timeout, PATIENCE)
        self._after = after if after is None else checked.text("after", after)
        self._last = checked.whole("last", last, 0, MOST_EVENTS)
        self._most_retries = retries
        self._retries = Retries(retries)
        self._has_begun = False
        self._rest, self._event_id = b"", ""

    def request(self) -> Request[None]:
        """The request for the events behind the last one."""
        self._rest, self._event_id = b"", ""
        return requests.events(self._after, self._last)

    def begin(self) -> None:
        """Takes notice that a service sends events from now on."""
        self._has_begun = True

    def take(self, piece: bytes) -> Iterator[Event]:
        """The events that are whole with this piece."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            field, _, value = line.partition(b": ")
            if field == b"id":
                self._event_id = value.decode()
            elif field == b"data":
                yield self._event(value)

    def end(self) -> None:
        """Raises an exception, because a stream has no end."""
        raise ServiceUnreachable("the stream of events broke off", code="no_answer")

    def pause(self, error: ServiceError) -> float | None:
        """The seconds to wait before the stream is asked for again. None if it is not."""
        if self._has_begun and self._after is None:
            # Nothing says where it broke off, so events could be missed.
            return None
        return self._retries.pause(error)

    def _event(self, data: bytes) -> Event:
        try:
            event = read(Event, json.loads(data), event_id=self._event_id)
        except (ValueError, TypeError) as error:
            raise no_answer(200) from error
        self._after, self._retries = self._event_id, Retries(self._most_retries)
        return event
