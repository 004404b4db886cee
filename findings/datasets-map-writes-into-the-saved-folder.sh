#!/usr/bin/env bash
# datasets 5.2.0: `load_from_disk(FOLDER).map(...)` writes the changed rows into FOLDER, beside the saved ones, as cache-*.arrow. Whoever reads the folder by its
# Arrow files then has each row twice: once as it was saved, and once as the last transform left it.
#
# The state.json in the folder lists the saved files, and load_from_disk reads only those. `load_dataset("arrow", data_files="FOLDER/*.arrow")` reads
# all. For a search of near-duplicates the copies are duplicates of everything.
#
# Seen: a guess: that the caches of a data set on disk are in the cache of the user, as those of the hub are. They are not.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install datasets==5.2.0
cat >saved.py <<'END'
import os

import datasets

datasets.disable_progress_bars()
datasets.Dataset.from_dict({"text": ["a", "b"]}).save_to_disk("saved")
before = set(os.listdir("saved"))
datasets.load_from_disk("saved").map(lambda row: {"text": row["text"] + "!"})
added = sorted(set(os.listdir("saved")) - before)
print("added:", ["cache-*.arrow" if name.startswith("cache-") and name.endswith(".arrow") else name for name in added])
print("load_from_disk:", datasets.load_from_disk("saved")["text"][:])
by_files = datasets.load_dataset("arrow", data_files="saved/*.arrow", split="train", cache_dir="cache")
print("by its files:", sorted(by_files["text"][:]))
END
python/bin/python saved.py 2>/dev/null | tee seen.txt
diff seen.txt - <<'END'
added: ['cache-*.arrow']
load_from_disk: ['a', 'b']
by its files: ['a', 'a!', 'b', 'b!']
END
