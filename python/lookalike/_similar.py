"""`similar` and `sketch`: one scan each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, final

from lookalike import _lookalike
from lookalike._checked import text_of, whole
from lookalike._dedup import plan_of
from lookalike._input import source
from lookalike._lookalike import ArrowTable, Frequencies, Plan
from lookalike._progress import Running
from lookalike._summary import Summary
from lookalike._table import Table
from lookalike._types import Data, Options, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

LEAST_SIMILARITY = sys.float_info.min
"""A threshold that every document with a common feature reaches."""


@final
class Similar(Table):
    """Documents that are most similar to a text, the nearest first: row, (id), and the similarity. Documents of `Files` have no row."""

    def __init__(self, table: ArrowTable, summary: Summary) -> None:
        super().__init__(table)
        self._summary = summary

    @property
    def summary(self) -> Summary:
        """What the call read, found and cost."""
        return self._summary


def similar(
    query: str,
    data: Data,
    *,
    k: int = 10,
    text: Text = "text",
    join: str | None = None,
    id: str | None = None,
    plan: Plan | None = None,
    **options: Unpack[Options],
) -> Similar:
    """Lists the k documents that are most similar to `query`. Every document is compared, exactly.

    Single words are compared unless `shingle` is given, because a sentence has few longer shingles in common with a
    page. Without a threshold, every document that shares a word may be listed. With `plan`, its own shingle and threshold
    count.

    >>> import lookalike
    >>> lookalike.similar("the red fox", ["a fox", "red foxes", "a dog"]).to_pylist()
    [{'row': 0, 'jaccard': 0.25}, {'row': 1, 'jaccard': 0.25}]
    """
    given: dict[str, Any] = dict(options)
    if not text_of("query", query).strip():
        raise ValueError("query is empty")
    k = whole("k", k, 1)
    documents = source(data, text, id, join=join)
    running = Running(given)
    if plan is None:
        if given.get("verify") or given.get("method") != "simhash":
            given.setdefault("threshold", LEAST_SIMILARITY)
        given.setdefault("shingle", 1)
    checked = plan_of(plan, given)
    with running as run:
        found, summary = _lookalike.similar(query, documents, k, checked, checked.options.get("hamming"), run)
    return Similar(found, Summary(summary))


def sketch(
    data: Data,
    *,
    text: Text = "text",
    join: str | None = None,
    id: str | None = None,
    plan: Plan | None = None,
    **options: Unpack[Options],
) -> Table:
    """Makes the MinHash signature or the SimHash fingerprint of every document.

    The columns are (id), and `signature`: 4 bytes for each value, little-endian; or `fingerprint`: uint64, or 16
    bytes, big-endian. A document
    without features has a null. The metadata of the schema has `lookalike.plan`, the id of the plan: sketches of
    equal ids can be compared.
    """
    given: dict[str, Any] = dict(options)
    documents = source(data, text, id, join=join)
    running = Running(given)
    checked = plan_of(plan, given)
    if checked.options.get("method") == "exact":
        raise _lookalike_error("method \"exact\" makes no sketches; use minhash or simhash")
    with running as run:
        table, _ = _lookalike.sketch(documents, checked, run)
    return Table(table)


def frequencies(
    data: Data, *, text: Text = "text", join: str | None = None, plan: Plan | None = None, **options: Unpack[Options]
) -> Frequencies:
    """Counts the documents that have each feature, for weights="tf-idf"."""
    given: dict[str, Any] = dict(options)
    documents = source(data, text, join=join)
    running = Running(given)
    checked = plan_of(plan, given)
    with running as run:
        return _lookalike.frequencies(documents, checked, run)


def _lookalike_error(message: str) -> Exception:
    from lookalike._errors import PlanError

    return PlanError(message, "method")
