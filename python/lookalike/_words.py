"""Stop words."""

from __future__ import annotations

from lookalike import _lookalike


def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, such as "en". An unknown one raises `PlanError`, which names all languages."""
    return frozenset(_lookalike.stop_words(language))
