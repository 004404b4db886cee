#!/usr/bin/env python3
"""The Hamming join on one and two threads, and seomoz/simhash-cpp where it is given, in turns over the same codes.

    hamming.py CODES --kernels target/release [--peer work/simhash_cpp] [--blocks 4 5] [--rounds 9]

`hamming codes` makes CODES. peers/simhash_cpp.cpp says how to build the peer. Prints a Markdown table: the median
seconds and their middle half, and the ratio of medians to the first row. The peer removes copies before its clock
starts. Lookalike finds them within its time.
"""
import argparse
import pathlib
import statistics
import subprocess


def start(command):
    return subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def play_round(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("codes", type=pathlib.Path)
    parser.add_argument("--kernels", type=pathlib.Path, required=True)
    parser.add_argument("--peer", type=pathlib.Path)
    parser.add_argument("--blocks", type=int, nargs="+", default=[4])
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    join = [arguments.kernels / "hamming", "join", arguments.codes, 3]
    players = {f"lookalike, {threads} thread{'s' * (threads > 1)}": start([*join, threads]) for threads in (1, 2)}
    if arguments.peer:
        for blocks in arguments.blocks:
            players[f"simhash-cpp, {blocks} blocks"] = start([arguments.peer, arguments.codes, blocks])
    seconds = {name: [] for name in players}
    pairs = {}
    for turn in range(arguments.rounds + 1):
        for name, process in players.items():
            answer = play_round(process)
            pairs[name] = answer[1]
            # The first round fills caches and memory.
            if turn:
                seconds[name].append(float(answer[0]))
    first = statistics.median(next(iter(seconds.values())))
    print("| program | seconds | middle half | ratio | pairs |\n|---|---|---|---|---|")
    for name, times in seconds.items():
        low, median, high = statistics.quantiles(times, n=4)
        print(f"| {name} | {median:.3f} | {low:.3f}–{high:.3f} | {median / first:.2f} | {pairs[name]} |")


if __name__ == "__main__":
    main()
