#!/usr/bin/env python3
"""The first scan of `dedup` beside sonic-rs parsing the same file on as many threads, in turns.

    first_scan.py CORPUS --release target/release [--rounds 15] [--tokens whitespace]

Prints a Markdown table: median seconds and their middle half, MB/s of the file, and the first scan's speed as a share of
sonic-rs's. The scan reads, parses, tokenizes, hashes shingles and sketches. sonic-rs has the file and the places of its
lines in memory. In the last columns it reads the file and cuts it into lines, as a program must.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile


def scan(arguments, threads, folder):
    summary = pathlib.Path(folder, "summary.json")
    options = ["--dry-run", "--quiet", "--tokens", arguments.tokens, "--threads", threads, "--summary", summary]
    command = [arguments.release / "lookalike", "dedup", arguments.corpus, *options]
    subprocess.run([str(part) for part in command], check=True)
    return json.loads(summary.read_text())["seconds"]["sketch"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--release", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tokens", default="whitespace")
    arguments = parser.parse_args()
    megabytes = arguments.corpus.stat().st_size / 1e6
    print("| threads | first scan, s | middle half | MB/s | sonic-rs, s | middle half | MB/s | part | reading, s | middle half | MB/s | part |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|")
    for threads in (1, 2):
        command = [arguments.release / "parse", arguments.corpus, threads]
        peer = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ours, theirs, reading = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            for turn in range(arguments.rounds + 1):
                seconds = scan(arguments, threads, folder)
                peer.stdin.write("\n")
                peer.stdin.flush()
                answer = [float(part) for part in peer.stdout.readline().split()]
                # The first round fills caches and memory.
                if turn:
                    ours.append(seconds)
                    theirs.append(answer[0])
                    reading.append(answer[1])
        peer.communicate()
        cells = [threads]
        for times in (ours, theirs, reading):
            low, median, high = statistics.quantiles(times, n=4)
            cells += [f"{median:.3f}", f"{low:.3f}–{high:.3f}", f"{megabytes / median:.0f}"]
            if times is not ours:
                cells.append(f"{median / statistics.median(ours):.2f}")
        print("|", " | ".join(map(str, cells)), "|")


if __name__ == "__main__":
    main()
