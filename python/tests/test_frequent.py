"""`drop_frequent`: shingles that too many documents have."""

import pickle
import random
from collections import Counter

import pytest

import lookalike
from lookalike import Plan, PlanError, columns

BANNER = "this banner stands below each of our pages and nobody reads it"
SHARE = 0.3


def pages():
    """Pages of words of their own, half of them behind a banner. Every third is an edited copy of the one before it."""
    draw = random.Random(3)
    bodies = [[f"w{draw.randrange(4000)}" for _ in range(30)] for _ in range(60)]
    for number in range(2, 60, 3):
        bodies[number] = [*bodies[number - 1][:-1], "edited"]
    texts = [" ".join(body if number % 2 else [BANNER, *body]) for number, body in enumerate(bodies)]
    return [*texts, BANNER, "", BANNER]


def expected(texts):
    """Every similar pair of the shingles that are left, by brute force, and the frequent shingles."""

    def shingles(text):
        words = text.split()
        return {" ".join(words[start : start + 5]) for start in range(max(len(words) - 4, min(len(words), 1)))}

    sets = [shingles(text) for text in texts]
    counts = Counter(shingle for each in sets for shingle in each)
    frequent = {shingle: count for shingle, count in counts.items() if count > SHARE * sum(map(bool, sets))}
    left = [each - set(frequent) for each in sets]
    pairs = {
        (a, b): 1.0 if sets[a] == sets[b] else len(left[a] & left[b]) / max(len(left[a] | left[b]), 1)
        for b in range(len(texts))
        for a in range(b)
        if sets[a]
    }
    return {pair: value for pair, value in pairs.items() if value >= 0.8}, frequent


@pytest.mark.parametrize("method", ["minhash", "exact"])
def test_pairs_and_dedup_leave_them_out_and_name_them(method):
    texts = pages()
    pairs, frequent = expected(texts)
    assert len(frequent) == 8 and len(pairs) > 10
    found = lookalike.pairs(texts, drop_frequent=SHARE, method=method)
    assert {(row["a"], row["b"]): row["jaccard"] for row in found} == pytest.approx(pairs)
    told = found.summary["frequent_shingles"]
    assert (told["share"], told["documents"], told["dropped"]) == (SHARE, 62, 8)
    assert {each["shingle"]: each["documents"] for each in told["largest"]} == frequent
    result = lookalike.dedup(texts, drop_frequent=SHARE, method=method)
    assert {row["row"] for row in result.removed} == {b for _, b in pairs}
    assert result.summary["frequent_shingles"] == told
    counted = lookalike.frequencies(texts)
    again = lookalike.dedup(texts, drop_frequent=SHARE, method=method, frequencies=counted)
    assert (again.rows == result.rows).all()
    assert again.summary["frequent_shingles"]["dropped"] == 8


def test_an_index_and_seen_take_them_from_frequencies(tmp_path):
    texts = pages()
    counted = lookalike.frequencies(texts)
    kept = lookalike.dedup(texts, drop_frequent=SHARE, method="minhash").rows.tolist()
    options = {"drop_frequent": SHARE, "frequencies": counted}
    seen = lookalike.Seen(**options)
    assert [row for row, text in enumerate(texts) if not seen.add(text)] == kept
    index = lookalike.Index.create(tmp_path / "seen.index", **options)
    assert index.dedup(texts).rows.tolist() == kept
    with pytest.raises(ValueError, match="frequent shingles of an index are known by their hashes only"):
        pickle.dumps(index.plan)
    plan = Plan(**options, method="minhash")
    assert lookalike.Index.create(tmp_path / "other.index", plan=plan).plan == plan
    assert pickle.loads(pickle.dumps(plan)) == plan != Plan()
    assert plan.id != Plan().id
    # What nothing is left of has its content as its only feature.
    banner, other = columns.features(columns.of([BANNER, BANNER[:-5]]), plan).to_pylist()
    assert len(banner) == len(other) == 8 and banner != other


def test_what_sees_no_corpus_needs_frequencies(texts):
    for call in (
        lambda: lookalike.sketch(texts, drop_frequent=0.1),
        lambda: lookalike.similar("a", texts, drop_frequent=0.1),
        lambda: lookalike.compare("a", "b", drop_frequent=0.1),
        lambda: lookalike.Seen(drop_frequent=0.1),
        lambda: columns.features(columns.of(texts), Plan(drop_frequent=0.1)),
    ):
        with pytest.raises(PlanError, match="drop_frequent needs frequencies here"):
            call()
    counted = lookalike.frequencies(texts)
    with pytest.raises(PlanError, match="uncovered words need all shingles"):
        columns.uncovered(columns.of(["a"]), columns.features(columns.of(["a"]), Plan()), Plan(drop_frequent=0.1, frequencies=counted))
    with pytest.raises(PlanError, match="tune compares all shingles"):
        lookalike.tune(texts, drop_frequent=0.1)
    with pytest.raises(PlanError, match="drop_frequent is 1; it must be at least 0.001 and less than 1"):
        lookalike.dedup(texts, drop_frequent=1.0)
    with pytest.raises(PlanError, match="name them by stop_words"):
        lookalike.dedup(texts, drop_frequent=0.1, measure="word-jaccard")
    with pytest.raises(PlanError, match="weighs frequent shingles down already"):
        lookalike.dedup(texts, drop_frequent=0.1, weights="tf-idf", method="simhash")
