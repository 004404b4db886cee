"""Progress, and results as people see them."""

import sys
import types

import lookalike
from lookalike._progress import Bar, Progress, Widget, line
from lookalike._shown import EXAMPLE_WIDTH, rows_html, share, side_by_side


def test_a_bar_says_how_much_is_done():
    assert line(Progress("sketch", 50, 200, "documents", 1.0)) == (
        "sketch       [########                      ]  25% of 200 documents"
    )
    assert line(Progress("read", 5000, None, "bytes", 1.0)) == "read         5,000 bytes"


def test_a_share_is_100_percent_only_if_nothing_is_missing():
    assert [share(1.0), share(0.9996), share(0.25)] == ["100.0 %", "99.9 %", "25.0 %"]
    assert [share(1.0, 2), share(0.99999, 2), share(0.0, 2)] == ["100.00 %", "99.99 %", "0.00 %"]


def test_a_bar_is_cleared_and_a_short_run_has_none(capsys):
    patient = Bar(100.0)
    patient(Progress("sketch", 1, 2, "documents", 1.0))
    patient.clear()
    assert capsys.readouterr().err == ""
    bar = Bar(0.0)
    bar(Progress("sketch", 1, 2, "documents", 1.0))
    bar.clear()
    assert capsys.readouterr().err.endswith("\r")


def test_a_notebook_gets_a_widget_that_is_closed(monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **_):
            bars.append(self)
            self.is_open = True

        def close(self):
            self.is_open = False

    for name, content in {"ipywidgets": {"FloatProgress": Bar}, "IPython.display": {"display": lambda bar: None}}.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    widget = Widget(0.0)
    widget(Progress("sketch", 50, 200, "documents", 1.0))
    assert (bars[0].description, bars[0].value, bars[0].is_open) == ("sketch", 0.25, True)
    widget.clear()
    assert not bars[0].is_open


def test_a_table_shows_its_first_rows():
    table = lookalike.pairs(["one two three four five six"] * 6)
    assert repr(table).splitlines()[:3] == ["Pairs: 15 rows", "a  b  jaccard", "0  1  1.0000"]
    assert repr(table).endswith("… 5 more")
    assert repr(table["a"]) == "Columns([0, 0, 0, 0, 0, 1, 1, 1, 1, 2, ...], 15 rows)"


def test_examples_start_a_few_words_before_their_first_difference():
    start = "word " * 40
    a, b = side_by_side(start + "ends in a house", start + "ends in a garden")
    assert a == "… word word word ends in a house" and b == "… word word word ends in a garden"
    assert side_by_side(start, start + "more")[1] == "… word word word word word more"
    assert side_by_side("one two", "one three") == ("one two", "one three")
    without_spaces = side_by_side("東" * 80 + "京", "東" * 80 + "北")
    assert without_spaces == ("… " + "東" * 30 + "京", "… " + "東" * 30 + "北")


def test_equal_examples_are_shown_once():
    text = "word " * 40
    assert side_by_side(text, text) == (text[: EXAMPLE_WIDTH - 1] + "…", "(the same text)")


def test_columns_of_texts_are_aligned_to_the_left():
    page = rows_html(["row", "text"], [[1, "<b>"], [2, None]])
    left = ' style="text-align: left"'
    assert f"<th>row</th><th{left}>text</th>" in page
    assert f"<tr><td>1</td><td{left}>&lt;b&gt;</td></tr>" in page


def test_pairs_say_once_how_many_there_are():
    page = lookalike.pairs(["one two three four five six"] * 3)._repr_html_()
    assert page.startswith("<p>Pairs: 3 pairs in 1 cluster</p><table>")
    assert page.count("<p>") == 1


def test_an_example_shows_the_removed_text_beside_the_one_it_is_similar_to():
    start = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    page = lookalike.dedup([start + "at last", start + "at first"], threshold=0.5)._repr_html_()
    assert "removed</th>" in page and "similar to</th>" in page
    assert page.index("fifteen sixteen at first</td>") < page.index("fifteen sixteen at last</td>")
    other = lookalike.dedup([start], against=[start])._repr_html_()
    assert "clusters of 2</td><td>1</td>" in other and "(other data)" in other


def test_a_cluster_that_loses_no_document_does_not_count():
    words = [f"w{number}" for number in range(30)]
    texts = [" ".join(words), " ".join([*words, "more"]), "x y z a b c", "x y z a b c"]
    assert "in 2 clusters" in repr(lookalike.dedup(texts))
    for options in ({"min_containment": 1.0}, {"keep": "2"}):
        result = lookalike.dedup(texts, **options)
        removed = 1 if "min_containment" in options else 0
        assert f"{removed} of 4 documents" in repr(result)
        assert f"in {removed} cluster" in repr(result)
        assert f"in {removed} cluster" in result._repr_html_()


def test_every_public_name_has_a_docstring():
    for name in lookalike.__all__:
        thing = getattr(lookalike, name)
        assert thing.__doc__, name
        methods = vars(thing).items() if isinstance(thing, type) else ()
        for method, value in methods:
            if not method.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{method}"
