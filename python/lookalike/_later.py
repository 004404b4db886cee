"""Names that are imported when they are used first, so that `import lookalike` stays fast."""

from __future__ import annotations

import importlib
from typing import Any

from lookalike._missing import missing

MODULES = {"AsyncClient": "lookalike.service", "Client": "lookalike.service"}
"""The modules of names. The clients need HTTP, TLS and asyncio, which take longer to import than all else."""


def attribute(name: str) -> Any:
    """An attribute of the package that is not there yet."""
    if name in MODULES:
        return getattr(importlib.import_module(MODULES[name]), name)
    return missing(name)
