"""The class `MinHashLSHForest` of programs for datasketch."""

from __future__ import annotations

from collections.abc import Hashable
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from lookalike._lookalike import ForestTables
from lookalike._minhash import MinHash
from lookalike._pickled import PICKLED, check_version
from lookalike._table import needed

if TYPE_CHECKING:
    import numpy
    import numpy.typing

K = TypeVar("K", bound=Hashable)


class MinHashLSHForest(Generic[K]):
    """The MinHashLSHForest of datasketch: the `k` most similar keys, by estimate, without a threshold.

    After `add`, call `index`: it makes keys searchable. The result has the keys of datasketch's. It is ordered by the
    estimate, greatest first, and theirs is not ordered.

    >>> import lookalike
    >>> texts = ["one two three four five", "one two three four six", "another text"]
    >>> sketches = lookalike.MinHash.from_texts(texts, shingle=1)
    >>> forest = lookalike.MinHashLSHForest()
    >>> for key, sketch in zip("abc", sketches):
    ...     forest.add(key, sketch)
    >>> forest.index()
    >>> forest.query(sketches[1], 2)
    ['b', 'a']
    """

    def __init__(self, num_perm: int = 128, l: int = 8) -> None:  # noqa: E741
        if l <= 0 or num_perm <= 0:
            raise ValueError("num_perm and l must be positive")
        if l > num_perm:
            raise ValueError("l must be at most num_perm")
        self.l = l
        self.k = num_perm // l
        self._tables = ForestTables(self.l, self.k)
        self._keys: list[K] = []
        self._entries: dict[K, int] = {}

    def __class_getitem__(cls, item: Any, /) -> Any:
        return GenericAlias(cls, item)

    def add(self, key: K, minhash: MinHash) -> None:
        """Adds a sketch under a key. `ValueError` if the key is there."""
        if key in self._entries:
            raise ValueError(f"the key {key!r} has already been added")
        self._tables.add(minhash)
        self._entries[key] = len(self._keys)
        self._keys.append(key)

    def index(self) -> None:
        """Makes all keys searchable."""
        self._tables.index()

    def query(self, minhash: MinHash, k: int) -> list[K]:
        """At most `k` keys, the most similar first."""
        if k <= 0:
            raise ValueError("k must be positive")
        return [self._keys[entry] for entry in self._tables.query(minhash, k)]

    def get_minhash_hashvalues(self, key: K) -> numpy.typing.NDArray[Any]:
        """The values of a key that the forest uses. `KeyError` if the key was not added."""
        if key not in self._entries:
            raise KeyError(f"the key {key!r} is not in the forest")
        width = 4 if self._tables.scheme == "affine32" else 8
        values = needed("numpy").frombuffer(self._tables.values(self._entries[key]), dtype=f">u{width}")
        return cast("numpy.typing.NDArray[Any]", values.astype(f"<u{width}"))

    @property
    def keys(self) -> dict[K, list[bytes]]:
        """The keys, each with the bytes of its values in every tree. A copy."""
        return {key: self._tables.buckets_of_entry(self._entries[key]) for key in self._keys}

    @property
    def hashranges(self) -> list[tuple[int, int]]:
        """For each tree the first value and the one behind the last."""
        return [(tree * self.k, (tree + 1) * self.k) for tree in range(self.l)]

    @property
    def hashtables(self) -> list[dict[bytes, list[K]]]:
        """For each tree the keys of every bucket. A copy."""
        tables = [self._tables.buckets(tree) for tree in range(self.l)]
        return [{bucket: [self._keys[entry] for entry in entries] for bucket, entries in table} for table in tables]

    @property
    def sorted_hashtables(self) -> list[list[bytes]]:
        """For each tree the bytes of its searchable buckets, ascending. A copy."""
        return [self._tables.sorted_buckets(tree) for tree in range(self.l)]

    def is_empty(self) -> bool:
        """Whether no key is searchable."""
        return self._tables.searchable == 0

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self.l, self.k, self._keys, *self._tables.stored(), self._tables.searchable)
        return _restored, (type(self), PICKLED, state)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {len(self):,} keys, {self.l} trees of {self.k} values"


def _restored(kind: type[MinHashLSHForest[Any]], version: int, state: tuple[Any, ...]) -> MinHashLSHForest[Any]:
    check_version("forest", version)
    trees, depth, keys, scheme, words, searchable = state
    restored = kind.__new__(kind)
    restored.l, restored.k = trees, depth
    restored._tables = ForestTables(trees, depth)
    restored._tables.restore(scheme, words, searchable)
    restored._keys = keys
    restored._entries = {key: entry for entry, key in enumerate(keys)}
    return restored
