"""Threads, signals and other processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import sysconfig
import textwrap
import threading
import time
from pathlib import Path

import pytest

import lookalike
from conftest import corpus, jsonl, python

TEXTS = corpus(300)

SLOW = """
import random, lookalike
draw = random.Random(1)
vocabulary = [f"w{number}" for number in range(50)]
texts = [" ".join(draw.choices(vocabulary, k=400)) for _ in range(20000)]
"""
"""Texts whose exact comparison takes minutes: all words are frequent."""


def kept(texts):
    return len(lookalike.dedup(texts, threads=2).kept())


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_child_of_a_process_that_has_computed_computes(method):
    expected = kept(TEXTS)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(kept, [TEXTS] * 4).get(timeout=60) == [expected] * 4


def test_a_forked_child_computes():
    expected = kept(TEXTS)
    child = os.fork()
    if child == 0:
        os._exit(0 if kept(TEXTS) == expected else 1)
    deadline = time.monotonic() + 30
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)


@pytest.mark.parametrize(
    "calls",
    [
        "lookalike.dedup(texts, threads=4).removed",
        "lookalike.dedup(files, output=folder + '/out.jsonl')",
        "lookalike.pairs(texts).clusters",
        "lookalike.similar('one two', texts)",
        "lookalike.sketch(texts, method='simhash', weights='tf-idf')",
        "lookalike.compare(texts[0], texts[1])",
        "lookalike.tune(texts)",
        "lookalike.evaluate([(1, 2)], [(1, 2)])",
        "lookalike.Seen().add_many(texts)",
        "index = lookalike.Index.create(folder + '/index'); index.add(texts); index.find(texts); index.info(verify=True)",
    ],
)
def test_no_thread_outlives_a_call(calls, tmp_path):
    jsonl(tmp_path / "in.jsonl", TEXTS)
    program = textwrap.dedent(f"""
        import os, sys, time, lookalike
        # numpy would start threads of its own.
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        folder = sys.argv[1]
        texts = [f"some words of the text {{number % 90}} and others" for number in range(300)]
        files = lookalike.Files(folder + "/in.jsonl")
        {calls}
        deadline = time.monotonic() + 5
        def threads():
            names = []
            for task in os.listdir("/proc/self/task"):
                try:
                    names.append(open(f"/proc/self/task/{{task}}/comm").read().strip())
                except OSError:
                    pass  # It has ended since.
            return names
        while len(threads()) > 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        print(*threads()[1:])
    """)
    done = python(program, str(tmp_path))
    assert (done.stdout, done.stderr) == ("\n", "")


@pytest.mark.parametrize(
    "call",
    [
        'lookalike.dedup(texts, method="exact", threshold=0.3, shingle=1)',
        'lookalike.pairs(texts, method="exact", threshold=0.3, shingle=1)',
        'lookalike.sketch(texts * 50, num_perm=4096, scheme="classic")',
        'lookalike.dedup([text + " слово" for text in texts] * 20, method="minhash", num_perm=4096, scheme="classic")',
        'lookalike.similar("w1 w2 w3", texts * 200)',
        'lookalike.frequencies(texts * 100)',
        'lookalike.compare(texts[0] * 2000, texts[1] * 2000, time_limit=100)',
    ],
)
def test_ctrl_c_raises_keyboard_interrupt_soon(call):
    assert_ends_soon(SLOW, call)


@pytest.mark.parametrize(
    "setup, call",
    [
        ("from lookalike import columns; ids = numpy.random.default_rng(1).permutation(8_000_000)", "columns.clusters(ids[:4_000_000], ids[4_000_000:])"),
        (
            "forest = lookalike.MinHashLSHForest(128, 64)\n"
            "for key, minhash in enumerate(lookalike.MinHash.from_texts(list(map(str, range(150_000))))): forest.add(key, minhash)",
            "forest.index()",
        ),
        (
            "codes = lookalike.HammingIndex(12)\n"
            "codes.add(numpy.random.default_rng(1).integers(0, 1 << 63, 300_000))",
            "codes.pairs()",
        ),
        ("codes = lookalike.HammingIndex(3); codes.add(numpy.ones(16_000, dtype=int))", "codes.pairs()"),
    ],
)
def test_ctrl_c_ends_what_sorts(setup, call):
    pytest.importorskip("pyarrow")
    assert_ends_soon(f"import lookalike, numpy, pyarrow\n{setup}", call.replace("ids[", "pyarrow.array(ids)["))


def assert_ends_soon(setup, call):
    """Sends SIGINT to a process that calls something that takes long."""
    program = setup + textwrap.dedent(f"""
        import sys, time
        print("ready", flush=True)
        try:
            {call}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    worked = worked_by(process)
    process.send_signal(signal.SIGINT)
    patience = threading.Timer(60, process.kill)
    patience.start()
    try:
        output = process.stdout.read()
        # A fifth of a second, and the end of the interpreter. A busy machine may give it this time late.
        assert worked_by(process) - worked < 3
    finally:
        patience.cancel()
        process.kill()
        process.communicate()
    assert output == "interrupted\n"


def worked_by(process):
    """The processor time of a process that was not waited for, in seconds."""
    stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, stat[11:13])) / os.sysconf("SC_CLK_TCK")


def test_other_threads_run_while_a_call_computes():
    texts = corpus(20_000)
    ticks, done = 0, threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    started = time.monotonic()
    lookalike.dedup(texts, threads=1)
    seconds = time.monotonic() - started
    done.set()
    counter.join()
    assert ticks > 20 * seconds


def test_calls_of_several_threads_do_not_disturb_each_other():
    results = {}

    def work(number):
        results[number] = list(lookalike.dedup(corpus(400, seed=number % 3), threads=2).rows)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(9)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(results[number] == results[number % 3] for number in range(9))


def test_a_report_function_is_called_by_the_thread_that_called():
    seen = set()
    lookalike.dedup(corpus(30_000), threads=1, progress=lambda report: seen.add((threading.get_ident(), report.stage)))
    assert {thread for thread, _ in seen} <= {threading.get_ident()}


def test_an_error_of_a_report_function_stops_the_call():
    def report(_):
        raise RuntimeError("stop here")

    with pytest.raises(RuntimeError, match="stop here"):
        lookalike.pairs(corpus(60_000), threads=1, threshold=0.3, progress=report)


def test_threads_are_checked_and_come_from_the_environment(monkeypatch):
    with pytest.raises(ValueError, match="threads is 0"):
        lookalike.dedup(TEXTS, threads=0)
    monkeypatch.setenv("LOOKALIKE_THREADS", "many")
    with pytest.raises(ValueError, match="threads is many"):
        lookalike.dedup(TEXTS)


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this interpreter has a lock")
def test_an_interpreter_without_a_lock_stays_so():
    program = "import sys, lookalike; print(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
