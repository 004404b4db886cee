"""A client of a service, for coroutines."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, final, overload

from lookalike._errors import ServiceError
from lookalike.service import _checked as checked
from lookalike.service import _requests as requests
from lookalike.service._address import address_of
from lookalike.service._answer_index import IndexAnswer
from lookalike.service._answers import (
    AddAnswer,
    CheckAnswer,
    ClusterAnswer,
    DocumentAnswer,
    RemoveAnswer,
    SimilarAnswer,
    TouchAnswer,
)
from lookalike.service._answers_on_lists import CompareAnswer, DeduplicateAnswer, Event
from lookalike.service._async_sender import AsyncSender
from lookalike.service._bulk import BatchCutter
from lookalike.service._events import EventStream
from lookalike.service._fields import AddFields, DocumentFields, Line, ListedDocument, Operation, Selected

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


@final
class AsyncClient:
    """A client of `lookalike serve` for coroutines. Arguments, answers and retries are those of `Client`.

    Up to 100 requests run at the same time, and others wait for their turn. A request that is cancelled is not sent again,
    and its connection is closed at once.
    """

    def __init__(self, address: str, *, key: str | None = None, timeout: float = 40, retries: int = 5) -> None:
        checked.sending(timeout, retries)
        self._sender = AsyncSender(address_of(address, key), timeout, retries)

    async def check(self, text: str | None = None, *, html: str | None = None, threshold: float | None = None) -> CheckAnswer:
        """As `Client.check`."""
        return await self._sender.send(requests.check(text, html, threshold))

    async def similar(
        self,
        text: str | None = None,
        *,
        html: str | None = None,
        id: str | None = None,
        url: str | None = None,
        k: int = 10,
        least: float | None = None,
        explain: bool = False,
    ) -> SimilarAnswer:
        """As `Client.similar`."""
        source = {"text": text, "html": html, "id": id, "url": url}
        return await self._sender.send(requests.similar(source, k, least, explain))

    async def compare(self, a: str | Selected, b: str | Selected) -> CompareAnswer:
        """As `Client.compare`."""
        return await self._sender.send(requests.compare(a, b))

    async def deduplicate(
        self,
        documents: Iterable[str | ListedDocument],
        *,
        threshold: float | None = None,
        against_index: bool = False,
    ) -> DeduplicateAnswer:
        """As `Client.deduplicate`."""
        return await self._sender.send(requests.deduplicate(documents, threshold, against_index))

    async def add(self, id: str, text: str | None = None, **fields: Unpack[AddFields]) -> AddAnswer:
        """As `Client.add`. If it is cancelled, the change may have been made."""
        return await self._sender.send(requests.add(id, text, fields))

    async def put(self, id: str, text: str | None = None, **fields: Unpack[DocumentFields]) -> AddAnswer:
        """As `Client.put`."""
        return await self._sender.send(requests.put(id, text, fields))

    async def get(self, id: str, *, text: bool = False) -> DocumentAnswer | None:
        """As `Client.get`."""
        return await self._sender.send(requests.get(id, text))

    async def remove(self, id: str, *, purge: bool = False) -> None:
        """As `Client.remove`. If it is cancelled, the change may have been made."""
        await self._sender.send(requests.remove(id, purge))

    async def touch(self, id: str, *, ttl: int | None = None) -> TouchAnswer | None:
        """As `Client.touch`."""
        return await self._sender.send(requests.touch(id, ttl))

    async def cluster(self, id: str) -> ClusterAnswer | None:
        """As `Client.cluster`."""
        return await self._sender.send(requests.cluster(id))

    @overload
    def bulk(self, op: Literal["check"], lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[CheckAnswer | ServiceError]: ...
    @overload
    def bulk(self, op: Literal["add", "put"], lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[AddAnswer | ServiceError]: ...
    @overload
    def bulk(self, op: Literal["remove"], lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[RemoveAnswer | ServiceError]: ...
    def bulk(self, op: Operation, lines: Iterable[Line] | AsyncIterable[Line]) -> AsyncIterator[Any]:
        """As `Client.bulk`. Lines may also come from an asynchronous iterator."""
        return self._sender.bulk(BatchCutter[Any](op), lines)

    def events(self, *, after: str | None = None, last: int = 0) -> AsyncGenerator[Event, None]:
        """As `Client.events`."""
        return self._sender.events(EventStream(self._sender.retries, self._sender.timeout, after, last))

    async def index(self) -> IndexAnswer:
        """As `Client.index`."""
        return await self._sender.send(requests.index())

    async def health(self) -> bool:
        """As `Client.health`."""
        return await self._sender.succeeds(requests.health())

    async def ready(self) -> bool:
        """As `Client.ready`."""
        return await self._sender.succeeds(requests.ready())

    async def close(self) -> None:
        """Closes the connections that no request uses."""
        await self._sender.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._sender.address.url!r})"
