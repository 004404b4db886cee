"""`tune`: which settings a corpus needs."""

from __future__ import annotations

import html
import json
import sys
from typing import TYPE_CHECKING, Any, cast, final

from lookalike import _lookalike, _shown
from lookalike._checked import whole
from lookalike._errors import PlanError
from lookalike._input import source
from lookalike._lookalike import Plan
from lookalike._progress import Running
from lookalike._summary import Summary
from lookalike._types import Data, Options, SearchOptions, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


@final
class Tuning:
    """What each setting would find and cost for a corpus."""

    def __init__(self, content: str, summary: Summary, given: dict[str, Any]) -> None:
        self._content: dict[str, Any] = json.loads(content)
        self._summary = summary
        self._given = given

    @property
    def options(self) -> SearchOptions:
        """The recommended settings: `dedup(data, **tuning.options)`. With `table=True` none is recommended."""
        recommended: dict[str, Any] = {
            **self._given,
            "threshold": self._content["threshold"],
            "shingle": self._content["shingle"],
        }
        settings = self._content.get("settings")
        if settings is not None:
            recommended.update(json.loads(settings["forecasts"][settings["recommended"]]["options"]))
        return cast(SearchOptions, recommended)

    @property
    def reason(self) -> str:
        """Why these settings are recommended."""
        answer = self._content.get("settings") or self._content.get("tolerance") or {}
        return str(answer.get("reason", ""))

    @property
    def experiments(self) -> list[dict[str, Any]]:
        """With `table=True`: bands, rows, threshold, precision, recall and candidates of each banding."""
        experiment = self._content.get("experiment")
        return list(experiment["bandings"]) if experiment is not None else []

    @property
    def histogram(self) -> list[dict[str, Any]]:
        """How similar documents are: low, high and pairs for each tenth of the similarity."""
        settings = self._content.get("settings")
        tenths = settings["pairs_by_tenth"] if settings is not None else []
        return [
            {"low": index / 10, "high": (index + 1) / 10, "pairs": number} for index, number in enumerate(tenths)
        ]

    @property
    def summary(self) -> Summary:
        """What the call read and cost."""
        return self._summary

    def to_dict(self) -> dict[str, Any]:
        """All figures, as `lookalike tune --format json` prints them. The options of a setting are keywords, as JSON."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._content)))

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"Tuning: {options}" + (f" ({self.reason})" if self.reason else "")

    def _repr_html_(self) -> str:
        bars = [(f"{row['low']:.1f} to {row['high']:.1f}", row["pairs"]) for row in self.histogram]
        return f"<p>{html.escape(repr(self))}</p>" + (_shown.bars_html(bars) if bars else "")


def tune(
    data: Data,
    *,
    sample: int = 1000,
    tolerate: float | None = None,
    table: bool = False,
    text: Text = "text",
    join: str | None = None,
    **options: Unpack[Options],
) -> Tuning:
    """Recommends settings for a corpus. A sample of its documents is compared with all others, exactly.

    Args:
        data: The corpus, as for `dedup`.
        sample: How many documents are compared with all others.
        tolerate: The share of words that may differ, such as 0.05. The answer is the shingle and the threshold for it.
        table: Measure each banding of one signature, in place of a recommendation.
        text: The column of texts, or several, as for `dedup`.
        join: What stands between the texts of several columns.
        **options: What is similar. `method` and `weights` are left out: all methods are compared, over sets.

    >>> import lookalike
    >>> texts = [f"one two three four five six seven {number % 30}" for number in range(60)]
    >>> lookalike.tune(texts, threshold=0.7).options
    {'threshold': 0.7, 'shingle': 5, 'method': 'exact'}
    """
    given: dict[str, Any] = dict(options)
    documents = source(data, text, join=join)
    running = Running(given)
    for name in ("method", "weights"):
        if given.get(name) is not None:
            raise PlanError(f"tune compares all methods, over sets: leave out {name}", name)
    sample = whole("sample", sample, 1)
    if table:
        # Signatures of 100 values divide into bands in many ways.
        given.setdefault("num_perm", 100)
    kept = {name: value for name, value in given.items() if name in ("measure", "tokens", "fold", "stop_words", "jieba_dict", "seed")}
    with running as run:
        content, summary = _lookalike.tune(documents, Plan(**given), sample, tolerate, table, run)
    return Tuning(content, Summary(summary), kept)
