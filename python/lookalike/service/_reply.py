"""Reads the replies of a service: an answer, or the exception for a problem."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from lookalike._errors import NoDocument, ServiceError, ServiceUnreachable

_T = TypeVar("_T")


class Reply(NamedTuple):
    """A reply in HTTP, read to its end."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


def answer(reply: Reply, of: Callable[[Mapping[str, Any]], _T]) -> _T:
    """The answer that a reply has. A problem is raised."""
    if not 200 <= reply.status < 300:
        raise problem(reply)
    try:
        return of(json.loads(reply.body))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise no_answer(reply.status) from error


def no_answer(status: int) -> ServiceError:
    """The exception for a reply that a service of lookalike would not send."""
    return ServiceError("the server did not answer as a service of lookalike does", status, "no_answer")


def problem(reply: Reply) -> ServiceError:
    """The exception for a reply that is no success."""
    try:
        data = json.loads(reply.body)
        code, sentence = str(data["code"]), str(data["detail"])
    except (ValueError, TypeError, KeyError):
        # A proxy has answered, or another server than a service.
        code, sentence = "http", f"the server answered {reply.status} {_phrase(reply.status)}".rstrip()
        if "location" in reply.headers:
            sentence += f" to {reply.headers['location']}; redirects are not followed"
    return exception(sentence, reply.status, code, _seconds(reply.headers.get("retry-after")))


def exception(sentence: str, status: int, code: str, retry_after: float | None = None) -> ServiceError:
    """The exception with this code."""
    kind = NoDocument if code in ("no_document", "expired") else ServiceError
    return kind(sentence, status, code, retry_after)


def unreachable(url: str, error: BaseException) -> ServiceUnreachable:
    """The exception for a request without a reply."""
    if isinstance(error, TimeoutError):
        return ServiceUnreachable(f"{url} did not answer in time", code="no_answer")
    return ServiceUnreachable(f"{url} did not answer: {error or type(error).__name__}", code="no_answer")


def _phrase(status: int) -> str:
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return ""


def _seconds(header: str | None) -> float | None:
    """The seconds of `Retry-After`. A date is left out: no service of lookalike sends one."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else None
