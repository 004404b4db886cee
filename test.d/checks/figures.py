#!/usr/bin/env python3
"""Checks that figures on pages are those of their source: versions, limits of pages, times of tests, and measured tables.

    figures.py        # prints each figure that differs, and exits with 1 if there is one
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMES = "bench/results/2026-11-28-tests.md"

# A page, what it says, the source, and what that says. The groups of both must be the same.
SAME = [
    *[
        (page, pattern, "Cargo.toml", r'^rust-version = "([\d.]+)"')
        for page, pattern in [
            ("README.md", r"Rust ([\d.]+) and a C compiler"),
            ("README.md", r"\[Rust\]\(https://rustup.rs\) ([\d.]+) or newer"),
            ("CONTRIBUTING.md", r"Rust ([\d.]+) or newer"),
            ("docs/python.md", r"\[Rust\]\(https://rustup.rs\) ([\d.]+) or newer"),
            ("packaging/Dockerfile", r"^FROM rust:([\d.]+)-"),
        ]
    ],
    *[
        (page, pattern, "pyproject.toml", r'^requires-python = ">=([\d.]+)"')
        for page, pattern in [
            ("README.md", r"you need Python ([\d.]+),"),
            ("CONTRIBUTING.md", r"Python ([\d.]+) or newer"),
            ("docs/python.md", r"You need Python ([\d.]+) or newer"),
            ("test.d/common.sh", r"Python ([\d.]+) or newer with venv"),
        ]
    ],
    ("CONTRIBUTING.md", r"`\./test` takes about (\d+) minutes", TIMES, r"^\| `\./test`, empty target folder \|.*\| (\d+) \|$"),
    ("CONTRIBUTING.md", r"about (\d+) after a change", TIMES, r"^\| `\./test`, one line of `core` changed \|.*\| (\d+) \|$"),
    ("CONTRIBUTING.md", r"CI runs `\./test all`, with fewer seconds for fuzzing, in about (\d+) minutes", TIMES, r"^\| `\.ci/run`.* \|.*\| (\d+) \|$"),
]

# Rows of the README, and their rows in the results: each figure of the first must be in the second, rounded as there.
ROWS = [
    ("**lookalike**", "bench/results/2026-11-23-same-job-epyc-later.md", "lookalike"),
    ("daft", "bench/results/2026-11-23-same-job-epyc-later.md", "daft-kept"),
    ("gaoya", "bench/results/2026-11-23-same-job-epyc-later.md", "gaoya-kept"),
    ("rensa", "bench/results/2026-11-23-same-job-epyc-later.md", "rensa-kept"),
    ("datasketch", "bench/results/2026-11-23-datasketch-epyc.md", "datasketch-xxh3-kept"),
]
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def numbers(row):
    return [found.replace(",", "") for found in NUMBER.findall(row)]


def is_rounded(figure, exact):
    digits = len(figure.partition(".")[2])
    return abs(float(figure) - float(exact)) <= 0.5 * 10**-digits + 1e-9


def problems():
    for page, pattern, source, other in SAME:
        # A sentence may be wrapped anywhere.
        said = re.search(pattern, text(page), re.M) or re.search(pattern, " ".join(text(page).split()))
        true = re.search(other, text(source), re.M)
        if not said or not true:
            yield f"{page if not said else source}: there is no {pattern if not said else other}"
        elif said.groups() != true.groups():
            yield f"{page} says {' '.join(said.groups())}, and {source} says {' '.join(true.groups())}"
    for name, source, other in ROWS:
        row = next((line for line in text("README.md").splitlines() if line.startswith(f"| {name} ")), "")
        rows = [line for line in text(source).splitlines() if line.startswith(f"| {other} |")]
        if not row or not rows:
            yield f"{'README.md' if not row else source} has no row {name if not row else other}"
            continue
        for figure in numbers(row):
            if not any(is_rounded(figure, exact) for exact in numbers(rows[0])):
                yield f"README.md says {figure} of {name}; the row {other} of {source} does not"
    lines = len(text("README.md").splitlines())
    if lines > 200:
        yield f"README.md has {lines} lines, and 200 are the most"


def main():
    found = list(problems())
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(SAME) + len(ROWS)} figures and rows, {len(found)} differ")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
