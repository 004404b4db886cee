#!/usr/bin/env python3
"""datatrove 0.10.1: its four MinHash stages on this machine.   datatrove_minhash.py INPUT.jsonl OUT.tsv

They run as in its example: signatures, buckets, clusters, filter (it also writes the kept rows), with two tasks and workers
over an input split in two. It makes 5-grams of its own words (spaCy, English) with its own normalisation, 16 x 8 hashes of
64-bit xxhash, and verifies nothing. It needs its own environment: requirements-datatrove.txt.
"""

import os
import struct
import sys
import tempfile

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.hashing import HashConfig

from common import BANDS, ROWS, SHINGLE, read

TASKS = 2


def main(source, out, folder):
    parts = os.path.join(folder, "in")
    os.mkdir(parts)
    with open(source, "rb") as lines:
        rows = lines.readlines()
    half = (len(rows) + 1) // TASKS
    for part in range(TASKS):
        with open(os.path.join(parts, f"{part}.jsonl"), "wb") as sink:
            sink.writelines(rows[part * half : (part + 1) * half])
    del rows

    config = MinhashConfig(
        n_grams=SHINGLE, num_buckets=BANDS, hashes_per_bucket=ROWS, hash_config=HashConfig(precision=64, hash_fc="xxhash")
    )
    signatures, buckets, removed = (os.path.join(folder, name) for name in ("signatures", "buckets", "removed"))
    reader = JsonlReader(parts, text_key="text", id_key="id")
    stages = [
        ([reader, MinhashDedupSignature(signatures, config)], TASKS),
        ([MinhashDedupBuckets(signatures, buckets, config=config)], BANDS),
        ([MinhashDedupCluster(buckets, removed, config=config, save_cluster_id=True)], 1),
        ([reader, MinhashDedupFilter(removed), JsonlWriter(os.path.join(folder, "kept"), compression=None)], TASKS),
    ]
    for number, (pipeline, tasks) in enumerate(stages):
        logs = os.path.join(folder, "logs", str(number))
        # fork: workers are then children of this process, and their CPU time is counted. Workers of a fork server are not.
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=2, logging_dir=logs, start_method="fork").run()

    ids, _ = read(source)
    with open(out, "w", encoding="utf-8") as sink:
        for part in range(TASKS):
            with open(os.path.join(removed, f"{part:06d}.clusters"), "rb") as clusters:
                for row, cluster in struct.iter_unpack("<II", clusters.read()):
                    sink.write(f"{ids[part * half + row]}\t{cluster}\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(sys.argv[2]))) as scratch:
        main(sys.argv[1], sys.argv[2], scratch)
