"""`dedup`: one document of each cluster of near-duplicates."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from lookalike import _lookalike
from lookalike._against import check_names, index_of, source_of_against
from lookalike._checked import policy, whole
from lookalike._decided import Dedup
from lookalike._errors import Incompatible
from lookalike._files import Files
from lookalike._input import ColumnNames, names, source
from lookalike._kept import as_read, snapshot
from lookalike._lookalike import Decisions, Plan, Source
from lookalike._progress import Running
from lookalike._types import Options, Path, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

if TYPE_CHECKING:
    from lookalike._index import Index

_D = TypeVar("_D")


def dedup(
    data: _D,
    *,
    text: Text = "text",
    join: str | None = None,
    id: str | None = None,
    keep: str | int = "first",
    cluster: Literal["union", "star"] = "union",
    min_containment: float | None = None,
    against: Any | Sequence[Any] | None = None,
    against_text: Text | None = None,
    against_id: str | None = None,
    only_against: bool = False,
    against_containment: float | None = None,
    against_shingles: int = 4,
    audit: int = 0,
    within: str | Sequence[str] = (),
    output: Path | None = None,
    plan: Plan | None = None,
    **options: Unpack[Options],
) -> Dedup[_D]:
    """Keeps one document of each cluster of near-duplicates.

    Args:
        data: A list of str; a Series or DataFrame of pandas or polars; anything with Arrow's interface; a
            `datasets.Dataset`; or `Files`.
            `None` and a null are empty documents, which are similar to no other.
        text: The column of texts, or several. It does not count for a list of texts or a Series. `messages[].content` is a field in the
            elements of a list.
        join: What stands between the texts of several columns. Without it, no shingle goes from one of them to the next.
        id: The column of ids: texts, integers, UUIDs, dates, times, decimals or bytes. UUIDs become their canonical texts.
        keep: "first", "last", "longest", "none", "max:COLUMN", "min:COLUMN", or how many documents of a cluster to keep.
        cluster: "union" connects documents over any number of others, "star" only documents that are similar to the
            kept one.
        min_containment: Remove a document only if at least this share of it is in the kept one.
        against: Other data, a list or tuple of several, or an `Index`. What is similar to it is removed, and none of
            it is kept or removed. `Files` are read by their own fields.
        against_text: The column of texts in `against`. Without it, `text` names it.
        against_id: The column of ids in `against`. Without it, `id` names it, if `against` has such a column.
        only_against: Remove only documents that are similar to one of `against`. Similar documents of `data` stay.
        against_containment: Remove a document also if it contains one of `against`, or is contained in one, by this
            share.
        against_shingles: The fewest shingles of the shorter one for that.
        audit: How many random documents are compared with all others, to measure the recall.
        within: Columns of a table, or fields of `Files`. Only documents with equal values in them are compared. A document
            without any of them is compared with others of that kind.
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
    index, others = index_of(against)
    if output is not None and not isinstance(data, Files):
        raise ValueError("output is for Files; use kept() for data in memory")
    for name, share in (("min_containment", min_containment), ("against_containment", against_containment)):
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"{name} is {share}; it must be from 0 to 1")
    keep = policy(keep)
    if only_against and against is None:
        raise TypeError("only_against needs against=")
    if only_against and (keep, cluster) != ("first", "union"):
        raise TypeError("only_against keeps every document that is similar to none of against=: leave out keep and cluster")
    running = Running(given)
    checked = plan_of(plan, given) if index is None else plan_beside(index, plan, given)
    settings = {
        "keep": keep,
        "cluster": cluster,
        "only_against": only_against,
        "min_containment": min_containment,
        "against_containment": against_containment,
        "against_shingles": whole("against_shingles", against_shingles),
        "audit": whole("audit", audit),
        "within": names(within),
        "index": None if index is None else index.path,
        "update": False,
    }
    number = keep.partition(":")[2] or None
    columns = ColumnNames(text, id, number, names(within), join, against_text, against_id)
    check_names(columns, bool(others))
    decide = DedupCall(data, columns, others, checked, settings, running)
    return Dedup(decide, decide(reasons=False, output=None if output is None else os.fspath(output)))


class DedupCall:
    """A call of `dedup`, which can be made again: for a report, or in another process."""

    def __init__(
        self,
        data: Any,
        columns: ColumnNames,
        against: list[Any],
        plan: Plan,
        settings: dict[str, Any],
        running: Running,
    ) -> None:
        self.data = snapshot(data)
        against = [snapshot(other) for other in against]
        self._arguments = columns, against, plan, settings
        self._running = running
        self.source = source(self.data, columns.text, columns.id, columns.number, columns.within, columns.join)
        self._against = [source_of_against(other, columns) for other in against]

    def __call__(self, reasons: bool, output: str | None = None) -> Decisions:
        _, _, plan, settings = self._arguments
        given = {**settings, "reasons": reasons, "report": None, "output": output}
        with self._running as run:
            return _lookalike.dedup(self.source, self._against, plan, given, run)

    def explain(self, decisions: Decisions, report: str | None = None) -> Decisions:
        """The same decisions with reasons, and a report. The texts are read again, and nothing is searched."""
        _, _, plan, settings = self._arguments
        given = {**settings, "reasons": True, "report": report, "output": None}
        with self._running as run:
            return _lookalike.explain(self.source, self._against, plan, given, run, decisions)

    def __reduce__(self) -> tuple[Any, ...]:
        columns, against, plan, settings = self._arguments
        others = [as_read(other, read) for other, read in zip(against, self._against, strict=True)]
        return _call_of, (as_read(self.data, self.source), columns, others, plan, settings)


def _call_of(data: Any, columns: ColumnNames, against: list[Any], plan: Plan, settings: dict[str, Any]) -> DedupCall:
    return DedupCall(data, columns, against, plan, settings, Running({"progress": False}))


def plan_of(plan: Plan | None, options: dict[str, Any]) -> Plan:
    """The plan that was given, or that the options make."""
    if plan is None:
        return Plan(**options)
    if options:
        raise TypeError(f"plan has all options of similarity: leave out {', '.join(options)}")
    return plan


def plan_beside(index: Index, plan: Plan | None, options: dict[str, Any]) -> Plan:
    """The plan of an index, which no option may contradict."""
    if options or (plan is not None and plan != index.plan):
        given = ", ".join(options) or "plan"
        raise Incompatible(f"the index has a plan of its own: leave out {given}")
    return index.plan
