"""Brings the package to executors that do not have it."""

from __future__ import annotations

import os
import tarfile
import tempfile
from typing import TYPE_CHECKING

from lookalike.spark._executors import SHIPPED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def ship(session: SparkSession, archive: str | None = None) -> None:
    """Makes `lookalike` importable on all executors of a session, which need only Python and pyarrow.

    Args:
        session: The session, before it runs a function of this package.
        archive: A tar.gz that holds the folder `lookalike`. Default: the installed package, packed into a file of some megabytes.

    A job that is started by spark-submit can have it by `--archives lookalike.tar.gz#lookalike-shipped` too.
    """
    if archive is None:
        archive = _packed()
    elif not os.path.isfile(archive):
        raise FileNotFoundError(f"there is no archive {archive}")
    if hasattr(session, "addArtifacts"):
        session.addArtifacts(f"{archive}#{SHIPPED}", archive=True)
    else:
        session.sparkContext.addArchive(f"{archive}#{SHIPPED}")


def _packed() -> str:
    """The installed package as an archive in a temporary folder, which the process leaves for Spark to read."""
    import lookalike

    package = os.path.dirname(os.path.abspath(lookalike.__file__))
    path = os.path.join(tempfile.mkdtemp(prefix="lookalike-"), "lookalike.tar.gz")

    def wanted(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        return None if "__pycache__" in entry.name else entry

    with tarfile.open(path, "w:gz") as packed:
        packed.add(package, "lookalike", filter=wanted)
    return path
