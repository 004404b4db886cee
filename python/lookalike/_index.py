"""An index in a folder: documents that were seen before, which outlast the process."""

from __future__ import annotations

import json
import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, final

from lookalike import _lookalike
from lookalike._decided import Dedup
from lookalike._dedup import DedupCall, plan_of
from lookalike._input import ColumnNames
from lookalike._lookalike import Plan
from lookalike._progress import Running
from lookalike._summary import Summary
from lookalike._table import Table
from lookalike._types import Data, Path, RunOptions, SearchOptions, Text

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack

_D = TypeVar("_D")


@final
class Index:
    """An index in a folder, the one of `lookalike index`. It survives crashes, every byte is checked, and it grows without a rebuild.

    Each call opens the folder and closes it. One process at a time may add, and another gets `IndexLocked`. Any
    number may read.
    """

    path: str
    """The folder."""

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        self.path = os.fspath(path)
        self._writable = writable
        self._plan = _lookalike.index_plan(self.path)

    @classmethod
    def create(
        cls, path: Path, *, plan: Plan | None = None, store_texts: bool = True, **options: Unpack[SearchOptions]
    ) -> Index:
        """Makes an empty index in a new folder. It is searched by MinHash or by SimHash.

        Without `store_texts` it is a fraction of the size. It compares sketches alone: `method="simhash"` without `verify`,
        or `verify="estimate"`.
        """
        checked = plan_of(plan, dict(options))
        with Running({"progress": False}) as run:
            _lookalike.index_create(os.fspath(path), checked, store_texts, run)
        return cls(path, writable=True)

    @classmethod
    def open(cls, path: Path, *, writable: bool = False) -> Index:
        """Opens an index. Without `writable`, nothing can be added by mistake."""
        return cls(path, writable=writable)

    def add(
        self, data: Data, *, text: Text = "text", join: str | None = None, id: str | None = None, **run: Unpack[RunOptions]
    ) -> Summary:
        """Adds documents, all or none of them. After an error or a kill the index is as before.

        Documents without ids get their numbers in the index as ids.
        """
        return self.dedup(data, text=text, join=join, id=id, update=True, **run).summary

    def find(self, data: Data, *, text: Text = "text", join: str | None = None, id: str | None = None, **run: Unpack[RunOptions]) -> Table:
        """The near-duplicates of indexed documents: row, (id), indexed_id, the similarity. Nothing is added."""
        result = self.dedup(data, text=text, join=join, id=id, **run)
        return Table(result._reasoned().removed_for_others())

    def dedup(
        self,
        data: _D,
        *,
        text: Text = "text",
        join: str | None = None,
        id: str | None = None,
        update: bool = False,
        **run: Unpack[RunOptions],
    ) -> Dedup[_D]:
        """Removes what is similar to an indexed document, and keeps one document of each other cluster.

        With `update` all documents are added to the index, whether they are kept or not.
        """
        given: dict[str, Any] = dict(run)
        if update and not self._writable:
            raise ValueError(f"{self.path} was opened to be read: say Index.open(path, writable=True)")
        running = Running(given)
        if given:
            raise TypeError(f"there is no option {', '.join(given)}: an index has a plan of its own")
        settings: dict[str, Any] = {
            "keep": "first",
            "cluster": "union",
            "only_against": False,
            "min_containment": None,
            "against_containment": None,
            "against_shingles": 4,
            "audit": 0,
            "within": [],
            "index": self.path,
            "update": update,
        }
        decide = DedupCall(data, ColumnNames(text, id, join=join), [], self._plan, settings, running)
        # What was added cannot be decided again, so the reasons are needed now.
        return Dedup(decide, decide(reasons=update), is_final=update)

    def info(self, *, verify: bool = False) -> dict[str, Any]:
        """What is in the index, as `lookalike index info` prints it. With `verify` every byte is checked: `IndexDamaged` names a bad file."""
        with Running({"progress": False}) as run:
            content: dict[str, Any] = json.loads(_lookalike.index_info(self.path, verify, run))
        return content

    @property
    def plan(self) -> Plan:
        """How its documents are sketched and compared."""
        return self._plan

    def __len__(self) -> int:
        """The number of documents that were not removed and have not expired."""
        return int(self.info()["alive"])

    def close(self) -> None:
        """Does nothing, because no file is open between calls."""

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy in another process reads only, so that two do not add by mistake.
        return Index, (self.path,)

    def __repr__(self) -> str:
        return f"Index({self.path!r}): {len(self):,} documents"
