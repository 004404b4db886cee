"""Connections of coroutines to a service, over the streams of asyncio.

`http.client` in threads would need a thread for each request, and for each reader of events. A cancelled request would go on
in its thread. Here a cancelled request closes its connection at once, and no thread is needed. Replies are read that have a length or
chunks, as those of services and proxies do.
"""

from __future__ import annotations

import asyncio
import http.client
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from lookalike.service._address import Address
from lookalike.service._async_wire import AsyncConnection, connect
from lookalike.service._reply import Reply, problem, unreachable
from lookalike.service._requests import Request

PLACES = 100
"""Requests of a client at the same time. More of them wait here, because a process may often have only 1,024 open files."""

_LOST = (OSError, EOFError, ValueError, asyncio.LimitOverrunError, http.client.HTTPException)


class AsyncConnections:
    """The connections of a client. Each request has one of its own for its time."""

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = address
        self._timeout = timeout
        self._context: ssl.SSLContext | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._idle: list[AsyncConnection] = []
        self._places = asyncio.Semaphore(PLACES)

    async def exchange(self, request: Request[Any]) -> Reply:
        """Sends a request and reads the whole reply."""
        self._belong_to_loop()
        async with self._places, self._answered(request, self._timeout) as connection:
            return await self._reply(connection)

    @asynccontextmanager
    async def stream(self, request: Request[Any], timeout: float | None = None) -> AsyncIterator[AsyncIterator[bytes]]:
        """Sends a request, and gives the pieces of its answer as they come. A problem is raised."""
        self._belong_to_loop()
        async with self._answered(request, timeout or self._timeout) as connection:
            if connection.status != 200:
                raise problem(await self._reply(connection))
            yield self._pieces(connection)

    async def close(self) -> None:
        """Closes the connections that no request uses."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.close()

    async def _reply(self, connection: AsyncConnection) -> Reply:
        body = [piece async for piece in self._pieces(connection)]
        return Reply(connection.status, connection.headers, b"".join(body))

    async def _pieces(self, connection: AsyncConnection) -> AsyncIterator[bytes]:
        try:
            async for piece in connection.pieces():
                yield piece
        except _LOST as error:
            raise self._unreachable(connection, error) from error

    @asynccontextmanager
    async def _answered(self, request: Request[Any], timeout: float) -> AsyncIterator[AsyncConnection]:
        """A connection that the head of the reply was read from. It is aborted if the reply is not read to its end."""
        connection = await self._sent_again(request, timeout) or await self._sent(request, timeout)
        try:
            yield connection
        finally:
            if connection.may_be_used_again:
                self._idle.append(connection)
            else:
                connection.abort()

    async def _sent_again(self, request: Request[Any], timeout: float) -> AsyncConnection | None:
        """Sends a request over an idle connection. None if the service has closed it since its last request."""
        if not self._idle:
            return None
        connection = self._idle.pop()
        try:
            await connection.send(request, self.address, timeout)
        except _LOST as error:
            connection.abort()
            if connection.is_late:
                raise self._unreachable(connection, error) from error
            return None
        except BaseException:
            connection.abort()
            raise
        return connection

    async def _sent(self, request: Request[Any], timeout: float) -> AsyncConnection:
        """Sends a request over a new connection."""
        if self.address.is_https:
            self._context = self._context or ssl.create_default_context()
        try:
            connection = await connect(self.address, self._context, timeout)
        except OSError as error:
            raise unreachable(self.address.url, error) from error
        try:
            await connection.send(request, self.address, timeout)
        except _LOST as error:
            connection.abort()
            raise self._unreachable(connection, error) from error
        except BaseException:
            connection.abort()
            raise
        return connection

    def _unreachable(self, connection: AsyncConnection, error: BaseException) -> Exception:
        return unreachable(self.address.url, TimeoutError() if connection.is_late else error)

    def _belong_to_loop(self) -> None:
        """Connections of another event loop, such as that of an `asyncio.run` before, cannot be used."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._idle, self._places = loop, [], asyncio.Semaphore(PLACES)
