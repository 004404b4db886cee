"""Services for tests of clients: the program itself, and a server that fails as it is told."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import threading

import lookalike

NEWS = "The city council voted on Tuesday to close the old harbour bridge for repairs until the end of March."


class Service:
    """`lookalike serve` on a free port. It may be killed, and started again at the same port."""

    def __init__(self, folder, *options):
        self.options = ["--index", str(folder), *options]
        self.port = 0
        self.start()

    def start(self):
        command = [sys.executable, "-m", "lookalike", "serve", *self.options, "--listen", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        lines = iter(self.process.stderr.readline, "")
        self.address = next(found[0] for line in lines if (found := re.search("http://[0-9.:]+", line)))
        self.port = int(self.address.rpartition(":")[2])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()


class FakeServer:
    """A server that does what a list says: an item for each request.

    An item is bytes, which are sent, or a function of the connection. The connection is closed after a function, and
    after bytes that are no whole reply. The last item is used for all further requests.
    """

    def __init__(self, *items, context=None):
        self.items = list(items)
        self.context = context
        self.requests = []
        self.connections = 0
        self.gone = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        scheme = "https" if context else "http"
        self.address = f"{scheme}://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        if self.context:
            try:
                connection = self.context.wrap_socket(connection, server_side=True)
            except OSError:
                return
        with connection, connection.makefile("rb") as file:
            while request := read_request(file):
                self.requests.append(request)
                item = self.items.pop(0) if len(self.items) > 1 else self.items[0]
                if callable(item):
                    item(connection)
                    return
                connection.sendall(item)
                if b"Content-Length" not in item and not item.endswith(b"0\r\n\r\n"):
                    return

    def hang(self, connection):
        """Waits until the client goes away."""
        connection.recv(1)
        self.gone.set()

    def close(self):
        self.listener.close()


def read_request(file):
    """The head and the body of a request. None at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        if not (line := file.readline()):
            return None
        head += line
    length = re.search(rb"(?i)content-length: (\d+)", head)
    return head.decode(), file.read(int(length[1]) if length else 0)


def drop(connection):
    """Answers nothing."""


def reply(status, body="", **headers):
    lines = [f"HTTP/1.1 {status} X", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"Content-Length: {len(body.encode())}", "", body]).encode()


def problem(status, code, **headers):
    return reply(status, f'{{"status":{status},"code":"{code}","detail":"a sentence"}}', **headers)


def chunked(*pieces, whole=True):
    """A reply in chunks. It breaks off if it is not whole."""
    chunks = "".join(f"{len(piece.encode()):x}\r\n{piece}\r\n" for piece in pieces)
    return ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + ("0\r\n\r\n" if whole else "")).encode()


class Blocking:
    """An `AsyncClient` with the methods of a `Client`, so that one test is for both."""

    def __init__(self, *arguments, **options):
        self.loop = asyncio.new_event_loop()
        self.client = lookalike.AsyncClient(*arguments, **options)

    def __getattr__(self, name):
        method = getattr(self.client, name)

        def call(*arguments, **options):
            result = method(*arguments, **options)
            return self.iterate(result) if hasattr(result, "__anext__") else self.loop.run_until_complete(result)

        return call

    def iterate(self, answers):
        try:
            while True:
                yield self.loop.run_until_complete(answers.__anext__())
        except StopAsyncIteration:
            return
        finally:
            self.loop.run_until_complete(answers.aclose())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
        self.loop.close()

    def __repr__(self):
        return repr(self.client)


CLIENTS = [lookalike.Client, Blocking]
