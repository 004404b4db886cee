#!/usr/bin/env python3
"""The tables of copied-cut-rewritten.md: how well `lookalike compare` separates levels of copying.

    python3 docs/clough.py DOCS.jsonl PAIRS.tsv [--program lookalike]

Prints the tables in Markdown. Run it by hand, because the corpus is not part of this project. It is Clough and Stevenson's corpus
of plagiarised short answers ("Developing a corpus of plagiarised short answers", Language Resources and Evaluation 45, 2011,
University of Sheffield, free for research), as two files:

- DOCS.jsonl: an object a line, with `id` and `text`, for 95 answers and their 5 articles
- PAIRS.tsv: a header, then `doc_a` (the answer), `doc_b` (the article) and `level` (cut, light, heavy, non)

Needs Python 3.9 and nothing else.
"""

import argparse
import csv
import json
import statistics
import subprocess

LEVELS = ["cut", "light", "heavy", "non"]
LONGEST = "longest run, words"
# Round numbers that separate copied answers from others here. Other texts need their own.
LIMITS = [("answer in article, 3 words", 0.1), ("shared passages, 5 words", 0.1), (LONGEST, 8)]


def compare(program, docs, answer, article, options):
    command = [program, "compare", answer, article, "--in", docs, "--format", "json", "-q", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def figures(program, docs, answer, article):
    """The figures of a pair, by column."""
    five = compare(program, docs, answer, article, [])
    three = compare(program, docs, answer, article, ["--shingle", "3"])
    longest = max((part["tokens"] for passage in five["passages"] for part in passage["equal"]), default=0)
    return {
        "Jaccard": five["measures"]["jaccard"],
        "word Jaccard": five["measures"]["word_jaccard"],
        "answer in article, 5 words": five["measures"]["containment_of_a"],
        "answer in article, 3 words": three["measures"]["containment_of_a"],
        "shared passages, 5 words": five["measures"]["shared_of_a"],
        "sequence ratio": five["measures"]["sequence_ratio"],
        LONGEST: longest,
    }


def row(cells):
    return "| " + " | ".join(cells) + " |"


def spread(name, values):
    """The median, with the other quartiles in brackets."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    text = "{:.0f}" if name == LONGEST else "{:.2f}"
    return f"{text.format(middle)} ({text.format(low)}–{text.format(high)})"


def area(higher, lower):
    """The probability that a random pair of one level has more than a pair of the other (area under the ROC curve)."""
    wins = sum((a > b) + (a == b) / 2 for a in higher for b in lower)
    return wins / (len(higher) * len(lower))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docs")
    parser.add_argument("pairs")
    parser.add_argument("--program", default="lookalike")
    arguments = parser.parse_args()
    levels = {level: [] for level in LEVELS}
    with open(arguments.pairs, encoding="utf-8") as file:
        for pair in csv.DictReader(file, delimiter="\t"):
            levels[pair["level"]].append(figures(arguments.program, arguments.docs, pair["doc_a"], pair["doc_b"]))
    names = list(levels["cut"][0])
    column = lambda level, name: [figures[name] for figures in levels[level]]

    print(row(["", *(f"{level} ({len(levels[level])})" for level in LEVELS)]))
    print(row(["---", *["---:"] * len(LEVELS)]))
    for name in names:
        print(row([name, *(spread(name, column(level, name)) for level in LEVELS)]))
    print()
    steps = list(zip(LEVELS, LEVELS[1:]))
    print(row(["", "copied from non", *(f"{a} from {b}" for a, b in steps)]))
    print(row(["---", *["---:"] * (len(steps) + 1)]))
    for name in names:
        copied = [value for level in LEVELS[:-1] for value in column(level, name)]
        chances = [area(copied, column("non", name)), *(area(column(a, name), column(b, name)) for a, b in steps)]
        print(row([name, *(f"{chance:.2f}" for chance in chances)]))
    print()
    print(row(["answers with", *LEVELS]))
    print(row(["---", *["---:"] * len(LEVELS)]))
    for name, limit in LIMITS:
        reach = (sum(value >= limit for value in column(level, name)) for level in LEVELS)
        print(row([f"{name}: {limit} or more", *map(str, reach)]))


if __name__ == "__main__":
    main()
