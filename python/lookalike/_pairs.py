"""`pairs`: every pair of documents that are similar."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

from lookalike import _lookalike, _shown
from lookalike._checked import whole
from lookalike._dedup import plan_of
from lookalike._input import names, source
from lookalike._lookalike import FoundPairs, Plan
from lookalike._progress import Running
from lookalike._summary import Summary
from lookalike._table import Table
from lookalike._types import Data, Options, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


@final
class Pairs(Table):
    """Pairs that are similar, ordered by a, then b.

    The columns are a and b, which are rows with a < b; a_id and b_id, if there are ids; and the similarity, named
    after its measure:
    jaccard, word_jaccard, cosine or containment. By simhash without `verify` it is the distance, hamming.
    With verify="estimate" it is jaccard_estimate, with the columns estimate_low and estimate_high.
    """

    def __init__(self, found: FoundPairs, summary: Summary) -> None:
        super().__init__(found.table())
        self._found: FoundPairs | None = found
        self._clusters: list[list[int]] | None = None
        self._summary = summary

    @property
    def summary(self) -> Summary:
        """What the call read, found and cost."""
        return self._summary

    @property
    def clusters(self) -> list[list[int]]:
        """The rows of each cluster that these pairs connect."""
        if self._clusters is None:
            self._clusters = [] if self._found is None else self._found.clusters()
        return self._clusters

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_found": None, "_clusters": self.clusters}

    def _title(self) -> str:
        return f"Pairs: {_shown.count(len(self), 'pair')} in {_shown.count(len(self.clusters), 'cluster')}"


def pairs(
    data: Data,
    *,
    text: Text = "text",
    join: str | None = None,
    id: str | None = None,
    audit: int = 0,
    limit: int = 100_000_000,
    within: str | Sequence[str] = (),
    plan: Plan | None = None,
    **options: Unpack[Options],
) -> Pairs:
    """Lists every pair of documents that are similar, and how similar they are.

    A million copies of one text make 5 * 10**11 pairs. More than `limit` raise `TooManyPairs`, an `OverflowError`,
    which says how many there
    are. `dedup` has no such limit. `within` names columns of a table, or fields of `Files`: only documents with equal
    values in them are compared.

    >>> import lookalike
    >>> found = lookalike.pairs(["a b c d e f", "x", "A b c d e f!"], threshold=0.5)
    >>> found.to_pylist()
    [{'a': 0, 'b': 2, 'jaccard': 1.0}]
    """
    given: dict[str, Any] = dict(options)
    audit, limit = whole("audit", audit), whole("limit", limit)
    groups = names(within)
    documents = source(data, text, id, within=groups, join=join)
    running = Running(given)
    checked = plan_of(plan, given)
    with running as run:
        found, summary = _lookalike.pairs(documents, checked, audit, limit, groups, run)
    return Pairs(found, Summary(summary))
