"""Connections of threads to a service, over `http.client`."""

from __future__ import annotations

import http.client
import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lookalike.service._address import Address
from lookalike.service._reply import Reply, problem, unreachable
from lookalike.service._requests import Request

PIECE_BYTES = 64 << 10

_LOST = (OSError, http.client.HTTPException)


class Connections:
    """The connections of a client. Threads share them: each takes one for a request, and gives it back."""

    def __init__(self, address: Address, timeout: float) -> None:
        self.address = address
        self._timeout = timeout
        self._context: ssl.SSLContext | None = None
        # Appending and popping are atomic, so no lock is needed. The last one is taken first: it was used last.
        self._idle: list[http.client.HTTPConnection] = []
        self._process = os.getpid()

    def exchange(self, request: Request[Any]) -> Reply:
        """Sends a request and reads the whole reply."""
        connection, response = self._answered(request, self._timeout)
        try:
            reply = Reply(response.status, response.headers, response.read())
        except _LOST as error:
            connection.close()
            raise unreachable(self.address.url, error) from error
        except BaseException:
            connection.close()
            raise
        self._give_back(connection, response)
        return reply

    @contextmanager
    def stream(self, request: Request[Any], timeout: float | None = None) -> Iterator[Iterator[bytes]]:
        """Sends a request, and gives the pieces of its answer as they come. A problem is raised."""
        connection, response = self._answered(request, timeout or self._timeout)
        try:
            if response.status != 200:
                raise problem(Reply(response.status, response.headers, b"".join(self._pieces(response))))
            yield self._pieces(response)
            if response.isclosed() and timeout is None:
                self._give_back(connection, response)
            else:
                connection.close()
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Closes the connections that no request uses."""
        while self._idle:
            self._idle.pop().close()

    def _pieces(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        try:
            # `read1` of Python 3.10 does not end at the length of an answer.
            while piece := response.read1(PIECE_BYTES) if response.chunked else response.read():
                yield piece
        except _LOST as error:
            raise unreachable(self.address.url, error) from error

    def _answered(
        self, request: Request[Any], timeout: float
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Sends a request, and reads the head of the reply."""
        if (connection := self._idle_one()) is not None:
            try:
                return connection, self._send(connection, request, timeout)
            except TimeoutError as error:
                raise unreachable(self.address.url, error) from error
            except _LOST:
                # The service has closed it since its last request. This is no failure, so a new one is used at once.
                pass
        try:
            connection = self._new(timeout)
            return connection, self._send(connection, request, timeout)
        except _LOST as error:
            raise unreachable(self.address.url, error) from error

    def _send(
        self, connection: http.client.HTTPConnection, request: Request[Any], timeout: float
    ) -> http.client.HTTPResponse:
        try:
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            path = self.address.path + request.path
            try:
                connection.request(request.method, path, request.body, self.address.headers(request.content_type))
            except (BrokenPipeError, ConnectionResetError):
                # A server may refuse a long body before it has read it. Its reply is there all the same.
                pass
            response = connection.getresponse()
            if response.length is None and not response.chunked:
                # `http.client` takes a head that is cut off for a whole one.
                raise http.client.IncompleteRead(b"")
            return response
        except BaseException:
            connection.close()
            raise

    def _new(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self.address.host, self.address.port
        if self.address.is_https:
            self._context = self._context or ssl.create_default_context()
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=timeout, context=self._context
            )
        else:
            connection = http.client.HTTPConnection(host, port, timeout=timeout)
        connection.connect()
        return connection

    def _idle_one(self) -> http.client.HTTPConnection | None:
        if self._process != os.getpid():
            # The process was forked. Its parent goes on with these connections.
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return None

    def _give_back(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
