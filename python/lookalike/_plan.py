"""Plans that come back from a pickle."""

from __future__ import annotations

from typing import Any

from lookalike._lookalike import Plan


def plan_of(options: dict[str, Any]) -> Plan:
    """The plan of these options."""
    return Plan(**options)
