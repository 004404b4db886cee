"""What a service says about its index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lookalike.service._answers import read


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """How documents are sketched and compared."""

    verify: Literal["exact", "estimate", "distance"] | None = None
    """What decides about candidates: a comparison, the estimate of signatures, or the distance of fingerprints."""
    threshold: float | None
    """The least similarity, unless distances decide alone."""
    measure: str | None
    shingle: int
    method: Literal["minhash", "simhash"]
    recall: float | None = None
    """The chance to find a document at the threshold. It is unknown for some measures."""
    num_perm: int | None = None
    bands: int | None = None
    rows: int | None = None
    bits: int | None = None
    hamming: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexAnswer:
    """The index of a service, and how it is searched."""

    plan: PlanAnswer
    store: Literal["folder", "redis"]
    documents: int
    """The documents that were ever added."""
    sequence: int
    """The number of changes until now."""
    mode: Literal["unique", "all"]
    """Whether duplicates are stored."""
    canonical: str
    """How the canonical document of a cluster is chosen."""
    ttl: int | None = None
    """The seconds after which a document expires, if its request does not say it."""
    waiting: int
    """The changes that wait to be decided."""
    runs: int
    memtables: int
    durability: str | None = None
    """What makes changes last, such as `fdatasync`."""
    not_ready: str | None = None
    """Why the service is not ready."""
    follows: str | None = None
    """The service that a read-only copy follows."""
    lag: float | None = None
    """The seconds since a copy last had all changes."""
    not_following: str | None = None
    """Why nothing comes from the followed service, if nothing does."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> IndexAnswer:
        return read(cls, data, plan=read(PlanAnswer, data["plan"]))
