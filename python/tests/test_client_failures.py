"""Clients of a service, and a server that fails as it is told."""

import asyncio
import math
import os
import shutil
import ssl
import subprocess
from types import SimpleNamespace

import pytest

import lookalike
from lookalike.service import _async_connections, _async_sender, _events, _sender
from services import CLIENTS, FakeServer, chunked, drop, problem, reply

NEW = reply(200, '{"status":"new","match":null,"candidates":0,"compared":0,"capped":false}')
ADDED = '{"status":"added","stored":true,"match":null,"sequence":%d}\n'
LINES = [{"id": str(row), "text": "words"} for row in range(5)]


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that clients wanted to make. They make none."""
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    monkeypatch.setattr(_sender, "time", SimpleNamespace(sleep=pauses.append))
    monkeypatch.setattr(_async_sender, "asyncio", SimpleNamespace(sleep=sleep))
    return pauses


@pytest.fixture(params=CLIENTS, ids=["sync", "async"])
def ask(request, pauses):
    """Makes a server with these replies, and a client of it."""
    made = []

    def make(*items, context=None, **options):
        server = FakeServer(*items, context=context)
        client = request.param(server.address, **options)
        made.append((server, client.__enter__()))
        return made[-1]

    yield make
    for server, client in made:
        client.__exit__(None, None, None)
        server.close()


def refused(call):
    with pytest.raises(lookalike.ServiceError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("lost", [drop, b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{", b"HTTP/1.1 200 OK\r\nX"])
def test_a_request_without_an_answer_is_sent_again(ask, pauses, lost):
    server, client = ask(drop_after(lost), drop_after(lost), NEW)
    assert client.check("text").status == "new"
    assert len(server.requests) == 3 and server.requests[0] == server.requests[2]
    assert 0.125 <= pauses[0] <= 0.25 <= pauses[1] <= 0.5


def drop_after(part):
    return part if callable(part) else lambda connection: connection.sendall(part)


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_what_passes_is_asked_again_after_the_time_that_the_service_says(ask, pauses, status):
    server, client = ask(problem(status, "busy", Retry_After=2), reply(204))
    client.remove("a")
    assert len(server.requests) == 2 and 2 < pauses[0] < 2.5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 500, 507])
def test_what_stays_is_not_asked_again(ask, status):
    server, client = ask(problem(status, "a_code"))
    error = refused(lambda: client.add("a", "text"))
    assert (str(error), error.status, error.code) == ("a sentence", status, "a_code")
    assert len(server.requests) == 1


def test_retries_end(ask, pauses):
    server, client = ask(problem(503, "closing", Retry_After=1), retries=3)
    error = refused(lambda: client.check("text"))
    assert (error.code, error.retry_after, len(server.requests), len(pauses)) == ("closing", 1, 4, 3)
    server, client = ask(drop, retries=0)
    assert isinstance(refused(lambda: client.check("text")), lookalike.ServiceUnreachable)
    assert len(server.requests) == 1


def test_a_long_pause_is_left_to_the_caller(ask, pauses):
    server, client = ask(problem(503, "http", Retry_After=3600))
    assert refused(lambda: client.check("text")).retry_after == 3600
    assert len(server.requests) == 1 and pauses == []


def test_a_slow_service_is_not_waited_for_longer_than_timeout(ask):
    server, client = ask(lambda connection: server.hang(connection), timeout=0.05, retries=1)
    error = refused(lambda: client.check("text"))
    assert isinstance(error, ConnectionError) and "in time" in str(error) and error.status is None
    assert server.gone.wait(5) and len(server.requests) == 2


def test_a_connection_that_the_service_has_closed_meanwhile_is_no_failure(ask, pauses):
    server, client = ask(NEW, drop, NEW)
    assert [client.check("text").status for _ in range(2)] == ["new", "new"]
    assert (server.connections, len(server.requests), pauses) == (2, 3, [])


def test_connections_are_used_again(ask):
    server, client = ask(NEW, chunked('{"status":"new","candidates":0,"compared":0,"capped":false}'), NEW)
    assert [client.check("text").status for _ in range(3)] == ["new"] * 3
    assert server.connections == 1


@pytest.mark.parametrize("other", [reply(200, "{}"), reply(200, "<html>"), reply(200, "[1]"), b"SSH-2.0-x\r\n\r\n"])
def test_another_server_is_named(ask, other):
    _, client = ask(other, retries=0)
    assert refused(lambda: client.check("text")).code == "no_answer"


def test_the_certificate_of_a_proxy_is_checked(ask, monkeypatch, tmp_path, pauses):
    openssl = shutil.which("openssl", path=os.pathsep.join([os.environ["PATH"], os.defpath]))
    if openssl is None:
        pytest.skip("there is no openssl to make a certificate")
    certificate, key = str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")
    command = "req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([openssl, *command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server, client = ask(NEW, context=context)
    error = refused(lambda: client.check("text"))
    assert "CERTIFICATE_VERIFY_FAILED" in str(error) and pauses == []
    monkeypatch.setenv("SSL_CERT_FILE", certificate)
    with type(client)(server.address) as trusting:
        assert [trusting.check("text").status for _ in range(2)] == ["new", "new"]
    assert len(server.requests) == 2


def test_problems_of_proxies_have_a_sentence(ask):
    _, client = ask(reply(504, "<html>"), retries=0)
    assert str(refused(lambda: client.check("text"))) == "the server answered 504 Gateway Timeout"
    server, client = ask(reply(301, Location="https://x.example/"), key="secret")
    assert "301 Moved Permanently to https://x.example/" in str(refused(lambda: client.check("text")))
    assert "Bearer secret" in server.requests[0][0] and len(server.requests) == 1


def test_a_document_that_has_expired_is_not_there(ask):
    _, client = ask(problem(410, "expired"))
    assert client.get("a") is None
    assert isinstance(refused(lambda: client.similar(id="a")), lookalike.NoDocument)
    _, client = ask(problem(404, "no_route"))
    assert refused(lambda: client.get("a")).code == "no_route"


def test_only_lines_without_an_answer_are_sent_again(ask, pauses):
    refusal = '{"status":503,"code":"unreachable","detail":"Redis"}\n'
    error = '{"status":409,"code":"other_text","detail":"other"}\n'
    server, client = ask(
        chunked(ADDED % 0, error + '{"status', whole=False),
        chunked(ADDED % 2, refusal, ADDED % 3, '{"lines":3,"errors":1}\n'),
        reply(200, ADDED % 4 + '{"lines":1,"errors":0}\n'),
    )
    answers = list(client.bulk("add", LINES))
    assert [getattr(answer, "sequence", None) for answer in answers] == [0, None, 2, 4, 3]
    assert answers[1].code == "other_text"
    sent = [[line["id"] for line in LINES if f'"id":"{line["id"]}"' in body.decode()] for _, body in server.requests]
    assert sent == [["0", "1", "2", "3", "4"], ["2", "3", "4"], ["3"]] and len(pauses) == 2


def test_bulk_gives_what_it_has_before_it_fails(ask):
    _, client = ask(chunked(ADDED % 0, ADDED % 1, whole=False), drop, retries=1)
    answers = client.bulk("add", LINES)
    assert [next(answers).sequence for _ in range(2)] == [0, 1]
    assert "did not answer" in str(refused(lambda: next(answers)))
    busy = '{"status":429,"code":"busy","detail":"busy"}\n'
    _, client = ask(chunked(busy, ADDED % 1, '{"lines":2,"errors":1}\n'), reply(200, busy + '{"lines":1,"errors":1}\n'), retries=1)
    first, second = client.bulk("add", LINES[:2])
    assert (first.code, second.sequence) == ("busy", 1)


def event(number):
    return f'id: 7-{number}\ndata: {{"type":"added","id":"d{number}","sequence":{number}}}\n\n'


def test_events_go_on_behind_the_last_one(ask):
    streams = chunked(event(1), ": still here\n", event(2)[:9], event(2)[9:], event(3)[:9]), chunked(event(3)), problem(410, "too_old")
    server, client = ask(*(lambda connection, stream=stream: connection.sendall(stream) for stream in streams))
    events = client.events()
    assert [next(events).id for _ in range(3)] == ["d1", "d2", "d3"]
    assert refused(lambda: next(events)).code == "too_old"
    paths = [head.split()[1] for head, _ in server.requests]
    assert paths == ["/v1/events?last=0", "/v1/events?from=7-2", "/v1/events?from=7-3"]


def test_events_are_not_missed_in_silence(ask):
    server, client = ask(drop, lambda connection: connection.sendall(chunked(": nothing yet\n", whole=False)))
    assert isinstance(refused(lambda: next(client.events())), lookalike.ServiceUnreachable)
    assert len(server.requests) == 2
    assert _events.PATIENCE > 15


def test_a_cancelled_request_closes_its_connection_and_is_not_sent_again():
    server = FakeServer(NEW, lambda connection: server.hang(connection))

    async def cancel():
        async with lookalike.AsyncClient(server.address) as client:
            await client.check("text")
            task = asyncio.create_task(client.add("a", "text"))
            while len(server.requests) < 2:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.gone.wait, 5)
            server.items = [NEW]
            assert (await client.check("text")).status == "new"

    asyncio.run(cancel())
    assert len(server.requests) == 3


def test_a_cancelled_pause_sends_nothing():
    server = FakeServer(problem(503, "closing", Retry_After=20))

    async def cancel():
        async with lookalike.AsyncClient(server.address) as client:
            task = asyncio.create_task(client.check("text"))
            while not server.requests:
                await asyncio.sleep(0.001)
            # It has the reply by now, and pauses. If not, it is cancelled while it reads.
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(cancel())
    assert len(server.requests) == 1


def test_coroutines_wait_for_their_turn(monkeypatch):
    monkeypatch.setattr(_async_connections, "PLACES", 3)
    server = FakeServer(NEW)
    client = lookalike.AsyncClient(server.address)

    async def many():
        assert {answer.status for answer in await asyncio.gather(*(client.check("text") for _ in range(60)))} == {"new"}
        await client.close()

    # Each run has a loop of its own.
    asyncio.run(many())
    asyncio.run(many())
    assert server.connections <= 6


def test_a_path_and_a_key_are_sent(ask):
    server, client = ask(NEW)
    with type(client)(f"{server.address}/dedup/", key="s3cret") as other:
        other.check("text", threshold=0.9)
        assert "s3cret" not in repr(other)
    head, body = server.requests[0]
    assert head.startswith("POST /dedup/v1/check HTTP/1.1") and "Authorization: Bearer s3cret" in head
    assert body == b'{"text":"text","threshold":0.9}'


@pytest.mark.parametrize("make", [lookalike.Client, lookalike.AsyncClient])
def test_wrong_arguments_of_a_client_are_named(make):
    for address in ("localhost:8765", "ftp://x", "http://", "http://a b", "http://x?y", "http://x:port"):
        with pytest.raises(ValueError, match="address"):
            make(address)
    with pytest.raises(ValueError, match="key"):
        make("http://x", key="a\r\nX: y")
    with pytest.raises(ValueError, match="timeout"):
        make("http://x", timeout=0)
    with pytest.raises(ValueError, match="retries"):
        make("http://x", retries=-1)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda client: client.check(5), TypeError, "text is int"),
        (lambda client: client.check(), ValueError, "give one of text and html"),
        (lambda client: client.check("a", html="b"), ValueError, "give one of text and html"),
        (lambda client: client.check("\ud800"), ValueError, "text cannot be JSON"),
        (lambda client: client.check("x" * (16 << 20)), ValueError, "text is too long"),
        (lambda client: client.check("a", threshold=2), ValueError, "threshold is 2"),
        (lambda client: client.similar("a", k=0), ValueError, "k is 0"),
        (lambda client: client.similar(), ValueError, "text, html, id and url"),
        (lambda client: client.compare("a", 5), TypeError, "b is int"),
        (lambda client: client.deduplicate("a"), TypeError, "documents is str"),
        (lambda client: client.deduplicate(["a", 5]), TypeError, r"documents\[1\] is int"),
        (lambda client: client.add(5, "a"), TypeError, "id is int"),
        (lambda client: client.add("", "a"), ValueError, "id is empty"),
        (lambda client: client.add("é" * 513, "a"), ValueError, "id has 1,026 bytes"),
        (lambda client: client.add("\ud800", "a"), ValueError, "id is"),
        (lambda client: client.add("a", "a", titel="x"), TypeError, "no titel"),
        (lambda client: client.put("a", "a", on_duplicate="store"), TypeError, "no on_duplicate"),
        (lambda client: client.add("a", "a", on_duplicate="keep"), ValueError, "on_duplicate is 'keep'"),
        (lambda client: client.add("a", "a", ttl=0), ValueError, "ttl is 0"),
        (lambda client: client.add("a", "a", priority=math.nan), ValueError, "priority is nan"),
        (lambda client: client.add("a", "a", meta={1, 2}), TypeError, "meta cannot be JSON"),
        (lambda client: client.touch("a", ttl=True), TypeError, "ttl is bool"),
        (lambda client: client.bulk("merge", []), ValueError, "op is 'merge'"),
        (lambda client: list(client.bulk("add", ["a"])), TypeError, r"lines\[0\] is str"),
        (lambda client: list(client.bulk("add", [{}, {"meta": {1}}])), TypeError, r"lines\[1\] cannot be JSON"),
        (lambda client: next(client.events(last=-1)), ValueError, "last is -1"),
    ],
)
def test_wrong_arguments_are_named_before_they_are_sent(ask, call, kind, sentence):
    server, client = ask(NEW)
    with pytest.raises(kind, match=sentence):
        call(client)
    assert server.requests == []
