"""`Seen`, `Index`, `tune` and `evaluate`."""

import json
import multiprocessing
import pickle
import random
import subprocess
import threading

import pytest

import lookalike
from conftest import corpus, jsonl, shingles, true_pairs
from test_command import PROGRAM
from test_dedup import clusters

WHITESPACE = {"tokens": "whitespace"}


def loop(texts, threshold):
    """What the loop keeps that compares each text with all that it has kept."""
    kept = []
    for row, text in enumerate(texts):
        mine = shingles(text)
        if not any(mine & other and len(mine & other) / len(mine | other) >= threshold for _, other in kept):
            kept.append((row, mine))
    return [row for row, _ in kept]


@pytest.mark.parametrize("threshold", [0.5, 0.8])
def test_seen_keeps_what_the_loop_over_all_texts_keeps(texts, threshold):
    seen = lookalike.Seen(threshold=threshold, recall=0.9999, **WHITESPACE)
    kept = [row for row, text in enumerate(texts) if seen.add(text) is None]
    assert kept == loop(texts, threshold)
    assert len(seen) == len(kept)


def test_adding_many_is_adding_one_by_one(texts):
    one, many = lookalike.Seen(), lookalike.Seen()
    assert many.add_many(texts[:250], threads=3).tolist() == [one.add(text) is None for text in texts[:250]]
    assert many.add_many(texts[250:]).tolist() == [one.add(text) is None for text in texts[250:]]


def test_what_is_found_is_named_and_exact():
    seen = lookalike.Seen(threshold=0.3)
    assert seen.find("one two three four five six") is None
    assert seen.add("one two three four five six", id="a") is None
    assert seen.add("unrelated words of another kind here", id=7) is None
    assert seen.find("one two three four five seven") == lookalike.Match(0, "a", pytest.approx(1 / 3))
    assert seen.add("One, two, three, four, five, six", id="b") == lookalike.Match(0, "a", 1.0)
    assert "a" in seen and 7 in seen and "b" not in seen and len(seen) == 2
    seen.remove("a")
    assert seen.find("one two three four five six") is None and len(seen) == 1
    with pytest.raises(KeyError, match="no document has the id"):
        seen.remove("a")
    with pytest.raises(ValueError, match="has the id 7 already"):
        seen.add("a third text that is like no other", id=7)


def test_all_that_is_similar_is_found():
    seen = lookalike.Seen(threshold=0.4)
    words = [f"w{number}" for number in range(20)]
    seen.add(" ".join(words))
    assert seen.add(" ".join(words[8:] + ["x", "y", "z", "a", "b", "c", "d"])) is None
    assert len(seen.find_all(" ".join(words[3:] + ["x", "y", "z"]))) == 2


def test_texts_without_words_are_similar_to_no_other():
    seen = lookalike.Seen()
    assert seen.add("") is None and seen.add("") is None and len(seen) == 2


def test_seen_is_saved_and_pickles(texts, tmp_path):
    seen = lookalike.Seen(threshold=0.6, exact=True)
    seen.add_many(texts[:300])
    seen.add("a text with an id of its own here", id=-5)
    seen.add("another text, whose id is a text", id="t")
    seen.remove("t")
    seen.save(tmp_path / "seen")
    for again in (lookalike.Seen.load(tmp_path / "seen"), pickle.loads(pickle.dumps(seen))):
        assert len(again) == len(seen) and -5 in again and "t" not in again
        assert [again.find(text) for text in texts] == [seen.find(text) for text in texts]
        assert again.add("something that was never seen before at all", id="new") is None
    (tmp_path / "bad").write_bytes(b"not a file of ours")
    with pytest.raises(lookalike.InputError, match="no file of Seen") as error:
        lookalike.Seen.load(tmp_path / "bad")
    assert error.value.filename == str(tmp_path / "bad")


def test_of_equal_texts_that_threads_add_one_is_new():
    seen = lookalike.Seen()
    texts = corpus(300, seed=4)
    texts = [text for text in texts if text]
    added = []

    def work(seed):
        for text in random.Random(seed).sample(texts, len(texts)):
            if seen.add(text) is None:
                added.append(text)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(added) == len(set(added)) == len(seen)
    assert all(seen.find(text) is not None for text in texts)


def test_seen_refuses_what_it_cannot_search():
    with pytest.raises(lookalike.PlanError, match="MinHash"):
        lookalike.Seen(method="simhash")
    with pytest.raises(TypeError, match="threshold"):
        lookalike.Seen().add_many(["a"], threshold=0.5)


def seen_length(seen):
    return len(seen)


def test_seen_goes_to_another_process(texts):
    seen = lookalike.Seen()
    seen.add_many(texts)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(seen_length, (seen,)) == len(seen)


def index_length(index):
    return len(index)


def test_an_index_finds_what_one_run_over_all_finds(texts, tmp_path):
    half = len(texts) // 2
    with lookalike.Index.create(tmp_path / "index", threshold=0.7) as index:
        assert len(index) == 0 and index.plan.threshold == 0.7
        summary = index.add(texts[:half])
    assert summary.documents == half and len(index) == half
    reader = lookalike.Index.open(tmp_path / "index")
    result = reader.dedup(texts[half:])
    against = lookalike.dedup(texts[half:], against=texts[:half], threshold=0.7, method="minhash")
    assert result.summary.removed > 20
    found = reader.find(texts[half:])
    truth = true_pairs(texts, 1e-9)
    assert found.columns == ("row", "indexed_id", "jaccard") and len(found) > 20
    for row in found:
        assert row["jaccard"] == pytest.approx(truth.get((int(row["indexed_id"]), row["row"] + half), 0), abs=0.2)
    assert lookalike.dedup(texts[half:], against=reader).rows.tolist() == result.rows.tolist()
    assert set(result.rows.tolist()) <= set(range(half)) and len(against.rows) >= len(result.rows)
    assert len(reader) == half


def test_an_index_that_grows_is_that_of_the_program(texts, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    index = lookalike.Index.create(tmp_path / "index")
    table = pyarrow.table({"text": texts, "id": [f"d{row}" for row in range(len(texts))]})
    result = index.dedup(table.slice(0, 300), id="id", update=True)
    assert len(result.removed) == result.summary.removed
    index.add(table.slice(300), id="id")
    assert len(index) == len(texts)
    done = subprocess.run([PROGRAM, "index", "info", tmp_path / "index", "--format", "json"], capture_output=True, text=True)
    assert json.loads(done.stdout)["documents"] == len(texts) == index.info()["documents"]
    assert index.info(verify=True)["verified"]
    found = index.find(table.slice(0, 5), id="id")
    assert found.columns == ("row", "id", "indexed_id", "jaccard")


def test_an_index_without_texts_finds_the_same(texts, tmp_path):
    half = len(texts) // 2
    found = []
    for store_texts in (True, False):
        options = {"method": "simhash", "hamming": 8, "store_texts": store_texts}
        with lookalike.Index.create(tmp_path / f"index{store_texts}", **options) as index:
            index.add(texts[:half])
            assert index.info(verify=True)["stores_texts"] == store_texts
            result = index.dedup(texts[half:])
            assert lookalike.dedup(texts[half:], against=index).rows.tolist() == result.rows.tolist()
            found.append((result.rows.tolist(), list(index.find(texts[half:])), list(result.removed)))
            index.dedup(texts[half:], update=True)
            assert len(index) == len(texts)
    assert found[0] == found[1] and len(found[0][1]) > 5
    with pytest.raises(ValueError, match="without texts"):
        lookalike.Index.create(tmp_path / "verified", store_texts=False)


def test_an_index_by_tf_idf_has_its_table(texts, tmp_path):
    half = len(texts) // 2
    options = {"method": "simhash", "hamming": 8, "weights": "tf-idf"}
    with pytest.raises(ValueError, match="needs a table of document frequencies"):
        lookalike.Index.create(tmp_path / "none", **options)
    table = lookalike.frequencies(texts)
    with lookalike.Index.create(tmp_path / "index", frequencies=table, **options) as index:
        index.add(texts[:half])
    index = lookalike.Index.open(tmp_path / "index")
    info = index.info(verify=True)
    # Texts without words do not count.
    with_words = sum(any(map(str.isalnum, text)) for text in texts)
    assert with_words < len(texts)
    assert (info["weights"], info["counted_documents"]) == ("tf-idf", with_words)
    plan = lookalike.Plan(frequencies=table, **options)
    assert index.plan == plan == pickle.loads(pickle.dumps(index.plan))
    in_one_run = lookalike.dedup(texts[half:], against=texts[:half], frequencies=table, **options)
    result = index.dedup(texts[half:])
    assert result.rows.tolist() == in_one_run.rows.tolist()
    assert [row["hamming"] for row in result.removed] == [row["hamming"] for row in in_one_run.removed]
    assert result.summary.removed > 5


def test_an_index_pickles_as_its_path_and_is_then_read_only(tmp_path):
    index = lookalike.Index.create(tmp_path / "index")
    index.add(["some words"])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(index_length, (index,)) == 1
    with pytest.raises(ValueError, match="writable=True"):
        pickle.loads(pickle.dumps(index)).add(["other words"])


def test_errors_of_an_index_have_classes(tmp_path):
    with pytest.raises(lookalike.InputError, match="there is no index here"):
        lookalike.Index.open(tmp_path)
    index = lookalike.Index.create(tmp_path / "index")
    with pytest.raises(lookalike.OutputError, match="there is an index already"):
        lookalike.Index.create(tmp_path / "index")
    with pytest.raises(lookalike.Incompatible, match="leave out threshold"):
        lookalike.dedup(["a"], against=index, threshold=0.5)
    index.add(corpus(50))
    damaged = max((tmp_path / "index").iterdir(), key=lambda file: file.stat().st_size)
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    with pytest.raises(lookalike.IndexDamaged):
        index.info(verify=True)


def test_a_second_writer_is_refused(tmp_path):
    index = lookalike.Index.create(tmp_path / "index")
    index.add(["some words"])
    process = subprocess.Popen(
        [PROGRAM, "serve", "--index", tmp_path / "index", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert "serving" in process.stderr.readline()
        with pytest.raises(lookalike.IndexLocked, match="another process"):
            index.add(["other words"])
        assert len(index) == 1
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_tune_recommends_options_that_dedup_takes(texts):
    tuning = lookalike.tune(texts, threshold=0.7)
    assert tuning.options["threshold"] == 0.7 and tuning.reason
    assert lookalike.dedup(texts, **tuning.options).summary.removed > 0
    assert sum(row["pairs"] for row in tuning.histogram) > 50
    assert "<svg" in tuning._repr_html_()
    tolerance = lookalike.tune(texts, tolerate=0.05)
    assert set(tolerance.options) == {"threshold", "shingle"}
    table = lookalike.tune(texts, table=True)
    assert len(table.experiments) > 3 and {"bands", "rows", "precision", "recall"} <= set(table.experiments[0])
    with pytest.raises(lookalike.PlanError, match="leave out method"):
        lookalike.tune(texts, method="exact")
    with pytest.raises(lookalike.PlanError, match="tolerate is 2"):
        lookalike.tune(texts, tolerate=2.0)


def test_evaluate_counts_pairs_and_clusters(texts, tmp_path):
    truth = list(true_pairs(texts, 0.6))
    found = lookalike.pairs(texts, threshold=0.6, method="exact", **WHITESPACE)
    same = lookalike.evaluate(found, truth)
    assert (same.precision, same.recall, same.f1, same.adjusted_rand_index) == (1, 1, 1, 1)
    assert same.wrong == same.missing == []
    less = lookalike.evaluate(truth[1:] + [(0, 599)], truth)
    assert less.missing == [{"a": truth[0][0], "b": truth[0][1]}] and less.wrong == [{"a": 0, "b": 599}]
    assert less.to_dict()["pairs"]["wrong"] == 1
    found.write(tmp_path / "found.csv")
    assert lookalike.evaluate(tmp_path / "found.csv", found).f1 == 1


def test_evaluate_takes_clusters_and_data_frames(texts):
    result = lookalike.dedup(texts)
    assert clusters(result)
    assert lookalike.evaluate(result, result.clusters).adjusted_rand_index == 1
    frame = pytest.importorskip("pandas").DataFrame({"a": [1, 2], "b": [2, 3]})
    assert lookalike.evaluate(frame, [(1, 2), (2, 3)], documents=10).f1 == 1
    with pytest.raises(ValueError, match="more than the 2"):
        lookalike.evaluate(frame, [(1, 2)], documents=2)


def test_evaluate_reads_the_ids_of_files(texts, tmp_path):
    files = lookalike.Files(jsonl(tmp_path / "in.jsonl", texts))
    named = lookalike.pairs(files, threshold=0.6, method="exact", **WHITESPACE)
    truth = [(f"d{a}", f"d{b}") for a, b in true_pairs(texts, 0.6)]
    assert lookalike.evaluate(named, truth).f1 == 1


def test_an_index_by_levels_has_them(texts, tmp_path):
    half = len(texts) // 2
    word = next(word for text in texts for word in text.split())
    options = {"method": "simhash", "hamming": 8, "shingle": 1, "weights": "levels", "levels": {word: 5}}
    with lookalike.Index.create(tmp_path / "index", **options) as index:
        index.add(texts[:half])
    index = lookalike.Index.open(tmp_path / "index")
    assert (index.info(verify=True)["weights"], index.info()["levels"]) == ("levels", 1)
    assert index.plan == lookalike.Plan(**options)
    assert index.plan != lookalike.Plan(**{**options, "levels": {word: 4}})
    kept = lookalike.dedup(texts[half:], against=texts[:half], **options).kept()
    assert lookalike.dedup(texts[half:], against=index).kept() == kept
    with pytest.raises(ValueError, match="the levels of an index are known by their hashes only"):
        pickle.dumps(index.plan)
