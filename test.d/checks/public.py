#!/usr/bin/env python3
"""Counts the public items of the crates, and refuses more than there are. The aim is 600.

    public.py PACKAGES...    # arguments of cargo, such as --workspace. Prints the items of each crate, and exits with 1
                             # if they are more than MOST

An item is a function, a method, a type, a trait, a constant or a module that other crates can name. Fields and variants do not count. The
program and the Python module have no callers in Rust. rustdoc writes the items as JSON, a format that only its own version reads.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
MOST = 1998
KINDS = {"function", "struct", "enum", "trait", "constant", "static", "type_alias", "module", "union"}


def document(packages):
    """Has rustdoc write the items of these packages. JSON is an unstable format: only rustdoc is told to allow it, so nothing is built again."""
    with tempfile.TemporaryDirectory() as folder:
        rustdoc = Path(folder, "rustdoc")
        rustdoc.write_text('#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n')
        rustdoc.chmod(0o755)
        flags = {"RUSTDOC": str(rustdoc), "RUSTDOCFLAGS": "-Z unstable-options --output-format json"}
        command = ["cargo", "doc", "--quiet", "--locked", "--no-deps", "--lib", *packages]
        subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, **flags})


def items(crate):
    index = json.loads((TARGET / "doc" / f"{crate.replace('-', '_')}.json").read_bytes())["index"].values()
    return sum(item["crate_id"] == 0 and item["visibility"] == "public" and not KINDS.isdisjoint(item["inner"]) for item in index)


def main():
    folders = {path.name for path in (ROOT / "crates").iterdir()} - {"cli", "core", "python"}
    crates = sorted(["lookalike", *(f"lookalike-{name}" for name in folders)])
    document(sys.argv[1:])
    counts = {crate: items(crate) for crate in crates}
    print(*(f"{count:5} {crate}" for crate, count in counts.items()), sep="\n")
    total = sum(counts.values())
    print(f"{total:5} public items, at most {MOST}")
    sys.exit(total > MOST)


if __name__ == "__main__":
    main()
