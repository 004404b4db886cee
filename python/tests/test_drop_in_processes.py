"""The classes for programs of datasketch in other processes, and in a process without numpy."""

import multiprocessing
import subprocess
import sys

import pytest

import lookalike
from lookalike import HammingIndex, LeanMinHash, MinHash, MinHashLSH, MinHashLSHForest, Simhash, SimhashIndex


def objects() -> list[object]:
    sketch = MinHash(64)
    sketch.update_batch(str(number).encode() for number in range(5000))
    lsh, forest, index = MinHashLSH(0.5, num_perm=64), MinHashLSHForest(64), HammingIndex(3)
    lsh.insert(("a", 1), sketch)
    lsh.pairs()
    forest.add("a", sketch)
    forest.index()
    index.add([1, 2, 3])
    return [sketch, LeanMinHash(sketch), lsh, forest, Simhash("text"), SimhashIndex([("a", Simhash("text"))]), index]


def answers(given: list[object]) -> list[object]:
    sketch, lean, lsh, forest, simhash, near, index = given
    sketch.update_batch(str(number).encode() for number in range(5000, 9000))
    texts = MinHash.from_texts(["one two three"] * 50, threads=2)
    return [
        bytes(sketch._values()),
        lsh.query(lean),
        lsh.query_many([lean]),
        forest.query(lean, 1),
        near.get_near_dups(simhash),
        index.find(3),
        len(lsh.pairs()),
        texts[0].count(),
    ]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_objects_move_to_another_process(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.apply_async(answers, (objects(),)).get(timeout=60)
    assert found == answers(objects())


def test_numpy_is_needed_only_for_arrays():
    program = """if True:
        import sys
        sys.modules["numpy"] = None
        import lookalike
        a, b = lookalike.MinHash(), lookalike.MinHash(hashvalues=range(128), scheme="legacy")
        a.update_text("one two three")
        lsh = lookalike.MinHashLSH(0.5)
        lsh.insert("a", a)
        assert lsh.query(a) == ["a"] and a.count() > 0 and lookalike.Simhash("text").value
        try:
            a.hashvalues
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "this needs numpy: pip install numpy\n", done.stderr


def test_other_threads_run_while_a_batch_is_hashed():
    import threading

    sketch, turns = MinHash(), []
    batch = [b"x" * 20000] * 20000
    worker = threading.Thread(target=sketch.update_batch, args=(batch,))
    worker.start()
    while worker.is_alive():
        turns.append(len(turns))
        worker.join(0.002)
    assert len(turns) > 20


def test_damaged_pickles_are_refused():
    import pickle

    lsh = MinHashLSH(0.5)
    lsh.insert("a", MinHash())
    content = lsh._tables.to_bytes()
    for wrong in (b"", content[:-1], content[:10], b"x" + content[1:], content[:6] + b"\x09" + content[7:]):
        with pytest.raises(ValueError, match="damaged"):
            lookalike._lookalike.LshTables.from_bytes(wrong)
    assert pickle.loads(pickle.dumps(lsh)).keys.size() == 1
