"""The class `MinHashLSHEnsemble` of programs for datasketch."""

from __future__ import annotations

import bisect
import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from types import GenericAlias
from typing import Any, Generic, TypeVar

from lookalike._lookalike import ensemble_bands, ensemble_partitions
from lookalike._lsh import MinHashLSH
from lookalike._lsh_arguments import check_storage, check_weights
from lookalike._minhash import MinHash

K = TypeVar("K", bound=Hashable)

RATIOS = 10
"""Ratios of sizes for which bands and rows are chosen: from exp(-5) to exp(5), at equal distances of the exponent."""


class MinHashLSHEnsemble(Generic[K]):
    """The MinHashLSHEnsemble of datasketch, in memory: keys of sets that contain a share of the query, by estimate.

    >>> import lookalike
    >>> texts = ["a b c d e f g h i j", "x y z"]
    >>> sketches = lookalike.MinHash.from_texts(texts, shingle=1)
    >>> ensemble = lookalike.MinHashLSHEnsemble(threshold=0.8, num_part=2)
    >>> ensemble.index([("letters", sketches[0], 10), ("last", sketches[1], 3)])
    >>> query = lookalike.MinHash()
    >>> query.update_batch([b"a", b"b", b"c", b"d", b"e"])
    >>> list(ensemble.query(query, 5))
    ['letters']
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        num_part: int = 16,
        m: int = 8,
        weights: tuple[float, float] = (0.5, 0.5),
        storage_config: Mapping[str, Any] | None = None,
        prepickle: bool | None = None,
    ) -> None:
        check_storage(storage_config, prepickle)
        if not 0.0 <= threshold <= 1.0:
            raise ValueError(f"threshold must be from 0 to 1, and is {threshold}")
        if num_perm < 2:
            raise ValueError(f"num_perm must be at least 2, and is {num_perm}")
        if num_part < 1:
            raise ValueError(f"num_part must be at least 1, and is {num_part}")
        if not 2 <= m <= num_perm:
            raise ValueError(f"m must be from 2 to num_perm, and is {m}")
        check_weights(weights)
        self.threshold = threshold
        self.h = num_perm
        self.m = m
        self.xqs = [math.exp(-5 + 10 * step / (RATIOS - 1)) for step in range(RATIOS)]
        self.params = [ensemble_bands(threshold, num_perm, m, ratio, weights) for ratio in self.xqs]
        rows = sorted({rows for _, rows in self.params})
        self.indexes: list[dict[int, MinHashLSH[K]]] = [
            {r: MinHashLSH(num_perm=num_perm, params=(num_perm // r, r)) for r in rows} for _ in range(num_part)
        ]
        self.lowers: list[int | None] = [None] * num_part
        self.uppers: list[int | None] = [None] * num_part

    def __class_getitem__(cls, item: Any, /) -> Any:
        return GenericAlias(cls, item)

    def index(self, entries: Iterable[tuple[K, MinHash, int]]) -> None:
        """Indexes all sets: keys, sketches and sizes. It can be called once."""
        if not self.is_empty():
            raise ValueError("index can be called only once")
        listed = list(entries)
        if not listed:
            raise ValueError("entries is empty")
        if any(size <= 0 for _, _, size in listed):
            raise ValueError("the size of a set must be positive")
        sizes = Counter(int(size) for _, _, size in listed)
        ordered = sorted(sizes)
        partitions = ensemble_partitions(ordered, [sizes[size] for size in ordered], len(self.indexes))
        for place, (lower, upper) in enumerate(partitions):
            self.lowers[place], self.uppers[place] = lower, upper
        uppers = [upper for _, upper in partitions]
        for key, minhash, size in sorted(listed, key=lambda entry: entry[2]):
            for lsh in self.indexes[bisect.bisect_left(uppers, size)].values():
                lsh.insert(key, minhash)

    def _bands(self, upper: int, size: int) -> tuple[int, int]:
        place = bisect.bisect_left(self.xqs, float(upper) / float(size))
        return self.params[min(place, len(self.params) - 1)]

    def query(self, minhash: MinHash, size: int) -> Iterator[K]:
        """The keys of sets that contain at least `threshold` of the query, which has `size` elements, by estimate."""
        for upper, index in zip(self.uppers, self.indexes):
            if upper is not None:
                b, r = self._bands(upper, size)
                yield from index[r]._tables.query(minhash, index[r]._keys, b, None)

    def is_empty(self) -> bool:
        """Whether there is no key."""
        return all(lsh.is_empty() for index in self.indexes for lsh in index.values())

    def __contains__(self, key: object) -> bool:
        return any(key in lsh for index in self.indexes for lsh in index.values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {len(self.indexes)} partitions, threshold {self.threshold}"
