"""Times the classes for programs of datasketch beside datasketch itself, in one process, by alternating rounds.

usage: python bench/python.py CORPUS.jsonl [DOCUMENTS]

Needs the wheel of this package and datasketch 2.0.0. Single-threaded in both. Measured, in seconds, for each round:

- update: one call of `MinHash.update` a shingle, 128 values, SHA-1.
- update_batch: one call a document, on bytes that are ready.
- query: one call of `MinHashLSH.query` a document, over an index that holds all documents, threshold 0.8 (9 x 13).
- insert: one call of `MinHashLSH.insert` a document.
- loop: from text to the list that is kept: shingles are cut in Python and hashed by `update_batch`; then query, and insert
  what is not found. Both libraries run the same lines.
- Seen.add: that loop by datasketch, beside one call of `Seen.add` a text, which compares exactly. The bands of datasketch
  find 40 % of the pairs at the threshold, so the loop keeps more.

Corpus: texts of a file with a field `text`, word shingles of 5, cut at white space. The order of the two changes from round to
round. No seed: nothing is random.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable

import datasketch

import lookalike

ROUNDS = 3


def shingles(text: str) -> list[bytes]:
    words = text.lower().split()
    return [" ".join(words[start : start + 5]).encode() for start in range(max(len(words) - 4, min(len(words), 1)))]


class Library:
    """The steps, by the classes of one library."""

    def __init__(self, kind: object, texts: list[str], cut: list[list[bytes]]) -> None:
        self.kind, self.texts, self.cut = kind, texts, cut

    def update(self) -> None:
        for document in self.cut[:300]:
            sketch = self.kind.MinHash()
            for shingle in document:
                sketch.update(shingle)

    def update_batch(self) -> None:
        self.sketches = []
        for document in self.cut:
            sketch = self.kind.MinHash()
            sketch.update_batch(document)
            self.sketches.append(sketch)

    def insert(self) -> None:
        self.lsh = self.kind.MinHashLSH(0.8)
        for key, sketch in enumerate(self.sketches):
            self.lsh.insert(key, sketch)

    def query(self) -> None:
        for sketch in self.sketches:
            self.lsh.query(sketch)

    def loop(self) -> int:
        lsh, kept = self.kind.MinHashLSH(0.8), 0
        for key, text in enumerate(self.texts):
            sketch = self.kind.MinHash()
            sketch.update_batch(shingles(text))
            if not lsh.query(sketch):
                lsh.insert(key, sketch)
                kept += 1
        return kept


def seen(texts: list[str]) -> int:
    documents = lookalike.Seen(threshold=0.8, tokens="whitespace")
    return sum(documents.add(text) is None for text in texts)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    with open(sys.argv[1], encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(count), lines)]
    cut = [shingles(text) for text in texts]
    theirs, ours = Library(datasketch, texts, cut), Library(lookalike, texts, cut)
    print(f"{len(texts)} documents, {sum(map(len, cut))} shingles, load {os.getloadavg()[0]:.1f} at the start")
    steps = ["update", "update_batch", "insert", "query", "loop"]
    times: dict[str, list[tuple[float, float]]] = {step: [] for step in [*steps, "Seen.add"]}
    for turn in range(ROUNDS):
        for step in steps:
            pair = [(0, theirs), (1, ours)]
            seconds = [0.0, 0.0]
            for place, library in pair if turn % 2 == 0 else reversed(pair):
                seconds[place] = timed(getattr(library, step))
            times[step].append((seconds[0], seconds[1]))
        times["Seen.add"].append((times["loop"][-1][0], timed(lambda: seen(texts))))
    print("| step | datasketch, s | Lookalike, s | ratio, median (all rounds) |\n|---|---|---|---|")
    for step, rounds in times.items():
        ratios = [their / our for their, our in rounds]
        medians = [statistics.median(column) for column in zip(*rounds)]
        shown = ", ".join(f"{ratio:.1f}" for ratio in ratios)
        print(f"| {step} | {medians[0]:.3f} | {medians[1]:.3f} | {statistics.median(ratios):.1f} ({shown}) |")
    print(f"kept: datasketch {theirs.loop()}, drop-in {ours.loop()}, Seen {seen(texts)} of {len(texts)}")


if __name__ == "__main__":
    main()
