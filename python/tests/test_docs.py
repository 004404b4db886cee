"""Every example of the docstrings and of docs/python.md."""

import doctest
import importlib
import pkgutil
import re

import pytest

import lookalike
from conftest import ROOT

MODULES = sorted(module.name for module in pkgutil.walk_packages(lookalike.__path__, "lookalike.") if "__main__" not in module.name)

# What a module needs to be imported, or its examples to run. Executors of Spark have pyarrow.
NEEDED = {"lookalike.spark._kernel": ["pyarrow"], "lookalike.duckdb": ["duckdb", "pyarrow"]}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name):
    for package in NEEDED.get(name, []):
        pytest.importorskip(package)
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_examples_of_native_classes_run():
    examples = doctest.DocTestParser().get_doctest(lookalike.Plan.__doc__, {}, "Plan", None, None)
    assert examples.examples and doctest.DocTestRunner().run(examples).failed == 0


def test_examples_of_the_guide_run(tmp_path, monkeypatch):
    for package in ("numpy", "pandas", "pyarrow"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    # All examples of the page are one session.
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/python.md", None, None)
    assert len(session.examples) > 25
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session).failed == 0
