"""The classes of programs for simhash, beside simhash 2.1.2 itself, and the index of codes."""

from __future__ import annotations

import itertools
import pickle
import random
import zlib

import pytest

import lookalike
from conftest import corpus
from lookalike import HammingIndex, Simhash, SimhashIndex

simhash = pytest.importorskip("simhash")


@pytest.mark.parametrize("f", [8, 64, 128])
def test_values_of_texts_are_those_of_simhash(f):
    texts = [*corpus(200), "", "a", "abcd", "ÄÖÜ ß İ Σας", "你好　世界！", "😀 emoji", "_under_score_"]
    for text in texts:
        assert Simhash(text, f).value == simhash.Simhash(text, f).value
        assert Simhash(text, f, reg=r"[a-z0-9]").value == simhash.Simhash(text, f, reg=r"[a-z0-9]").value


@pytest.mark.parametrize("weight", [lambda draw: draw.random(), lambda draw: draw.randrange(-3, 120), None])
def test_values_of_features_are_those_of_simhash(weight):
    draw = random.Random(7)
    for count in (1, 2, 5, 199, 200, 201, 450, 1000):
        words = [f"word{draw.randrange(500)}" for _ in range(count)]
        features = words if weight is None else [(word, weight(draw)) for word in words]
        assert Simhash(features).value == simhash.Simhash(features).value
        if weight is not None:
            assert Simhash(dict(features)).value == simhash.Simhash(dict(features)).value


def test_a_hash_function_of_ones_own_may_return_bytes_or_a_number():
    for function in (lambda data: zlib.crc32(data), lambda data: data[::-1] * 9 + b"12345678", lambda data: 1 << 70):
        for value in ("some text of words", ["a", "b", ("c", 2)]):
            assert Simhash(value, hashfunc=function).value == simhash.Simhash(value, hashfunc=function).value


def test_weights_are_carried_on_only_if_asked_for():
    # After a weight that is no integer, simhash fails at a feature without a weight.
    features = ["a", ("b", 5), "c", "d", ("e", 3), "f", ("g", 0.5)]
    assert Simhash(features, legacy_weights=True).value == simhash.Simhash(features).value
    plain = [(feature, 1) if isinstance(feature, str) else feature for feature in features]
    assert Simhash(features).value == simhash.Simhash(plain).value


def test_distances_and_equality_are_those_of_values():
    draw = random.Random(1)
    for _ in range(100):
        a, b = draw.getrandbits(64), draw.getrandbits(64)
        assert Simhash(a).distance(Simhash(b)) == simhash.Simhash(a).distance(simhash.Simhash(b))
        assert (Simhash(a) == Simhash(b)) == (a == b) and Simhash(Simhash(a)) == Simhash(a)
    assert pickle.loads(pickle.dumps(Simhash("text"))) == Simhash("text") and len({Simhash(1), Simhash(1)}) == 1
    assert vars(pickle.loads(pickle.dumps(Simhash("text", 128)))) == vars(Simhash("text", 128))
    with pytest.raises(ValueError, match="pickled in version 9"):
        Simhash("text").__setstate__({"value": 1, "f": 64, "pickled": 9})
    with pytest.raises(ValueError):
        Simhash("text", f=12)
    with pytest.raises(NotImplementedError):
        Simhash("text", f=256)
    with pytest.raises(TypeError):
        Simhash(1.5)


@pytest.mark.parametrize("k", [0, 2, 3, 10, 12])
def test_indexes_find_what_simhash_finds(k):
    draw = random.Random(k)
    bases = [draw.getrandbits(64) for _ in range(20)]
    near = [base ^ sum(1 << draw.randrange(64) for _ in range(draw.randrange(14))) for base in bases for _ in range(8)]
    near = [value & (1 << 64) - 1 for value in near]
    theirs = simhash.SimhashIndex([(str(i), simhash.Simhash(value)) for i, value in enumerate(near)], k=k)
    ours = SimhashIndex({i: Simhash(value) for i, value in enumerate(near)}, k=k)
    for i in range(0, 160, 3):
        theirs.delete(str(i), simhash.Simhash(near[i]))
        ours.delete(i, Simhash(near[i]))
        ours.delete(i, Simhash(near[i]))
    again = pickle.loads(pickle.dumps(ours))
    for value in [*near, *bases]:
        found = ours.get_near_dups(Simhash(value))
        assert {str(i) for i in found} == set(theirs.get_near_dups(simhash.Simhash(value)))
        assert found == sorted(found) == again.get_near_dups(Simhash(value))
    assert [*ours.get_keys(Simhash(near[0]))] == [*theirs.get_keys(simhash.Simhash(near[0]))]
    assert ours.offsets == theirs.offsets and len(ours) == len(again) == 106


def test_an_index_refuses_distances_that_it_does_not_search():
    with pytest.raises(NotImplementedError, match="at most 12"):
        SimhashIndex([], k=13)
    with pytest.raises(AssertionError):
        SimhashIndex([]).add("a", Simhash("text", f=128))


@pytest.mark.parametrize("bits", [64, 128])
def test_codes_within_a_distance_are_all_found(bits):
    draw = random.Random(bits)
    bases = [draw.getrandbits(bits) for _ in range(30)]
    codes = [base ^ 1 << draw.randrange(bits) ^ 1 << draw.randrange(bits) for base in bases for _ in range(5)]
    index = HammingIndex(4, bits=bits)
    index.add(codes[:100])
    index.add(codes[100:], ids=list(range(1000, 1050)))
    ids = [*range(100), *range(1000, 1050)]
    expected = {
        (ids[a], ids[b]): (codes[a] ^ codes[b]).bit_count()
        for a, b in itertools.combinations(range(150), 2)
        if (codes[a] ^ codes[b]).bit_count() <= 4
    }
    assert {(row["a"], row["b"]): row["hamming"] for row in index.pairs()} == expected
    for base in bases:
        near = sorted(((base ^ code).bit_count(), id) for id, code in zip(ids, codes))
        assert index.find(base) == [(id, distance) for distance, id in near if distance <= 4]
    assert pickle.loads(pickle.dumps(index)).find(bases[0]) == index.find(bases[0]) and len(index) == 150


def test_sketches_by_md5_are_the_values_of_simhash():
    texts = [*corpus(200), "one", "you 你好　世界！", "a a a b"]
    codes = lookalike.sketch(
        texts, method="simhash", tokens="whitespace", shingle=1, weights="tf", feature_hash="md5"
    )["fingerprint"]
    values = [simhash.Simhash(text.split()).value if text.split() else None for text in texts]
    assert codes.to_pylist() == values


def test_codes_come_from_arrays_and_columns():
    numpy = pytest.importorskip("numpy")
    index = HammingIndex(1)
    index.add(numpy.array([1, 2**63], dtype="uint64"))
    column = lookalike.sketch(["one two three"], method="simhash")["fingerprint"]
    index.add(column)
    assert index.find(column.to_pylist()[0]) == [(2, 0)] and index.find(0) == [(0, 1), (1, 1)]
    for wrong in (lambda: index.add([1 << 64]), lambda: index.add([-1]), lambda: index.add([1], ids=[1, 2])):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(lookalike.PlanError):
        HammingIndex(13)
    index.add([7] * 21_000)
    with pytest.raises(lookalike.TooManyPairs, match="220,489,500 pairs or more"):
        index.pairs()
