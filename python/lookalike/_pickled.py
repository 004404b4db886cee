"""What comes back from a pickle, and the check of its version."""

from __future__ import annotations

from typing import Any

from lookalike._errors import Incompatible
from lookalike._lookalike import Plan

PICKLED = 1
"""The version of the pickles that this program writes and reads."""


def check_version(what: str, version: Any) -> None:
    """Raises `ValueError` if a pickle has another version than this program reads."""
    if version != PICKLED:
        raise ValueError(f"this {what} was pickled in version {version}, and this program reads version {PICKLED}")


def restored_plan(version: int, options: dict[str, Any], id: str) -> Plan:
    """The plan of these options, if it makes the same sketches as the one that was pickled."""
    check_version("Plan", version)
    plan = Plan(**options)
    if plan.id != id:
        raise Incompatible(f"this Plan was pickled by another version of lookalike: its id is {id}, and {plan.id} here")
    return plan
