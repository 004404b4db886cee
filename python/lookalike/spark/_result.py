"""What `dedup` on Spark returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lookalike._summary import Summary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class SparkDedup:
    """Which documents stay. All frames but `kept` and `annotate()` are read from the folder `work`."""

    kept: DataFrame
    """The given frame without near-duplicates."""
    removed: DataFrame
    """id, kept_id, cluster, similarity, containment: what was removed, and the document that stays in its place.

    With `against_containment` also that column: the share of the shorter one that the other one has, if the document was removed for it.
    """
    clusters: DataFrame
    """id, cluster, kept: the members of clusters of two or more. The cluster is its least id."""
    pairs: DataFrame
    """a, b, similarity: the similar pairs. Of equal contents only the first document is in a pair."""
    summary: Summary
    """What the call read, searched and found. `seconds` has the stages, by the call that wrote each."""
    taken_over: tuple[str, ...]
    """The stages that an earlier call had written, if this call went on with its work."""
    _annotated: Callable[[], DataFrame] = field(repr=False)
    _uncovered: Callable[[], DataFrame] = field(repr=False)
    _page: Callable[[Sequence[str], int], str] = field(repr=False)

    def annotate(self) -> DataFrame:
        """All documents with the decisions as columns: cluster, kept, kept_id, the similarity, containment, duplicate_count.

        The column of the similarity has the name of the measure: jaccard, word_jaccard, cosine, or overlap for containment.
        """
        return self._annotated()

    def uncovered(self) -> DataFrame:
        """The frame `removed` with two more columns: uncovered_words and uncovered.

        They are the number of words that no shingle shared with the kept document covers, and the first 50 of these words, with … at
        each gap, and (+12) for twelve more. The first call reads the texts of removed documents again, and writes the stage `uncovered`.
        """
        return self._uncovered()

    def report(self, path: str, inputs: Sequence[str] = ("a DataFrame",), skipped: int = 0) -> None:
        """Writes one HTML page with charts and with examples side by side, on the machine of the driver. It quotes texts.

        The page names `inputs`, and how many of their records were skipped. Spark reads the texts of some dozen documents
        again for it.
        """
        page = self._page(inputs, skipped)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
