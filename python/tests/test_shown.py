"""Progress, and results as people see them."""

import sys
import types

import lookalike
from lookalike._progress import Bar, Progress, Widget, line


def test_a_bar_says_how_much_is_done():
    assert line(Progress("sketch", 50, 200, "documents", 1.0)) == (
        "sketch       [########                      ]  25% of 200 documents"
    )
    assert line(Progress("read", 5000, None, "bytes", 1.0)) == "read         5,000 bytes"


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


def test_every_public_name_has_a_docstring():
    for name in lookalike.__all__:
        thing = getattr(lookalike, name)
        assert thing.__doc__, name
        methods = vars(thing).items() if isinstance(thing, type) else ()
        for method, value in methods:
            if not method.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{method}"
