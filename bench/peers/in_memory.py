#!/usr/bin/env python3
"""One library, from a list of texts in memory to the list of the kept ones.   in_memory.py LIBRARY CORPUS.jsonl DOCUMENTS ROWS_OUT

Prints JSON: seconds of wall and of processor time, the peak memory beyond the list of texts and the modules, and the number of kept
texts. Their rows go to ROWS_OUT. All have word 5-grams by white space, a threshold of 0.8 and, but for Lookalike's exact comparison,
128 hashes. `bench/python_rounds.py` runs it.

lookalike       `dedup`
column          `dedup` over a column of pyarrow in place of a list. It is there before the time starts, and the kept texts are a column too
seen            `Seen.add`, one text at a time
rensa           `RMinHashDeduplicator.add_pairs` over token lists, as its README shows; 16 bands, verified by signature
rensa-bulk      `RMinHash.from_token_sets` and `RMinHashLSH.insert_many` and `query`, verified by signature; 16 bands
rensa-flags     a digest matrix and `RMinHashLSH.insert_matrix_and_query_duplicate_flags`, the calls that work on whole matrices; 16 bands.
                It flags every document that shares a band with another, so the first of a cluster is lost too, and nothing is verified
gaoya           `MinHashStringIndex`, `par_bulk_insert_docs` and `par_bulk_query`: all cores, its own tokens, verified; 16 x 8
datasketch      `MinHash.generator` with scheme affine32 and xxh3, its fastest; `MinHashLSH` with its own 9 x 13: query, then insert
                what was not found. It has no call that uses several cores
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from common import BANDS, NUM_PERM, ROWS, SHINGLE, THRESHOLD, Union, shingles

Kept = tuple[list[str], Callable[[], list[int]]]
"""The texts that are kept, and what gives their rows after the time is taken."""


def lookalike(texts: Any) -> Kept:
    result = LIBRARY.dedup(texts, tokens="whitespace", progress=False)
    return result.kept(), lambda: [row for row, kept in enumerate(result._decisions.mask()) if kept]


def seen(texts: list[str]) -> Kept:
    documents = LIBRARY.Seen(threshold=THRESHOLD, tokens="whitespace")
    return chosen(texts, [row for row, text in enumerate(texts) if documents.add(text) is None])


def rensa(texts: list[str]) -> Kept:
    dedup = LIBRARY.RMinHashDeduplicator(threshold=THRESHOLD, num_perm=NUM_PERM, use_lsh=True, num_bands=BANDS)
    rows: list[int] = []
    for start, batch in batches(texts):
        flags = dedup.add_pairs([(str(row), tokens) for row, tokens in enumerate(batch, start)])
        rows.extend(row for row, is_new in enumerate(flags, start) if is_new)
    return chosen(texts, rows)


def rensa_bulk(texts: list[str]) -> Kept:
    sketches = []
    for _, batch in batches(texts):
        sketches.extend(LIBRARY.RMinHash.from_token_sets(batch, NUM_PERM, 42))
    index = LIBRARY.RMinHashLSH(THRESHOLD, NUM_PERM, BANDS)
    index.insert_many(sketches)
    union = Union()
    for row, sketch in enumerate(sketches):
        for other in index.query(sketch):
            if other > row and sketch.jaccard(sketches[other]) >= THRESHOLD:
                union.join(row, other)
    return without(texts, union)


def rensa_flags(texts: list[str]) -> Kept:
    index = LIBRARY.RMinHashLSH(THRESHOLD, NUM_PERM, BANDS)
    # All rows in one call: a flag says nothing of rows that come later.
    tokens = (shingles(text) for text in texts)
    matrix = LIBRARY.RMinHash.digest_matrix_from_token_sets(tokens, NUM_PERM, 42)
    flags = index.insert_matrix_and_query_duplicate_flags(matrix)
    return chosen(texts, [row for row, is_duplicate in enumerate(flags) if not is_duplicate])


def gaoya(texts: list[str]) -> Kept:
    index = LIBRARY.minhash.MinHashStringIndex(
        32, THRESHOLD, BANDS, ROWS, None, "word", False, (SHINGLE, SHINGLE), "smallvec"
    )
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    union = Union()
    for row, found in enumerate(index.par_bulk_query(texts)):
        for other in found:
            if other > row:
                union.join(row, other)
    return without(texts, union)


def datasketch(texts: list[str]) -> Kept:
    from xxhash import xxh3_64_intdigest

    encoded = ([shingle.encode() for shingle in shingles(text)] for text in texts)
    settings = {"scheme": "affine32", "hashfunc": lambda data: xxh3_64_intdigest(data) & 0xFFFFFFFF}
    lsh = LIBRARY.MinHashLSH(threshold=THRESHOLD, num_perm=NUM_PERM)
    rows = []
    for row, sketch in enumerate(LIBRARY.MinHash.generator(encoded, num_perm=NUM_PERM, **settings)):
        if not lsh.query(sketch):
            lsh.insert(row, sketch, check_duplication=False)
            rows.append(row)
    return chosen(texts, rows)


def batches(texts: list[str]) -> Iterator[tuple[int, list[list[str]]]]:
    """The first row and the shingles of 1,024 texts at a time: those of all texts take gigabytes."""
    for start in range(0, len(texts), 1024):
        yield start, [shingles(text) for text in texts[start : start + 1024]]


def without(texts: list[str], union: Union) -> Kept:
    removed = union.removed()
    return chosen(texts, [row for row in range(len(texts)) if row not in removed])


def chosen(texts: list[str], rows: list[int]) -> Kept:
    return [texts[row] for row in rows], lambda: rows


STEPS = {
    "lookalike": ("lookalike", lookalike),
    "column": ("lookalike", lookalike),
    "seen": ("lookalike", seen),
    "rensa": ("rensa", rensa),
    "rensa-bulk": ("rensa", rensa_bulk),
    "rensa-flags": ("rensa", rensa_flags),
    "gaoya": ("gaoya", gaoya),
    "datasketch": ("datasketch", datasketch),
}


def memory(name: str) -> int:
    """A line of /proc/self/status, in bytes."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def main() -> None:
    name, corpus, documents, out = sys.argv[1:]
    with open(corpus, "rb") as lines:
        texts = [json.loads(line)["text"] for _, line in zip(range(int(documents)), lines)]
    global LIBRARY
    module, step = STEPS[name]
    LIBRARY = __import__(module)
    if name == "column":
        import pyarrow

        texts = pyarrow.array(texts, pyarrow.large_string())
    gc.collect()
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")  # The peak is counted from here.
    before, start, spent = memory("VmRSS"), time.perf_counter(), time.process_time()
    kept, rows = step(texts)
    wall, cpu = time.perf_counter() - start, time.process_time() - spent
    peak = memory("VmHWM") - before
    with open(out, "w", encoding="ascii") as file:
        file.writelines(f"{row}\n" for row in rows())
    print(json.dumps({"wall": wall, "cpu": cpu, "memory": peak, "kept": len(kept)}))
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime:
        sys.exit("a library has started processes, whose time is not counted")


if __name__ == "__main__":
    main()
