#!/usr/bin/env python3
"""A corpus many times as large and of the same shape: copies of a corpus, each with another exchange of letters.

    larger.py CORPUS.jsonl OUT.jsonl --documents 1000000 [--seed 1]

Two copies share no shingle, except shingles of digits and signs. Within a copy all similarities stay the same, and so do the share of
near-duplicates, the lengths and the frequencies. Letters of JSON escapes are not exchanged. It streams 300 MB/s.
"""
import argparse
import random

# Without b f n r t u, which follow backslashes, and without the hexadecimal digits after \\u.
LETTERS = "ghijklmopqsvwxyz"


def exchanges(seed):
    """One exchange of letters after the other. The first changes nothing."""
    generator = random.Random(seed)
    yield bytes.maketrans(b"", b"")
    while True:
        shuffled = list(LETTERS)
        while any(a == b for a, b in zip(LETTERS, shuffled)):
            generator.shuffle(shuffled)
        to = "".join(shuffled)
        yield bytes.maketrans((LETTERS + LETTERS.upper()).encode(), (to + to.upper()).encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("out")
    parser.add_argument("--documents", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    written = 0
    with open(arguments.out, "wb", buffering=1 << 22) as out:
        for copy, exchange in enumerate(exchanges(arguments.seed)):
            with open(arguments.corpus, "rb", buffering=1 << 22) as lines:
                for line in lines:
                    if written == arguments.documents:
                        print(f"{written} documents, {out.tell()} bytes")
                        return
                    head, text = line.split(b'"text":', 1)
                    # The id comes first, and stays unique.
                    head = head.replace(b'"id": "', b'"id": "%d-' % copy)
                    out.write(head + b'"text":' + text.translate(exchange))
                    written += 1


if __name__ == "__main__":
    main()
