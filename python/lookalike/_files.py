"""Documents in files."""

from __future__ import annotations

import os
from typing import final

from lookalike._types import Path, Text


@final
class Files:
    """Documents in files: JSONL, Parquet, CSV, WARC, HTML or text, compressed or not; folders and globs; `s3://` and `gs://`.

    Files are read in pieces, so a corpus may be larger than memory. A document of an archive or a text file has no
    fields.

    Args:
        inputs: Files, folders or globs.
        text: The field that holds the text, or several. In JSON, Parquet and Arrow `messages[].content` is a field of the objects of a list.
        join: What stands between the texts of several fields. Without it, no shingle goes from one of them to the next.
        id: The field that holds the id. A document without one is named by its place, such as `news.jsonl:7`.
        strict: Whether the first bad record raises `InputError`. Otherwise bad records are skipped and counted.
    """

    inputs: tuple[str, ...]
    text: Text
    join: str | None
    id: str
    strict: bool

    def __init__(
        self, *inputs: Path, text: Text = "text", join: str | None = None, id: str = "id", strict: bool = False
    ) -> None:
        if not inputs:
            raise TypeError("Files needs at least one file, folder or glob")
        self.inputs = tuple(os.fspath(path) for path in inputs)
        self.text = text
        self.join = join
        self.id = id
        self.strict = strict

    def __repr__(self) -> str:
        return f"Files({', '.join(map(repr, self.inputs))})"
