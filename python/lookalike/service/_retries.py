"""Which requests are sent again, and when.

Every request may be sent again. A check changes nothing. A change names its document by id, and the same change again
changes nothing more.
"""

from __future__ import annotations

import random
import ssl

from lookalike._errors import ServiceError, ServiceUnreachable

PASSING = frozenset({408, 429, 502, 503, 504})
"""Statuses that may pass: the service is busy, starts, or stops, or a proxy cannot reach it. 500 is not one of them, because the same request
would meet the same bug or the same bad file."""

FIRST_PAUSE = 0.25
"""Seconds. Each pause is twice as long: five of them last 4 to 8 seconds, in which a service starts again."""

LONGEST_PAUSE = 30.0
"""Seconds. If a server wants a longer one, the caller decides."""


class Retries:
    """The times that a request may still be sent again."""

    def __init__(self, most: int) -> None:
        self._left = most
        self._pause = FIRST_PAUSE

    def pause(self, error: ServiceError) -> float | None:
        """The seconds to wait before the request is sent again. None if it is not."""
        wanted = error.retry_after or 0.0
        if self._left == 0 or not may_pass(error) or wanted > LONGEST_PAUSE:
            return None
        self._left -= 1
        # Half of it is drawn, so that clients of a service that was away do not all come back at once.
        pause = self._pause * random.uniform(0.5, 1)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return wanted + pause


def may_pass(error: ServiceError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, ServiceUnreachable):
        # A certificate that is wrong stays wrong.
        return not isinstance(error.__cause__, ssl.SSLCertVerificationError)
    return error.status in PASSING
