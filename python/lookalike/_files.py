"""Documents in files."""

from __future__ import annotations

import os
from typing import final

from lookalike._types import Path


@final
class Files:
    """Documents in files: JSONL, Parquet, CSV, WARC, HTML or text, compressed or not; folders and globs; `s3://` and `gs://`.

    Files are read in pieces, so a corpus may be larger than memory. A document of an archive or a text file has no
    fields.

    Args:
        inputs: Files, folders or globs.
        text: The field that holds the text.
        id: The field that holds the id. A document without one is named by its place, such as `news.jsonl:7`.
        strict: Whether the first bad record raises `InputError`. Otherwise bad records are skipped and counted.
    """

    inputs: tuple[str, ...]
    text: str
    id: str
    strict: bool

    def __init__(self, *inputs: Path, text: str = "text", id: str = "id", strict: bool = False) -> None:
        if not inputs:
            raise TypeError("Files needs at least one file, folder or glob")
        self.inputs = tuple(os.fspath(path) for path in inputs)
        self.text = text
        self.id = id
        self.strict = strict

    def __repr__(self) -> str:
        return f"Files({', '.join(map(repr, self.inputs))})"
