"""The paths of a command: none that it writes may hold what it reads, or what somebody else has put there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import combinations

OF_SPARK = ("part-", "_", ".")
"""How the names of files start that Spark writes into a folder."""

WILDCARDS = "*?[{"


def check_apart(read: Sequence[str], written: Mapping[str, str]) -> None:
    """Raises `ValueError` if a path to write is one of those that are read or written, holds one, or is in one.

    `written` has the paths by the names of their options.
    """
    for option, path in written.items():
        for other in read:
            if _overlap(path, other):
                raise ValueError(f"{option} {path} would overwrite the input {other}: give another folder")
    for (option, path), (other, another) in combinations(written.items(), 2):
        if _overlap(path, another):
            raise ValueError(f"{option} {path} and {other} {another} overlap: give each a folder of its own")


def check_foreign(what: str, folder: str) -> None:
    """Raises `ValueError` if a folder of this machine holds something that Spark has not written."""
    folder = folder.removeprefix("file://")
    if os.path.isfile(folder):
        raise ValueError(f"{what} is a file: give a folder")
    foreign = [] if not os.path.isdir(folder) else [name for name in os.listdir(folder) if not name.startswith(OF_SPARK)]
    if foreign:
        raise ValueError(f"{what} holds {min(foreign)}, which would be lost: give another folder, or empty it")


def _overlap(path: str, other: str) -> bool:
    """Whether one of two paths is the other, or holds it. A path with a wildcard stands for the folder before it."""
    first, second = _parts(path), _parts(other)
    if any(sign in other for sign in WILDCARDS):
        start = next(place for place, part in enumerate(second) if any(sign in part for sign in WILDCARDS))
        return first == second[: len(first)] and len(first) <= start
    shorter = min(len(first), len(second))
    return first[:shorter] == second[:shorter]


def _parts(path: str) -> list[str]:
    path = path.removeprefix("file://")
    whole = path if "://" in path else os.path.abspath(path)
    return whole.rstrip("/").split("/")
