#!/usr/bin/env python3
"""Documents that share a template, among as many unrelated ones: the hardest input for a search by buckets.

    template.py SHAPE OUT.jsonl [--documents 2000000] [--seed 1]

Every second document is 100 words of one template, with some of them replaced by random words. The others are 100
random words. SHAPE is the similarity of two documents of the template, by 5-word shingles:

    0.33        ten numbers of six digits, scattered: 48 of 96 shingles are the document's own
    0.60 0.745 0.79 0.81
                a run of 20, 10, 7, 6 random words: 24, 14, 11, 10 shingles are the document's own
    mixed       each document has one of these shapes
    varied      a run of 0 to 40 words is inserted at any place, so documents have many lengths
    unrelated   no template: all documents are random words
"""
import argparse
import random

WORDS = 100
RUNS = {"0.60": 20, "0.745": 10, "0.79": 7, "0.81": 6}
PLACES = [2, 12, 22, 32, 42, 52, 62, 72, 82, 92]


def vocabulary(rng):
    letters = "abcdefghijklmnopqrstuvwxyz"
    return sorted({"".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(50_000)})


def filled(template, shape, words, rng):
    if shape == "mixed":
        shape = rng.choice(["0.33", *RUNS])
    document = list(template)
    if shape == "0.33":
        for place in PLACES:
            document[place] = f"{rng.randrange(10**6):06}"
    elif shape == "varied":
        place = rng.randrange(WORDS)
        document[place:place] = rng.choices(words, k=rng.randint(0, 40))
    else:
        document[40 : 40 + RUNS[shape]] = rng.choices(words, k=RUNS[shape])
    return document


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=["0.33", *RUNS, "mixed", "varied", "unrelated"])
    parser.add_argument("out")
    parser.add_argument("--documents", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    words = vocabulary(rng)
    template = rng.choices(words, k=WORDS)
    with open(args.out, "w", encoding="ascii") as out:
        for number in range(args.documents):
            if args.shape == "unrelated" or number % 2:
                document = rng.choices(words, k=WORDS)
            else:
                document = filled(template, args.shape, words, rng)
            out.write(f'{{"id":"d{number}","text":"{" ".join(document)}"}}\n')


if __name__ == "__main__":
    main()
