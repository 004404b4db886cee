"""The class `MinHashLSH` of programs for datasketch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, Generic, TypeVar

from lookalike._lookalike import LshTables, lsh_pairs
from lookalike._lsh_arguments import check_storage, chosen_bands
from lookalike._lsh_views import BucketTables, BucketViews, IndexedKeys
from lookalike._minhash import MinHash
from lookalike._pickled import PICKLED, check_version
from lookalike._progress import Running
from lookalike._sessions import DeletionSession, InsertionSession
from lookalike._table import Table

K = TypeVar("K", bound=Hashable)

MOST_PAIRS = 100_000_000
"""The most pairs that `pairs` returns."""


class MinHashLSH(Generic[K]):
    """The MinHashLSH of datasketch, in memory: the same bands and rows for a threshold, and the same answers as sets.

    >>> import lookalike
    >>> lsh = lookalike.MinHashLSH(threshold=0.5)
    >>> texts = ["one two three four five six seven", "one two three four five six eight", "another text"]
    >>> for key, sketch in enumerate(lookalike.MinHash.from_texts(texts, shingle=2)):
    ...     lsh.insert(key, sketch)
    >>> query = lookalike.MinHash()
    >>> query.update_text(texts[0], shingle=2)
    >>> lsh.query(query)
    [0, 1]

    At a threshold of 0.8 and 128 values, datasketch takes 9 bands of 13 rows. They find 40 % of the pairs at 0.8, and
    results below the threshold too. Two arguments that datasketch does not have change that: `recall` takes bands that
    find a pair at the threshold with this probability, and `verify` leaves out what is below it by the estimate:
    `MinHashLSH(0.8, recall=0.995, verify=True)`.

    Results have the order of insertion. `storage_config` other than {"type": "dict"}, `prepickle` and `hashfunc` raise
    `NotImplementedError`.
    """

    def __init__(
        self,
        threshold: float = 0.9,
        num_perm: int = 128,
        weights: tuple[float, float] = (0.5, 0.5),
        params: tuple[int, int] | None = None,
        storage_config: Mapping[str, Any] | None = None,
        prepickle: bool | None = None,
        hashfunc: Callable[[bytes], bytes] | None = None,
        *,
        recall: float | None = None,
        verify: bool = False,
    ) -> None:
        check_storage(storage_config, prepickle, hashfunc)
        self.threshold = threshold
        self.h = num_perm
        self.b, self.r = chosen_bands(threshold, num_perm, weights, params, recall)
        self._least = threshold if verify else None
        self._tables = LshTables(self.b, self.r, num_perm)
        self._start()

    def _start(self) -> None:
        self._keys: list[Any] = []
        self._slots: dict[K, int] = {}
        self._free: list[int] = []
        self._buffered: list[MinHash] = []
        # Held while a slot changes hands, so that threads may share an index.
        self._lock = threading.Lock()

    def __class_getitem__(cls, item: Any, /) -> Any:
        return GenericAlias(cls, item)

    def _slot(self, key: K, must_be_new: bool) -> tuple[int, bool]:
        """The slot of a key, and whether it is new."""
        with self._lock:
            slot = self._slots.get(key)
            if slot is not None:
                if must_be_new:
                    raise ValueError(f"the key {key!r} already exists")
                return slot, False
            if self._free:
                slot = self._free.pop()
                self._keys[slot] = key
            else:
                slot = len(self._keys)
                self._keys.append(key)
            self._slots[key] = slot
            return slot, True

    def insert(self, key: K, minhash: MinHash, check_duplication: bool = True) -> None:
        """Inserts a sketch under a key. `ValueError` if the key is there, or if seed, num_perm or scheme are others."""
        slot, is_new = self._slot(key, check_duplication)
        try:
            self._tables.insert(slot, minhash)
        except BaseException:
            if is_new:
                self.remove(key)
            raise

    def insert_many(self, entries: Iterable[tuple[K, MinHash]], check_duplication: bool = True) -> None:
        """Inserts many sketches. Not in datasketch."""
        for key, minhash in entries:
            self.insert(key, minhash, check_duplication)

    def query(self, minhash: MinHash) -> list[K]:
        """The keys of sketches that share a band with `minhash`."""
        return self._tables.query(minhash, self._keys, None, self._least)

    def _query_b(self, minhash: MinHash, b: int) -> set[K]:
        if b > self.b:
            raise ValueError(f"b must be at most {self.b}, and is {b}")
        return set(self._tables.query(minhash, self._keys, b, self._least))

    def query_many(self, minhashes: Sequence[MinHash], *, threads: int | None = None) -> list[list[K]]:
        """The result of `query` for each sketch, on all threads. Not in datasketch."""
        with Running({"threads": threads} if threads else {}) as settings:
            found = self._tables.query_many(list(minhashes), self._least, settings)
        return [[self._keys[slot] for slot in slots] for slots in found]

    def pairs(self, *, limit: int = MOST_PAIRS, threads: int | None = None) -> Table:
        """All pairs that share a band: the columns a, b and estimate. Not in datasketch.

        a and b are positions in `list(lsh.keys)`, a below b. More than `limit` pairs raise `TooManyPairs`.
        """
        with Running({"threads": threads} if threads else {}) as settings:
            return Table(lsh_pairs(self._tables, self._least, limit, settings))

    def remove(self, key: K) -> None:
        """Removes a key. `ValueError` if it is not there."""
        with self._lock:
            slot = self._slots.pop(key, None)
            if slot is None:
                raise ValueError(f"the key {key!r} does not exist")
            self._tables.remove(slot)
            self._keys[slot] = None
            self._free.append(slot)

    def merge(self, other: MinHashLSH[K], check_overlap: bool = False) -> None:
        """Inserts all sketches of another index of equal num_perm, bands and rows."""
        if type(self) is not type(other):
            raise ValueError(f"cannot merge {type(self).__name__} and {type(other).__name__}")
        if (self.h, self.b, self.r) != (other.h, other.b, other.r):
            raise ValueError("cannot merge indexes of other num_perm, bands or rows")
        schemes = self._tables.scheme, other._tables.scheme
        if None not in schemes and schemes[0] != schemes[1]:
            raise ValueError(f"cannot merge indexes of the schemes {schemes[0]!r} and {schemes[1]!r}")
        if check_overlap and not self._slots.keys().isdisjoint(other._slots):
            raise ValueError("the keys overlap")
        for slot in other._tables.slots():
            key = other._keys[slot]
            self._tables.copy(other._tables, slot, self._slot(key, False)[0])

    def insertion_session(self, buffer_size: int = 50000) -> InsertionSession[K]:
        """A context in which sketches are inserted. In memory, each is inserted at once."""
        return InsertionSession(self)

    def deletion_session(self, buffer_size: int = 50000) -> DeletionSession[K]:
        """A context in which keys are removed."""
        return DeletionSession(self)

    def add_to_query_buffer(self, minhash: MinHash) -> None:
        """Keeps a query for `collect_query_buffer`."""
        self._tables.check(minhash)
        self._buffered.append(minhash.copy())

    def collect_query_buffer(self) -> list[K]:
        """The keys that every query of the buffer finds. The buffer is empty then."""
        queries, self._buffered = self._buffered, []
        if not queries:
            return []
        found = self.query(queries[0])
        others = [set(self.query(query)) for query in queries[1:]]
        return [key for key in found if all(key in other for other in others)]

    def is_empty(self) -> bool:
        """Whether there is no key."""
        return not self._slots

    @property
    def keys(self) -> IndexedKeys[K]:
        """The keys in the order of insertion, each with the bytes of its bands. It cannot be written to."""
        return IndexedKeys(self._tables, self._slots, self._keys)

    @property
    def hashtables(self) -> BucketTables[K]:
        """For each band the keys of every bucket. It cannot be written to."""
        return BucketTables([BucketViews(self._tables, band, self._keys) for band in range(self.b)])

    @property
    def hashranges(self) -> list[tuple[int, int]]:
        """For each band the first value and the one behind the last."""
        return [(band * self.r, (band + 1) * self.r) for band in range(self.b)]

    def get_counts(self) -> list[dict[bytes, int]]:
        """For each band the number of keys in every bucket."""
        return [table.itemcounts() for table in self.hashtables]

    def get_subset_counts(self, *keys: K) -> list[dict[bytes, int]]:
        """The same for some keys."""
        slots = [self._slots[key] for key in dict.fromkeys(keys)]
        return [dict(counts) for counts in self._tables.counts_of_slots(slots)]

    def __contains__(self, key: object) -> bool:
        return key in self._slots

    def __len__(self) -> int:
        return len(self._slots)

    def __reduce__(self) -> tuple[Any, ...]:
        keys = [self._keys[slot] for slot in self._tables.slots()]
        state = {"threshold": self.threshold, "least": self._least, "buffered": self._buffered}
        return _restored, (type(self), PICKLED, keys, self._tables.to_bytes(), (self.b, self.r, self.h), state)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {len(self):,} keys, {self.b} bands of {self.r} rows"


def _restored(
    kind: type[MinHashLSH[Any]],
    version: int,
    keys: list[Any],
    tables: bytes,
    shape: tuple[int, int, int],
    state: dict[str, Any],
) -> MinHashLSH[Any]:
    check_version("index", version)
    restored = kind.__new__(kind)
    restored.b, restored.r, restored.h = shape
    restored.threshold, restored._least = state["threshold"], state["least"]
    restored._tables = LshTables.from_bytes(tables)
    restored._start()
    restored._keys = keys
    restored._slots = {key: slot for slot, key in enumerate(keys)}
    restored._buffered = state["buffered"]
    return restored
