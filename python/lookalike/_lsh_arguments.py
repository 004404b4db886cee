"""The arguments of indexes of datasketch: which are taken, and which bands they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lookalike._lookalike import lsh_bands, lsh_bands_of_recall


def chosen_bands(
    threshold: float,
    num_perm: int,
    weights: tuple[float, float],
    params: tuple[int, int] | None,
    recall: float | None,
) -> tuple[int, int]:
    """Bands and rows: those of `params`, or else those for a recall, or else those of datasketch."""
    if not 0.0 <= threshold <= 1.0:
        raise ValueError(f"threshold must be from 0 to 1, and is {threshold}")
    if num_perm < 2:
        raise ValueError(f"num_perm must be at least 2, and is {num_perm}")
    check_weights(weights)
    if params is not None:
        bands, rows = params
    elif recall is not None:
        bands, rows = lsh_bands_of_recall(threshold, num_perm, recall)
    else:
        bands, rows = lsh_bands(threshold, num_perm, weights)
    if bands * rows > num_perm:
        raise ValueError(f"params need {bands} * {rows} values, and num_perm is {num_perm}")
    if bands < 2:
        raise ValueError("the number of bands is below 2: choose a lower threshold")
    return bands, rows


def check_storage(
    storage_config: Mapping[str, Any] | None, prepickle: bool | None = None, hashfunc: object | None = None
) -> None:
    """Refuses what is not here."""
    if storage_config and storage_config.get("type", "dict") != "dict":
        kind = storage_config.get("type")
        advice = "lookalike.Index keeps an index in a folder, and lookalike serve shares it"
        raise NotImplementedError(f"storage_config of type {kind!r} is not here: {advice}")
    if prepickle:
        raise NotImplementedError("prepickle is not here: keys in memory stay as they are; see lookalike.Index")
    if hashfunc is not None:
        raise NotImplementedError("hashfunc is not here: buckets take 4 bytes a key; see lookalike.Index")


def check_weights(weights: tuple[float, float]) -> None:
    """Refuses weights that are no shares of one."""
    if any(not 0.0 <= weight <= 1.0 for weight in weights):
        raise ValueError("each weight must be from 0 to 1")
    if sum(weights) != 1.0:
        raise ValueError("the sum of the weights must be 1")
