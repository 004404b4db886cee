"""Sessions of `MinHashLSH`, which programs open for indexes behind a network. Here, each step is done at once."""

from __future__ import annotations

from collections.abc import Hashable
from types import TracebackType
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self

    from lookalike._lsh import MinHashLSH
    from lookalike._minhash import MinHash

K = TypeVar("K", bound=Hashable)


class LshSession(Generic[K]):
    """A context in which an index is changed."""

    def __init__(self, lsh: MinHashLSH[K]) -> None:
        self.lsh = lsh

    def close(self) -> None:
        """Does nothing: all is done."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()


class InsertionSession(LshSession[K]):
    """A context in which sketches are inserted."""

    def insert(self, key: K, minhash: MinHash, check_duplication: bool = True) -> None:
        """Inserts a sketch under a key, as `MinHashLSH.insert`."""
        self.lsh.insert(key, minhash, check_duplication)


class DeletionSession(LshSession[K]):
    """A context in which keys are removed."""

    def remove(self, key: K) -> None:
        """Removes a key, as `MinHashLSH.remove`."""
        self.lsh.remove(key)
