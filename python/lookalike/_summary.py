"""The summary of a call: what it read, found and cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, final

from lookalike import _shown


@final
class Summary(Mapping[str, Any]):
    """What a call read, searched, found and cost: the keys of `--summary FILE`, which are attributes too.

    >>> import lookalike
    >>> summary = lookalike.dedup(["a b c d e f", "A b c d e f!", "x"]).summary
    >>> summary.documents, summary["removed"], summary.recall_estimate
    (3, 1, 1.0)
    """

    documents: int
    bytes: int
    candidates: int
    reduction: float | None
    """The share of all pairs of documents that are no candidates."""
    clusters: int
    largest_cluster: int
    kept: int | None
    removed: int | None
    skipped: int
    recall_estimate: float | None
    """The expected share of all pairs that was found. None if it is not known."""
    recall_interval: tuple[float, float] | None
    seconds: Mapping[str, float]
    plan: Mapping[str, Any]

    def __init__(self, content: str) -> None:
        self._content: dict[str, Any] = json.loads(content)
        interval = self._content.get("recall_interval")
        if interval is not None:
            self._content["recall_interval"] = tuple(interval)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._content:
            raise AttributeError(f"the summary has no {name}; it has {', '.join(self.__dict__.get('_content', ()))}")
        return self._content[name]

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._content]

    def __reduce__(self) -> tuple[type[Summary], tuple[str]]:
        return Summary, (json.dumps(self._content),)

    def __repr__(self) -> str:
        return "Summary: " + _shown.count(self._content.get("documents", 0), "document") + _found(self)


def _found(summary: Summary) -> str:
    parts = []
    if summary.get("removed") is not None:
        parts.append(f"{summary['removed']:,} removed")
    if summary.get("clusters") is not None:
        parts.append(_shown.count(summary["clusters"], "cluster"))
    if summary.get("recall_estimate") is not None:
        parts.append(f"recall {_shown.share(summary['recall_estimate'], 2)}")
    total = summary.get("seconds", {}).get("total")
    if total is not None:
        parts.append(f"{total:.2f} s")
    return "".join(f", {part}" for part in parts)
