"""The class `MinHash` of programs for datasketch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Literal, cast

from lookalike._lookalike import MinHashCore, minhash_texts, minhash_update_text
from lookalike._minhash_values import PermutationScheme, default_hash, integers, unpacked
from lookalike._pickled import PICKLED, check_version
from lookalike._table import needed

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    from lookalike._types import Data, Tokens


class MinHash(MinHashCore):
    """The MinHash of datasketch: the same names, the same defaults, and for each scheme the same values, bit by bit.

    >>> import lookalike
    >>> a, b = lookalike.MinHash(), lookalike.MinHash()
    >>> for word in "one two three four".split():
    ...     a.update(word.encode())
    >>> b.update_batch(word.encode() for word in "one two three five".split())
    >>> a.jaccard(b)
    0.65625

    hashfunc: a function that hashes one element. `None` is SHA-1, which is computed in Rust.
    hashvalues: values of another sketch. Without a `scheme` they are taken as "legacy", with a `FutureWarning`:
    datasketch 1 wrote them so, and datasketch 2 raises an error.
    permutations: those of another sketch with the same seed. They cost nothing here, and others raise
    `NotImplementedError`, as does `gpu_mode="always"`.
    """

    def __init__(
        self,
        num_perm: int = 128,
        seed: int = 1,
        gpu_mode: Literal["disable", "detect", "always"] = "disable",
        hashfunc: Callable[[Any], int] | None = None,
        hashobj: object | None = None,
        hashvalues: Iterable[int] | None = None,
        permutations: Any | None = None,
        scheme: PermutationScheme | None = None,
    ) -> None:
        if gpu_mode == "always":
            raise NotImplementedError("gpu_mode='always' needs datasketch: values are made on the processor here")
        if hashobj is not None:
            warnings.warn("hashobj has no effect: use hashfunc", DeprecationWarning, stacklevel=2)
        if hashfunc is not None and not callable(hashfunc):
            raise ValueError("hashfunc must be callable")
        if scheme is None and (hashvalues is not None or permutations is not None):
            advice = "name the scheme: 'affine32' for values of datasketch 2, 'legacy' for values of datasketch 1"
            warnings.warn(f"hash values without a scheme are taken as 'legacy'; {advice}", FutureWarning, stacklevel=2)
            scheme = "legacy"
        values = None if hashvalues is None else integers(hashvalues)
        count = num_perm if values is None else len(values)
        if not 1 <= count <= 1 << 32:
            raise ValueError(f"num_perm must be from 1 to 2**32, and is {count}")
        scheme = scheme or "affine32"
        is_default = hashfunc is None or hashfunc is default_hash(scheme)
        self._start(count, seed, scheme, None if is_default else hashfunc)
        if values is not None:
            self._assign(values)
        if permutations is not None:
            self._check_permutations(permutations)

    def _check_permutations(self, permutations: Any) -> None:
        given = tuple([int(number) for number in numbers] for numbers in permutations)
        own = self._parameters()
        if len(given) != 2 or any(len(numbers) != len(self) for numbers in given):
            raise ValueError("the numbers of hash values and permutations differ")
        if given != own:
            raise NotImplementedError("permutations must be those of the seed: give the seed they were made with")

    @property
    def hashfunc(self) -> Callable[[Any], int]:
        """The function that hashes an element."""
        function: Callable[[Any], int] | None = self._hashfunc()
        return default_hash(self.scheme) if function is None else function

    @property
    def permutations(self) -> numpy.typing.NDArray[Any]:
        """Two rows: multipliers, and increments."""
        return cast("numpy.typing.NDArray[Any]", needed("numpy").array(self._parameters(), dtype=self._dtype()))

    @property
    def hashvalues(self) -> numpy.typing.NDArray[Any]:
        """The values: uint32 for `affine32`, uint64 for the others. The array is a copy that cannot be written to.

        To change values, assign an array: `m.hashvalues = array`.
        """
        return cast("numpy.typing.NDArray[Any]", needed("numpy").frombuffer(self._values(), dtype=self._dtype()))

    @hashvalues.setter
    def hashvalues(self, values: Iterable[int]) -> None:
        self._assign(integers(values))

    def _dtype(self) -> str:
        return "<u4" if self.scheme == "affine32" else "<u8"

    def digest(self) -> numpy.typing.NDArray[Any]:
        """A copy of the values."""
        copied: numpy.typing.NDArray[Any] = self.hashvalues.copy()
        return copied

    def update_text(self, text: str, *, shingle: int = 5, tokens: Tokens = "words") -> None:
        """Adds the shingles of a text: each is `shingle` tokens, joined by one space, as UTF-8. Not in datasketch."""
        minhash_update_text(self, text, shingle, tokens)

    def copy(self) -> MinHash:
        """A copy that changes alone."""
        copied = type(self).__new__(type(self))
        copied._take(self)
        return copied

    @classmethod
    def union(cls, *mhs: MinHash) -> MinHash:
        """The sketch of the union of the sets of at least two sketches."""
        if len(mhs) < 2:
            raise ValueError("cannot unite less than 2 MinHash")
        united = cls.__new__(cls)
        united._take(mhs[0])
        for other in mhs[1:]:
            united.merge(other)
        return united

    @classmethod
    def bulk(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> list[MinHash]:
        """A sketch for each set of elements."""
        return list(cls.generator(b, **minhash_kwargs))

    @classmethod
    def generator(cls, b: Iterable[Iterable[Any]], **minhash_kwargs: Any) -> Generator[MinHash, None, None]:
        """The same, one after the other."""
        first = cls(**minhash_kwargs)
        for elements in b:
            sketch = first.copy()
            sketch.update_batch(elements)
            yield sketch

    @classmethod
    def from_texts(
        cls,
        texts: Data,
        *,
        shingle: int = 5,
        tokens: Tokens = "words",
        threads: int | None = None,
        text: str = "text",
        **minhash_kwargs: Any,
    ) -> list[MinHash]:
        """A sketch for each text, as by `update_text`, on all threads. Not in datasketch."""
        from lookalike._input import source
        from lookalike._progress import Running

        first = cls(**minhash_kwargs)
        if minhash_kwargs.get("hashfunc") is not None:
            raise ValueError("from_texts hashes by SHA-1: leave out hashfunc, or use update_text")
        with Running({"threads": threads} if threads else {}) as settings:
            sketched = minhash_texts(source(texts, text, None), first, shingle, tokens, settings)
        sketches = [first.copy() for _ in range(len(sketched))]
        for row, sketch in enumerate(sketches):
            sketched.lower(row, sketch)
        return sketches

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, MinHash) and self._equals(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        state = (PICKLED, self.scheme, self.seed, self._values(), self._hashfunc())
        return _restored, (type(self), state, vars(self) or None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(num_perm={len(self)}, seed={self.seed}, scheme={self.scheme!r})"


def _restored(kind: type[MinHash], state: tuple[Any, ...], attributes: dict[str, Any] | None) -> MinHash:
    version, scheme, seed, values, hashfunc = state
    check_version("MinHash", version)
    restored = kind.__new__(kind)
    numbers = unpacked(scheme, values)
    if 0 <= seed < 1 << 32:
        restored._start(len(numbers), seed, scheme, hashfunc)
        restored._assign(numbers)
    else:
        restored._restore(scheme, seed, numbers)
    vars(restored).update(attributes or {})
    return restored
