"""The class `SimhashIndex` of programs for simhash, and an index of codes."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, final

from lookalike._lookalike import HammingCodes, hamming_pairs
from lookalike._pickled import PICKLED, check_version
from lookalike._progress import Running
from lookalike._simhash import Simhash, check_bits
from lookalike._table import Table
from lookalike._types import RunOptions

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

K = TypeVar("K", bound=Hashable)

FARTHEST = 12
"""The largest distance that the index searches."""


class SimhashIndex(Generic[K]):
    """The SimhashIndex of the package simhash: the ids of values within `k` bits, exactly.

    >>> import lookalike
    >>> index = lookalike.SimhashIndex([("a", lookalike.Simhash(0b1111)), ("b", lookalike.Simhash(0))], k=3)
    >>> index.get_near_dups(lookalike.Simhash(0b1110))
    ['a', 'b']

    Ids come back as they were given; simhash returns them as str. `k` is at most 12: a larger one raises
    `NotImplementedError`, because most results would be chance. `bucket` is not here, and indexes can be pickled.
    """

    def __init__(
        self,
        objs: Iterable[tuple[K, Simhash]] | Mapping[K, Simhash] = (),
        f: int = 64,
        k: int = 2,
        log: object | None = None,
    ) -> None:
        check_bits(f)
        if k > FARTHEST:
            raise NotImplementedError(f"k must be at most {FARTHEST}, and is {k}: compare the values themselves")
        self.f = f
        self.k = k
        self._codes = HammingCodes(k, 64 if f <= 64 else 128)
        self._places: dict[tuple[int, K], int] = {}
        self._ids: list[K] = []
        for obj_id, simhash in objs.items() if isinstance(objs, Mapping) else objs:
            self.add(obj_id, simhash)

    def __class_getitem__(cls, item: Any, /) -> Any:
        return GenericAlias(cls, item)

    def _code(self, simhash: Simhash) -> int:
        if simhash.f != self.f:
            raise AssertionError(f"the index has values of {self.f} bits, and this one has {simhash.f}")
        return simhash.value & ((1 << self.f) - 1)

    def add(self, obj_id: K, simhash: Simhash) -> None:
        """Adds a value under an id. The same value under the same id counts once."""
        code = self._code(simhash)
        place = len(self._ids)
        if self._places.setdefault((code, obj_id), place) == place:
            self._ids.append(obj_id)
            self._codes.extend([code], place)

    def delete(self, obj_id: K, simhash: Simhash) -> None:
        """Removes a value under an id, if it is there."""
        code = self._code(simhash)
        place = self._places.pop((code, obj_id), None)
        if place is not None:
            self._codes.remove(code, place)

    def get_near_dups(self, simhash: Simhash) -> list[K]:
        """The ids of values within `k` bits, in the order in which they were added."""
        near = self._codes.find(self._code(simhash), self.k)
        return list(dict.fromkeys(self._ids[place] for place in sorted(place for place, _ in near)))

    @property
    def offsets(self) -> list[int]:
        """Where the `k + 1` blocks of bits begin of which simhash makes its keys."""
        return [self.f // (self.k + 1) * block for block in range(self.k + 1)]

    def get_keys(self, simhash: Simhash) -> Iterable[str]:
        """The keys that simhash makes of a value: one a block of bits."""
        starts = [*self.offsets, self.f]
        for block, (start, end) in enumerate(zip(starts, starts[1:])):
            yield f"{simhash.value >> start & ((1 << (end - start)) - 1):x}:{block:x}"

    def bucket_size(self) -> int:
        """The number of different keys of all values."""
        return len({key for code, _ in self._places for key in self.get_keys(Simhash(code, self.f))})

    def __len__(self) -> int:
        return len(self._places)

    def __reduce__(self) -> tuple[Any, ...]:
        entries = [(obj_id, code) for (code, obj_id) in self._places]
        return _restored, (type(self), PICKLED, self.f, self.k, entries)

    def __repr__(self) -> str:
        return f"SimhashIndex: {len(self):,} values of {self.f} bits, distance {self.k}"


def _restored(
    kind: type[SimhashIndex[Any]], version: int, f: int, k: int, entries: list[tuple[Any, int]]
) -> SimhashIndex[Any]:
    check_version("index", version)
    return kind(((obj_id, Simhash(code, f)) for obj_id, code in entries), f, k)


@final
class HammingIndex:
    """Codes of 64 or 128 bits, and those within a distance of a code, exactly.

    >>> import lookalike
    >>> index = lookalike.HammingIndex(3)
    >>> index.add([0b1111, 0b1011, 1 << 40])
    >>> index.find(0b1111)
    [(0, 0), (1, 1)]
    >>> index.pairs().to_pylist()
    [{'a': 0, 'b': 1, 'hamming': 1}]
    """

    def __init__(self, distance: int, *, bits: Literal[64, 128] = 64) -> None:
        self.distance = distance
        self.bits = bits
        self._index = HammingCodes(distance, bits)
        self._codes: list[int] = []
        self._ids: list[int] = []

    def add(self, codes: Sequence[int] | Any, ids: Sequence[int] | None = None) -> None:
        """Adds codes: ints, an array of numpy, or a column of Arrow. Without `ids`, they are numbered from 0 on."""
        added = listed(codes)
        given = list(range(len(self._ids), len(self._ids) + len(added))) if ids is None else listed(ids)
        if len(given) != len(added):
            raise ValueError(f"there are {len(added)} codes and {len(given)} ids")
        if any(not 0 <= code < 1 << self.bits for code in added):
            raise ValueError(f"a code must be from 0 to 2**{self.bits} - 1")
        self._index.extend(added, len(self._ids))
        self._codes += added
        self._ids += given

    def find(self, code: int, distance: int | None = None) -> list[tuple[int, int]]:
        """The ids and distances of codes within a distance of `code`, by distance, then id."""
        near = self._index.find(int(code), self.distance if distance is None else distance)
        return sorted(((self._ids[place], bits) for place, bits in near), key=lambda found: (found[1], found[0]))

    def pairs(self, **run: Unpack[RunOptions]) -> Table:
        """All pairs within the distance: the columns a, b (ids) and hamming.

        Raises:
            TooManyPairs: There are 200 million pairs or more. Equal codes make a pair each with each.
        """
        with Running(dict(run)) as settings:
            return Table(hamming_pairs(self._codes, self._ids, self.distance, self.bits, settings))

    def __len__(self) -> int:
        return len(self._ids)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_codes, (PICKLED, self.distance, self.bits, self._codes, self._ids)

    def __repr__(self) -> str:
        return f"HammingIndex: {len(self):,} codes of {self.bits} bits, distance {self.distance}"


def _restored_codes(
    version: int, distance: int, bits: Literal[64, 128], codes: list[int], ids: list[int]
) -> HammingIndex:
    check_version("index", version)
    restored = HammingIndex(distance, bits=bits)
    restored.add(codes, ids)
    return restored


def listed(numbers: Any) -> list[int]:
    """Numbers as a list."""
    if hasattr(numbers, "tolist"):
        numbers = numbers.tolist()
    elif hasattr(numbers, "to_pylist"):
        numbers = numbers.to_pylist()
    elif hasattr(numbers, "to_list"):
        numbers = numbers.to_list()
    found = []
    for row, number in enumerate(numbers):
        try:
            found.append(int(number))
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"row {row} is {number!r}; codes and ids are ints") from None
    return found
