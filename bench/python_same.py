#!/usr/bin/env python3
"""One corpus through Python in all ways and through the program: are the clusters the same?

    python_same.py CORPUS.jsonl [CORPUS.jsonl ...]

Runs `lookalike.dedup` over a list, a DataFrame of pandas, one of polars, a table of pyarrow and `Files`, and `lookalike dedup --clusters`,
each with the options of OPTIONS. Prints the number of clusters and of removed documents, and ends with exit code 1 at the first
difference. The corpus has the fields `id` and `text`; JSONL compressed by zstd is not read here. Needs the wheel, pandas, polars and pyarrow.
`python/tests/test_same.py` does the same with generated texts.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

import pandas
import polars
import pyarrow

import lookalike

OPTIONS: list[dict[str, Any]] = [
    {},
    {"tokens": "whitespace", "method": "minhash"},
    {"threshold": 0.5, "cluster": "star", "keep": "longest"},
    {"threshold": 0.3, "method": "minhash", "seed": 7},
    {"method": "simhash", "verify": True},
]

Clusters = list[list[tuple[str, bool]]]
"""For each cluster its ids, and whether each is kept."""


def grouped(members: Any) -> Clusters:
    """Clusters of (cluster, id, is kept)."""
    clusters: dict[int, list[tuple[str, bool]]] = {}
    for cluster, identity, kept in members:
        clusters.setdefault(cluster, []).append((identity, kept))
    return sorted(sorted(cluster) for cluster in clusters.values())


def of_program(corpus: pathlib.Path, options: dict[str, Any], folder: pathlib.Path) -> Clusters:
    listed = folder / "clusters.jsonl"
    words = ["-o", str(folder / "kept.jsonl"), "--quiet", "--clusters", str(listed)]
    for name, value in options.items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    program = pathlib.Path(sys.executable).with_name("lookalike")
    subprocess.run([program, "dedup", corpus, *words], check=True)
    with listed.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return grouped((row["cluster"], row["id"], row["kept"]) for row in rows if row["cluster"] is not None)


def kinds_of(corpus: pathlib.Path, columns: dict[str, list[Any]]) -> dict[str, Any]:
    """The documents as data of every kind."""
    return {
        "list": columns["text"],
        "pandas": pandas.DataFrame(columns),
        "polars": polars.DataFrame(columns),
        "pyarrow": pyarrow.table(columns),
        "Files": lookalike.Files(corpus),
    }


def compared(corpus: pathlib.Path, options: dict[str, Any]) -> tuple[int, int]:
    """The numbers of clusters and of removed documents. Raises `AssertionError` if they are not the same in all ways."""
    with corpus.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    columns = {field: [record[field] for record in records] for field in ("id", "text")}
    with tempfile.TemporaryDirectory() as folder:
        expected = of_program(corpus, options, pathlib.Path(folder))
    for kind, data in kinds_of(corpus, columns).items():
        has_ids = kind not in ("list", "Files")
        result = lookalike.dedup(data, **({"id": "id"} if has_ids else {}), **options)
        found = grouped((row["cluster"], columns["id"][row["row"]], row["kept"]) for row in result.clusters)
        if found != expected:
            raise AssertionError(f"{corpus.name}, {options}: {kind} makes other clusters than the program")
    return len(expected), sum(not kept for cluster in expected for _, kept in cluster)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for name in sys.argv[1:]:
        for options in OPTIONS:
            try:
                clusters, removed = compared(pathlib.Path(name), options)
            except AssertionError as difference:
                sys.exit(str(difference))
            shown = " ".join(f"{name}={value}" for name, value in options.items()) or "the defaults"
            print(f"{pathlib.Path(name).name}, {shown}: {clusters} clusters, {removed} removed: the same in all ways")


if __name__ == "__main__":
    main()
