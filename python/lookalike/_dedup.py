"""`dedup`, and the decisions that it makes."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, final

from lookalike import _lookalike, _shown
from lookalike._files import Files
from lookalike._input import kept, library, source
from lookalike._lookalike import Decisions, Plan, Source
from lookalike._progress import Running
from lookalike._summary import Summary
from lookalike._table import Columns, Table, needed
from lookalike._types import Options, Path

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_D = TypeVar("_D")

SHOWN_CLUSTERS = 3
"""Clusters that a notebook shows."""


@final
class Dedup(Generic[_D]):
    """Which rows stay.

    >>> import lookalike
    >>> result = lookalike.dedup(["a b c d e f", "A b c d e f!", "x"])
    >>> result
    Dedup: 1 of 3 documents is a near-duplicate (33.3 %) in 1 cluster; recall 100.0 %
    >>> result.kept()
    ['a b c d e f', 'x']
    """

    def __init__(self, data: _D, source: Source, decide: Callable[..., Decisions], decisions: Decisions) -> None:
        self._data = data
        self._source = source
        self._decide = decide
        self._decisions = decisions
        self._with_reasons: Decisions | None = None
        self._summary = Summary(decisions.summary)

    def kept(self) -> _D:
        """The data without near-duplicates, of the type that was given: a list, a DataFrame with its index, a `datasets.Dataset`.

        Data of another type becomes a `Table`. Kept documents of `Files` are written to `output` by `dedup` itself.
        """
        return cast(_D, kept(self._data, self._source, self._decisions.mask(), self._decisions.rows()))

    @property
    def mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """One value a row: True if it stays."""
        return cast("numpy.typing.NDArray[numpy.bool_]", needed("numpy").frombuffer(self._decisions.mask(), dtype="bool"))

    @property
    def rows(self) -> numpy.typing.NDArray[numpy.int64]:
        """The rows that stay, ascending: for `Dataset.select`, `DataFrame.iloc` and `Table.take`."""
        return cast("numpy.typing.NDArray[numpy.int64]", needed("numpy").frombuffer(self._decisions.rows(), dtype="int64"))

    @property
    def removed(self) -> Table:
        """The removed rows: row, kept_row, (id, kept_id), cluster, the similarity, containment, uncovered_words, uncovered.

        The first time, the call is made again to compare each removed document with the kept one.
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

    @property
    def summary(self) -> Summary:
        """What the call read, found and cost."""
        return self._summary

    def report(self, path: Path) -> None:
        """Writes one HTML page with charts and with examples side by side. It quotes texts. The call is made again for it."""
        self._decide(reasons=True, report=os.fspath(path))

    def _reasoned(self) -> Decisions:
        if self._with_reasons is None:
            self._with_reasons = self._decide(reasons=True, report=None)
        return self._with_reasons

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._decisions)

    def __repr__(self) -> str:
        summary = self._summary
        documents, removed, clusters = summary.documents, cast(int, summary.removed), summary.clusters
        verb = "is a near-duplicate" if removed == 1 else "are near-duplicates"
        recall = summary.recall_estimate
        known = "" if recall is None else f"; recall {_shown.share(recall)}"
        return (
            f"Dedup: {removed:,} of {_shown.count(documents, 'document')} {verb} "
            f"({_shown.share(removed / max(documents, 1))}) in {_shown.count(clusters, 'cluster')}{known}"
        )

    def _repr_html_(self) -> str:
        sizes: dict[int, list[int]] = {}
        for row in Table(self._decisions.clusters()):
            sizes.setdefault(row["cluster"], []).append(row["row"])
        return f"<p>{html.escape(repr(self))}</p>" + _shown.bars_html(_by_size(sizes)) + self._examples(sizes)

    def _examples(self, clusters: dict[int, list[int]]) -> str:
        """The texts of the first clusters. Files have none in memory."""
        shown = ""
        for number, rows in list(clusters.items())[:SHOWN_CLUSTERS]:
            texts = [self._source.text(row) for row in rows[:2]]
            cells = "".join(f"<td>{html.escape(_shown.value(text))}</td>" for text in texts if text is not None)
            if cells:
                shown += f"<tr><td>{number}</td>{cells}</tr>"
        return f"<table><tr><th>cluster</th><th>a member</th><th>another</th></tr>{shown}</table>" if shown else ""


def _by_size(clusters: dict[int, list[int]]) -> list[tuple[str, int]]:
    """How many clusters there are of each size."""
    sizes = {"2": 0, "3 to 9": 0, "10 or more": 0}
    for rows in clusters.values():
        sizes["2" if len(rows) == 2 else "3 to 9" if len(rows) < 10 else "10 or more"] += 1
    return [(f"clusters of {size}", number) for size, number in sizes.items() if number]


def dedup(
    data: _D,
    *,
    text: str = "text",
    id: str | None = None,
    keep: str = "first",
    cluster: Literal["union", "star"] = "union",
    min_containment: float | None = None,
    against: Any | Sequence[Any] | None = None,
    against_containment: float | None = None,
    against_shingles: int = 4,
    audit: int = 0,
    output: Path | None = None,
    plan: Plan | None = None,
    **options: Unpack[Options],
) -> Dedup[_D]:
    """Keeps one document of each cluster of near-duplicates.

    Args:
        data: A list of str; a Series or DataFrame of pandas or polars; anything with Arrow's interface; a `datasets.Dataset`; or `Files`.
            `None` and a null are empty documents, which are similar to no other.
        text: The column of texts. It does not count for a list or a Series.
        id: The column of ids, which are texts or integers.
        keep: "first", "last", "longest", "none", a number, "max:COLUMN" or "min:COLUMN".
        cluster: "union" connects documents over any number of others, "star" only documents that are similar to the kept one.
        min_containment: Remove a document only if at least this share of it is in the kept one.
        against: Other data, or a list or tuple of several. What is similar to it is removed, and none of it is kept or removed.
        against_containment: Remove a document also if it contains one of `against`, or is contained in one, by this share.
        against_shingles: The fewest shingles of the shorter one for that.
        audit: How many random documents are compared with all others, to measure the recall.
        output: For `Files`: the file or folder for kept documents, as of `lookalike dedup -o`.
        plan: A `Plan`, in place of options of similarity.
        **options: See `SearchOptions` and `RunOptions`.

    >>> import lookalike
    >>> lookalike.dedup(["a b c d e f g", "A b c d e f g!", "x"]).kept()
    ['a b c d e f g', 'x']

    Raises:
        PlanError: An option is out of range, or two do not go together.
        TypeError: Data of this type cannot be read. The message says what to do.
        KeyError: There is no such column.
        InputError: A file cannot be read.
    """
    given: dict[str, Any] = dict(options)
    number = keep.partition(":")[2] or None
    documents = source(data, text, id, number)
    others = [source(other, text, _present(other, id)) for other in _several(against)]
    if output is not None and not isinstance(data, Files):
        raise ValueError("output is for Files; use kept() for data in memory")
    running = Running(given)
    checked = plan_of(plan, given)

    def decide(reasons: bool, report: str | None, output: str | None = None) -> Decisions:
        settings = {
            "keep": keep,
            "cluster": cluster,
            "min_containment": min_containment,
            "against_containment": against_containment,
            "against_shingles": against_shingles,
            "audit": audit,
            "output": output,
            "report": report,
            "reasons": reasons,
        }
        with running as run:
            return _lookalike.dedup(documents, others, checked, settings, run)

    first = decide(reasons=False, report=None, output=None if output is None else os.fspath(output))
    return Dedup(data, documents, decide, first)


def plan_of(plan: Plan | None, options: dict[str, Any]) -> Plan:
    """The plan that was given, or that the options make."""
    if plan is None:
        return Plan(**options)
    if options:
        raise TypeError(f"plan has all options of similarity: leave out {', '.join(options)}")
    return plan


def _several(against: Any) -> list[Any]:
    """The data of `against`: one, or a list or tuple of several. A list of texts is one."""
    if against is None:
        return []
    is_several = isinstance(against, (list, tuple)) and not any(isinstance(one, (str, type(None))) for one in against)
    return list(against) if is_several else [against]


def _present(data: Any, id: str | None) -> str | None:
    """The column of ids, if the data has it."""
    columns = getattr(data, "column_names" if library(data) in ("datasets", "pyarrow") else "columns", ())
    return id if id is not None and id in list(columns) else None
