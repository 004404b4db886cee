"""Documents seen so far, in memory, one text at a time."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple, cast, final

from lookalike._checked import text_of
from lookalike._errors import InputError
from lookalike._input import source
from lookalike._lookalike import Plan, SeenTexts
from lookalike._progress import Running
from lookalike._table import needed
from lookalike._types import Data, Path, RunOptions, SearchOptions, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

if TYPE_CHECKING:
    import numpy
    import numpy.typing


@final
class Match(NamedTuple):
    """A document that a text is similar to."""

    row: int
    """Its place among the documents that were added, counted from 0."""
    id: str | int | None
    """Its id, if it has one."""
    similarity: float
    """How similar it is."""


@final
class Seen:
    """Documents seen so far, in memory. Each new text is compared with them, exactly. Threads may share it.

    >>> import lookalike
    >>> seen = lookalike.Seen(threshold=0.8)
    >>> texts = ["one two three four five six", "One, two, three; four five six!", "another text"]
    >>> [text for text in texts if seen.add(text) is None]
    ['one two three four five six', 'another text']

    A document takes about 1.7 KB, and 8 bytes for each shingle. With `exact=False` no shingles are held, and signatures
    estimate the similarity.
    """

    def __init__(self, *, exact: bool = True, plan: Plan | None = None, **options: Unpack[SearchOptions]) -> None:
        from lookalike._dedup import plan_of

        given: dict[str, Any] = dict(options)
        if given.get("method") in (None, "auto"):
            given.pop("method", None)
        self._texts = SeenTexts(plan_of(plan, given), exact)

    def find(self, text: str) -> Match | None:
        """The first document that `text` is similar to. Nothing is added."""
        found = self._texts.find(text_of("text", text))
        return None if found is None else Match(*found)

    def find_all(self, text: str) -> list[Match]:
        """All documents that `text` is similar to, in the order in which they were added."""
        return [Match(*found) for found in self._texts.find_all(text_of("text", text))]

    def add(self, text: str, id: str | int | None = None) -> Match | None:
        """Adds `text` and returns None. If it is similar to a document, it adds nothing and returns that one. Both are one step.

        An id that another document has raises `ValueError`. A text without tokens is similar to no other.
        """
        found = self._texts.add(text_of("text", text), id)
        return None if found is None else Match(*found)

    def add_many(
        self, data: Data, *, text: Text = "text", join: str | None = None, id: str | None = None, **run: Unpack[RunOptions]
    ) -> numpy.typing.NDArray[numpy.bool_]:
        """Adds the texts of data in memory, in their order, on all threads. True for those that were added."""
        given: dict[str, Any] = dict(run)
        documents = source(data, text, id, join=join)
        running = Running(given)
        if given:
            raise TypeError(f"there is no option {', '.join(given)}: the options of similarity belong to Seen")
        with running as settings:
            added = self._texts.add_many(documents, settings)
        return cast("numpy.typing.NDArray[numpy.bool_]", needed("numpy").frombuffer(added, dtype="bool"))

    def remove(self, id: str | int) -> None:
        """Forgets the document with this id. `KeyError` if there is none."""
        self._texts.remove(id)

    def save(self, path: Path) -> None:
        """Writes all documents to a file."""
        with open(os.fspath(path), "wb") as file:
            file.write(self._texts.to_bytes())

    @classmethod
    def load(cls, path: Path) -> Seen:
        """Reads a file that `save` has written."""
        name = os.fspath(path)
        with open(name, "rb") as file:
            content = file.read()
        try:
            return _restored(content)
        except ValueError as error:
            raise InputError(f"{name}: this is no file of Seen: {error}", name) from error

    def __len__(self) -> int:
        """The number of documents."""
        return len(self._texts)

    def __contains__(self, id: str | int) -> bool:
        """Whether a document has this id."""
        return self._texts.contains(id)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._texts.to_bytes(),)

    def __repr__(self) -> str:
        return f"Seen: {len(self):,} documents"


def _restored(content: bytes) -> Seen:
    seen = Seen.__new__(Seen)
    seen._texts = SeenTexts.from_bytes(content)
    return seen
