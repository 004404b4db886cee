"""Where a service is, and what every request to it says."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit


class Address(NamedTuple):
    """Where a service is, and the key for it."""

    is_https: bool
    host: str
    port: int
    path: str
    """What every path begins with, for a service behind a proxy. It does not end in `/`."""
    key: str | None

    @property
    def url(self) -> str:
        """The address as people read it. It has no key."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_https else 'http'}://{host}:{self.port}{self.path}"

    def headers(self, content_type: str) -> dict[str, str]:
        """The headers of a request."""
        headers = {"Accept-Encoding": "identity", "Content-Type": content_type}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        return headers


def address_of(address: str, key: str | None) -> Address:
    """Reads the address of a service, such as `http://127.0.0.1:8765`."""
    if not isinstance(address, str):
        raise TypeError(f"address is {type(address).__name__}; give a str")
    wrong = ValueError(f"address is {address!r}; give the address of a service, such as http://127.0.0.1:8765")
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise wrong from error
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise wrong
    if parts.username is not None:
        raise ValueError("address has a name of a user; a service takes a key: give it as key")
    if re.search(r"[^!-~]", address):
        raise wrong
    is_https = parts.scheme == "https"
    return Address(is_https, host, port or (443 if is_https else 80), parts.path.rstrip("/"), checked_key(key))


def checked_key(key: str | None) -> str | None:
    """A key that can be sent in a header. The message does not have the key, because it is secret."""
    if key is not None and not isinstance(key, str):
        raise TypeError(f"key is {type(key).__name__}; give a str")
    if key is not None and not re.fullmatch(r"[!-~]+", key):
        raise ValueError("key must have ASCII characters, and no space")
    return key
