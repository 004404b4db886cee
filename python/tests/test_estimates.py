"""`verify="estimate"`: what signatures say decides, and nothing is compared."""

from __future__ import annotations

import pickle
import random

import lookalike
import pytest

ESTIMATE = ("jaccard_estimate", "estimate_low", "estimate_high")


@pytest.fixture(scope="module")
def texts() -> list[str]:
    choose = random.Random(5)
    bodies: list[list[str]] = []
    for _ in range(200):
        body = [f"w{choose.randrange(3000)}" for _ in range(choose.randint(40, 120))]
        if bodies and choose.random() < 0.5:
            body = list(choose.choice(bodies))
            for _ in range(choose.randrange(4)):
                body[choose.randrange(len(body))] = f"e{choose.randrange(3000)}"
        bodies.append(body)
    return [" ".join(body) for body in bodies] + ["", ""]


def test_pairs_have_estimates_with_intervals(texts):
    found = lookalike.pairs(texts, verify="estimate")
    assert found.columns == ("a", "b", *ESTIMATE)
    exact = {(row["a"], row["b"]): row["jaccard"] for row in lookalike.pairs(texts, threshold=0.4).to_pylist()}
    rows = found.to_pylist()
    holds = [row["estimate_low"] <= exact[row["a"], row["b"]] <= row["estimate_high"] for row in rows]
    assert len(rows) > 50
    assert sum(holds) > 0.85 * len(rows)
    assert found.summary["plan"]["verify"] == "estimate"
    # What the values of two signatures say, as in the list.
    signatures = lookalike.sketch(texts).to_pylist()
    for row in rows[:20]:
        left, right = (memoryview(signatures[row[side]]["signature"]).cast("I") for side in "ab")
        equal = sum(x % 256 == y % 256 for x, y in zip(left, right, strict=True))
        assert row["jaccard_estimate"] == pytest.approx((256 * equal / len(left) - 1) / 255)
    # Lists without rows have the same columns.
    assert lookalike.pairs([], verify="estimate").columns == found.columns


def test_removed_rows_have_estimates(texts):
    result = lookalike.dedup(texts, verify="estimate")
    removed = result.removed
    assert removed.columns[3:6] == ESTIMATE
    rows = removed.to_pylist()
    assert len(rows) > 20
    assert all(row["estimate_low"] <= row["jaccard_estimate"] <= row["estimate_high"] for row in rows)
    assert all(row["containment"] is None for row in rows)


def test_an_index_without_texts_finds_the_same(texts, tmp_path):
    half = len(texts) // 2
    kept = lookalike.dedup(texts[half:], against=texts[:half], verify="estimate").kept()
    for store_texts in (True, False):
        path = tmp_path / str(store_texts)
        with lookalike.Index.create(path, verify="estimate", store_texts=store_texts) as index:
            index.add(texts[:half])
        index = lookalike.Index.open(path)
        assert index.info(verify=True)["stores_texts"] is store_texts
        assert index.plan == pickle.loads(pickle.dumps(index.plan)) == lookalike.Plan(verify="estimate")
        assert lookalike.dedup(texts[half:], against=index).kept() == kept
    with pytest.raises(ValueError, match="MinHash with verify estimate"):
        lookalike.Index.create(tmp_path / "none", store_texts=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "simhash"}, 'verify="estimate" needs method="minhash"'),
        ({"method": "exact"}, 'verify="estimate" needs method="minhash"'),
        ({"measure": "cosine"}, "estimates are of the Jaccard similarity of shingles, not of cosine"),
        ({"audit": 5}, 'leave out verify="estimate"'),
    ],
)
def test_what_needs_a_comparison_is_refused(texts, options, message):
    with pytest.raises(ValueError, match=message):
        lookalike.pairs(texts, verify="estimate", **options)


def test_other_values_are_named(texts):
    with pytest.raises(ValueError, match='verify is "sometimes"; it must be one of exact, estimate'):
        lookalike.pairs(texts, verify="sometimes")
    with pytest.raises(TypeError, match="verify is int; give a bool"):
        lookalike.pairs(texts, verify=1)
    with pytest.raises(ValueError, match="similar compares exactly"):
        lookalike.similar("w1 w2", texts, verify="estimate")
    with pytest.raises(ValueError, match="tune compares exactly"):
        lookalike.tune(texts, verify="estimate")
    with pytest.raises(ValueError, match="Seen compares exactly, or by estimates of its own"):
        lookalike.Seen(verify="estimate")
    with pytest.raises(ValueError, match="their sketches decide alone"):
        lookalike.dedup(texts, verify="estimate", min_containment=0.5)
    with pytest.raises(lookalike.PlanError) as refused:
        lookalike.Plan(verify="estimate", measure="cosine")
    assert refused.value.option == "verify"
    exact = [lookalike.pairs(texts, method="simhash", verify=verify).to_pylist() for verify in ("exact", True)]
    assert exact[0] == exact[1] != []
