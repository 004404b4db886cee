#!/usr/bin/env python3
"""Runs with little memory: their cost, the memory they hold, and whether a stopped run resumes.

    memory.py cost  --program P CORPUS --memory 200MiB [--rounds 5]   in memory and with little of it, in turns
    memory.py kill  --program P CORPUS --memory 200MiB [--times 20]   SIGKILL at random moments, then to the end
    memory.py disk  --program P CORPUS --memory 200MiB                a disk of too few bytes, then one with room
    memory.py scale --program P CORPUS... [--memory 1GiB]             seconds, disk and memory, by size

Memory is what the process holds itself (RssAnon), sampled every 5 ms. The page cache is not counted. Outputs are compared byte for
byte. Prints Markdown.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile
import time

OUTPUTS = ["out.jsonl", "removed.csv", "clusters.csv"]


def command(arguments, corpus, folder, memory):
    lists = ["--removed", folder / "removed.csv", "--clusters", folder / "clusters.csv"] if arguments.lists else []
    found = [arguments.program, "dedup", corpus, "-o", folder / "out.jsonl", *lists, "--summary", folder / "summary.json", "-q"]
    return [str(part) for part in found + arguments.options.split() + (["--memory", memory] if memory else [])]


def size(folder):
    total = 0
    for found in folder.glob(".lookalike-*"):
        for path in [found, *(found.iterdir() if found.is_dir() else [])]:
            # Unfinished outputs are not a cost of little memory.
            if path.is_file() and path.parent != folder:
                total += path.stat().st_size
    return total


def watch(process, folder):
    """The most memory and disk that the process takes, in bytes."""
    memory = disk = 0
    looked = 0.0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            held = [line for line in status.splitlines() if line.startswith("RssAnon")]
            memory = max([memory, *(int(line.split()[1]) * 1024 for line in held)])
            if time.time() - looked > 0.1:
                disk, looked = max(disk, size(folder)), time.time()
        except FileNotFoundError:
            pass
        time.sleep(0.005)
    return memory, disk


def run(arguments, corpus, folder, memory):
    started = time.time()
    process = subprocess.Popen(command(arguments, corpus, folder, memory))
    held, disk = watch(process, folder)
    seconds = time.time() - started
    assert process.returncode == 0, process.returncode
    summary = json.loads((folder / "summary.json").read_text())
    return {"wall": seconds, "held": held, "disk": disk, "summary": summary}


def digests(arguments, folder):
    names = OUTPUTS if arguments.lists else OUTPUTS[:1]
    found = []
    for name in names:
        with open(folder / name, "rb") as file:
            found.append(hashlib.file_digest(file, "md5").hexdigest())
    return found


def cost(arguments, folder):
    corpus = arguments.corpora[0]
    runs = {None: [], arguments.memory: []}
    expected = None
    for turn in range(arguments.rounds + 1):
        for memory in runs:
            done = run(arguments, corpus, folder, memory)
            expected = expected or digests(arguments, folder)
            assert digests(arguments, folder) == expected, "the outputs differ"
            if turn:
                runs[memory].append(done)
    print("| memory | seconds, median (all) | ratio | held itself, MB | on disk, MB |\n|---|---|---|---|---|")
    walls = {memory: [done["wall"] for done in found] for memory, found in runs.items()}
    base = statistics.median(walls[None])
    for memory, found in runs.items():
        median = statistics.median(walls[memory])
        times = " ".join(f"{wall:.2f}" for wall in walls[memory])
        held, disk = (max(done[key] for done in found) / 1e6 for key in ["held", "disk"])
        print(f"| {memory or 'all it wants'} | {median:.2f} ({times}) | {median / base:.2f} | {held:.0f} | {disk:.0f} |")
    print("\nAll outputs the same, byte for byte.")


def kill(arguments, folder):
    corpus = arguments.corpora[0]
    whole = run(arguments, corpus, folder, arguments.memory)
    expected = digests(arguments, folder)
    generator = random.Random(arguments.seed)
    print(f"A whole run takes {whole['wall']:.2f} s.\n")
    print("| killed after, s | files it left | the rest took, s | same outputs |\n|---|---|---|---|")
    for _ in range(arguments.times):
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        process = subprocess.Popen(command(arguments, corpus, folder, arguments.memory), stderr=subprocess.DEVNULL)
        after = generator.uniform(0, whole["wall"])
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert not (folder / "out.jsonl").exists() or process.returncode == 0
        left = [path.name for found in folder.glob(".lookalike-*") if found.is_dir() for path in found.iterdir()]
        last = max((name for name in left if name != "lock"), default="none", key=lambda name: STAGES.get(name.split("-")[0], 0))
        rest = run(arguments, corpus, folder, arguments.memory)
        same = digests(arguments, folder) == expected
        print(f"| {after:.2f} | {len(left)}, the last of {last} | {rest['wall']:.2f} | {same} |", flush=True)
        assert same


STAGES = {"sketches": 1, "keys": 2, "chunks": 3, "band": 4, "involved": 5, "features": 6, "spans": 7, "rounds": 8}


def disk(arguments, folder):
    corpus = arguments.corpora[0]
    run(arguments, corpus, folder, arguments.memory)
    expected = digests(arguments, folder)
    print("| no file longer than, MB | ends with | then, with room | same outputs |\n|---|---|---|---|")
    for limit in [8_000_000, 40_000_000, 100_000_000, 400_000_000]:
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

        def full():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        words = command(arguments, corpus, folder, arguments.memory)
        done = subprocess.run(words, preexec_fn=full, restore_signals=False, capture_output=True, text=True)
        error = done.stderr.strip().splitlines()[-1].replace(str(folder), "…") if done.stderr else ""
        rest = run(arguments, corpus, folder, arguments.memory)
        same = digests(arguments, folder) == expected
        print(f"| {limit / 1e6:.0f} | {done.returncode}: {error} | {rest['wall']:.2f} s | {same} |", flush=True)
        assert same


def scale(arguments, folder):
    print("| corpus | documents | GB | memory | seconds | held itself, MB | on disk, MB | of these s: " + ", ".join(SECONDS) + " |")
    print("|---|---|---|---|---|---|---|---|")
    for corpus in arguments.corpora:
        for memory in [None, arguments.memory]:
            done = run(arguments, corpus, folder, memory)
            summary = done["summary"]
            stages = ", ".join(f"{summary['seconds'].get(name, 0):.1f}" for name in SECONDS)
            cells = [pathlib.Path(corpus).stem, summary["documents"], f"{summary['bytes'] / 1e9:.2f}", memory or "all it wants"]
            cells += [f"{done['wall']:.1f}", f"{done['held'] / 1e6:.0f}", f"{done['disk'] / 1e6:.0f}", stages]
            print("|", " | ".join(map(str, cells)), "|", flush=True)


SECONDS = ["sketch", "candidates", "features", "verify", "explain", "write"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["cost", "kill", "disk", "scale"])
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--program", required=True)
    parser.add_argument("--memory", default="200MiB")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", default="--tokens whitespace")
    parser.add_argument("--lists", action="store_true", help="write --removed and --clusters too")
    parser.add_argument("--folder", help="folder for outputs")
    arguments = parser.parse_args()
    arguments.corpora = [os.path.abspath(corpus) for corpus in arguments.corpora]
    arguments.program = os.path.abspath(arguments.program)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        {"cost": cost, "kill": kill, "disk": disk, "scale": scale}[arguments.what](arguments, pathlib.Path(name))


if __name__ == "__main__":
    main()
