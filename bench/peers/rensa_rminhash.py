#!/usr/bin/env python3
"""rensa 0.5.0: RMinHash + RMinHashLSH, verified by signature.   rensa_rminhash.py INPUT.jsonl OUT.tsv [--kept]

Rensa takes tokens, so the word 5-grams are made in Python, as in its own benchmarks. Its sketches are built in bulk
(full sets, not the sampling `rho` path). 128 hashes, 16 bands. Its automatic 8 bands find a fifth of the pairs at 0.8.
A candidate counts if the signatures estimate a Jaccard similarity of at least 0.8. With --kept, plain Python writes the first document of
each cluster and all documents without a cluster to OUT.tsv.kept.
"""

import sys

from rensa import RMinHash, RMinHashLSH

from common import BANDS, NUM_PERM, THRESHOLD, Union, read, shingles, write_kept

source, out, *options = sys.argv[1:]
ids, texts = read(source)
sketches = []
for start in range(0, len(texts), 1024):  # in batches, because all shingles at once take gigabytes
    batch = [shingles(text) for text in texts[start : start + 1024]]
    sketches.extend(RMinHash.from_token_sets(batch, NUM_PERM, 42))
index = RMinHashLSH(THRESHOLD, NUM_PERM, BANDS)
index.insert_many(sketches)
union = Union()
for number, sketch in enumerate(sketches):
    for other in index.query(sketch):
        if other > number and sketch.jaccard(sketches[other]) >= THRESHOLD:
            union.join(number, other)
union.write(out, ids.__getitem__)
if "--kept" in options:
    write_kept(source, out, union.removed())
