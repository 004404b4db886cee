"""The types of arguments of a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypedDict

from lookalike.service import _checked as checked

OnDuplicate: TypeAlias = Literal["refuse", "store", "touch"]
Operation: TypeAlias = Literal["check", "add", "put", "remove"]
Line: TypeAlias = Mapping[str, Any]
"""A line of a bulk request: the fields of the single request."""


class DocumentFields(TypedDict, total=False):
    """What a document has beside its id and its text."""

    html: str | None
    """A page in place of a text. Its visible text is stored."""
    url: str | None
    """Its URL, which must be whole, such as `https://example.org/page`."""
    title: str | None
    priority: float | None
    """Its priority as canonical document of a cluster. Higher is better."""
    meta: Any
    """Anything that JSON can have, to be stored with it."""
    ttl: int | None
    """The seconds after which it is not found any more. The service has a default."""


class AddFields(DocumentFields, total=False):
    """What an addition may have beside the id and the text."""

    on_duplicate: OnDuplicate | None
    """What happens if it is similar to a document. The service has a default."""


class ListedDocument(TypedDict, total=False):
    """A document of a list. It has one of `text` and `html`."""

    id: str
    """A name for it in the answer."""
    text: str
    html: str


class Selected(TypedDict, total=False):
    """A text, or a document of the index. It has one of these fields."""

    text: str
    html: str
    id: str
    url: str


def document(text: str | None, fields: Mapping[str, Any], known: type[DocumentFields]) -> dict[str, Any]:
    """The checked fields of a document."""
    unknown = set(fields) - set(known.__annotations__)
    if unknown:
        raise TypeError(f"a document has no {min(unknown)}; it may have text, {', '.join(known.__annotations__)}")
    given = {name: value for name, value in fields.items() if value is not None}
    for name in given.keys() & {"url", "title", "on_duplicate"}:
        checked.text(name, given[name])
    if "priority" in given:
        checked.number("priority", given["priority"])
    if "ttl" in given:
        checked.whole("ttl", given["ttl"], 1, checked.MOST_SECONDS)
    if given.get("on_duplicate", "store") not in ("refuse", "store", "touch"):
        raise ValueError(f"on_duplicate is {given['on_duplicate']!r}; it must be refuse, store or touch")
    html = given.pop("html", None)
    return {**given, **checked.one_of(text=text, html=html)}
