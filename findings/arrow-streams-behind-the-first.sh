#!/usr/bin/env bash
# Two streams of Arrow IPC in one file, as `cat a.arrows b.arrows` makes it: pyarrow 26.0.1, polars 2.1.0 and datasets 5.2.0 read the first, and say nothing
# of the second. Files of JSON lines, CSV without headers, gzip, zstd and bzip2 may be joined so, and their readers read all of it.
#
# A stream ends with a mark, and the format does not say what may follow it. Where files are joined by parts, such as the parts of an upload, rows are lost.
#
# Seen: a guess, after a reviewer asked what our reader does: guessed that one of the three reads on, or that one refuses. None does either.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install pyarrow==26.0.1 polars==2.1.0 datasets==5.2.0
cat >two.py <<'END'
import datasets
import polars
import pyarrow as pa

datasets.disable_progress_bars()
for name in ("a", "b"):
    table = pa.table({"text": [name]})
    with pa.ipc.new_stream(f"{name}.arrows", table.schema) as writer:
        writer.write_table(table)
with open("two.arrows", "wb") as file:
    for name in ("a", "b"):
        file.write(open(f"{name}.arrows", "rb").read())
print("pyarrow", pa.ipc.open_stream("two.arrows").read_all()["text"].to_pylist())
print("polars", polars.read_ipc_stream("two.arrows")["text"].to_list())
print("datasets", datasets.load_dataset("arrow", data_files="two.arrows", split="train", cache_dir="cache")["text"][:])
END
python/bin/python two.py 2>/dev/null | tee seen.txt
diff seen.txt - <<'END'
pyarrow ['a']
polars ['a']
datasets ['a']
END
