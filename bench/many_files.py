#!/usr/bin/env python3
"""A corpus of very many small files: `lookalike dedup` into a folder beside `cp -r` of the same folder, in turns.

    many_files.py --program target/release/lookalike [--files 1000000] [--rounds 3] [--work bench/work]

A file is a document of 20 to 180 random words. Every tenth is an edited copy of the previous one. A folder has 1,000 files. Every run
has its own output folder. All folders are removed at the end, because ext4 creates files slowly for a minute after many were removed. The page
cache is warm. Prints a Markdown table: every run's seconds, and the ratio of `cp -r` to `lookalike` in the same round.
"""
import argparse
import json
import pathlib
import random
import shutil
import statistics
import subprocess
import time

FOLDER = 1000


def make(folder, files, seed=1):
    rng = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = sorted({"".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(50_000)})
    document = []
    for number in range(files):
        inside = folder / f"{number // FOLDER:05}"
        if number % FOLDER == 0:
            inside.mkdir(parents=True)
        if number % 10 == 9:
            document = document[:-1] + rng.choices(words, k=1)
        else:
            document = rng.choices(words, k=rng.randint(20, 180))
        (inside / f"{number:07}.txt").write_text(" ".join(document) + "\n", encoding="ascii")


def timed(command):
    start = time.monotonic()
    subprocess.run([str(part) for part in command], check=True)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(__file__).parent / "work")
    arguments = parser.parse_args()
    folder, outputs = arguments.work / f"files-{arguments.files}", arguments.work / "files-outputs"
    if not folder.exists():
        make(folder, arguments.files)
    outputs.mkdir()
    summary = outputs / "summary.json"
    print("| round | cp -r s | lookalike s | ratio | documents | kept | peak MB |\n|---|---|---|---|---|---|---|")
    ratios = []
    for turn in range(arguments.rounds + 1):
        copied = timed(["cp", "-r", folder, outputs / f"cp-{turn}"])
        out = outputs / f"lookalike-{turn}"
        kept = timed([arguments.program.resolve(), "dedup", folder, "-o", out, "--summary", summary, "--quiet"])
        # The first round fills caches.
        if turn:
            ratios.append(copied / kept)
            told = json.loads(summary.read_text())
            cells = [turn, f"{copied:.1f}", f"{kept:.1f}", f"{ratios[-1]:.2f}", told["documents"], told["kept"]]
            print("|", " | ".join(map(str, [*cells, f"{told['peak_memory_bytes'] / 1e6:.0f}"])), "|", flush=True)
    shutil.rmtree(outputs)
    print(f"\nmedian ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
