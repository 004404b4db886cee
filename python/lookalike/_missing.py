"""Names of datasketch that are not here."""

from __future__ import annotations

from typing import Any

ALTERNATIVES = {
    "AsyncMinHashLSH": "run MinHashLSH in a thread, or share an index by `lookalike serve`",
    "HNSW": "lookalike.similar compares a text with all documents, exactly",
    "HyperLogLog": "keep datasketch for it: both can be imported",
    "HyperLogLogPlusPlus": "keep datasketch for it: both can be imported",
    "MinHashLSHBloom": "lookalike.Seen(exact=False) holds about 1.7 KB a document, and has no false positives of a filter",
    "WeightedMinHash": "lookalike.dedup(weights=...) compares weighted features, or keep datasketch for it",
    "WeightedMinHashGenerator": "lookalike.dedup(weights=...) compares weighted features, or keep datasketch for it",
    "WeightedMinHashLSH": "lookalike.dedup(weights=...) compares weighted features, or keep datasketch for it",
    "WeightedMinHashLSHForest": "lookalike.dedup(weights=...) compares weighted features, or keep datasketch for it",
    "bBitMinHash": "LeanMinHash holds 4 bytes a value; keep datasketch for fewer bits",
}
"""What to use instead, by name."""


def missing(name: str) -> Any:
    """Raises `ImportError` for a name of datasketch that is not here, and says what to use instead."""
    if name in ALTERNATIVES:
        raise ImportError(f"lookalike has no {name}: {ALTERNATIVES[name]}")
    raise AttributeError(f"module 'lookalike' has no attribute {name!r}")
