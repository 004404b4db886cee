"""How a function of this package comes to run on an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lookalike._lookalike import __version__

if TYPE_CHECKING:
    import pyarrow

SHIPPED = "lookalike-shipped"
"""The folder of an executor into which `ship` unpacks the package."""


def on_executors(
    function: str, options: dict[str, Any]
) -> Callable[[Iterator[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """A function of `lookalike.spark._kernel`, for `mapInArrow`.

    Spark pickles the inner function by value, and it imports nothing of ours before it has looked for a shipped package.
    """
    version, folder = __version__, SHIPPED

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import importlib
        import os
        import sys

        places = [os.path.abspath(folder)]
        try:
            from pyspark import SparkFiles

            places.insert(0, os.path.join(SparkFiles.getRootDirectory(), folder))
        except Exception:
            # Sail has no files of its own: there the package is installed.
            pass
        for place in places:
            if os.path.isdir(place) and place not in sys.path:
                sys.path.insert(0, place)
                break
        try:
            package = importlib.import_module("lookalike")
        except ImportError as error:
            raise ImportError(
                f"an executor cannot import lookalike ({error}): call lookalike.spark.ship(session) once, "
                "or install it on all workers"
            ) from error
        if package.__version__ != version:
            raise RuntimeError(
                f"an executor has lookalike {package.__version__}, and the driver has {version}: "
                "install the same version, or call lookalike.spark.ship(session)"
            )
        yield from getattr(importlib.import_module("lookalike.spark._kernel"), function)(batches, options)

    return run
