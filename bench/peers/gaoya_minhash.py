#!/usr/bin/env python3
"""gaoya 0.2.2: MinHashStringIndex, verified by signature.   gaoya_minhash.py INPUT.jsonl OUT.tsv [--kept]

Tokenising, hashing, indexing and querying are gaoya's own (Rust, all cores, its word analyzer with 5-grams).
128 hashes of 32 bits, 16 x 8. It returns documents that its signatures estimate at 0.8 or more. With --kept, plain Python
writes the first document of each cluster and all documents without a cluster to OUT.tsv.kept.
"""

import sys

from gaoya.minhash import MinHashStringIndex

from common import BANDS, ROWS, SHINGLE, THRESHOLD, Union, read, write_kept

source, out, *options = sys.argv[1:]
ids, texts = read(source)
index = MinHashStringIndex(32, THRESHOLD, BANDS, ROWS, None, "word", False, (SHINGLE, SHINGLE), "smallvec")
index.par_bulk_insert_docs(list(range(len(texts))), texts)
union = Union()
for number, found in enumerate(index.par_bulk_query(texts)):
    for other in found:
        if other > number:
            union.join(number, other)
union.write(out, ids.__getitem__)
if "--kept" in options:
    write_kept(source, out, union.removed())
