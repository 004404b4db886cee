"""`compare`: two texts by every measure."""

from __future__ import annotations

import html
import json
import os
import sys
from typing import TYPE_CHECKING, Any, final

from lookalike import _lookalike
from lookalike._lookalike import ComparedTexts, Plan
from lookalike._pickled import PICKLED, check_version
from lookalike._progress import Running
from lookalike._table import Table
from lookalike._types import Path, SearchOptions

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


@final
class Comparison:
    """Two texts compared: every measure, and the passages that they share.

    >>> import lookalike
    >>> lookalike.compare("one two three four five six", "one two three four five seven")
    Comparison: not found, jaccard 0.3333, word_jaccard 0.7143, cosine 0.5000
    """

    def __init__(self, compared: ComparedTexts, arguments: tuple[Any, ...]) -> None:
        self._compared = compared
        self._arguments = arguments
        self._figures: dict[str, Any] = json.loads(compared.json())
        self._measures: dict[str, Any] = self._figures["measures"]

    @property
    def is_match(self) -> bool:
        """Whether a search by these options finds the two as a pair."""
        return bool(self._figures["verdict"]["found"])

    @property
    def jaccard(self) -> float:
        """Shared shingles, divided by all shingles of both texts."""
        return float(self._measures["jaccard"])

    @property
    def word_jaccard(self) -> float:
        """Shared words, divided by all words of both texts."""
        return float(self._measures["word_jaccard"])

    @property
    def a_in_b(self) -> float:
        """The share of the shingles of a that b has."""
        return float(self._measures["containment_of_a"])

    @property
    def b_in_a(self) -> float:
        """The share of the shingles of b that a has."""
        return float(self._measures["containment_of_b"])

    @property
    def cosine(self) -> float:
        """The cosine of the angle between the two vectors of weights."""
        return float(self._measures["cosine"])

    @property
    def sequence_ratio(self) -> float | tuple[float, float]:
        """The share of tokens in the same order, or its two bounds if `time_limit` stopped the search."""
        if self._measures["sequence_ratio"] is not None:
            return float(self._measures["sequence_ratio"])
        return float(self._measures["sequence_ratio_at_least"]), float(self._measures["sequence_ratio_at_most"])

    @property
    def hamming(self) -> int | None:
        """Bits in which the fingerprints differ. None if a text has no features."""
        distance: int | None = self._figures["simhash"]["distance"]
        return distance

    @property
    def passages(self) -> Table:
        """The passages that both texts have: a_start, a_end, b_start, b_end, words. Characters are counted as in `a[a_start:a_end]`."""
        return Table(self._compared.passages())

    def to_dict(self) -> dict[str, Any]:
        """All figures, as `lookalike compare --format json` prints them."""
        figures: dict[str, Any] = json.loads(self._compared.json())
        return figures

    def to_html(self, path: Path | None = None) -> str:
        """The page that `lookalike compare --format html` prints. With `path` it is written there too. It quotes both texts."""
        page = self._compared.html()
        if path is not None:
            with open(os.fspath(path), "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (PICKLED, *self._arguments)

    def __repr__(self) -> str:
        found = "found" if self.is_match else "not found"
        measures = ", ".join(f"{name} {self._measures[name]:.4f}" for name in ("jaccard", "word_jaccard", "cosine"))
        return f"Comparison: {found}, {measures}"

    def _repr_html_(self) -> str:
        # The page has its own styles, so it goes into a frame. The frame runs no scripts.
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe sandbox srcdoc="{page}" width="100%" height="500"></iframe>'


def compare(
    a: str, b: str, *, time_limit: float = 2.0, plan: Plan | None = None, **options: Unpack[SearchOptions]
) -> Comparison:
    """Compares two texts by every measure, and finds the passages that they share.

    Only the sequence ratio takes more than linear time. `time_limit` ends its search after so many seconds.
    """
    for name, text in (("a", a), ("b", b)):
        if not isinstance(text, str):
            raise TypeError(f"{name} is {type(text).__name__}; give a str")
    given: dict[str, Any] = dict(options)
    from lookalike._dedup import plan_of

    return _compared(a, b, time_limit, plan_of(plan, given))


def _restored(version: int, a: str, b: str, time_limit: float, plan: Plan) -> Comparison:
    check_version("Comparison", version)
    return _compared(a, b, time_limit, plan)


def _compared(a: str, b: str, time_limit: float, plan: Plan) -> Comparison:
    with Running({"threads": 1, "progress": False}) as run:
        return Comparison(_lookalike.compare(a, b, time_limit, plan, run), (a, b, time_limit, plan))
