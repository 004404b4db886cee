"""The decisions of `dedup`, for the data that was given."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, final

from lookalike import _shown
from lookalike._files import Files
from lookalike._kept import annotated, kept
from lookalike._lookalike import Decisions, Source
from lookalike._pickled import PICKLED, check_version
from lookalike._summary import Summary
from lookalike._table import Columns, Table, needed
from lookalike._types import Path

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_D = TypeVar("_D")


class Decide(Protocol):
    """A call of `dedup` that can be made again, with the same result."""

    @property
    def data(self) -> Any: ...
    @property
    def source(self) -> Source: ...
    def __call__(self, reasons: bool, output: str | None = None) -> Decisions: ...
    def explain(self, decisions: Decisions, report: str | None = None) -> Decisions: ...


SHOWN_CLUSTERS = 3
"""Clusters that a notebook shows."""


@final
class Dedup(Generic[_D]):
    """Which rows stay.

    >>> import lookalike
    >>> result = lookalike.dedup(["a b c d e f", "A b c d e f!", "x"])
    >>> result
    Dedup: 1 of 3 documents is a near-duplicate (33.3 %) in 1 cluster; recall 100.00 %
    >>> result.kept()
    ['a b c d e f', 'x']
    """

    def __init__(self, decide: Decide, decisions: Decisions, *, is_final: bool = False) -> None:
        """With `is_final`, the call cannot be made again, and the decisions have reasons."""
        self._data = decide.data
        self._source = decide.source
        self._decide = decide
        self._decisions = decisions
        self._with_reasons = decisions if is_final else None
        self._is_final = is_final
        self._summary = Summary(decisions.summary)

    def kept(self) -> _D:
        """The data without near-duplicates, of the type that was given: a list, a DataFrame with its index, a `datasets.Dataset`.

        Rows are those of the call, also if the data has changed since.

        Data of another type becomes a `Table`. Kept documents of `Files` are written to `output` by `dedup` itself.
        """
        return cast(_D, kept(self._data, self._source, self._decisions.mask(), self._decisions.rows()))

    @property
    def mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """One value a row: True if it stays."""
        return cast("numpy.typing.NDArray[numpy.bool_]", needed("numpy").frombuffer(self._decisions.mask(), dtype="bool"))

    @property
    def rows(self) -> numpy.typing.NDArray[numpy.int64]:
        """The rows that stay, ascending: for `Dataset.select`, `DataFrame.iloc` and `Table.take`.

        Of `Files` they are positions among all records, one file after the other. A skipped record has a row and does not stay.
        """
        return cast("numpy.typing.NDArray[numpy.int64]", needed("numpy").frombuffer(self._decisions.rows(), dtype="int64"))

    @property
    def removed(self) -> Table:
        """The removed rows: row, kept_row, (id, kept_id), cluster, the similarity, containment, uncovered_words, uncovered.

        The first time, the texts are read again, and each removed document is compared with the kept one. `InputError` if files, or
        documents of an index that are similar, have changed since the call.
        """
        return Table(self._reasoned().removed())

    @property
    def clusters(self) -> Table:
        """The members of clusters of two or more: row, (id), cluster, kept."""
        decisions = self._reasoned() if isinstance(self._data, Files) else self._decisions
        return Table(decisions.clusters())

    @property
    def cluster(self) -> Columns:
        """The number of the cluster of each row, counted from 1, or null where a row is alone."""
        return Columns(self._decisions.cluster())

    def annotate(self) -> Any:
        """All data with the decisions as columns: cluster, kept, kept_row, (kept_id), the similarity, containment.

        A DataFrame, an Arrow table or a `datasets.Dataset` gets these columns. All else becomes a `Table` of them
        alone. `ValueError` if the data has a column of such a name.
        """
        if isinstance(self._data, Files):
            raise TypeError("Files have no rows in memory: lookalike dedup --annotate writes the columns to files")
        return annotated(self._data, Table(self._reasoned().annotations()))

    @property
    def summary(self) -> Summary:
        """What the call read, found and cost."""
        return self._summary

    def report(self, path: Path) -> None:
        """Writes one HTML page with charts and with examples side by side. It quotes texts, which are read again for it.

        `InputError` if files, or documents of an index that are similar, have changed since the call.
        """
        if self._is_final:
            raise ValueError("documents were added to an index, which happens once: dedup without update makes a report")
        self._with_reasons = self._decide.explain(self._decisions, os.fspath(path))

    def _reasoned(self) -> Decisions:
        if self._with_reasons is None:
            self._with_reasons = self._decide.explain(self._decisions)
        return self._with_reasons

    def __reduce__(self) -> tuple[Any, ...]:
        if self._is_final:
            raise TypeError("documents were added to an index, which happens once: pickle the index and rows")
        # The decisions follow from data and options, so they are made again.
        return _restored, (PICKLED, self._decide)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._decisions)

    def __repr__(self) -> str:
        return self._sentence(self._decisions.reduced_clusters(0)[0])

    def _repr_html_(self) -> str:
        sizes, examples = self._decisions.reduced_clusters(SHOWN_CLUSTERS)
        return f"<p>{html.escape(self._sentence(sizes))}</p>" + _shown.bars_html(_by_size(sizes)) + self._shown(examples)

    def _sentence(self, sizes: Sequence[tuple[int, int]]) -> str:
        """How many documents are removed, from how many clusters. A cluster that keeps all its documents does not count."""
        summary = self._summary
        documents, removed, clusters = summary.documents, cast(int, summary.removed), sum(number for _, number in sizes)
        verb = "is a near-duplicate" if removed == 1 else "are near-duplicates"
        recall = summary.recall_estimate
        known = "" if recall is None else f"; recall {_shown.share(recall, 2)}"
        return (
            f"Dedup: {removed:,} of {_shown.count(documents, 'document')} {verb} "
            f"({_shown.share(removed / max(documents, 1))}) in {_shown.count(clusters, 'cluster')}{known}"
        )

    def _shown(self, examples: Sequence[tuple[int, int, int | None]]) -> str:
        """A removed text of each cluster, beside the one that it was compared with. Files have no texts in memory."""
        rows: list[tuple[int, str, str]] = []
        for number, row, other_row in examples:
            text, other = self._source.text(row), None if other_row is None else self._source.text(other_row)
            if text is None:
                continue
            # A document of other data, which is not at hand.
            shown = _shown.side_by_side(text, other) if other is not None else (text, "(other data)")
            rows.append((number, *shown))
        columns = "cluster", "removed", "similar to"
        return _shown.rows_html(columns, rows, _shown.EXAMPLE_WIDTH + 2) if rows else ""


def _by_size(sizes: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """How many clusters there are of each size."""
    classes = {"2": 0, "3 to 9": 0, "10 or more": 0}
    for size, number in sizes:
        classes["2" if size == 2 else "3 to 9" if size < 10 else "10 or more"] += number
    return [(f"clusters of {size}", number) for size, number in classes.items() if number]


def _restored(version: int, decide: Decide) -> Dedup[Any]:
    check_version("Dedup", version)
    return Dedup(decide, decide(reasons=False))
