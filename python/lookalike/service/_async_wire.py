"""One connection over the streams of asyncio: a request is written, and the reply is read."""

from __future__ import annotations

import asyncio
import http.client
import io
import ssl
from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeVar

from lookalike.service._address import Address
from lookalike.service._requests import Request

_T = TypeVar("_T")


async def connect(address: Address, context: ssl.SSLContext | None, timeout: float) -> AsyncConnection:
    """Makes a connection to a service."""
    connecting = asyncio.open_connection(address.host, address.port, ssl=context)
    try:
        reader, writer = await asyncio.wait_for(connecting, timeout)
    except asyncio.TimeoutError as error:
        # It is another class in Python 3.10.
        raise TimeoutError from error
    return AsyncConnection(reader, writer)


class AsyncConnection:
    """A connection. One request at a time uses it."""

    status: int
    headers: http.client.HTTPMessage

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._timeout = 0.0
        self._may_stay_open = False
        self.may_be_used_again = False
        """Whether a reply was read to its end, and the server leaves the connection open."""
        self.is_late = False
        """Whether it was aborted because nothing came in time."""

    async def send(self, request: Request[Any], address: Address, timeout: float) -> None:
        """Writes a request, and reads the head of the reply."""
        self._timeout = timeout
        self.may_be_used_again = False
        self._writer.write(_written(request, address))
        try:
            await self._in_time(self._writer.drain())
        except (BrokenPipeError, ConnectionResetError):
            # A server may refuse a long body before it has read it. Its reply is there all the same.
            pass
        self.status = 100
        while 100 <= self.status < 200:
            await self._read_head()
        if "content-length" not in self.headers and not self._is_chunked and self.status != 204:
            # Without a length nobody knows whether a reply is whole. Services and proxies send one.
            raise http.client.IncompleteRead(b"")

    async def pieces(self) -> AsyncIterator[bytes]:
        """The pieces of the body."""
        if self._is_chunked:
            while size := int((await self._line()).partition(b";")[0], 16):
                yield (await self._in_time(self._reader.readexactly(size + 2)))[:-2]
            while await self._line() != b"\r\n":
                pass
        elif self.status != 204:
            yield await self._in_time(self._reader.readexactly(int(self.headers["content-length"])))
        self.may_be_used_again = self._may_stay_open

    @property
    def _is_chunked(self) -> bool:
        return self.headers.get("transfer-encoding", "").lower() == "chunked"

    def abort(self) -> None:
        """Closes the connection at once. What was not sent is not sent any more."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Closes the connection."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass

    async def _read_head(self) -> None:
        head = await self._in_time(self._reader.readuntil(b"\r\n\r\n"))
        status_line, _, lines = head.partition(b"\r\n")
        version, status, *_ = status_line.split(b" ")
        if not version.startswith(b"HTTP/1."):
            raise http.client.BadStatusLine(status_line[:80].decode("latin-1"))
        self.status = int(status)
        self.headers = http.client.parse_headers(io.BytesIO(lines))
        connection = self.headers.get("connection", "").lower()
        self._may_stay_open = version == b"HTTP/1.1" and "close" not in connection

    async def _line(self) -> bytes:
        return await self._in_time(self._reader.readuntil(b"\r\n"))

    async def _in_time(self, waiting: Awaitable[_T]) -> _T:
        """Waits, and aborts the connection if nothing comes in time.

        Python 3.10 has no `asyncio.timeout`, and its `wait_for` may swallow a cancellation.
        """
        alarm = asyncio.get_running_loop().call_later(self._timeout, self._give_up)
        try:
            return await waiting
        finally:
            alarm.cancel()

    def _give_up(self) -> None:
        self.is_late = True
        self.abort()


def _written(request: Request[Any], address: Address) -> bytes:
    host = f"[{address.host}]" if ":" in address.host else address.host
    headers = {"Host": f"{host}:{address.port}", **address.headers(request.content_type)}
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {address.path}{request.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + (request.body or b"")
