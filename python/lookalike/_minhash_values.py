"""The values of a sketch as datasketch has them, and the hash functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, cast

from lookalike._lookalike import sha1_hash32, sha1_hash64

PermutationScheme: TypeAlias = Literal["affine32", "affine64", "legacy"]
"""How datasketch makes values from hashes: the default since 2.0, its form for 64 bits, and the only one before 2.0."""


def default_hash(scheme: str) -> Callable[[Any], int]:
    """The hash function of a scheme."""
    return sha1_hash64 if scheme == "affine64" else sha1_hash32


def integers(values: Iterable[int]) -> list[int]:
    """Hash values as a list. Arrays of numpy and lists of its numbers are taken, too."""
    listed = values.tolist() if hasattr(values, "tolist") else [int(value) for value in values]
    if any(not 0 <= value < 1 << 64 for value in listed):
        raise ValueError("hash values are out of range: they must be from 0 to 2**64 - 1")
    return cast("list[int]", listed)


def unpacked(scheme: str, values: bytes) -> list[int]:
    """The values of little-endian bytes."""
    size = 4 if scheme == "affine32" else 8
    return [int.from_bytes(values[start : start + size], "little") for start in range(0, len(values), size)]
