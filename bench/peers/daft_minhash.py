#!/usr/bin/env python3
"""daft 0.7.26: read_json -> minhash -> bands exploded and grouped -> union-find.   daft_minhash.py INPUT.jsonl OUT.tsv [--kept]

Daft's own dataframe operations do all but the last step, on all cores. 128 hashes, word 5-grams, 16 x 8. Daft splits
words at single spaces only and has no verification. Documents that share a band become one cluster, as in its own
example. xxh3 is the fastest of its hash functions.

With --kept, Daft writes the first document of each cluster and all other documents to the folder OUT.tsv.kept. It holds the texts in
memory for this, which took 1.5 s. Reading them again took 3.1 s.
"""

import os
import sys

import daft
from daft import col, lit
from daft.functions import chunk, hash, list_agg, list_count, minhash

from common import BANDS, NUM_PERM, ROWS, SHINGLE, Union

source, out, *options = sys.argv[1:]
documents = daft.read_json(source)
if "--kept" in options:
    documents = documents.collect()
signature = minhash(col("text"), num_hashes=NUM_PERM, ngram_size=SHINGLE, hash_function="xxhash3_64")
buckets = (
    documents.select(col("id"), chunk(signature, ROWS).alias("band"), lit(list(range(BANDS))).alias("index"))
    .explode("band", "index")
    .select(col("id"), col("index"), hash(col("band")).alias("key"))
    .groupby("index", "key")
    .agg(list_agg(col("id")).alias("ids"))
    .where(list_count(col("ids")) > 1)
    .select("ids")
    .to_pydict()["ids"]
)
union = Union()
for ids in buckets:
    for other in ids[1:]:
        union.join(ids[0], other)
union.write(out)
if "--kept" in options:
    removed = daft.from_pydict({"id": list(union.removed())})
    documents.join(removed, on="id", how="anti").write_json(f"{out}.kept")
os._exit(0)  # its threads sometimes crash the interpreter at shutdown (signal 11), after the work is done
