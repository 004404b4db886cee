"""The report page of a run on Spark shows what the page of the program shows."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

import lookalike
import sparks

sparks.need_spark()

from lookalike import spark as on_spark  # noqa: E402
from lookalike.spark.__main__ import main  # noqa: E402

TEXTS = sparks.documents(600)
IDS = sparks.ids_of(TEXTS)


def table_of(page: str, chart: str) -> list[str]:
    """The cells of the table below a chart."""
    figure = page[page.index(f'id="{chart}"') :]
    return re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", figure[: figure.index("</table>")])


def examples_of(page: str) -> list[tuple[str, str]]:
    """The anchor of each example, and its similarity with the size and the mean of its cluster."""
    return re.findall(r'<details class="example" id="(\w+)">\s*<summary>(.*)', page)


def test_the_page_has_the_charts_and_examples_of_the_program(session: Any, tmp_path: Path) -> None:
    sparks.frame(session, TEXTS, IDS).write.parquet(str(tmp_path / "in"))
    words = [str(tmp_path / "in"), "--dry-run", "--work", str(tmp_path / "work"), "--threshold", "0.7"]
    assert main([*words, "--report", str(tmp_path / "spark.html")]) == 0
    result = lookalike.dedup(TEXTS, method="minhash", threshold=0.7)
    result.report(tmp_path / "alone.html")
    ours, alone = ((tmp_path / name).read_text(encoding="utf-8") for name in ("spark.html", "alone.html"))
    for chart in ("removed-by-score", "cluster-sizes", "bucket-sizes"):
        assert table_of(ours, chart) == table_of(alone, chart), chart
        assert len(table_of(ours, chart)) > 4
    assert examples_of(ours) == examples_of(alone) and len(examples_of(ours)) > 15
    assert html.escape(str(tmp_path / "in")) in ours


def test_texts_are_escaped_and_old_documents_need_no_text(session: Any, tmp_path: Path) -> None:
    text = "<script>alert(1)</script> is a text that stands in two documents of ours, with a few words more"
    old = on_spark.sketch(sparks.frame(session, [text], [1]))
    result = on_spark.dedup(sparks.frame(session, [text], [2]), against=old, work=str(tmp_path / "work"))
    result.report(str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page and "alert(1)" in page
    assert "The text of this old document is not in its sketch." in page
