"""The notebooks of docs/notebooks run, and give the outputs that are stored in them.

`UPDATE_NOTEBOOKS=1 python -m pytest python/tests/engines/test_notebooks.py` stores the outputs of a new run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


def run(notebook: Any, folder: Path) -> Any:
    """The notebook with the outputs of a new run, which may write to the folder only."""
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
    ran = client.execute()
    # Times of cells, and the version of Python.
    ran.metadata["language_info"] = {"name": "python"}
    for cell in ran.cells:
        cell.metadata.clear()
    return ran


def test_there_are_three_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_its_stored_outputs(path, tmp_path, monkeypatch):
    for package in ("numpy", "pyarrow", "datasketch"):
        pytest.importorskip(package)
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / "jupyter"))
    folder = tmp_path / "work"
    folder.mkdir()
    stored = nbformat.read(path, as_version=4)
    ran = run(nbformat.read(path, as_version=4), folder)
    if os.environ.get("UPDATE_NOTEBOOKS"):
        nbformat.write(ran, path)
    else:
        assert ran == stored, "the outputs differ: look at them, and store them with UPDATE_NOTEBOOKS=1"
