#!/usr/bin/env python3
"""text-dedup 0.4.0: its own `text_dedup.minhash` command.   text_dedup_minhash.py INPUT.jsonl OUT.tsv

All steps are its own: Hugging Face datasets in and out (it also writes the kept rows), splitting at non-word characters
in lower case, 5-grams, 128 hashes, its own choice of bands for 0.8 (9 x 13), xxh3 (faster than its default sha1), a
process per core, no verification. Caches are empty at each run. It needs its own environment: requirements-text-dedup.txt.
"""

import os
import sys
import tempfile

from common import SHINGLE, NUM_PERM, THRESHOLD, read

source, out = sys.argv[1:]
with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(out))) as folder:
    os.environ |= {"HF_HOME": folder, "HF_HUB_OFFLINE": "1"}
    from text_dedup import minhash

    options = {
        "path": "json", "data_files": os.path.abspath(source), "split": "train", "column": "text",
        "cache_dir": folder, "output": os.path.join(folder, "out"), "num_proc": os.cpu_count(),
        "num_perm": NUM_PERM, "ngram": SHINGLE, "threshold": THRESHOLD, "hash_func": "xxh3",
    }
    minhash.main([f"--{name}={value}" for name, value in options.items()], standalone_mode=False)
    ids, _ = read(source)
    with open(out, "w", encoding="utf-8") as sink:
        for row in list(minhash.uf.parent):
            sink.write(f"{ids[row]}\t{ids[minhash.uf.find(row)]}\n")
