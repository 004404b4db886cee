"""Views of the tables of an index, as programs for datasketch walk over them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from lookalike._lookalike import LshTables

K = TypeVar("K", bound=Hashable)


class IndexedKeys(Mapping[K, list[bytes]]):
    """The keys of an index in the order of insertion. `keys[key]` are the bytes of its bands."""

    def __init__(self, tables: LshTables, slots: Mapping[K, int], keys: Sequence[Any]) -> None:
        self._tables, self._slots, self._keys = tables, slots, keys

    def __getitem__(self, key: K) -> list[bytes]:
        return self._tables.bucket_keys(self._slots[key])

    def __iter__(self) -> Iterator[K]:
        return iter([self._keys[slot] for slot in self._tables.slots()])

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: object) -> bool:
        return key in self._slots

    def size(self) -> int:
        """The number of keys."""
        return len(self)


class BucketViews(Mapping[bytes, set[K]]):
    """The buckets of a band: the bytes of its values, and the keys that have them."""

    def __init__(self, tables: LshTables, band: int, keys: Sequence[Any]) -> None:
        self._tables, self._band, self._keys = tables, band, keys

    def __getitem__(self, bucket: bytes) -> set[K]:
        slots = self._tables.bucket(self._band, bucket)
        if not slots:
            raise KeyError(bucket)
        return {self._keys[slot] for slot in slots}

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._tables.buckets(self._band))

    def __len__(self) -> int:
        return self._tables.bucket_count(self._band)

    def get(self, bucket: bytes, default: Any = ()) -> Any:
        """The keys of a bucket. There are none if there is no such bucket."""
        return self[bucket] if bucket in self else (default if default != () else set())

    def size(self) -> int:
        """The number of buckets."""
        return len(self)

    def itemcounts(self) -> dict[bytes, int]:
        """The number of keys in every bucket."""
        return dict(self._tables.counts(self._band))


class BucketTables(Sequence[BucketViews[K]], Generic[K]):
    """The buckets of each band."""

    def __init__(self, tables: list[BucketViews[K]]) -> None:
        self._views = tables

    @overload
    def __getitem__(self, band: int) -> BucketViews[K]: ...
    @overload
    def __getitem__(self, band: slice) -> Sequence[BucketViews[K]]: ...
    def __getitem__(self, band: int | slice) -> BucketViews[K] | Sequence[BucketViews[K]]:
        return self._views[band]

    def __len__(self) -> int:
        return len(self._views)
