"""The same clusters from data of every kind, from files and from the program, by `bench/python_same.py`."""

import importlib.util
from types import ModuleType

import pytest

from conftest import ROOT, corpus, jsonl


def script() -> ModuleType:
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
    spec = importlib.util.spec_from_file_location("python_same", ROOT / "bench" / "python_same.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_ways_make_the_same_clusters(tmp_path):
    same = script()
    texts = [text + " 日本語" * (row % 3) for row, text in enumerate(corpus(1500, seed=11))]
    path = jsonl(tmp_path / "in.jsonl", texts)
    for options in same.OPTIONS:
        clusters, removed = same.compared(path, options)
        assert clusters > 50 and removed > 100, options


def test_other_clusters_are_noticed(tmp_path, monkeypatch):
    same = script()
    path = jsonl(tmp_path / "in.jsonl", corpus(300, seed=11))
    kinds_of = same.kinds_of
    monkeypatch.setattr(same, "kinds_of", lambda *given: {"list": kinds_of(*given)["list"][::-1]})
    with pytest.raises(AssertionError, match="list makes other clusters"):
        same.compared(path, {})
