"""`dedup`: what stays, and why the others do not."""

import html
import pickle

import pytest

import lookalike
from conftest import corpus, jsonl, true_pairs

EXACT = {"method": "exact", "tokens": "whitespace"}


def clusters_of(pairs):
    """Connected documents, by brute force."""
    sets = {}
    for a, b in sorted(pairs):
        union = sets.get(a, {a}) | sets.get(b, {b})
        for row in union:
            sets[row] = union
    return sorted({tuple(sorted(rows)) for rows in sets.values()})


def clusters(result):
    found = {}
    for row in result.clusters:
        found.setdefault(row["cluster"], []).append(row["row"])
    return [tuple(rows) for rows in found.values()]


@pytest.mark.parametrize("threshold", [0.3, 0.6, 0.8, 1.0])
def test_clusters_are_those_of_comparing_every_pair(texts, threshold):
    expected = clusters_of(true_pairs(texts, threshold))
    result = lookalike.dedup(texts, threshold=threshold, **EXACT)
    assert clusters(result) == expected
    kept = {row for row in range(len(texts))} - {row for rows in expected for row in rows[1:]}
    assert result.rows.tolist() == sorted(kept)
    assert result.mask.tolist() == [row in kept for row in range(len(texts))]
    assert result.kept() == [texts[row] for row in sorted(kept)]
    assert len(result) == len(texts)


def test_results_are_the_same_for_any_number_of_threads(texts):
    results = [lookalike.dedup(texts, threads=threads, method="minhash") for threads in (1, 2, 5)]
    assert len({tuple(clusters(result)) for result in results}) == 1


def test_list_frame_table_and_files_make_the_same_clusters(texts, tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    import pyarrow

    expected = clusters(lookalike.dedup(texts))
    assert expected
    files = lookalike.Files(jsonl(tmp_path / "in.jsonl", texts))
    frame = {"text": texts}
    for data in (pandas.DataFrame(frame), polars.DataFrame(frame), pyarrow.table(frame), files):
        assert clusters(lookalike.dedup(data)) == expected
    pyarrow.parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow.parquet.write_table(pyarrow.table(frame), tmp_path / "in.parquet")
    assert clusters(lookalike.dedup(lookalike.Files(tmp_path / "in.parquet"))) == expected


def test_removed_rows_have_their_reasons(texts):
    truth = true_pairs(texts, 1e-9)
    removed = lookalike.dedup(texts, threshold=0.5, **EXACT).removed
    assert removed.columns == ("row", "kept_row", "cluster", "jaccard", "containment", "uncovered_words", "uncovered")
    assert len(removed) > 100
    for row in removed:
        a, b = sorted((row["row"], row["kept_row"]))
        assert row["jaccard"] == pytest.approx(truth[a, b])
        assert (row["uncovered_words"] == 0) == (row["uncovered"] == "")


def test_the_column_of_clusters_has_a_null_for_each_document_alone(texts):
    result = lookalike.dedup(texts)
    of_rows = {row["row"]: row["cluster"] for row in result.clusters}
    assert result.cluster.to_pylist() == [of_rows.get(row) for row in range(len(texts))]


@pytest.mark.parametrize(
    ("keep", "kept"), [("first", [0, 3]), ("last", [2, 3]), ("longest", [1, 3]), ("none", [3]), ("2", [0, 1, 3])]
)
def test_the_policy_chooses_the_kept_one(keep, kept):
    texts = ["a b c d e f", "a  b  c  d  e  f", "A b c d e f", "x y z"]
    assert lookalike.dedup(texts, keep=keep).rows.tolist() == kept


def test_the_policy_may_name_a_column_of_numbers():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"text": ["a b c d e f"] * 4 + ["x"], "score": [1, 7, None, 3, 0]})
    assert lookalike.dedup(frame, keep="max:score").rows.tolist() == [1, 4]
    assert lookalike.dedup(frame, keep="min:score").rows.tolist() == [0, 4]
    with pytest.raises(KeyError, match="no column"):
        lookalike.dedup(frame, keep="max:rank")
    with pytest.raises(ValueError, match='keep is "best"; use first'):
        lookalike.dedup(frame, keep="best")


def test_star_clusters_hold_only_what_is_similar_to_the_kept_one():
    words = [f"w{number}" for number in range(60)]
    texts = [" ".join(words[start : start + 30]) for start in (0, 3, 6, 9)]
    assert lookalike.dedup(texts, threshold=0.6).summary.removed == 3
    assert lookalike.dedup(texts, threshold=0.6, cluster="star").summary.removed < 3


def test_what_is_similar_to_other_data_is_removed(texts, tmp_path):
    half = len(texts) // 2
    seen, new = texts[:half], texts[half:]
    of_all = lookalike.dedup(texts, method="minhash")
    for against in (seen, [seen[:50], seen[50:]], lookalike.Files(jsonl(tmp_path / "seen.jsonl", seen))):
        result = lookalike.dedup(new, against=against, method="minhash")
        assert result.summary.removed > 20
        # All of `seen` stays here, and only one of each cluster stays there.
        assert set(result.rows.tolist()) <= {row - half for row in of_all.rows.tolist() if row >= half} | set(
            lookalike.dedup(new, method="minhash").rows.tolist()
        )
        removed = {row["row"]: row for row in result.removed}
        assert any(row["kept_row"] is None and row["kept_id"] is not None for row in removed.values())
        assert all(row["row"] in removed for row in result.clusters if not row["kept"])


def test_other_data_may_have_columns_of_its_own():
    pyarrow = pytest.importorskip("pyarrow")
    new = pyarrow.table({"body": ["the words of a first text", "the words of another"], "key": ["n0", "n1"]})
    seen = pyarrow.table({"question": ["other words", "the words of a first text"], "number": [7, 8], "key": ["x", "y"]})
    for options, kept_id in (({}, "y"), ({"against_id": "number"}, "8")):
        result = lookalike.dedup(new, text="body", id="key", against=seen, against_text="question", **options)
        # A copy of the call reads the same columns.
        for copy in (result, pickle.loads(pickle.dumps(result))):
            assert copy.kept()["key"].to_pylist() == ["n1"]
            assert [(row["id"], row["kept_id"]) for row in copy.removed] == [("n0", kept_id)]
    for options, error, message in (
        ({"against": seen}, KeyError, 'against: no column "body"; the columns are question, number, key'),
        ({"against": seen, "against_text": "question", "against_id": "no"}, KeyError, 'against: no column "no"'),
        ({"against_text": "question"}, TypeError, "against_text names a column of against="),
        ({"against": [], "against_id": "key"}, TypeError, "against_id names a column of against="),
        ({"against": lookalike.Files("x.jsonl"), "against_text": "question"}, TypeError, "against: Files names the fields"),
    ):
        with pytest.raises(error, match=message):
            lookalike.dedup(new, text="body", id="key", **options)


def test_files_to_compare_with_are_read_by_their_own_fields(tmp_path):
    (tmp_path / "new.jsonl").write_text('{"body": "the words of a first text", "key": "n0"}\n{"body": "the words of another"}\n')
    (tmp_path / "seen.jsonl").write_text('{"question": "the words of a first text", "code": "s0", "key": "no"}\n')
    seen = lookalike.Files(tmp_path / "seen.jsonl", text="question", id="code")
    for data in (
        ["the words of a first text", "the words of another"],
        lookalike.Files(tmp_path / "new.jsonl", text="body", id="key"),
    ):
        result = lookalike.dedup(data, against=seen)
        assert [(row["row"], row["kept_id"]) for row in result.removed] == [(0, "s0")]
    with pytest.raises(ValueError, match="against: several Files must name the same text= and id="):
        lookalike.dedup(["a"], against=[seen, lookalike.Files(tmp_path / "new.jsonl", text="body")])


def test_only_documents_that_are_similar_to_other_data_may_go(tmp_path):
    words = [f"w{number}" for number in range(90)]
    seen, *new = [" ".join(words[start : start + 40]) for start in (0, 6, 12, 18, 18)]
    index = lookalike.Index.create(tmp_path / "seen.index", threshold=0.6)
    index.add([seen])
    for options in ({"against": [seen], "threshold": 0.6}, {"against": index}):
        result = lookalike.dedup(new, only_against=True, **options)
        assert result.rows.tolist() == [1, 2, 3]
        assert [(row["row"], row["kept_row"], round(row["jaccard"], 2)) for row in result.removed] == [(0, None, 0.71)]
        assert [(row["row"], row["kept"]) for row in result.clusters] == [(0, False)]
        assert result.summary.removed_against == 1
    with pytest.raises(TypeError, match="only_against needs against="):
        lookalike.dedup(new, only_against=True)
    for options in ({"keep": "last"}, {"cluster": "star"}):
        with pytest.raises(TypeError, match="leave out keep and cluster"):
            lookalike.dedup(new, against=[seen], only_against=True, **options)


def test_contained_documents_are_removed_for_containment():
    short = "the part that both of these documents have in common word for word"
    result = lookalike.dedup([short, "unrelated text of some words"], against=[short + " and much more" * 30], against_containment=0.9)
    assert result.rows.tolist() == [1]
    assert result.removed.to_pylist()[0]["against_containment"] == 1.0


def test_the_summary_has_the_keys_of_the_program(texts):
    summary = lookalike.dedup(texts, audit=100).summary
    assert summary.documents == summary["documents"] == len(texts)
    assert summary.kept + summary.removed == len(texts)
    assert 0.9 < summary.recall_estimate <= 1 and set(summary.seconds) >= {"sketch", "total"}
    assert summary.plan["threshold"] == 0.8 and summary.audit is not None
    assert dict(pickle.loads(pickle.dumps(summary))) == dict(summary)
    with pytest.raises(AttributeError, match="has no speed"):
        _ = summary.speed


def test_a_report_is_one_page(texts, tmp_path):
    lookalike.dedup(texts).report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")


def test_a_report_is_of_the_documents_of_the_call(tmp_path):
    path = jsonl(tmp_path / "in.jsonl", corpus(300))
    result = lookalike.dedup(lookalike.Files(path))
    result.report(tmp_path / "page.html")
    summary = result.summary
    assert f"{summary.removed} of {summary.documents} documents were removed" in (tmp_path / "page.html").read_text()
    jsonl(path, [*corpus(300)[1:], "another text"])
    with pytest.raises(lookalike.InputError, match="changed"):
        result.report(tmp_path / "page.html")


def test_results_show_themselves_and_escape_texts():
    hostile = "<script>alert(1)</script> one two three four five\x1b[2J"
    result = lookalike.dedup([hostile, hostile + ".", "other"])
    assert repr(result) == "Dedup: 1 of 3 documents is a near-duplicate (33.3 %) in 1 cluster; recall 100.00 %"
    page = result._repr_html_()
    assert html.escape("<script>") in page and "<script>" not in page and "\x1b" not in page
    assert "\x1b" not in repr(result.removed) and "<script" not in result.removed._repr_html_()


def test_options_without_sense_are_refused(tmp_path):
    with pytest.raises(ValueError, match="output is for Files"):
        lookalike.dedup(["a"], output=tmp_path / "out")
    with pytest.raises(ValueError, match="cluster"):
        lookalike.dedup(["a"], cluster="tree")
    with pytest.raises(TypeError, match='did you mean "threshold"'):
        lookalike.dedup(["a"], treshold=0.5)
    with pytest.raises(lookalike.PlanError, match="containment is known only if"):
        lookalike.dedup(["a"], min_containment=0.5, method="simhash")
    with pytest.raises(lookalike.InputError):
        lookalike.dedup(["a"], against=lookalike.Files("/nowhere"))
    with pytest.raises(ValueError, match="min_containment is 2; it must be from 0 to 1"):
        lookalike.dedup(["a"], min_containment=2)
    with pytest.raises(lookalike.PlanError, match="audit needs verify=True"):
        lookalike.dedup(["a"], audit=5, method="simhash")


def test_a_plan_stands_for_its_options(texts):
    plan = lookalike.Plan(threshold=0.6, tokens="whitespace")
    assert lookalike.dedup(texts, plan=plan).rows.tolist() == lookalike.dedup(texts, threshold=0.6, tokens="whitespace").rows.tolist()
    with pytest.raises(TypeError, match="leave out threshold"):
        lookalike.dedup(texts, plan=plan, threshold=0.5)


def test_simhash_lists_distances():
    texts = corpus(100)
    removed = lookalike.dedup(texts, method="simhash", hamming=8, shingle=1).removed
    assert "hamming" in removed.columns and all(row["hamming"] <= 64 for row in removed)


def test_data_is_annotated_with_the_decisions(texts):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    removed = {row["row"]: row for row in lookalike.dedup(texts).removed}
    frames = [
        lookalike.dedup(pandas.DataFrame({"text": texts})).annotate().to_dict("records"),
        lookalike.dedup(polars.DataFrame({"text": texts})).annotate().to_dicts(),
        lookalike.dedup(pyarrow.table({"text": texts})).annotate().to_pylist(),
        lookalike.dedup(texts).annotate().to_pylist(),
    ]
    for rows in frames:
        assert len(rows) == len(texts)
        for row, values in enumerate(rows):
            assert values["kept"] == (row not in removed)
            if row in removed:
                assert (values["kept_row"], values["jaccard"]) == (removed[row]["kept_row"], removed[row]["jaccard"])
    ids = lookalike.dedup(pyarrow.table({"text": texts, "id": list(range(7, 607))}), id="id").annotate()
    assert all(row["kept_id"] == (None if row["kept"] else row["kept_row"] + 7) for row in ids.to_pylist())


def test_results_pickle_and_are_the_same(texts):
    result = lookalike.dedup(texts, against=texts[:5], threshold=0.6, threads=2)
    again = pickle.loads(pickle.dumps(result))
    assert again.kept() == result.kept() and again.removed.to_pylist() == result.removed.to_pylist()
    compared = lookalike.compare(texts[0], texts[1], shingle=2)
    assert pickle.loads(pickle.dumps(compared)).to_dict()["measures"] == compared.to_dict()["measures"]


@pytest.mark.parametrize("kind", ["Dedup", "Table", "Columns", "Pairs", "Comparison"])
def test_pickled_results_of_another_version_are_refused(kind):
    result = lookalike.dedup(["a b c d e f", "A b c d e f!"])
    results = [result, result.removed, result.removed["row"], lookalike.pairs(["a b", "c d"]), lookalike.compare("a", "b")]
    found = next(result for result in results if type(result).__name__ == kind)
    restore, state = found.__reduce__()
    place = state.index(1)
    with pytest.raises(ValueError, match=f"this {kind} was pickled in version 9, and this program reads version 1"):
        restore(*state[:place], 9, *state[place + 1 :])


def test_a_broken_parquet_file_is_an_error_without_a_trace_of_rust(tmp_path, capfd):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"text": corpus(500)}), tmp_path / "broken.parquet")
    content = bytearray((tmp_path / "broken.parquet").read_bytes())
    content[200:3000] = bytes(2800)
    (tmp_path / "broken.parquet").write_bytes(content)
    with pytest.raises(lookalike.InputError, match="broken.parquet"):
        lookalike.dedup(lookalike.Files(tmp_path / "broken.parquet"))
    assert "panicked" not in capfd.readouterr().err
