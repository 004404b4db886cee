#!/usr/bin/env python3
"""The cost of comparing a few documents with an index of many, and of adding them: seconds, bytes read from the disk, memory.

    index.py --program target/release/lookalike --work FOLDER [--indexed 1000000] [--new 10000] [--rounds 3]

Makes in FOLDER a corpus of random words with the frequencies of language (Zipf), 60 to 180 words a document. One document in ten is an
edited copy of an earlier one. One new document in five is an edited copy of an indexed one, and one in twenty of another new one. Then
builds an index of the old documents and runs these commands in turns. Before each, the index and the input are dropped from the page cache.

    dedup NEW --against INDEX                  compare only
    index add INDEX NEW                        add, to a copy of the index
    dedup OLD NEW --method minhash             one run over all documents, for comparison

Prints a Markdown table of medians. Bytes read are the system's count for the process (ru_inblock). Seed 20261122.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import time

SEED = 20261122
VOCABULARY = 50_000


def text(generator, words, weights):
    return " ".join(generator.choices(words, cum_weights=weights, k=generator.randint(60, 180)))


def edited(generator, text, words):
    """A copy with two words replaced."""
    tokens = text.split(" ")
    for _ in range(2):
        tokens[generator.randrange(len(tokens))] = generator.choice(words)
    return " ".join(tokens)


def vocabulary(generator):
    """Random words, and the sums of their frequencies."""
    words = ["".join(generator.choices("abcdefghijklmnoprstuvwz", k=generator.randint(2, 10))) for _ in range(VOCABULARY)]
    return words, list(itertools.accumulate(1 / (rank + 2) for rank in range(VOCABULARY)))


def make(arguments):
    generator = random.Random(SEED)
    words, weights = vocabulary(generator)
    recent = []  # Copies are made of these, so that not all texts are held.

    def lines(prefix, count, shares):
        own = []
        for number in range(count):
            chance = generator.random()
            if own and chance < shares["own"]:
                line = edited(generator, generator.choice(own), words)
            elif recent and chance < shares["own"] + shares["recent"]:
                line = edited(generator, generator.choice(recent), words)
            else:
                line = text(generator, words, weights)
            if generator.random() < 20_000 / (number + 20_000):
                own.append(line)
            yield json.dumps({"id": f"{prefix}{number}", "text": line}) + "\n"
        recent.extend(own)

    for name, count, shares in [
        ("old", arguments.indexed, {"own": 0.1, "recent": 0.0}),
        ("new", arguments.new, {"own": 0.05, "recent": 0.2}),
    ]:
        path = arguments.work / f"{name}.jsonl"
        with path.open("w") as file:
            file.writelines(lines(name[0], count, shares))


def drop(*paths):
    """Puts files on the disk and out of the page cache."""
    os.sync()
    for path in paths:
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            descriptor = os.open(file, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def run(command, summary):
    started = time.monotonic()
    process = subprocess.Popen([str(part) for part in [*command, "--summary", summary, "--quiet"]])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    told = json.loads(summary.read_text())
    return {
        "seconds": time.monotonic() - started,
        "cpu": usage.ru_utime + usage.ru_stime,
        "read": usage.ru_inblock * 512 / 1e6,
        "memory": told["peak_memory_bytes"] / 1e6,
        "stages": told["seconds"],
        "told": told,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--indexed", type=int, default=1_000_000)
    parser.add_argument("--new", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    work, program = arguments.work, arguments.program
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "new.jsonl").exists():
        make(arguments)
    old, new, index, copy = work / "old.jsonl", work / "new.jsonl", work / "old.index", work / "copy.index"
    summary, out = work / "summary.json", work / "out"
    shutil.rmtree(index, ignore_errors=True)
    drop(old)
    rows = {"index build": [run([program, "index", "build", old, "-o", index], summary)]}
    for _ in range(arguments.rounds):
        for name in ["dedup --against", "index add", "dedup of everything"]:
            shutil.rmtree(copy, ignore_errors=True)
            shutil.rmtree(out, ignore_errors=True)
            if name == "index add":
                shutil.copytree(index, copy)
            drop(old, new, index, *([copy] if copy.exists() else []))
            command = {
                "dedup --against": ["dedup", new, "-o", out, "--against", index],
                "index add": ["index", "add", copy, new],
                "dedup of everything": ["dedup", old, new, "-o", out, "--method", "minhash"],
            }[name]
            rows.setdefault(name, []).append(run([program, *command], summary))
    shutil.rmtree(copy, ignore_errors=True)
    shutil.rmtree(out, ignore_errors=True)
    print("| command | seconds | processor seconds | MB read | MB of memory | documents of the index looked at | removed |")
    print("|---|---|---|---|---|---|---|")
    for name, runs in rows.items():
        median = {key: statistics.median(run[key] for run in runs) for key in ["seconds", "cpu", "read", "memory"]}
        told = runs[0]["told"]
        looked, removed = told.get("against_looked_at", ""), told["removed"]
        print(
            f"| {name} | {median['seconds']:.2f} | {median['cpu']:.2f} | {median['read']:.0f} | {median['memory']:.0f} "
            f"| {looked} | {removed} |"
        )
    print("\nSeconds of stages, first run of each:\n")
    for name, runs in rows.items():
        print(f"- {name}: " + ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in runs[0]["stages"].items()))
    print("\nMB of the files of the index:\n")
    for file in sorted(index.iterdir()):
        print(f"- {file.name}: {file.stat().st_size / 1e6:.1f}")


if __name__ == "__main__":
    main()
