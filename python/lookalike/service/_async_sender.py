"""Sends requests over the connections of coroutines, again if they had no answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable
from typing import Any, TypeVar

from lookalike._errors import ServiceError, ServiceUnreachable
from lookalike.service._address import Address
from lookalike.service._answers_on_lists import Event
from lookalike.service._async_connections import AsyncConnections
from lookalike.service._bulk import Batch, BatchCutter
from lookalike.service._events import EventStream
from lookalike.service._fields import Line
from lookalike.service._requests import Request
from lookalike.service._retries import Retries

_T = TypeVar("_T")


class AsyncSender:
    """Sends the requests of a client."""

    def __init__(self, address: Address, timeout: float, retries: int) -> None:
        self.address = address
        self.timeout = timeout
        self.retries = retries
        self._connections = AsyncConnections(address, timeout)

    async def send(self, request: Request[_T]) -> _T:
        """Sends a request until it has an answer."""
        retries = Retries(self.retries)
        while True:
            try:
                return request.read(await self._connections.exchange(request))
            except ServiceError as error:
                if (pause := retries.pause(error)) is None:
                    raise
            await asyncio.sleep(pause)

    async def succeeds(self, request: Request[bool]) -> bool:
        """Sends a request once. An answer that does not come is no success."""
        try:
            return request.read(await self._connections.exchange(request))
        except ServiceUnreachable:
            return False

    async def bulk(self, cutter: BatchCutter[_T], lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[_T | ServiceError]:
        """Sends lines in batches, and gives their answers."""
        async for line in _each(lines):
            for batch in cutter.add(line):
                async for answer in self._answers(batch):
                    yield answer
        for batch in cutter.rest():
            async for answer in self._answers(batch):
                yield answer

    async def _answers(self, batch: Batch[_T]) -> AsyncIterator[_T | ServiceError]:
        """Sends a batch until all lines have an answer."""
        retries = Retries(self.retries)
        while (request := batch.request()) is not None:
            try:
                async with self._connections.stream(request) as pieces:
                    async for piece in pieces:
                        batch.take(piece)
                batch.end()
            except ServiceError as error:
                if (pause := retries.pause(error)) is None:
                    for answer in batch.given_up():
                        yield answer
                    if not batch.is_answered:
                        raise
                    return
                await asyncio.sleep(pause)
        for answer in batch.answers():
            yield answer

    async def events(self, stream: EventStream) -> AsyncGenerator[Event, None]:
        """Gives events without an end, over one connection after the other."""
        while True:
            try:
                async with self._connections.stream(stream.request(), stream.timeout) as pieces:
                    stream.begin()
                    async for piece in pieces:
                        for event in stream.take(piece):
                            yield event
                stream.end()
            except ServiceError as error:
                if (pause := stream.pause(error)) is None:
                    raise
                await asyncio.sleep(pause)

    async def close(self) -> None:
        """Closes the connections that no request uses."""
        await self._connections.close()


async def _each(lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[Line]:
    if isinstance(lines, AsyncIterable):
        async for line in lines:
            yield line
    else:
        for line in lines:
            yield line
