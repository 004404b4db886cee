"""Lists whose texts are not ASCII: they are converted while the call runs, and nothing of it stays."""

import ctypes
import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import lookalike
from conftest import corpus, python

ENDS = ["", " déjà vu", " Привет, мир", " 你好世界", " 😀 und 日本語", None]
"""Python stores texts with one, two or four bytes a character."""


def wide(texts):
    return [None if ENDS[row % 6] is None else text + ENDS[row % 6] for row, text in enumerate(texts)]


TEXTS = wide(corpus(3000, seed=3))


def test_texts_of_every_width_are_the_same_as_in_a_column():
    pyarrow = pytest.importorskip("pyarrow")
    for options in ({}, {"method": "exact"}, {"method": "simhash", "verify": True}, {"method": "simhash", "weights": "tf-idf"}):
        found, expected = lookalike.dedup(TEXTS, **options), lookalike.dedup(pyarrow.array(TEXTS), **options)
        assert found.rows.tolist() == expected.rows.tolist() and len(found.removed) > 50
        assert found.clusters.to_pylist() == expected.clusters.to_pylist()
        assert found.removed.to_pylist() == expected.removed.to_pylist()


def test_the_bytes_of_a_summary_are_those_of_utf8():
    expected = sum(len((text or "").encode()) for text in TEXTS)
    assert lookalike.dedup(TEXTS).summary.bytes == expected
    assert lookalike.pairs(TEXTS).summary.bytes == expected


def test_nothing_stays_with_the_texts():
    texts = wide(corpus(1000, seed=4))
    sizes = [sys.getsizeof(text) for text in texts]
    lookalike.dedup(texts).kept()
    lookalike.pairs(texts)
    lookalike.Seen().add_many(texts)
    lookalike.similar("one two", texts)
    assert [sys.getsizeof(text) for text in texts] == sizes
    # It would be seen.
    ctypes.pythonapi.PyUnicode_AsUTF8AndSize(ctypes.py_object(texts[1]), None)
    assert sys.getsizeof(texts[1]) > sizes[1]


@pytest.mark.parametrize(
    "call",
    [
        lambda texts: lookalike.dedup(texts),
        lambda texts: lookalike.dedup(["a b c"], against=texts),
        lambda texts: lookalike.pairs(texts),
        lambda texts: lookalike.similar("a b c", texts),
        lambda texts: lookalike.frequencies(texts),
        lambda texts: lookalike.tune(texts),
        lambda texts: lookalike.Seen().add_many(texts),
        lambda texts: lookalike.MinHash.from_texts(texts),
    ],
)
def test_half_of_a_surrogate_pair_is_an_error_that_names_the_row(call):
    texts = [*TEXTS[:700], "some \udc00 words", *TEXTS[700:]]
    with pytest.raises(UnicodeEncodeError, match="row 700: half of a surrogate pair is no character") as error:
        call(texts)
    assert (error.value.start, error.value.object) == (5, texts[700])


def test_a_subclass_of_str_is_read_as_its_text():
    class Odd(str):
        def isascii(self):
            return True

        def __len__(self):
            return -1

    texts = [Odd(text or "") for text in TEXTS[:600]]
    assert lookalike.dedup(texts).rows.tolist() == lookalike.dedup([str(text) for text in texts]).rows.tolist()


def test_a_call_goes_on_beside_threads_that_compute_in_python():
    done = threading.Event()

    def compute():
        while not done.is_set():
            sum(range(1000))

    expected = lookalike.dedup(TEXTS).rows.tolist()
    threads = [threading.Thread(target=compute) for _ in range(3)]
    [thread.start() for thread in threads]
    try:
        assert lookalike.dedup(TEXTS, threads=4, progress=lambda report: None).rows.tolist() == expected
    finally:
        done.set()
        [thread.join() for thread in threads]


def test_the_interpreter_ends_while_a_thread_computes():
    program = textwrap.dedent("""
        import threading, time, lookalike
        texts = [f"слово {number} " * 50 for number in range(30_000)]
        def compute():
            while True:
                lookalike.dedup(texts, threads=2)
        threading.Thread(target=compute, daemon=True).start()
        time.sleep(0.5)
        print("ends", flush=True)
    """)
    for _ in range(3):
        done = python(program)
        assert (done.returncode, done.stdout) == (0, "ends\n"), done.stderr


@pytest.mark.parametrize("level", ["scalar", ""])
def test_every_character_is_converted(level):
    """By the portable code, and by that for this machine."""
    program = textwrap.dedent("""
        import random
        from lookalike._lookalike import Source
        every = [chr(point) for point in range(0x110000) if not 0xD800 <= point < 0xE000]
        shuffled = every[:]
        random.Random(1).shuffle(shuffled)
        draw = random.Random(2)
        kinds = ["a" * 16, "é" * 16, "語" * 16, "😀" * 16, "a", "é", "語", "😀"]
        mixed = ["".join(draw.choices(kinds, k=draw.randrange(1, 12))) + "ж" for _ in range(3000)]
        texts = ["".join(every), "".join(shuffled), "é", *mixed, "語" * 200_001]
        source = Source.of_list(texts)
        assert all(source.text(row) == text for row, text in enumerate(texts))
        for surrogate in ("\\ud800", "\\udbff", "\\udc00", "\\udfff"):
            for place in range(40):
                text = "語" * place + surrogate + "a" * 20
                try:
                    Source.of_list(["a", text]).text(1)
                except UnicodeEncodeError as error:
                    assert (error.start, error.object) == (place, text) and "row 1" in error.reason
                else:
                    raise AssertionError(place)
        print("done")
    """)
    environment = {**os.environ, "LOOKALIKE_SIMD": level}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=60)
    assert done.stdout == "done\n", done.stderr
