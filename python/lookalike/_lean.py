"""The class `LeanMinHash` of programs for datasketch."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lookalike._minhash import MinHash
from lookalike._minhash_values import PermutationScheme, integers, unpacked
from lookalike._pickled import PICKLED, check_version

if TYPE_CHECKING:
    from lookalike._types import Tokens

CODES = {"affine32": 1, "affine64": 2}
"""The schemes in bytes of version 2. Those of version 1 are of the scheme "legacy", and do not say so."""


class LeanMinHash(MinHash):
    """A MinHash that does not change and can be hashed. It is written to bytes and read from them as in datasketch.

    The bytes: the seed (8 bytes), the number of values (4), and the values (4 each), which is version 1, for the scheme
    "legacy". For the other schemes, version 2: the seed, the negative number of values, 1 byte for the scheme (1: affine32,
    2: affine64), and the values (4 bytes each, or 8 for affine64).

    >>> import lookalike
    >>> sketch = lookalike.MinHash(num_perm=4)
    >>> sketch.update(b"Hello")
    >>> lean = lookalike.LeanMinHash(sketch)
    >>> buffer = bytearray(lean.bytesize())
    >>> lean.serialize(buffer)
    >>> lookalike.LeanMinHash.deserialize(buffer) == lean
    True
    """

    def __init__(
        self,
        minhash: MinHash | None = None,
        seed: int | None = None,
        hashvalues: Iterable[int] | None = None,
        scheme: PermutationScheme | None = None,
    ) -> None:
        if minhash is not None:
            if scheme is not None and scheme != minhash.scheme:
                raise ValueError(f"scheme {scheme!r} is not the scheme {minhash.scheme!r} of the MinHash")
            self._restore(minhash.scheme, minhash.seed, unpacked(minhash.scheme, minhash._values()))
            return
        if seed is None or hashvalues is None:
            raise ValueError("give a MinHash, or seed and hashvalues")
        if scheme is None:
            advice = "name the scheme: 'affine32' for values of datasketch 2, 'legacy' for values of datasketch 1"
            warnings.warn(f"hash values without a scheme are taken as 'legacy'; {advice}", FutureWarning, stacklevel=2)
        values = integers(hashvalues)
        if not values and scheme not in (None, "legacy"):
            raise ValueError("hashvalues must not be empty")
        self._restore(scheme or "legacy", seed, values)

    @property
    def hashfunc(self) -> Callable[[Any], int]:
        """A LeanMinHash has none."""
        raise AttributeError("a LeanMinHash has no hashfunc: make a MinHash of its seed, scheme and hashvalues")

    def update(self, b: Any) -> None:
        """Raises `TypeError`: a LeanMinHash does not change."""
        raise TypeError("a LeanMinHash does not change: make a MinHash of its seed, scheme and hashvalues")

    def update_batch(self, b: Iterable[Any]) -> None:
        """Raises `TypeError`: a LeanMinHash does not change."""
        self.update(b)

    def update_text(self, text: str, *, shingle: int = 5, tokens: Tokens = "words") -> None:
        """Raises `TypeError`: a LeanMinHash does not change."""
        self.update(text)

    def bytesize(self, byteorder: str = "@") -> int:
        """How many bytes `serialize` writes. `byteorder` is one of `struct`."""
        return struct.calcsize(self._format(byteorder, self.scheme, len(self)))

    @staticmethod
    def _format(byteorder: str, scheme: str, count: int) -> str:
        if scheme == "legacy":
            return f"{byteorder}qi{count}I"
        return f"{byteorder}qiB{count}{'Q' if scheme == 'affine64' else 'I'}"

    def serialize(self, buf: bytearray | memoryview, byteorder: str = "@") -> None:
        """Writes the bytes into a buffer."""
        if len(buf) < self.bytesize(byteorder):
            raise ValueError("the buffer does not have enough space for this MinHash")
        values = unpacked(self.scheme, self._values())
        head = [len(self)] if self.scheme == "legacy" else [-len(self), CODES[self.scheme]]
        struct.pack_into(self._format(byteorder, self.scheme, len(self)), buf, 0, self.seed, *head, *values)

    @classmethod
    def deserialize(cls, buf: bytes | bytearray | memoryview, byteorder: str = "@") -> LeanMinHash:
        """Reads bytes of version 1 or 2."""
        view = memoryview(buf)
        seed, count = struct.unpack_from(f"{byteorder}qi", view)
        scheme = "legacy"
        if count < 0:
            (code,) = struct.unpack_from(f"{byteorder}B", view, struct.calcsize(f"{byteorder}qi"))
            schemes = [scheme for scheme, known in CODES.items() if known == code]
            if not schemes:
                raise ValueError(f"unknown permutation scheme code: {code}")
            scheme = schemes[0]
        numbers = struct.unpack_from(cls._format(byteorder, scheme, abs(count)), view)
        read = cls.__new__(cls)
        read._restore(scheme, seed, list(numbers[-abs(count) :]) if count else [])
        return read

    def __hash__(self) -> int:  # type: ignore[override]
        return hash((self.scheme, self.seed, self._values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), (PICKLED, self.scheme, self.seed, self._values()))


def _restored(kind: type[LeanMinHash], state: tuple[Any, ...]) -> LeanMinHash:
    version, scheme, seed, values = state
    check_version("LeanMinHash", version)
    restored = kind.__new__(kind)
    restored._restore(scheme, seed, unpacked(scheme, values))
    return restored
