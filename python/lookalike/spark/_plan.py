"""The plan of a call, as executors make it again."""

from __future__ import annotations

from typing import Any

from lookalike._errors import PlanError
from lookalike._lookalike import Plan

FEATURE_BYTES = 8
"""The bytes of a feature."""

REASONS = 1e-9
"""The threshold by which a removed document is compared with the kept one: every similarity above 0 is told."""


def checked(options: dict[str, Any]) -> tuple[Plan, dict[str, Any]]:
    """The plan of the options, and options that can be pickled and written as JSON."""
    method = options.get("method") or "auto"
    if method not in ("auto", "minhash"):
        raise PlanError(f'method is "{method}"; Spark searches by "minhash": leave method out', "method")
    given = {name: value for name, value in options.items() if value is not None and name != "method"}
    for name in ("weights", "frequencies", "levels"):
        if name in given:
            raise PlanError(f"{name} has no effect on Spark, which compares sets: leave {name} out", name)
    if given.get("verify"):
        raise PlanError("verify has no effect on Spark, which compares every candidate exactly: leave verify out", "verify")
    if "stop_words" in given and not isinstance(given["stop_words"], str):
        given["stop_words"] = sorted(given["stop_words"])
    if "jieba_dict" in given:
        given["jieba_dict"] = list(given["jieba_dict"])
    if "fold" in given:
        folds = given["fold"].split(",") if isinstance(given["fold"], str) else given["fold"]
        given["fold"] = ",".join(sorted(set(folds)))
    given["method"] = "minhash"
    return Plan(**given), given


def name_of(plan: Plan) -> str:
    """The name of a sketch: sketches of equal names can be searched together."""
    return f"{plan.id} {plan.bands}x{plan.rows} {plan.score_column}"


def for_reasons(options: dict[str, Any]) -> dict[str, Any]:
    """The options for comparing two documents whatever their similarity."""
    return {**{name: options[name] for name in options if name not in ("bands", "rows", "recall")}, "threshold": REASONS}
