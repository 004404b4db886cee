"""The answers of a service about several texts, and about the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lookalike.service._answers import DocumentMatch, read


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedText:
    """One of two texts."""

    text: str
    id: str | None = None
    """The id of the document, if it is one."""
    tokens: int
    shingles: int
    """The number of distinct shingles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Measures from 0 to 1."""

    jaccard: float
    word_jaccard: float
    containment_of_a: float
    """The share of the shingles of `a` that are in `b`."""
    containment_of_b: float
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualPart:
    """Consecutive tokens that are equal in both texts. Places are in characters."""

    a: tuple[int, int]
    b: tuple[int, int]

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> EqualPart:
        return cls(a=_place(data["a"]), b=_place(data["b"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPassage:
    """A passage that two texts share. Places are in characters: the first one, and the one behind the last."""

    a: tuple[int, int]
    b: tuple[int, int]
    tokens: int
    """The number of equal words or other tokens."""
    equal: tuple[EqualPart, ...]
    """The parts of it that are equal in both."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SharedPassage:
        equal = tuple(map(EqualPart.of, data["equal"]))
        return read(cls, data, a=_place(data["a"]), b=_place(data["b"]), equal=equal)


def _place(ends: list[int]) -> tuple[int, int]:
    start, end = ends
    return start, end


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareAnswer:
    """How two texts compare. All figures are exact."""

    a: ComparedText
    b: ComparedText
    found: bool
    """Whether the two are similar, and the index would find it."""
    sentence: str
    """The same in a sentence, with the reason."""
    similarity: float | None = None
    """The similarity by the measure of the index, if it verifies."""
    hamming: int | None = None
    """The bits in which their fingerprints differ, if these decide alone and both have one."""
    estimate: float | None = None
    """The similarity that their signatures estimate, if these decide alone."""
    estimate_low: float | None = None
    """The least similarity in the interval of 95 % of this estimate."""
    estimate_high: float | None = None
    """The greatest similarity in it."""
    threshold: float | None = None
    measures: Measures
    passages: tuple[SharedPassage, ...]
    """What the two share, in the order of `a`."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> CompareAnswer:
        return read(
            cls,
            data,
            a=read(ComparedText, data["a"]),
            b=read(ComparedText, data["b"]),
            measures=read(Measures, data["measures"]),
            passages=tuple(map(SharedPassage.of, data["passages"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Represented:
    """A document that was left out because another one of the list stands for it."""

    index: int
    """Its place in the list, from 0 on."""
    id: str | None = None
    similarity: float | None = None
    """The exact similarity of the two, if the index verifies."""
    hamming: int | None = None
    """The bits in which their fingerprints differ, if these decide alone."""
    estimate: float | None = None
    """The similarity that their signatures estimate, if these decide alone."""
    estimate_low: float | None = None
    """The least similarity in the interval of 95 % of this estimate."""
    estimate_high: float | None = None
    """The greatest similarity in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UniqueDocument:
    """A document that is left."""

    index: int
    """Its place in the list, from 0 on."""
    id: str | None = None
    stands_for: tuple[Represented, ...]
    """The documents behind it that are similar to it, and were left out."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> UniqueDocument:
        return read(cls, data, stands_for=tuple(read(Represented, other) for other in data["stands_for"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDocument:
    """A document that was left out because the index has a similar one."""

    index: int
    """Its place in the list, from 0 on."""
    id: str | None = None
    match: DocumentMatch
    """The most similar document of the index."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SeenDocument:
        return read(cls, data, match=read(DocumentMatch, data["match"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeduplicateAnswer:
    """A list without near-duplicates."""

    unique: tuple[UniqueDocument, ...]
    """The documents that are left, in their order."""
    seen: tuple[SeenDocument, ...]
    """The documents that were left out because the index has a similar one."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> DeduplicateAnswer:
        return cls(unique=tuple(map(UniqueDocument.of, data["unique"])), seen=tuple(map(SeenDocument.of, data["seen"])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. A field that does not belong to its type is None."""

    event_id: str
    """Give it as `after` to read the events behind this one."""
    type: Literal["added", "duplicate", "removed", "canonical"]
    id: str
    """The id of the document."""
    sequence: int | None = None
    """The number of changes of the index before it."""
    of: str | None = None
    """duplicate: the id of the most similar document."""
    similarity: float | None = None
    hamming: int | None = None
    estimate: float | None = None
    estimate_low: float | None = None
    estimate_high: float | None = None
    stored: bool | None = None
    """duplicate: whether it was stored."""
    previous: str | None = None
    """canonical: the id of the canonical document before."""
