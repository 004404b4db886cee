"""The classes of programs for datasketch, beside datasketch 2.0 itself."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import threading

import pytest

import lookalike
from conftest import ROOT, corpus
from lookalike import LeanMinHash, MinHash, MinHashLSH, MinHashLSHEnsemble, MinHashLSHForest
from lookalike._lookalike import ensemble_bands, ensemble_partitions, lsh_bands

SCHEMES = ("affine32", "affine64", "legacy")
datasketch = pytest.importorskip("datasketch")
numpy = pytest.importorskip("numpy")


def test_values_are_those_of_the_golden_vectors():
    vectors = json.loads((ROOT / "vectors/datasketch.json").read_text(encoding="utf-8"))["sketches"]
    assert {vector["scheme"] for vector in vectors} == set(SCHEMES)
    for vector in vectors:
        scheme, bits = vector["scheme"], 64 if vector["scheme"] == "affine64" else 32
        hashes = [number * 0x9E3779B97F4A7C15 % (1 << bits) for number in range(vector["count"])]
        made = MinHash(vector["num_perm"], seed=vector["seed"], scheme=scheme, hashfunc=int)
        made.update_batch(hashes)
        assert [f"{int(value):016x}" for value in made.hashvalues] == vector["values"], (scheme, vector["num_perm"])


def elements(draw: random.Random, most: int = 80) -> list[bytes]:
    return [draw.randbytes(draw.randrange(90)) for _ in range(draw.randrange(most))]


def sketches(count: int, *, num_perm: int = 128, scheme: str = "affine32", seed: int = 1):
    """Sketches of overlapping sets, of both libraries."""
    draw = random.Random(seed)
    for _ in range(count):
        start = draw.randrange(200)
        words = [str(number).encode() for number in range(start, start + draw.randrange(1, 60))]
        theirs, ours = (kind(num_perm, scheme=scheme) for kind in (datasketch.MinHash, MinHash))
        theirs.update_batch(words)
        ours.update_batch(words)
        yield theirs, ours


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", [0, 1, 7, 2**32 - 1])
def test_values_are_those_of_datasketch_bit_by_bit(scheme, seed):
    draw = random.Random(seed)
    for num_perm in (1, 2, 7, 16, 100, 128, 129, 256, 500):
        theirs, ours = (kind(num_perm, seed, scheme=scheme) for kind in (datasketch.MinHash, MinHash))
        assert (theirs.permutations == ours.permutations).all()
        added = elements(draw)
        for element in added[:5]:
            theirs.update(element)
            ours.update(element)
        theirs.update_batch(added[5:])
        ours.update_batch(iter(added[5:]))
        assert ours.hashvalues.dtype == theirs.hashvalues.dtype == ours.digest().dtype
        assert ours.hashvalues.tolist() == theirs.hashvalues.tolist()
        if added:
            assert ours.count() == theirs.count()
        assert ours.is_empty() == theirs.is_empty()
        assert len(ours) == len(theirs) == ours.num_perm


@pytest.mark.parametrize(
    ("scheme", "advice"),
    [("affine", '"affine"$'), ("bucketed", '"bucketed": lookalike.sketch makes'), ("classic", '"classic": lookalike.sketch makes')],
)
def test_a_scheme_that_datasketch_has_not_is_refused(scheme, advice):
    with pytest.raises(lookalike.PlanError, match=f"must be one of affine32, affine64, legacy, and is {advice}"):
        MinHash(scheme=scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lean_bytes_are_those_of_datasketch(scheme):
    for theirs, ours in sketches(20, num_perm=33, scheme=scheme):
        for order in "@=<>!":
            lean, own = datasketch.LeanMinHash(theirs), LeanMinHash(ours)
            buffers = bytearray(lean.bytesize(order)), bytearray(own.bytesize(order))
            lean.serialize(buffers[0], order)
            own.serialize(buffers[1], order)
            assert buffers[0] == buffers[1]
            read = LeanMinHash.deserialize(bytes(buffers[0]), order)
            assert read == own and hash(read) == hash(own) and read.jaccard(ours) == 1.0
            assert pickle.loads(pickle.dumps(own)) == own


@pytest.mark.parametrize("scheme", SCHEMES)
def test_lean_sketches_do_not_change(scheme):
    lean = LeanMinHash(MinHash(16, scheme=scheme))
    for change in (lambda: lean.update(b"a"), lambda: lean.update_batch([b"a"]), lambda: lean.update_text("a")):
        with pytest.raises(TypeError, match="does not change"):
            change()
    assert lean.is_empty() and type(lean.copy()) is LeanMinHash and lean.copy() == lean
    with pytest.raises(ValueError, match="unknown permutation scheme"):
        LeanMinHash.deserialize(bytes(8) + (-4).to_bytes(4, "little", signed=True) + b"\x07" + bytes(40))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_estimates_unions_and_merges_are_those_of_datasketch(scheme):
    for (their_a, our_a), (their_b, our_b) in itertools.pairwise(sketches(30, scheme=scheme)):
        assert our_a.jaccard(our_b) == their_a.jaccard(their_b)
        theirs, ours = datasketch.MinHash.union(their_a, their_b), MinHash.union(our_a, our_b)
        assert ours.hashvalues.tolist() == theirs.hashvalues.tolist()
        copied = our_a.copy()
        copied.merge(our_b)
        assert copied == ours
        copied.clear()
        assert copied.is_empty() and not our_a.is_empty()


def test_a_hash_function_of_ones_own_is_called_once_a_value():
    called: list[int] = []

    def identity(value: int) -> int:
        called.append(value)
        return value

    numbers = numpy.arange(500)
    theirs, ours = datasketch.MinHash(64, hashfunc=int), MinHash(64, hashfunc=identity)
    theirs.update_batch(numbers)
    ours.update_batch(numbers)
    assert ours.hashvalues.tolist() == theirs.hashvalues.tolist() and len(called) == 500
    assert ours.hashfunc is identity and MinHash().hashfunc is lookalike.sha1_hash32
    with pytest.raises(ValueError, match="out of range for scheme"):
        ours.update(1 << 32)
    with pytest.raises(ValueError, match="out of range"):
        ours.update(-1)


def test_default_hashes_are_the_first_bytes_of_sha1():
    for data in (b"", b"Hello", bytearray(b"xyz"), memoryview(b"long" * 100)):
        assert lookalike.sha1_hash32(data) == datasketch.sha1_hash32(data)
        assert lookalike.sha1_hash64(data) == datasketch.sha1_hash64(data)
    with pytest.raises(TypeError):
        MinHash().update("text that is not encoded")


def test_a_failed_batch_adds_nothing():
    sketch = MinHash()
    with pytest.raises(TypeError):
        sketch.update_batch([b"one", b"two", "three"])
    assert sketch.is_empty()


def test_values_can_be_assigned_and_not_written_to():
    sketch = MinHash(8)
    sketch.hashvalues = numpy.arange(8)
    assert sketch.hashvalues.tolist() == list(range(8))
    with pytest.raises(ValueError):
        sketch.hashvalues[0] = 5
    with pytest.raises(ValueError):
        sketch.hashvalues = [1, 2]
    with pytest.raises(ValueError, match="out of range"):
        sketch.hashvalues = [-1] * 8
    with pytest.warns(FutureWarning, match="legacy"):
        assert MinHash(hashvalues=[1, 2, 3]).scheme == "legacy"


def test_sketches_of_other_parameters_are_not_compared():
    for other in (MinHash(64), MinHash(seed=2), MinHash(scheme="legacy"), datasketch.MinHash()):
        for verb in (MinHash().jaccard, MinHash().merge):
            with pytest.raises(lookalike.Incompatible):
                verb(other)


def test_pickles_keep_scheme_seed_values_function_and_attributes():
    for scheme in SCHEMES:
        sketch = MinHash(32, seed=5, scheme=scheme)
        sketch.update(b"one")
        sketch.name = "mine"
        again = pickle.loads(pickle.dumps(sketch))
        assert again == sketch and again.name == "mine"
        again.update(b"two")
        sketch.update(b"two")
        assert again == sketch
    assert pickle.loads(pickle.dumps(MinHash(hashfunc=len))).hashfunc is len


def test_pickles_of_another_version_are_refused():
    for sketch in (MinHash(8), LeanMinHash(MinHash(8))):
        restore, (kind, state, *rest) = sketch.__reduce__()
        assert restore(kind, state, *rest) == sketch
        with pytest.raises(ValueError, match="pickled in version 9"):
            restore(kind, (9, *state[1:]), *rest)


def test_texts_are_cut_into_shingles_of_words():
    texts = corpus(50)
    for text, sketch in zip(texts, MinHash.from_texts(texts, shingle=3, tokens="whitespace", threads=2)):
        words = text.lower().split()
        shingles = [" ".join(words[start : start + 3]) for start in range(max(len(words) - 2, min(len(words), 1)))]
        expected, single = MinHash(), MinHash()
        expected.update_batch(shingle.encode() for shingle in shingles)
        single.update_text(text, shingle=3, tokens="whitespace")
        assert sketch == expected == single
    hashed = MinHash(hashfunc=lambda shingle: len(shingle))
    hashed.update_text("one two three", shingle=2)
    assert not hashed.is_empty()


def test_threads_share_a_sketch():
    sketch, expected = MinHash(), MinHash()
    batches = [[str(number).encode() for number in range(start, start + 5000)] for start in range(0, 40000, 5000)]
    threads = [threading.Thread(target=sketch.update_batch, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected.update_batch(itertools.chain.from_iterable(batches))
    assert sketch == expected


def test_bands_and_rows_are_those_of_datasketch():
    from datasketch.lsh import _optimal_param

    for threshold in numpy.arange(0.05, 1, 0.05):
        for num_perm in (16, 64, 100, 128):
            for weights in ((0.5, 0.5), (0.2, 0.8), (0.8, 0.2)):
                assert lsh_bands(threshold, num_perm, weights) == _optimal_param(threshold, num_perm, *weights)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8])
def test_queries_and_tables_are_those_of_datasketch(scheme, threshold):
    theirs, ours = datasketch.MinHashLSH(threshold), MinHashLSH(threshold)
    pairs = list(sketches(150, scheme=scheme))
    for key, (their, our) in enumerate(pairs):
        theirs.insert(("key", key), their)
        ours.insert(("key", key), our)
    for removed in (3, 70, 149):
        theirs.remove(("key", removed))
        ours.remove(("key", removed))
    theirs.insert("again", pairs[3][0])
    ours.insert("again", pairs[3][1])
    answers = [ours.query(our) for _, our in pairs]
    assert [set(answer) for answer in answers] == [set(theirs.query(their)) for their, _ in pairs]
    assert ours.query_many([our for _, our in pairs]) == answers
    assert ours.get_counts() == [dict(counts) for counts in theirs.get_counts()]
    keys = [("key", 5), ("key", 9), "again"]
    assert ours.get_subset_counts(*keys) == [dict(counts) for counts in theirs.get_subset_counts(*keys)]
    for their_table, our_table in zip(theirs.hashtables, ours.hashtables):
        assert {bucket: set(their_table.get(bucket)) for bucket in their_table} == dict(our_table)
    assert list(ours.keys) == list(theirs.keys) and len(ours) == 148
    assert all(ours.keys[key] == list(theirs.keys[key]) for key in ours.keys)
    copied = pickle.loads(pickle.dumps(ours))
    assert [copied.query(our) for _, our in pairs] == answers and copied.b == ours.b


def test_errors_are_value_errors_as_in_datasketch():
    lsh = MinHashLSH(0.5)
    lsh.insert("a", MinHash())
    for wrong in (
        lambda: lsh.insert("a", MinHash()),
        lambda: lsh.insert("b", MinHash(64)),
        lambda: lsh.insert("b", MinHash(seed=2)),
        lambda: lsh.query(MinHash(scheme="legacy")),
        lambda: lsh.remove("b"),
        lambda: MinHashLSH(1.5),
        lambda: MinHashLSH(0.5, num_perm=1),
        lambda: MinHashLSH(0.5, weights=(0.9, 0.9)),
        lambda: MinHashLSH(0.5, params=(64, 64)),
        lambda: MinHashLSH(1.0),
    ):
        with pytest.raises(ValueError):
            wrong()
    assert "b" not in lsh and len(lsh) == 1
    with pytest.raises(TypeError, match="no lookalike.MinHash"):
        lsh.query(datasketch.MinHash())


def test_a_key_may_have_several_signatures_if_unchecked():
    lsh = MinHashLSH(0.5)
    (_, first), (_, second) = itertools.islice(sketches(9, seed=4), 2)
    lsh.insert("a", first)
    lsh.insert("a", second, check_duplication=False)
    assert lsh.query(first) == lsh.query(second) == ["a"]
    assert pickle.loads(pickle.dumps(lsh)).query(second) == ["a"]
    lsh.remove("a")
    assert lsh.query(first) == lsh.query(second) == [] and lsh.is_empty()
    assert not any(lsh.hashtables[0])


def test_verified_queries_leave_out_what_is_below_the_threshold():
    entries = [(key, our) for key, (_, our) in enumerate(sketches(150))]
    lsh = MinHashLSH(0.6, recall=0.99, verify=True)
    lsh.insert_many(entries)
    assert lsh.b > MinHashLSH(0.6).b
    estimates = {(a, b): left.jaccard(right) for (a, left), (b, right) in itertools.combinations(entries, 2)}
    for key, sketch in entries:
        assert all(sketch.jaccard(entries[found][1]) >= 0.6 for found in lsh.query(sketch))
    pairs = {(row["a"], row["b"]): row["estimate"] for row in lsh.pairs()}
    assert all(estimates[pair] == estimate >= 0.6 for pair, estimate in pairs.items())
    true = [pair for pair, estimate in estimates.items() if estimate >= 0.6]
    assert len(pairs) >= 0.95 * len(true)
    with pytest.raises(lookalike.TooManyPairs):
        lsh.pairs(limit=3)


def test_pairs_are_those_of_all_queries():
    lsh = MinHashLSH(0.5)
    entries = [(str(key), our) for key, (_, our) in enumerate(sketches(100))]
    lsh.insert_many(entries)
    keys = list(lsh.keys)
    found = {(keys[row["a"]], keys[row["b"]]) for row in lsh.pairs()}
    queried = {(a, b) for b, sketch in entries for a in lsh.query(sketch) if int(a) < int(b)}
    assert found == queried


def test_threads_share_an_index():
    lsh, entries = MinHashLSH(0.5), [(key, our) for key, (_, our) in enumerate(sketches(400))]
    refused = []

    def insert() -> None:
        for key, sketch in entries:
            try:
                lsh.insert(key, sketch)
            except ValueError:
                refused.append(key)

    threads = [threading.Thread(target=insert) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lsh) == 400 and len(refused) == 1200
    assert all(key in lsh.query(sketch) for key, sketch in entries)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forests_find_the_keys_that_datasketch_finds(scheme):
    theirs, ours = datasketch.MinHashLSHForest(), MinHashLSHForest()
    pairs = list(sketches(100, scheme=scheme))
    for key, (their, our) in enumerate(pairs):
        theirs.add(key, their)
        ours.add(key, our)
    assert ours.is_empty() and theirs.is_empty() and 5 in ours
    theirs.index()
    ours.index()
    again = pickle.loads(pickle.dumps(ours))
    for their, our in pairs:
        for k in (1, 3, 10, 1000):
            found = ours.query(our, k)
            assert set(found) == set(theirs.query(their, k)) and again.query(our, k) == found
        estimates = [our.jaccard(pairs[key][1]) for key in ours.query(our, 10)]
        assert estimates == sorted(estimates, reverse=True)
    assert ours.get_minhash_hashvalues(7).tolist() == theirs.get_minhash_hashvalues(7).tolist()
    assert ours.keys == theirs.keys and ours.sorted_hashtables == theirs.sorted_hashtables
    assert ours.hashtables == [dict(table) for table in theirs.hashtables]


def test_ensembles_find_what_datasketch_finds():
    draw = random.Random(3)
    theirs, ours = (kind(0.7, num_part=6, m=4) for kind in (datasketch.MinHashLSHEnsemble, MinHashLSHEnsemble))
    sizes = [draw.randrange(1, 300) for _ in range(120)]
    entries: list[list] = [[], []]
    for key, size in enumerate(sizes):
        start = draw.randrange(100)
        words = [str(number).encode() for number in range(start, start + size)]
        for kind, listed in zip((datasketch.MinHash, MinHash), entries):
            sketch = kind()
            sketch.update_batch(words)
            listed.append((key, sketch, size))
    theirs.index(list(entries[0]))
    ours.index(entries[1])
    assert [list(map(int, pair)) for pair in theirs.params] == [list(pair) for pair in ours.params]
    assert list(ours.uppers) == list(theirs.uppers)
    for (_, their, size), (_, our, _) in zip(*entries):
        assert set(ours.query(our, size)) == set(theirs.query(their, size))


def test_partitions_are_those_of_datasketch():
    from datasketch.lshensemble import _optimal_param
    from datasketch.lshensemble_partition import optimal_partitions

    draw = random.Random(9)
    for partitions in (1, 2, 3, 8, 30):
        sizes = sorted(draw.sample(range(1, 1000), 40))
        counts = [draw.randrange(1, 20) for _ in sizes]
        expected = optimal_partitions(numpy.array(sizes), numpy.array(counts), partitions)
        assert ensemble_partitions(sizes, counts, partitions) == [tuple(map(int, pair)) for pair in expected]
    for threshold, ratio in itertools.product((0.2, 0.5, 0.9), (0.01, 0.5, 1.0, 20.0)):
        assert ensemble_bands(threshold, 64, 8, ratio, (0.5, 0.5)) == _optimal_param(
            threshold, 64, 8, ratio, 0.5, 0.5
        )


def test_what_is_not_here_says_what_to_use():
    for name in ("HyperLogLog", "HNSW", "WeightedMinHash", "bBitMinHash", "AsyncMinHashLSH", "MinHashLSHBloom"):
        with pytest.raises(ImportError, match=f"lookalike has no {name}: "):
            exec(f"from lookalike import {name}")
    with pytest.raises(NotImplementedError, match="Index"):
        MinHashLSH(storage_config={"type": "redis"})
    with pytest.raises(NotImplementedError):
        MinHash(gpu_mode="always")
    with pytest.raises(NotImplementedError):
        MinHash(4, permutations=[[1, 3, 5, 7], [0, 0, 0, 0]], scheme="affine32")
    assert MinHashLSH[str] and MinHashLSH(storage_config={"type": "dict"}).is_empty()
    assert not hasattr(lookalike, "of_no_library")


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_insertions_and_removals_gives_the_answers_of_datasketch(seed):
    draw = random.Random(seed)
    pairs = list(sketches(60, num_perm=32, seed=seed))
    theirs, ours = (kind(0.4, 32) for kind in (datasketch.MinHashLSH, MinHashLSH))
    for step in range(1500):
        key = draw.randrange(60)
        if draw.random() < 0.5:
            outcomes = []
            for lsh, side in ((theirs, 0), (ours, 1)):
                try:
                    lsh.remove(key) if key in lsh else lsh.insert(key, pairs[key][side])
                    outcomes.append(key in lsh)
                except ValueError:
                    outcomes.append(None)
            assert outcomes[0] == outcomes[1]
        assert set(ours.query(pairs[key][1])) == set(theirs.query(pairs[key][0]))
        if step % 500 == 499:
            ours = pickle.loads(pickle.dumps(ours))
            assert ours.get_counts() == [dict(counts) for counts in theirs.get_counts()]
            merged = MinHashLSH(0.4, 32)
            merged.merge(ours)
            assert list(merged.keys) == list(ours.keys) == list(theirs.keys)
