"""The progress of a call: a bar on a terminal, or reports for a function."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from lookalike._checked import whole
from lookalike._lookalike import Run, memory_size

PATIENCE = 1.0
"""Seconds before a bar is drawn. A shorter run needs none."""


class Progress(NamedTuple):
    """A report of a running call."""

    stage: str
    """The stage, such as "sketch"."""
    done: int
    """The work that is done."""
    total: int | None
    """All work of the stage, if it is known."""
    unit: str
    """"bytes", "documents", "rows", "bands", "parts" or "rounds"."""
    seconds: float
    """The seconds since the stage began."""


class Bar:
    """A bar on standard error, which is cleared at the end."""

    def __init__(self, patience: float) -> None:
        self.drawn_from = time.monotonic() + patience
        self.is_drawn = False

    def __call__(self, report: Progress) -> None:
        if time.monotonic() < self.drawn_from:
            return
        self.is_drawn = True
        print(f"\r{line(report):<79}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.is_drawn:
            print(f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)


class Widget:
    """A bar in a notebook, by ipywidgets, which is closed at the end."""

    def __init__(self, patience: float) -> None:
        self.drawn_from = time.monotonic() + patience
        self.bar: Any = None

    def __call__(self, report: Progress) -> None:
        if time.monotonic() < self.drawn_from:
            return
        if self.bar is None:
            import ipywidgets  # type: ignore[import-not-found,unused-ignore]
            from IPython.display import display  # type: ignore[import-not-found,unused-ignore]

            self.bar = ipywidgets.FloatProgress(min=0.0, max=1.0)
            display(self.bar)  # type: ignore[no-untyped-call,unused-ignore]
        self.bar.description = report.stage
        self.bar.value = report.done / report.total if report.total else 0.0

    def clear(self) -> None:
        if self.bar is not None:
            self.bar.close()


def line(report: Progress) -> str:
    """A report as a line of text."""
    if not report.total:
        return f"{report.stage:12} {report.done:,} {report.unit}"
    share = min(report.done / report.total, 1.0)
    bar = "#" * round(30 * share)
    return f"{report.stage:12} [{bar:30}] {share:4.0%} of {report.total:,} {report.unit}"


class Running:
    """Settings of a call that runs, as a context: it clears the bar at the end."""

    def __init__(self, options: dict[str, Any]) -> None:
        """Takes the settings out of `options`."""
        memory = options.pop("memory", None)
        progress = options.pop("progress", None)
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError(f"progress is {type(progress).__name__}; give True, False or a function of a Progress")
        self.bar = bar_of(progress)
        tell: Callable[[Progress], None] | None = self.bar if self.bar is not None else progress or None
        report = None if tell is None else lambda *values: tell(Progress(*values))
        temp_dir = options.pop("temp_dir", None)
        self.run = Run(
            threads_of(options.pop("threads", None)),
            memory_size(memory) if isinstance(memory, str) else None if memory is None else whole("memory", memory),
            None if temp_dir is None else os.fspath(temp_dir),
            report,
        )

    def __enter__(self) -> Run:
        return self.run

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.clear()


def bar_of(progress: object) -> Bar | Widget | None:
    """The bar that `progress` asks for."""
    if progress not in (None, True):
        return None
    patience = 0.0 if progress is True else PATIENCE
    if "ipykernel" in sys.modules and is_installed("ipywidgets"):
        return Widget(patience)
    if progress is True:
        return Bar(patience)
    # sys.stderr is None in a program without a console.
    is_seen = sys.stderr is not None and sys.stderr.isatty()
    return Bar(patience) if is_seen else None


def is_installed(package: str) -> bool:
    """Whether a package can be imported."""
    import importlib.util

    return importlib.util.find_spec(package) is not None


def threads_of(threads: int | None) -> int | None:
    """The number of threads, from the environment if it is not given."""
    given = os.environ.get("LOOKALIKE_THREADS") if threads is None else threads
    if given is None:
        return None
    try:
        number = int(given)
    except ValueError:
        number = 0
    if not 1 <= number <= 1024:
        raise ValueError(f"threads is {given}; it must be from 1 to 1024")
    return number
