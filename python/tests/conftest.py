"""What the tests share: texts by a generator, and the truth about them by comparing every pair."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def corpus(documents: int, seed: int = 1, words: int = 60) -> list[str]:
    """Texts of which a third are altered copies of earlier ones, and some are empty, short or beyond ASCII."""
    draw = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(2000)] + ["日本語", "été", "😀"]
    texts: list[str] = []
    for row in range(documents):
        if row and row % 3 == 0:
            text = draw.choice(texts).split(" ")
            for _ in range(draw.randrange(4)):
                text[draw.randrange(len(text))] = draw.choice(vocabulary)
        elif row % 50 == 49:
            text = [draw.choice(vocabulary)] * draw.randrange(2)
        else:
            text = draw.choices(vocabulary, k=draw.randrange(10, words))
        texts.append(" ".join(text))
    return texts


def shingles(text: str, size: int = 5) -> set[tuple[str, ...]]:
    """The shingles of a text whose tokens are cut at white space."""
    tokens = text.split()
    if not tokens:
        return set()
    size = min(size, len(tokens))
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def true_pairs(texts: list[str], threshold: float) -> dict[tuple[int, int], float]:
    """Every pair whose Jaccard similarity reaches the threshold, by comparing all."""
    sets = [shingles(text) for text in texts]
    found = {}
    for (a, left), (b, right) in itertools.combinations(enumerate(sets), 2):
        common = len(left & right)
        if common and common / len(left | right) >= threshold:
            found[a, b] = common / len(left | right)
    return found


def jsonl(path: Path, texts: list[str]) -> Path:
    """A file with a document a line, with the row as its id."""
    lines = (json.dumps({"id": f"d{row}", "text": text}) for row, text in enumerate(texts))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def python(program: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs a program in an interpreter of its own."""
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """A session of a classic Spark."""
    # Here, because it imports this module.
    import sparks

    sparks.need_spark()
    with sparks.classic() as started:
        yield started


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return corpus(600)
