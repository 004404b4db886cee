"""`pairs`, `similar`, `sketch`, `frequencies` and `compare`."""

import json
import pickle

import pytest

import lookalike
from conftest import ROOT, corpus, jsonl, shingles, true_pairs

EXACT = {"method": "exact", "tokens": "whitespace"}


@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.8])
def test_pairs_are_those_of_comparing_every_pair(texts, threshold):
    truth = true_pairs(texts, threshold)
    found = lookalike.pairs(texts, threshold=threshold, **EXACT)
    assert [(row["a"], row["b"]) for row in found] == sorted(truth)
    assert all(row["jaccard"] == pytest.approx(truth[row["a"], row["b"]]) for row in found)
    assert found.summary.pairs == len(truth)


def test_clusters_of_pairs_are_those_of_dedup(texts):
    found = lookalike.pairs(texts)
    of_dedup = {}
    for row in lookalike.dedup(texts).clusters:
        of_dedup.setdefault(row["cluster"], []).append(row["row"])
    assert found.clusters == list(of_dedup.values())


def test_too_many_pairs_are_an_overflow_that_counts_them():
    with pytest.raises(OverflowError, match="4,950 pairs or more, and the limit is 1,000"):
        lookalike.pairs(["one two three four five six"] * 100, limit=1000)
    assert issubclass(lookalike.TooManyPairs, lookalike.LookalikeError)


def test_pairs_of_files_have_their_ids(tmp_path, texts):
    found = lookalike.pairs(lookalike.Files(jsonl(tmp_path / "in.jsonl", texts)))
    assert all(row["a_id"] == f"d{row['a']}" and row["b_id"] == f"d{row['b']}" for row in found)


def test_tables_go_to_other_libraries_and_files(texts, tmp_path):
    for package in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(package)
    found = lookalike.pairs(texts)
    assert found.to_arrow().to_pylist() == found.to_pylist()
    assert found.to_polars().to_dicts() == found.to_pylist()
    assert found.to_pandas().to_dict("records") == found.to_pylist()
    assert found["a"].to_numpy().tolist() == [row["a"] for row in found]
    assert pickle.loads(pickle.dumps(found)).to_pylist() == found.to_pylist()
    assert pickle.loads(pickle.dumps(found)).summary.pairs == len(found)
    assert pickle.loads(pickle.dumps(found)).clusters == found.clusters
    found.write(tmp_path / "pairs.jsonl")
    written = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    assert [(row["a"], row["b"]) for row in written] == [(row["a"], row["b"]) for row in found]
    with pytest.raises(KeyError, match="no column"):
        _ = found["c"]


@pytest.mark.parametrize("measure", ["jaccard", "word-jaccard", "cosine", "containment"])
def test_the_column_of_the_similarity_has_the_name_of_the_measure(texts, measure):
    found = lookalike.pairs(texts[:100], measure=measure, threshold=0.5)
    assert found.columns == ("a", "b", measure.replace("-", "_"))


def test_similar_lists_the_nearest_first(texts):
    query = texts[3]
    words = [(shingles(text, 1), row) for row, text in enumerate(texts)]
    mine = shingles(query, 1)
    truth = sorted((-len(mine & other) / len(mine | other), row) for other, row in words if mine & other)[:5]
    found = lookalike.similar(query, texts, k=5, tokens="whitespace")
    assert [(row["row"], row["jaccard"]) for row in found] == [(row, pytest.approx(-score)) for score, row in truth]


def test_similar_in_files_names_documents_by_their_ids(texts, tmp_path):
    files = lookalike.Files(jsonl(tmp_path / "in.jsonl", texts))
    found = lookalike.similar(texts[3], files, k=3)
    assert [row["id"] for row in found] == [f"d{row['row']}" for row in lookalike.similar(texts[3], texts, k=3)]
    with pytest.raises(ValueError, match="query is empty"):
        lookalike.similar(" ", texts)


def vector_text(vector):
    period = vector["period"] or vector["tokens"]
    return " ".join(f"t{number % period}" for number in range(vector["tokens"]))


def test_signatures_are_those_of_the_golden_vectors():
    vectors = json.loads((ROOT / "vectors/sketches.json").read_text())["sketches"]
    checked = 0
    for vector in vectors:
        for scheme in ("bucketed", "classic"):
            values = vector[scheme].get("values")
            if values is None or not vector["distinct"]:
                continue
            plan = lookalike.Plan(
                tokens="whitespace", shingle=vector["shingle"], seed=int(vector["seed"], 16),
                num_perm=vector["num_perm"], scheme=scheme,
            )
            [row] = lookalike.sketch([vector_text(vector)], plan=plan)
            assert row["signature"] == b"".join(value.to_bytes(4, "little") for value in values), vector
            checked += 1
    assert checked >= 20


def test_bands_are_those_of_the_golden_vectors():
    for vector in json.loads((ROOT / "vectors/sketches.json").read_text())["bandings"]:
        plan = lookalike.Plan(threshold=vector["threshold"], num_perm=vector["num_perm"], recall=vector["recall"])
        assert (plan.bands, plan.rows) == (vector["bands"], vector["rows"])


def test_fingerprints_are_those_of_the_golden_vectors():
    checked = 0
    for vector in json.loads((ROOT / "vectors/fingerprints.json").read_text())["fingerprints"]:
        if vector["weights"] in ("tf-idf", "levels") or not vector["tokens"]:
            continue
        options = {
            "method": "simhash", "tokens": "whitespace", "shingle": vector["shingle"], "seed": int(vector["seed"], 16),
            "feature_hash": vector["feature_hash"], "weights": vector["weights"], "tie": vector["tie"],
        }
        [row] = lookalike.sketch([vector_text(vector)], bits=128, **options)
        if row["fingerprint"] is None:
            continue
        assert row["fingerprint"].hex() == vector["fingerprint"]
        [row] = lookalike.sketch([vector_text(vector)], bits=64, **options)
        assert row["fingerprint"] == int(vector["fingerprint"][16:], 16)
        checked += 1
    assert checked >= 50


def test_a_sketch_carries_the_id_of_its_plan():
    pytest.importorskip("pyarrow")
    table = lookalike.sketch(["one two three", ""], num_perm=64).to_arrow()
    assert table.schema.metadata[b"lookalike.plan"].decode() == lookalike.Plan(num_perm=64).id
    assert table.column("signature").to_pylist()[1] is None
    with pytest.raises(lookalike.PlanError, match="makes no sketches"):
        lookalike.sketch(["a"], method="exact")


def test_frequencies_are_counted_merged_and_kept(texts, tmp_path):
    half = len(texts) // 2
    whole, left, right = (lookalike.frequencies(part) for part in (texts, texts[:half], texts[half:]))
    left.merge(right)
    assert left.id == whole.id and left.documents == whole.documents
    assert pickle.loads(pickle.dumps(whole)) == whole
    whole.save(tmp_path / "table")
    assert lookalike.Frequencies.load(tmp_path / "table").id == whole.id
    (tmp_path / "bad").write_bytes(b"no table")
    with pytest.raises(lookalike.InputError, match="no table of document frequencies"):
        lookalike.Frequencies.load(tmp_path / "bad")
    by_table = lookalike.sketch(texts, method="simhash", weights="tf-idf", frequencies=whole)
    counted = lookalike.sketch(texts, method="simhash", weights="tf-idf")
    assert by_table.to_pylist() == counted.to_pylist()
    with pytest.raises(lookalike.Incompatible):
        lookalike.Plan(method="simhash", weights="tf-idf", frequencies=whole, shingle=2)
    with pytest.raises(lookalike.Incompatible):
        whole.merge(lookalike.frequencies(["a"], shingle=1))


def test_compare_has_every_measure():
    a, b = "one two three four five six", "one two three four five seven"
    compared = lookalike.compare(a, b)
    assert compared.jaccard == pytest.approx(1 / 3, abs=1e-6)
    assert compared.word_jaccard == pytest.approx(5 / 7, abs=1e-6)
    assert (compared.a_in_b, compared.b_in_a, compared.cosine) == (0.5, 0.5, 0.5)
    assert compared.sequence_ratio == pytest.approx(5 / 6, abs=1e-6) and not compared.is_match
    [passage] = compared.passages
    assert a[passage["a_start"] : passage["a_end"]] == b[passage["b_start"] : passage["b_end"]] == "one two three four five"
    assert compared.to_dict()["verdict"]["threshold"] == 0.8
    assert "srcdoc" in compared._repr_html_()


def test_passages_are_counted_in_characters_of_python():
    a, b = "😀é one two three four 日本", "one two three four"
    [passage] = lookalike.compare(a, b, shingle=3).passages
    assert a[passage["a_start"] : passage["a_end"]] == b


def test_both_texts_must_be_texts():
    with pytest.raises(TypeError, match="b is int; give a str"):
        lookalike.compare("a", 5)


def test_stop_words_are_a_set_and_do_not_count():
    assert "the" in lookalike.stop_words("en")
    with pytest.raises(lookalike.PlanError, match="the languages are de"):
        lookalike.stop_words("xx")
    compared = lookalike.compare("the red fox", "a red fox", shingle=1, stop_words="en")
    assert compared.jaccard == 1


def test_texts_of_jieba_are_cut_by_its_dictionary():
    assert lookalike.compare("我来到北京清华大学", "北京清华大学", tokens="jieba", shingle=1).jaccard > 0


def test_words_of_ones_own_are_words_of_jieba(tmp_path):
    options = {"tokens": "jieba", "shingle": 1, "weights": "levels", "levels": {"直击": 5}, "method": "simhash"}
    with pytest.raises(lookalike.PlanError, match="直击"):
        lookalike.pairs(["记者直击北京新机场"], **options)
    assert len(lookalike.pairs(["记者直击北京新机场"] * 2, jieba_dict=["直击 5"], **options)) == 1
    own = tmp_path / "own.txt"
    own.write_text("直击\n新机场 3 n\n", encoding="utf-8")
    with open(own, encoding="utf-8") as lines:
        plan = lookalike.Plan(tokens="jieba", jieba_dict=lines)
    assert plan != lookalike.Plan(tokens="jieba")
    assert pickle.loads(pickle.dumps(plan)) == plan
    index = lookalike.Index.create(tmp_path / "index", tokens="jieba", method="minhash", jieba_dict=["直击", "新机场 3"])
    assert lookalike.Index.open(tmp_path / "index").plan == index.plan
    assert pickle.loads(pickle.dumps(index.plan)) == index.plan
    for wrong, message in [("直击", "iterable of lines"), (["直击 5x"], "no line of a dictionary"), (7, "iterable")]:
        with pytest.raises((lookalike.PlanError, TypeError), match=message):
            lookalike.Plan(tokens="jieba", jieba_dict=wrong)
    with pytest.raises(lookalike.PlanError, match="needs tokens"):
        lookalike.Plan(jieba_dict=["直击"])


def test_corpus_has_pairs_of_many_similarities():
    scores = true_pairs(corpus(600), 0.1).values()
    assert sum(score < 0.5 for score in scores) > 20 and sum(score > 0.9 for score in scores) > 20
