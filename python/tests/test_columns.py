"""`lookalike.columns`: values are those of the golden vectors, and of the other functions."""

from __future__ import annotations

import itertools
import json
import random

import pytest

import lookalike
from conftest import ROOT, corpus, shingles
from lookalike import columns

pyarrow = pytest.importorskip("pyarrow")
PLAN = lookalike.Plan(method="minhash", threshold=0.7, tokens="whitespace")


def text_of(tokens: int, period: int | None) -> str:
    return " ".join(f"t{number % period if period else number}" for number in range(tokens))


def test_signatures_keys_and_features_are_those_of_the_golden_vectors():
    vectors = json.loads((ROOT / "vectors/sketches.json").read_text(encoding="utf-8"))["sketches"]
    compared = 0
    for vector in vectors:
        text = text_of(vector["tokens"], vector.get("period"))
        for scheme in ("bucketed", "classic"):
            options = {name: vector[name] for name in ("shingle", "num_perm", "threshold", "recall") if name in vector}
            seed = int(vector["seed"], 16) if isinstance(vector["seed"], str) else vector["seed"]
            plan = lookalike.Plan(method="minhash", tokens="whitespace", scheme=scheme, seed=seed, **options)
            column = pyarrow.array([text])
            features = columns.features(column, plan).to_pylist()[0]
            assert len(features or b"") == 8 * vector["distinct"]
            signatures = columns.sketch(column, plan)
            values = signatures.to_pylist()[0]
            if values is None:
                assert vector["distinct"] == 0
                continue
            expected = vector[scheme]
            if "values" in expected:
                numbers = [int.from_bytes(values[at : at + 4], "little") for at in range(0, len(values), 4)]
                assert numbers == expected["values"]
            keys = columns.band_keys(signatures, plan).to_pylist()[0]
            assert [f"{key % (1 << 64):016x}" for key in keys] == expected["band_keys"]
            if "feature_set" in vector:
                hashes = [int.from_bytes(features[at : at + 8], "little") for at in range(0, len(features), 8)]
                assert [f"{hash:016x}" for hash in hashes] == vector["feature_set"]
            compared += 1
    assert compared > 20


def test_fingerprints_are_those_of_the_golden_vectors():
    vectors = json.loads((ROOT / "vectors/fingerprints.json").read_text(encoding="utf-8"))["fingerprints"]
    compared = 0
    for vector in vectors:
        if vector["weights"] not in ("set", "tf", "log-tf") or vector["tokens"] == 0:
            continue
        text = pyarrow.array([text_of(vector["tokens"], vector.get("period"))])
        options = {name: vector[name] for name in ("shingle", "weights", "tie", "feature_hash", "seed") if name in vector}
        if isinstance(options.get("seed"), str):
            options["seed"] = int(options["seed"], 16)
        for bits in (64, 128):
            plan = lookalike.Plan(method="simhash", tokens="whitespace", bits=bits, **options)
            value = columns.fingerprint(text, plan).to_pylist()[0]
            number = value if bits == 64 else int.from_bytes(value, "big")
            assert number == int(vector["fingerprint"], 16) & (1 << bits) - 1
            compared += 1
    assert compared > 20


def test_verified_pairs_are_those_of_the_function_pairs():
    texts = corpus(300)
    column = pyarrow.array(texts)
    features = pyarrow.array(columns.features(column, PLAN))
    pairs = [*itertools.combinations(range(60), 2)]
    left, right = (features.take(pyarrow.array([pair[side] for pair in pairs])) for side in (0, 1))
    similarities = columns.verify(left, right, PLAN).to_pylist()
    found = {pair: similarity for pair, similarity in zip(pairs, similarities) if similarity is not None}
    expected = {(row["a"], row["b"]): row["jaccard"] for row in lookalike.pairs(texts[:60], plan=PLAN)}
    assert found == pytest.approx(expected) and len(found) > 5


def test_band_keys_find_the_candidates_and_clusters_join_them():
    texts = corpus(300)
    signatures = columns.sketch(pyarrow.array(texts), PLAN)
    buckets: dict[int, list[int]] = {}
    for row, keys in enumerate(columns.band_keys(signatures, PLAN)):
        assert keys is None or len(keys) == len(set(keys)) == PLAN.bands
        for key in keys or ():
            buckets.setdefault(key, []).append(row)
    candidates = {pair for rows in buckets.values() for pair in itertools.combinations(rows, 2)}
    result = lookalike.pairs(texts, plan=PLAN)
    found = [(row["a"], row["b"]) for row in result]
    assert candidates.issuperset(found)
    for kind in (pyarrow.int64(), pyarrow.string()):
        a, b = (pyarrow.array([pair[side] for pair in found]).cast(kind) for side in (0, 1))
        table = columns.clusters(a, b)
        groups: dict[object, list[int]] = {}
        for row in table:
            groups.setdefault(row["cluster"], []).append(int(row["id"]))
        assert sorted(map(sorted, groups.values())) == sorted(map(sorted, result.clusters))


def test_signatures_and_estimates_are_those_of_the_function_sketch():
    texts = corpus(100)
    signatures = columns.sketch(pyarrow.chunked_array([texts[:40], texts[40:]]), PLAN)
    assert signatures.to_pylist() == lookalike.sketch(texts, plan=PLAN)["signature"].to_pylist()
    estimates = columns.estimate(signatures, signatures).to_pylist()
    assert estimates == [1.0 if shingles(text) else None for text in texts]


def test_equal_contents_are_copies():
    first, second, third, empty = columns.content(columns.of(["a b c", "A, b c!", "a b d", ""]), lookalike.Plan())
    assert first == second != third and len(first) == 16 and empty is None


def test_what_does_not_fit_is_refused():
    signatures = columns.sketch(columns.of(["a b c"]), PLAN)
    with pytest.raises(lookalike.PlanError):
        columns.sketch(columns.of(["a"]), lookalike.Plan(method="simhash"))
    with pytest.raises(lookalike.PlanError):
        columns.fingerprint(columns.of(["a"]), PLAN)
    with pytest.raises(ValueError, match="row 0 has 512 bytes"):
        columns.band_keys(signatures, lookalike.Plan(method="minhash", num_perm=64))
    with pytest.raises(ValueError, match="1 and 2 rows"):
        columns.estimate(signatures, columns.sketch(columns.of(["a", "b"]), PLAN))
    with pytest.raises(TypeError):
        columns.sketch(pyarrow.array([1, 2]), PLAN)
    with pytest.raises(ValueError, match="null"):
        columns.clusters(pyarrow.array([1, None]), pyarrow.array([1, 2]))


def test_documents_have_the_columns_of_the_other_functions():
    texts = pyarrow.array([*corpus(200), None, "", "...", "one"], pyarrow.string())
    for measure in ("jaccard", "word-jaccard"):
        plan = lookalike.Plan(method="minhash", threshold=0.7, measure=measure, scheme="classic")
        made = columns.documents(texts, plan)
        signatures = columns.sketch(texts, plan)
        assert made["content"].to_pylist() == columns.content(texts, plan).to_pylist()
        assert made["signature"].to_pylist() == signatures.to_pylist()
        assert made["band_keys"].to_pylist() == columns.band_keys(signatures, plan).to_pylist()
        assert made["features"].to_pylist() == columns.features(texts, plan).to_pylist()
    words = columns.documents(columns.of(["Cats, dogs", None, "the cat"]), lookalike.Plan(method="minhash", stop_words="en"))["words"]
    assert words.to_pylist() == [2, 0, 1]
    with pytest.raises(lookalike.PlanError, match="minhash"):
        columns.documents(texts, lookalike.Plan(method="simhash"))


def test_partners_are_all_pairs_that_verify_finds():
    texts = pyarrow.array([*corpus(200), None, "..."], pyarrow.string())
    for measure in ("jaccard", "cosine", "containment"):
        plan = lookalike.Plan(method="minhash", threshold=0.5, measure=measure)
        features = pyarrow.array(columns.features(texts, plan))
        sampled = features.take(pyarrow.array([200, *range(0, 200, 3)]))
        rows = [*itertools.product(range(len(features)), range(len(sampled)))]
        sides = sampled.take(pyarrow.array([b for _, b in rows])), features.take(pyarrow.array([a for a, _ in rows]))
        similarities = columns.verify(*sides, plan).to_pylist()
        expected = [(b, a) for (a, b), similarity in zip(rows, similarities) if similarity is not None]
        found = columns.partners(sampled, features, plan)
        assert [(row["sampled"], row["partner"]) for row in found] == expected and len(expected) > 80


def test_pairs_pass_whose_signatures_agree_enough():
    plan = lookalike.Plan(method="minhash", threshold=0.8)
    one = bytes(range(1, 129)) * 4
    for equal, passes in ((128, True), (90, True), (80, False), (0, False)):
        # Eight bits of each value count: the lowest, which come first.
        other = b"".join(
            one[4 * at : 4 * at + 4] if at < equal else bytes([one[4 * at] ^ 1]) + one[4 * at + 1 : 4 * at + 4]
            for at in range(128)
        )
        left, right = pyarrow.array([one, None]), pyarrow.array([other, one])
        assert columns.passes(left, right, plan).to_pylist() == [passes, None]
    with pytest.raises(ValueError, match="row 0 has 8 bytes, and a signature of the plan has 512"):
        columns.passes(pyarrow.array([b"12345678"]), pyarrow.array([one]), plan)


@pytest.mark.parametrize("documents", [2, 40, 400])
def test_pairs_of_a_bucket_are_those_of_passes_and_verify(documents):
    draw = random.Random(documents)
    template = [f"t{number}" for number in range(60)]
    texts = [None]
    for _ in range(documents):
        words = list(template)
        for _ in range(draw.randrange(6)):
            words[draw.randrange(60)] = f"w{draw.randrange(500)}"
        texts.append(" ".join(words))
    plan = lookalike.Plan(method="minhash", threshold=0.8)
    made = columns.documents(pyarrow.array(texts, pyarrow.string()), plan)
    features, signatures = pyarrow.array(made["features"]), pyarrow.array(made["signature"])
    found = columns.bucket_pairs(features, signatures, plan).to_pylist()
    rows = [*itertools.combinations(range(len(texts)), 2)]
    sides = [pyarrow.array([pair[side] for pair in rows]) for side in (0, 1)]
    passes = columns.passes(*(signatures.take(side) for side in sides), plan).to_pylist()
    similarities = columns.verify(*(features.take(side) for side in sides), plan).to_pylist()
    expected = [
        {"a": a, "b": b, "similarity": similarity}
        for (a, b), passed, similarity in zip(rows, passes, similarities)
        if passed and similarity is not None
    ]
    assert found == expected
    assert documents < 40 or 0 < len(expected) < len(rows)


def test_what_is_no_set_of_features_is_refused_by_all_that_take_features():
    plan = lookalike.Plan(method="minhash")
    texts = columns.of(["one two three four five six"] * 2)
    good, signatures = columns.features(texts, plan), columns.sketch(texts, plan)
    broken = pyarrow.array([good.to_pylist()[0], b"abc"])
    calls = [
        lambda: columns.verify(good, broken, plan),
        lambda: columns.verify(broken, good, plan),
        lambda: columns.sketch_features(broken, plan),
        lambda: columns.partners(good, broken, plan),
        lambda: columns.partners(broken, good, plan),
        lambda: columns.bucket_pairs(broken, signatures, plan),
        lambda: columns.uncovered(texts, broken, plan),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="row 1 has 3 bytes, and features have 8 bytes each"):
            call()
