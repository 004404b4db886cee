#!/usr/bin/env python3
"""datasketch 2.0.0: MinHash + MinHashLSH, verified by signature.   datasketch_minhash.py INPUT.jsonl OUT.tsv [--xxh3] [--kept]

Word 5-grams made in Python, 128 hashes, `MinHash.generator`, MinHashLSH(threshold=0.8) with its own choice of bands
(9 x 13). Default: sha1, as its documentation shows. `--xxh3`: the affine32 scheme over xxh3, its fastest setting.
A candidate counts if the signatures estimate a Jaccard similarity of at least 0.8. With --kept, plain Python writes the first document of
each cluster and all documents without a cluster to OUT.tsv.kept.
"""

import sys

from datasketch import MinHash, MinHashLSH

from common import NUM_PERM, THRESHOLD, Union, read, shingles, write_kept

source, out, *options = sys.argv[1:]
settings = {"num_perm": NUM_PERM}
if "--xxh3" in options:
    from xxhash import xxh3_64_intdigest

    settings |= {"hashfunc": lambda data: xxh3_64_intdigest(data) & 0xFFFFFFFF, "scheme": "affine32"}
ids, texts = read(source)
sketches = list(MinHash.generator(([s.encode() for s in shingles(text)] for text in texts), **settings))
index = MinHashLSH(threshold=THRESHOLD, num_perm=NUM_PERM)
with index.insertion_session() as session:
    for number, sketch in enumerate(sketches):
        session.insert(number, sketch, check_duplication=False)
union = Union()
for number, sketch in enumerate(sketches):
    for other in index.query(sketch):
        if other > number and sketch.jaccard(sketches[other]) >= THRESHOLD:
            union.join(number, other)
union.write(out, ids.__getitem__)
if "--kept" in options:
    write_kept(source, out, union.removed())
