"""The exceptions of the package."""

from __future__ import annotations


class LookalikeError(Exception):
    """The base of all exceptions of this package."""


class PlanError(LookalikeError, ValueError):
    """An option is out of range, or two options do not go together."""

    option: str
    """The name of the option, or an empty text."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message, option)
        self.option = option

    def __str__(self) -> str:
        return str(self.args[0])


class Incompatible(LookalikeError, ValueError):
    """Two sketches or tables were made in different ways."""


class InputError(LookalikeError, OSError):
    """A file cannot be read, or a record is bad and the call is strict."""

    line: int | None
    """The line or row, counted from 1."""

    def __init__(self, message: str, filename: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.filename = filename
        self.line = line

    def __str__(self) -> str:
        # The message names the file already.
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str | None, int | None]]:
        return InputError, (str(self), self.filename, self.line)


class OutputError(LookalikeError, OSError):
    """A file cannot be written."""


class TooManyPairs(LookalikeError, OverflowError):
    """There are more pairs than the limit."""


class IndexDamaged(LookalikeError):
    """A file of the index is not as it was written. The message names it."""


class IndexLocked(LookalikeError):
    """Another process writes to the index."""


class ServiceError(LookalikeError):
    """A service refused a request, or could not answer it. The message is its sentence."""

    status: int | None
    """The status of the answer. None if there was no answer."""
    code: str
    """A word for programs, such as "other_text". docs/service.md lists them."""
    retry_after: float | None
    """The seconds after which the service wants to be asked again, if it says so."""

    def __init__(
        self, message: str, status: int | None = None, code: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after = retry_after

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[ServiceError], tuple[str, int | None, str, float | None]]:
        return type(self), (str(self), self.status, self.code, self.retry_after)


class NoDocument(ServiceError, KeyError):
    """A service has no document of this id or URL, or it has expired."""


class ServiceUnreachable(ServiceError, ConnectionError):
    """A service gave no answer: it cannot be reached, the connection broke, or the time is over. A change may have been made."""
