"""Clients of a service, which is started for the tests."""

import asyncio
import concurrent.futures
import contextlib
import hashlib
import itertools
import multiprocessing
import pickle
import socket
import threading
import time

import pytest

import lookalike
from conftest import corpus, python, true_pairs
from lookalike import columns
from services import CLIENTS, NEWS, Service

ROBOT = "Researchers in Oslo have taught a small robot to sort apples by smell."


@pytest.fixture
def started(tmp_path):
    """Starts services, and stops them in the end."""
    with contextlib.ExitStack() as stack:
        numbers = itertools.count()

        def start(*options, folder=None):
            service = Service(folder or tmp_path / f"{next(numbers)}.index", *options)
            stack.callback(service.stop)
            return service

        yield start


@pytest.fixture(params=CLIENTS, ids=["sync", "async"])
def connect(request):
    """Makes clients of each kind, and closes them in the end."""
    with contextlib.ExitStack() as stack:
        yield lambda *arguments, **options: stack.enter_context(request.param(*arguments, **options))


@pytest.fixture
def client(started, connect):
    return connect(started("--mode", "all").address)


def test_texts_are_added_and_found(client):
    assert client.add("a", NEWS, url="https://a.example/x", title="A", priority=2, meta={"n": [1]}).status == "added"
    added = client.add("b", html=f"<h1>{NEWS}</h1> More soon.", on_duplicate="store")
    assert (added.status, added.stored, added.match.id, added.match.meta) == ("duplicate", True, "a", {"n": [1]})
    assert client.add("c", NEWS, on_duplicate="refuse").stored is False
    checked = client.check(NEWS, threshold=0.9)
    assert (checked.status, checked.match.id, checked.match.title) == ("copy", "a", "A")
    assert client.check("another text").match is None
    similar = client.similar(url="https://a.example/x", k=5)
    assert [match.id for match in similar.matches] == ["b"]
    assert client.similar(ROBOT, explain=True).nearest is None
    cluster = client.cluster("b")
    assert (cluster.canonical, [member.id for member in cluster.members]) == ("a", ["a", "b"])


def test_documents_are_read_touched_and_removed(client):
    assert client.put("a", NEWS, ttl=60).status == "added"
    document = client.get("a", text=True)
    assert document.text == NEWS and document.expires - document.added == 60
    assert client.get("a").text is None
    assert client.touch("a", ttl=600).expires > document.expires
    client.remove("a", purge=True)
    client.remove("a")
    assert client.get("a") is None and client.touch("a", ttl=5) is None and client.cluster("a") is None


def test_two_texts_are_compared(client):
    client.put("a", NEWS)
    compared = client.compare({"id": "a"}, f"{NEWS} More soon.")
    assert compared.found and compared.a.id == "a" and compared.similarity == compared.measures.jaccard
    assert compared.passages[0].a == (0, 100) and compared.passages[0].equal[0].b == (0, 100)


def test_lists_lose_their_near_duplicates(client):
    client.put("known", ROBOT)
    listed = client.deduplicate([NEWS, {"id": "r", "text": ROBOT}, NEWS], against_index=True)
    [unique], [seen] = listed.unique, listed.seen
    assert (unique.index, unique.stands_for[0].index, unique.stands_for[0].similarity) == (0, 2, 1.0)
    assert (seen.index, seen.id, seen.match.id) == (1, "r", "known")


def test_a_missing_document_to_compare_is_an_exception(client):
    for call in (lambda: client.similar(id="x"), lambda: client.compare({"id": "x"}, "text")):
        with pytest.raises(lookalike.NoDocument, match='no document has the id "x"') as caught:
            call()
        assert isinstance(caught.value, KeyError) and caught.value.status == 404


def test_the_same_addition_again_changes_nothing(client):
    assert client.add("a", NEWS).status == "added"
    again = client.add("a", NEWS)
    assert (again.status, again.stored, again.match) == ("unchanged", True, None)
    assert client.put("a", NEWS).status == "unchanged"
    with pytest.raises(lookalike.ServiceError, match="another text") as caught:
        client.add("a", ROBOT)
    assert (caught.value.status, caught.value.code) == (409, "other_text")
    assert client.index().documents == 1


@pytest.mark.parametrize("id", ["a/b?c#d %2F", "日本語", "..", "é" * 512, "a b+c&d"])
def test_an_id_may_have_any_characters(client, id):
    client.put(id, NEWS)
    assert client.get(id).id == id
    assert [match.id for match in client.similar(NEWS).matches] == [id]
    client.remove(id)
    assert client.get(id) is None


def test_bulk_answers_each_line_in_order(client):
    texts = corpus(3000)
    answers = list(client.bulk("put", ({"id": str(row), "text": text} for row, text in enumerate(texts))))
    assert len(answers) == 3000 and {answer.status for answer in answers} == {"added"}
    lines = [{"id": "a", "text": texts[0]}, {"id": "b"}, {"id": "c", "text": "x" * (17 << 20)}, {"id": "d", "text": texts[1]}]
    first, empty, too_long, last = client.bulk("check", lines)
    assert (first.id, first.match.similarity, last.id) == ("a", 1.0, "d")
    assert empty.code == "invalid" and too_long.status == 413
    removed = client.bulk("remove", ({"id": str(row)} for row in (5, 5)))
    assert [answer.removed for answer in removed] == [True, False]
    assert list(client.bulk("add", [])) == []


def test_a_bulk_line_is_compared_with_the_line_before_it(started, connect):
    client = connect(started().address)
    shared = " ".join(f"shared{word}" for word in range(90))
    own = lambda name, count: " ".join(f"{name}{word}" for word in range(count))
    client.add("a", f"{shared} {own('a', 14)}")
    lines = [{"id": "b", "text": f"{shared} {own('b', 10)}"}, {"id": "c", "text": shared}]
    first, second = client.bulk("add", lines)
    assert (first.status, first.sequence) == ("added", 1)
    assert (second.match.id, second.sequence) == ("b", 2)


def test_connections_send_without_delay(started):
    def is_immediate(connection):
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0

    async def asynchronous():
        async with lookalike.AsyncClient(service.address) as client:
            assert await client.health()
            connection = client._sender._connections._idle[0]
            return is_immediate(connection._writer.get_extra_info("socket"))

    service = started()
    with lookalike.Client(service.address) as client:
        assert client.health()
        assert is_immediate(client._sender._connections._idle[0].sock)
    assert asyncio.run(asynchronous())


def test_bulk_reads_only_what_it_sends(client):
    read = []

    def lines():
        for row in itertools.count():
            read.append(row)
            yield {"id": str(row), "text": f"text {row}"}

    answers = client.bulk("check", lines())
    next(answers)
    assert len(read) == 1025


def test_events_are_read_as_they_happen(client):
    client.put("a", NEWS)
    client.remove("a")
    stream = client.events(last=2)
    added = next(stream)
    assert (added.type, added.id, next(stream).type) == ("added", "a", "removed")
    client.add("b", NEWS)
    event = next(stream)
    assert (event.type, event.id, event.similarity) == ("added", "b", None)
    stream.close()
    assert next(client.events(after=added.event_id)).type == "removed"
    with pytest.raises(lookalike.ServiceError) as caught:
        next(client.events(after="1-1"))
    assert (caught.value.status, caught.value.code) == (410, "too_old")


def test_a_service_says_how_it_is(client, started, connect):
    assert client.health()
    # The service reads its index after its start.
    while not client.ready():
        time.sleep(0.01)
    index = client.index()
    assert (index.plan.threshold, index.plan.method, index.mode, index.not_ready) == (0.8, "minhash", "all", None)
    gone = started()
    other = connect(gone.address)
    assert other.health()
    gone.stop()
    assert not other.health() and not other.ready()


def test_keys_open_a_service(started, connect, tmp_path):
    keys = tmp_path / "keys"
    keys.write_text("".join(f"{role} {role} {hashlib.sha256(role.encode()).hexdigest()}\n" for role in ("read", "write")))
    address = started("--keys", str(keys)).address
    assert connect(address, key="write").add("a", NEWS).stored
    reader = connect(address, key="read")
    assert reader.check(NEWS).status == "copy" and "read" not in repr(reader)
    assert [answer.status for answer in reader.bulk("check", [{"text": NEWS}])] == ["copy"]
    for key, status, code in (("read", 403, "forbidden"), ("unknown", 401, "no_key"), (None, 401, "no_key")):
        with pytest.raises(lookalike.ServiceError) as caught:
            connect(address, key=key).add("b", ROBOT)
        assert (caught.value.status, caught.value.code) == (status, code)
    assert connect(address).health()


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_a_service_has_the_similarities_of_the_package(started, connect, tmp_path, threshold):
    pyarrow = pytest.importorskip("pyarrow")
    texts, plan = corpus(400, seed=5), lookalike.Plan(threshold=threshold, method="minhash", tokens="whitespace")
    lookalike.Index.create(tmp_path / "plan.index", plan=plan)
    client = connect(started(folder=tmp_path / "plan.index").address)
    served = client.index().plan
    assert (served.bands, served.rows, served.threshold) == (plan.bands, plan.rows, plan.threshold)
    list(client.bulk("put", ({"id": str(row), "text": text} for row, text in enumerate(texts))))
    of_service = {}
    for row in range(len(texts)):
        for match in client.similar(id=str(row), k=100).matches:
            of_service[tuple(sorted((row, int(match.id))))] = match.similarity
    assert len(of_service) > 50 and of_service.items() <= true_pairs(texts, threshold).items()

    assert of_service == {(row["a"], row["b"]): row["jaccard"] for row in lookalike.pairs(texts, plan=plan)}

    features = columns.features(columns.of(texts), plan).to_pylist()
    left, right = (pyarrow.array([features[row] for row in rows], pyarrow.binary()) for rows in zip(*of_service))
    assert columns.verify(left, right, plan).to_pylist() == list(of_service.values())

    seen = lookalike.Seen(plan=plan)
    for row, text in enumerate(texts):
        matches = seen.find_all(text) if seen.add(text, row) is not None else []
        assert all(of_service[match.id, row] == match.similarity for match in matches)


def test_threads_share_a_client(started):
    with lookalike.Client(started().address) as client, concurrent.futures.ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(lambda row: client.add(str(row % 50), f"text {row % 50}").status, range(400)))
    assert (statuses.count("added"), statuses.count("unchanged")) == (50, 350)


def test_a_client_may_go_to_other_processes(started):
    with lookalike.Client(started().address) as client:
        client.put("a", NEWS)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                assert pool.map(client.get, ["a"] * 20) == [client.get("a")] * 20
        with pickle.loads(pickle.dumps(client)) as copy:
            assert copy.check(NEWS).status == "copy"


def test_a_forked_process_uses_connections_of_its_own(started):
    program = """if True:
        import lookalike, os, sys
        client = lookalike.Client(sys.argv[1])
        client.put("a", "some words")
        child = os.fork()
        ids = {client.similar("some words").matches[0].id for _ in range(200)}
        if not child:
            os._exit(ids != {"a"})
        assert ids == {"a"} and os.waitpid(child, 0)[1] == 0
    """
    done = python(program, started().address)
    assert done.returncode == 0, done.stderr


def test_nothing_is_lost_or_doubled_when_the_service_is_killed(started, connect):
    service = started()
    client = connect(service.address, retries=30)
    texts, answers = corpus(6000, seed=9), []
    stop = threading.Event()

    def kill():
        for seen in (500, 2500, 4500):
            while len(answers) < seen and not stop.wait(0.001):
                pass
            service.kill()
            service.start()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        answers.extend(client.bulk("put", ({"id": str(row), "text": text} for row, text in enumerate(texts))))
    finally:
        stop.set()
        killer.join()
    assert all(answer.stored for answer in answers) and len(answers) == len(texts)
    assert client.index().documents == len(texts)
    assert client.get("5999", text=True).text == texts[5999]


def test_an_import_of_the_package_leaves_the_clients_out():
    program = "import sys, lookalike; print('lookalike.service' in sys.modules); lookalike.Client; print('ssl' in sys.modules)"
    assert python(program).stdout == "False\nTrue\n"
