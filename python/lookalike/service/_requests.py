"""The requests of a client: what is sent, and how the reply is read. Nothing is sent here, so both clients use them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from lookalike._errors import NoDocument
from lookalike.service import _checked as checked
from lookalike.service._answer_index import IndexAnswer
from lookalike.service._answers import (
    AddAnswer,
    CheckAnswer,
    ClusterAnswer,
    DocumentAnswer,
    SimilarAnswer,
    TouchAnswer,
)
from lookalike.service._answers_on_lists import CompareAnswer, DeduplicateAnswer
from lookalike.service._fields import AddFields, DocumentFields, ListedDocument, Operation, Selected, document
from lookalike.service._reply import Reply, answer, problem

_T = TypeVar("_T")

JSON = "application/json"
JSON_LINES = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Request(Generic[_T]):
    """A request, and how its reply is read."""

    method: str
    path: str
    read: Callable[[Reply], _T]
    body: bytes | None = None
    content_type: str = JSON


def check(text: str | None, html: str | None, threshold: float | None) -> Request[CheckAnswer]:
    fields = {**checked.one_of(text=text, html=html), "threshold": checked.share("threshold", threshold)}
    return _post("/v1/check", fields, CheckAnswer.of)


def similar(source: dict[str, str | None], k: int, least: float | None, explain: bool) -> Request[SimilarAnswer]:
    fields = {
        **checked.one_of(**source),
        "k": checked.whole("k", k, 1, 100),
        "least": checked.share("least", least),
        "explain": bool(explain),
    }
    return _post("/v1/similar", fields, SimilarAnswer.of)


def compare(a: str | Selected, b: str | Selected) -> Request[CompareAnswer]:
    return _post("/v1/compare", {"a": _selected("a", a), "b": _selected("b", b)}, CompareAnswer.of)


def deduplicate(
    documents: Iterable[str | ListedDocument], threshold: float | None, against_index: bool
) -> Request[DeduplicateAnswer]:
    if isinstance(documents, (str, Mapping)):
        raise TypeError(f"documents is {type(documents).__name__}; give a list of texts or of documents")
    fields = {
        "documents": [_selected(f"documents[{place}]", one) for place, one in enumerate(documents)],
        "threshold": checked.share("threshold", threshold),
        "against_index": bool(against_index),
    }
    return _post("/v1/deduplicate", fields, DeduplicateAnswer.of)


def add(id: str, text: str | None, fields: AddFields) -> Request[AddAnswer]:
    return _post("/v1/documents", {"id": checked.document_id(id), **document(text, fields, AddFields)}, AddAnswer.of)


def put(id: str, text: str | None, fields: DocumentFields) -> Request[AddAnswer]:
    body = checked.encoded(document(text, fields, DocumentFields))
    return Request("PUT", _path(id), partial(answer, of=AddAnswer.of), body)


def get(id: str, text: bool) -> Request[DocumentAnswer | None]:
    return Request("GET", _path(id) + ("?include=text" if text else ""), _or_none(DocumentAnswer.of))


def remove(id: str, purge: bool) -> Request[None]:
    return Request("DELETE", _path(id) + ("?purge=true" if purge else ""), _nothing)


def touch(id: str, ttl: int | None) -> Request[TouchAnswer | None]:
    fields = {"ttl": None if ttl is None else checked.whole("ttl", ttl, 1, checked.MOST_SECONDS)}
    return Request("POST", _path(id) + "/touch", _or_none(TouchAnswer.of), checked.encoded(fields))


def cluster(id: str) -> Request[ClusterAnswer | None]:
    return Request("GET", _path(id) + "/cluster", _or_none(ClusterAnswer.of))


def bulk(op: Operation, lines: bytes) -> Request[None]:
    return Request("POST", f"/v1/bulk?op={op}", _nothing, lines, JSON_LINES)


def events(after: str | None, last: int) -> Request[None]:
    query = {"last": str(last)} if after is None else {"from": after}
    return Request("GET", f"/v1/events?{urlencode(query)}", _nothing)


def index() -> Request[IndexAnswer]:
    return Request("GET", "/v1/index", partial(answer, of=IndexAnswer.of))


def health() -> Request[bool]:
    return Request("GET", "/health", _is_success)


def ready() -> Request[bool]:
    return Request("GET", "/ready", _is_success)


def _post(path: str, fields: Mapping[str, Any], of: Callable[[Mapping[str, Any]], _T]) -> Request[_T]:
    return Request("POST", path, partial(answer, of=of), checked.encoded(fields))


def _path(id: str) -> str:
    return f"/v1/documents/{quote(checked.document_id(id), safe='')}"


def _selected(name: str, given: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(given, str):
        return {"text": given}
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} is {type(given).__name__}; give a text, or a dict such as {{'id': 'page-1'}}")
    return dict(given)


def _or_none(of: Callable[[Mapping[str, Any]], _T]) -> Callable[[Reply], _T | None]:
    """Reads a reply about a document. None if there is no such document."""

    def read(reply: Reply) -> _T | None:
        try:
            return answer(reply, of)
        except NoDocument:
            return None

    return read


def _nothing(reply: Reply) -> None:
    if not _is_success(reply):
        raise problem(reply)


def _is_success(reply: Reply) -> bool:
    return 200 <= reply.status < 300
