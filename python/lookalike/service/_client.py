"""A client of a service, for threads."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
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
from lookalike.service._bulk import BatchCutter
from lookalike.service._events import EventStream
from lookalike.service._fields import AddFields, DocumentFields, Line, ListedDocument, Operation, Selected
from lookalike.service._sender import Sender

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack


@final
class Client:
    """A client of `lookalike serve`. Threads may share it.

    A request without an answer is sent again, up to `retries` times, after pauses that grow: no answer, 408, 429, 502, 503
    and 504. This is safe, because the same change of the same id changes nothing more. `timeout` is the number of seconds to wait for a
    connection, and for each part of an answer.
    """

    def __init__(self, address: str, *, key: str | None = None, timeout: float = 40, retries: int = 5) -> None:
        checked.sending(timeout, retries)
        self._sender = Sender(address_of(address, key), timeout, retries)

    def check(self, text: str | None = None, *, html: str | None = None, threshold: float | None = None) -> CheckAnswer:
        """Compares a text, and changes nothing. `threshold` may be higher than that of the index."""
        return self._sender.send(requests.check(text, html, threshold))

    def similar(
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
        """Lists up to `k` documents that are similar to a text, or to a document, from the similarity `least` on: below the threshold of
        the index, `recall` of the answer says how many are found. `NoDocument` if there is no such document."""
        source = {"text": text, "html": html, "id": id, "url": url}
        return self._sender.send(requests.similar(source, k, least, explain))

    def compare(self, a: str | Selected, b: str | Selected) -> CompareAnswer:
        """Compares two texts, or documents such as `{"id": "page-1"}`. `NoDocument` if there is no such document."""
        return self._sender.send(requests.compare(a, b))

    def deduplicate(
        self,
        documents: Iterable[str | ListedDocument],
        *,
        threshold: float | None = None,
        against_index: bool = False,
    ) -> DeduplicateAnswer:
        """Leaves the near-duplicates out of a list of up to 10,000 documents. Nothing is stored."""
        return self._sender.send(requests.deduplicate(documents, threshold, against_index))

    def add(self, id: str, text: str | None = None, **fields: Unpack[AddFields]) -> AddAnswer:
        """Adds a document, unless it is a near-duplicate. `stored` of the answer says whether the index has it.

        If the first answer was lost, the document is there already, and the status is "unchanged" in place of "added".
        """
        return self._sender.send(requests.add(id, text, fields))

    def put(self, id: str, text: str | None = None, **fields: Unpack[DocumentFields]) -> AddAnswer:
        """Stores a document without a comparison."""
        return self._sender.send(requests.put(id, text, fields))

    def get(self, id: str, *, text: bool = False) -> DocumentAnswer | None:
        """The document with this id, with its text if `text` is true. None if there is none, or it has expired."""
        return self._sender.send(requests.get(id, text))

    def remove(self, id: str, *, purge: bool = False) -> None:
        """Removes a document, also if there is none. With `purge` its text leaves the disk soon after.

        If the answer is lost and another client adds this id meanwhile, the repeated request removes that document too.
        """
        self._sender.send(requests.remove(id, purge))

    def touch(self, id: str, *, ttl: int | None = None) -> TouchAnswer | None:
        """Lets a document expire `ttl` seconds from now, unless it expires later anyway. None if there is none."""
        return self._sender.send(requests.touch(id, ttl))

    def cluster(self, id: str) -> ClusterAnswer | None:
        """The documents of the cluster of this one, of a service with `--mode all`. None if there is no such document."""
        return self._sender.send(requests.cluster(id))

    @overload
    def bulk(self, op: Literal["check"], lines: Iterable[Line]) -> Iterator[CheckAnswer | ServiceError]: ...
    @overload
    def bulk(self, op: Literal["add", "put"], lines: Iterable[Line]) -> Iterator[AddAnswer | ServiceError]: ...
    @overload
    def bulk(self, op: Literal["remove"], lines: Iterable[Line]) -> Iterator[RemoveAnswer | ServiceError]: ...
    def bulk(self, op: Operation, lines: Iterable[Line]) -> Iterator[Any]:
        """Sends many requests, and gives their answers in the same order. An error of a line is its answer, and the others go on.

        A line has the fields of the single request, such as `{"id": "page-1", "text": "…"}`. Lines are read and sent in batches of up
        to 1,024, so they may be more than memory has. Lines without an answer are sent again.
        """
        return self._sender.bulk(BatchCutter[Any](op), lines)

    def events(self, *, after: str | None = None, last: int = 0) -> Iterator[Event]:
        """Waits for events, and gives them as they happen, without an end. It begins at the first `next`.

        `after` is the `event_id` of the last event that is known. Without it, the first events are the `last` ones that
        have happened. A broken connection is made again, and no event is missed. If one would be missed, an exception is raised.
        """
        return self._sender.events(EventStream(self._sender.retries, self._sender.timeout, after, last))

    def index(self) -> IndexAnswer:
        """The plan of the index, its size, and the options of the service."""
        return self._sender.send(requests.index())

    def health(self) -> bool:
        """Whether the service answers. It is asked once."""
        return self._sender.succeeds(requests.health())

    def ready(self) -> bool:
        """Whether the service is ready. It is asked once. `index().not_ready` says why it is not."""
        return self._sender.succeeds(requests.ready())

    def close(self) -> None:
        """Closes the connections that no request uses."""
        self._sender.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        # A copy in another process has connections of its own.
        sender = self._sender
        return _client, (sender.address.url, sender.address.key, sender.timeout, sender.retries)

    def __repr__(self) -> str:
        return f"Client({self._sender.address.url!r})"


def _client(address: str, key: str | None, timeout: float, retries: int) -> Client:
    return Client(address, key=key, timeout=timeout, retries=retries)
