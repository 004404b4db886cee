"""Sends requests over the connections of threads, again if they had no answer."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from lookalike._errors import ServiceError, ServiceUnreachable
from lookalike.service._address import Address
from lookalike.service._answers_on_lists import Event
from lookalike.service._bulk import Batch, BatchCutter
from lookalike.service._connections import Connections
from lookalike.service._events import EventStream
from lookalike.service._fields import Line
from lookalike.service._requests import Request
from lookalike.service._retries import Retries

_T = TypeVar("_T")


class Sender:
    """Sends the requests of a client."""

    def __init__(self, address: Address, timeout: float, retries: int) -> None:
        self.address = address
        self.timeout = timeout
        self.retries = retries
        self._connections = Connections(address, timeout)

    def send(self, request: Request[_T]) -> _T:
        """Sends a request until it has an answer."""
        retries = Retries(self.retries)
        while True:
            try:
                return request.read(self._connections.exchange(request))
            except ServiceError as error:
                if (pause := retries.pause(error)) is None:
                    raise
            time.sleep(pause)

    def succeeds(self, request: Request[bool]) -> bool:
        """Sends a request once. An answer that does not come is no success."""
        try:
            return request.read(self._connections.exchange(request))
        except ServiceUnreachable:
            return False

    def bulk(self, cutter: BatchCutter[_T], lines: Iterable[Line]) -> Iterator[_T | ServiceError]:
        """Sends lines in batches, and gives their answers."""
        for line in lines:
            for batch in cutter.add(line):
                yield from self._answers(batch)
        for batch in cutter.rest():
            yield from self._answers(batch)

    def _answers(self, batch: Batch[_T]) -> Iterator[_T | ServiceError]:
        """Sends a batch until all lines have an answer."""
        retries = Retries(self.retries)
        while (request := batch.request()) is not None:
            try:
                with self._connections.stream(request) as pieces:
                    for piece in pieces:
                        batch.take(piece)
                batch.end()
            except ServiceError as error:
                if (pause := retries.pause(error)) is None:
                    yield from batch.given_up()
                    if not batch.is_answered:
                        raise
                    return
                time.sleep(pause)
        yield from batch.answers()

    def events(self, stream: EventStream) -> Iterator[Event]:
        """Gives events without an end, over one connection after the other."""
        while True:
            try:
                with self._connections.stream(stream.request(), stream.timeout) as pieces:
                    stream.begin()
                    for piece in pieces:
                        yield from stream.take(piece)
                stream.end()
            except ServiceError as error:
                if (pause := stream.pause(error)) is None:
                    raise
                time.sleep(pause)

    def close(self) -> None:
        """Closes the connections that no request uses."""
        self._connections.close()
