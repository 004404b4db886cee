#!/usr/bin/env python3
"""Clients that send slowly, send half, do not read or do nothing, and the latency of others beside them.

    slow_clients.py --program target/release/lookalike [--seconds 10] [--idle 10000]

Starts a service with 2,000 documents. Two other processes check texts at a constant rate, 100 a second together, on connections of their own; a check that comes late
counts from the moment at which it was due. Beside them, one after the other:

    none          nobody
    header        200 clients send a byte of a head a second
    body          200 clients send a byte of a body a second
    half          200 clients send half of a body, and then nothing
    unread        20 clients send bulk checks as fast as they can, and read no answer
    idle          10,000 clients connect, and send nothing

Prints a Markdown table: checks, latency, memory and open files of the service. Not for: how fast the service is (bench/service.py).
"""
import argparse
import contextlib
import http.client
import json
import multiprocessing
import os
import pathlib
import resource
import socket
import tempfile
import threading
import time

from service import JSON, Service, text_of

DOCUMENTS, RATE, PROBES = 2000, 100, 2
HEAD = b"POST /v1/check HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


def probe(address, first, seconds, results):
    """Checks at a constant rate. Gives the latencies, and the number of failures."""
    connection, latencies, failures = http.client.HTTPConnection(*address, timeout=30), [], 0
    begin = time.monotonic()
    for number in range(seconds * RATE // PROBES):
        due = begin + number * PROBES / RATE
        time.sleep(max(0, due - time.monotonic()))
        body = json.dumps({"text": text_of((first + 7 * number) % DOCUMENTS, 9)})
        try:
            connection.request("POST", "/v1/check", body, JSON)
            answer = connection.getresponse()
            failures += json.loads(answer.read())["match"] is None
        except (OSError, http.client.HTTPException, KeyError, ValueError):
            failures += 1
            connection.close()
        latencies.append(time.monotonic() - due)
    results.put((latencies, failures))


def measure(service, seconds):
    results, latencies, failures = multiprocessing.Queue(), [], 0
    processes = [multiprocessing.Process(target=probe, args=(service.address, 1000 * n, seconds, results)) for n in range(PROBES)]
    for process in processes:
        process.start()
    for _ in processes:
        some, failed = results.get()
        latencies += some
        failures += failed
    latencies.sort()
    share = lambda part: 1000 * latencies[min(len(latencies) - 1, int(part * len(latencies)))]
    pid = service.pid()
    memory = next(line.split()[1] for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    files = len(os.listdir(f"/proc/{pid}/fd"))
    return len(latencies), failures, share(0.5), share(0.99), latencies[-1] * 1000, int(memory) / 1024, files


class Clients:
    """Connections, and a thread that sends on them now and then."""

    def __init__(self, service, count, first=b"", each=None, interval=1.0):
        self.sockets, self.over = [], threading.Event()
        for _ in range(count):
            connection = socket.create_connection(service.address, 10)
            connection.sendall(first)
            connection.setblocking(False)
            self.sockets.append(connection)
        self.each, self.interval = each, interval
        self.thread = threading.Thread(target=self.send, daemon=True)
        self.thread.start()

    def send(self):
        while self.each and not self.over.wait(self.interval):
            for connection in self.sockets:
                with contextlib.suppress(OSError):
                    connection.send(self.each)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        for connection in self.sockets:
            connection.close()


def attacks(service, arguments):
    line = json.dumps({"text": text_of(5, 5)}) + "\n"
    chunk = line * 200
    chunk = f"{len(chunk):x}\r\n{chunk}\r\n".encode()
    bulk = b"POST /v1/bulk?op=check HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    yield "none", lambda: contextlib.nullcontext()
    yield "header", lambda: Clients(service, 200, HEAD + b"x: ", b"y")
    yield "body", lambda: Clients(service, 200, HEAD + b"content-length: 1000\r\n\r\n", b"{")
    yield "half", lambda: Clients(service, 200, HEAD + b"content-length: 1000\r\n\r\n" + b'{"text": "' + 490 * b"x")
    yield "unread", lambda: Clients(service, 20, bulk, chunk, 0.01)
    yield f"idle {arguments.idle:,}", lambda: Clients(service, arguments.idle)
    yield "none, after all", lambda: contextlib.nullcontext()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--idle", type=int, default=10_000)
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as temporary:
        # As a shell gives it: the service raises it.
        low = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))
        service = Service(arguments.program, pathlib.Path(temporary) / "seen.index", prepare=low)
        try:
            lines = ({"id": f"d{number}", "text": text_of(number)} for number in range(DOCUMENTS))
            *_, totals = service.client().bulk("add", lines)
            assert totals == {"lines": DOCUMENTS, "errors": 0}, totals
            print("| beside | checks | failed | p50 ms | p99 ms | max ms | MB | open files |\n|---|---|---|---|---|---|---|---|")
            for name, attack in attacks(service, arguments):
                with attack():
                    count, failures, *latency, memory, files = measure(service, arguments.seconds)
                print(f"| {name} | {count} | {failures} | {' | '.join(f'{ms:.2f}' for ms in latency)} | {memory:.0f} | {files} |", flush=True)
        finally:
            service.kill()


if __name__ == "__main__":
    main()
