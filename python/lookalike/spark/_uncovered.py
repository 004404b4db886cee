"""The words that are lost with removed documents: those that no shingle shared with the kept document covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lookalike.spark import _plan
from lookalike.spark._executors import on_executors
from lookalike.spark._frames import quoted, sql
from lookalike.spark._outcome import listed, unchanged
from lookalike.spark._search import Found, Input, among
from lookalike.spark._work import Work

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def uncovered(
    read: Input, found: Found, removed: DataFrame, options: dict[str, Any], work: Work, *, tells_contained: bool
) -> DataFrame:
    """The list of the removed documents, with the columns uncovered_words and uncovered."""
    of_texts = work.stage("uncovered", lambda: _of_texts(read, found, removed, options))
    words = "coalesce(uncovered_words, 0L) AS uncovered_words", "coalesce(uncovered, '') AS uncovered"
    rows = listed(removed, tells_contained=tells_contained)
    return rows.join(of_texts, "id", "left").selectExpr(*rows.columns, *words)


def _of_texts(read: Input, found: Found, removed: DataFrame, options: dict[str, Any]) -> DataFrame:
    """The texts of removed documents are read again, if they are not wholly contained in the kept document."""
    # Without frequent shingles, a document may be contained that has words of its own.
    partly = removed if found.frequent is not None else removed.where("containment < 1")
    gone = partly.selectExpr("id AS lookalike_id", "kept_id AS lookalike_kept", "row_check AS lookalike_check")
    kept = among(found.described, gone, "lookalike_kept").selectExpr("id AS lookalike_kept", "features AS kept")
    joined = read.frame.join(gone, sql(f"CAST({quoted(read.id)} AS {found.kind}) = lookalike_id"))
    text = unchanged(read, f"CAST({quoted(read.text)} AS string)")
    texts = joined.selectExpr("lookalike_id AS id", "lookalike_kept", f"{text} AS text").join(kept, "lookalike_kept")
    schema = f"id {found.kind}, uncovered_words bigint, uncovered string"
    return texts.select("id", "text", "kept").mapInArrow(on_executors("uncover", _plan.for_reasons(options)), schema)
