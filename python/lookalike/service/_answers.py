"""The answers of a service. Their fields are those of its description in OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")


def read(kind: type[_T], data: Mapping[str, Any], **nested: Any) -> _T:
    """An answer of this kind. Fields that it does not know are left out, so that a newer service may have more."""
    known = {field.name: data[field.name] for field in fields(kind) if field.name in data}
    return kind(**{**known, **nested})


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is known about a document."""

    id: str
    meta: Any = None
    """Its metadata."""
    url: str | None = None
    title: str | None = None
    priority: float | None = None
    """Its priority as canonical document of a cluster."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMatch(About):
    """A document that is similar."""

    similarity: float | None = None
    """The exact similarity, by the measure of the index, if it verifies."""
    hamming: int | None = None
    """The bits in which the fingerprints differ, if these decide alone."""
    estimate: float | None = None
    """The similarity that their signatures estimate, if these decide alone."""
    estimate_low: float | None = None
    """The least similarity in the interval of 95 % of this estimate."""
    estimate_high: float | None = None
    """The greatest similarity in it."""
    copy: bool
    """Whether the two have the same shingles equally often."""


def match_of(data: Mapping[str, Any] | None) -> DocumentMatch | None:
    return None if data is None else read(DocumentMatch, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer:
    """Whether a text was seen before."""

    status: Literal["new", "duplicate", "copy"]
    match: DocumentMatch | None = None
    """The most similar document."""
    candidates: int
    """The documents whose sketches match that of the text."""
    compared: int
    """The candidates that were compared exactly."""
    capped: bool
    """Whether there were more candidates than a text is compared with."""
    id: str | None = None
    """The id that a line of a bulk request had."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> CheckAnswer:
        return read(cls, data, match=match_of(data.get("match")))


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarAnswer:
    """Similar documents."""

    matches: tuple[DocumentMatch, ...]
    """The most similar first."""
    least: float | None = None
    """The least similarity of the documents that were searched for, if the index verifies."""
    recall: float | None = None
    """The chance to find a document of this least similarity. It is unknown for some measures."""
    candidates: int
    capped: bool
    nearest: DocumentMatch | None = None
    """With `explain`, if no document is similar: the nearest candidate."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> SimilarAnswer:
        matches = tuple(read(DocumentMatch, match) for match in data["matches"])
        return read(cls, data, matches=matches, nearest=match_of(data.get("nearest")))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddAnswer:
    """What happened to a document that was to be added."""

    status: Literal["added", "duplicate", "copy", "unchanged"]
    """"unchanged" if the index had this id with the same text before: then `match` is None."""
    stored: bool
    """Whether the index has it now. A request that is repeated has the same value here as the first time."""
    match: DocumentMatch | None = None
    """The most similar document."""
    sequence: int
    """The number of changes of the index when this was decided."""
    capped: bool = False
    """Whether it had more candidates than a text is compared with."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> AddAnswer:
        return read(cls, data, match=match_of(data.get("match")))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveAnswer:
    """What a line of a bulk request removed."""

    removed: bool
    """Whether there was a document of this id. It is gone in both cases."""
    sequence: int

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RemoveAnswer:
        return read(cls, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAnswer(About):
    """A document of the index."""

    added: int | None = None
    """The second since 1970 at which it was added, if it is known."""
    expires: int | None = None
    """The second since 1970 from which on it is not found any more."""
    text: str | None = None
    """Its text, if it was asked for."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> DocumentAnswer:
        return read(cls, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchAnswer:
    """When a document expires."""

    expires: int | None = None
    """The second since 1970 from which on it is not found any more, if there is one."""
    sequence: int

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> TouchAnswer:
        return read(cls, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterMember(About):
    """A document of a cluster."""

    similarity: float | None = None
    """The exact similarity to the canonical document, if the index verifies."""
    hamming: int | None = None
    """The bits in which its fingerprint differs from that of the canonical document, if these decide alone."""
    estimate: float | None = None
    """The similarity that their signatures estimate, if these decide alone."""
    estimate_low: float | None = None
    """The least similarity in the interval of 95 % of this estimate."""
    estimate_high: float | None = None
    """The greatest similarity in it."""
    added: int | None = None
    """The second since 1970 at which it was added, if it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAnswer:
    """Documents that are similar to each other, some of them only by a chain of others."""

    canonical: str
    """The id of the document that stands for the cluster."""
    policy: str
    """How it was chosen: first, shortest-url, longest-text or priority."""
    least_similarity: float | None = None
    """The least similarity of a member to the canonical document, if the index verifies."""
    most_hamming: int | None = None
    """The most bits in which the fingerprint of a member differs from that of the canonical document, if these decide alone."""
    least_estimate: float | None = None
    """The least similarity of a member to the canonical document that signatures estimate, if these decide alone."""
    count: int
    """The number of members."""
    members: tuple[ClusterMember, ...]
    """The members in the order in which they were added, the first 1,000 of them."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ClusterAnswer:
        return read(cls, data, members=tuple(read(ClusterMember, member) for member in data["members"]))
