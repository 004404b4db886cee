#!/usr/bin/env python3
"""MinHash, exact search and auto in turns: seconds, memory and pairs.

    methods.py --program target/release/lookalike CORPUS... [--thresholds 0.9 0.8] [--rounds 5] [--command pairs|dedup]
               [--options '--tokens whitespace']

Prints a Markdown table: medians of the whole run, the ratio of exact to MinHash and of auto to the faster of the two, pairs
and the peak of memory.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

METHODS = ["minhash", "exact", "auto"]


def run(arguments, corpus, folder, options):
    out, summary = folder / "out.jsonl", folder / "summary.json"
    out.unlink(missing_ok=True)
    command = [arguments.program, arguments.command, corpus, "-o", out, "--summary", summary, "--quiet", *options.split()]
    subprocess.run([str(part) for part in command], check=True)
    return json.loads(summary.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--thresholds", nargs="+", default=["0.8"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--command", default="pairs")
    parser.add_argument("--options", default="--tokens whitespace")
    arguments = parser.parse_args()
    print("| corpus | threshold | minhash s | exact s | auto s | exact : minhash | auto : better | auto takes | pairs, minhash | exact | MB, minhash | exact |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for corpus in arguments.corpora:
            for threshold in arguments.thresholds:
                seconds, last = {method: [] for method in METHODS}, {}
                for turn in range(arguments.rounds + 1):
                    for method in METHODS:
                        options = f"{arguments.options} --threshold {threshold} --method {method}"
                        last[method] = run(arguments, corpus, pathlib.Path(name), options)
                        # The first round fills caches.
                        if turn:
                            seconds[method].append(last[method]["seconds"]["total"])
                median = {method: statistics.median(times) for method, times in seconds.items()}
                best = min(median["minhash"], median["exact"])
                cells = [corpus.stem, threshold, *(f"{median[method]:.3f}" for method in METHODS)]
                cells += [f"{median['exact'] / median['minhash']:.2f}", f"{median['auto'] / best:.2f}", last["auto"]["plan"]["method"]]
                cells += [last[method]["pairs"] for method in METHODS[:2]]
                cells += [f"{last[method]['peak_memory_bytes'] / 1e6:.0f}" for method in METHODS[:2]]
                print("|", " | ".join(map(str, cells)), "|", flush=True)


if __name__ == "__main__":
    main()
