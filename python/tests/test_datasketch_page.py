"""Every example of docs/datasketch.md."""

import doctest
import re

import pytest

from conftest import ROOT


def test_examples_of_the_page_for_users_of_datasketch_run():
    for package in ("numpy", "datasketch"):
        pytest.importorskip(package)
    page = (ROOT / "docs/datasketch.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/datasketch.md", None, None)
    assert len(session.examples) > 20
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session).failed == 0
