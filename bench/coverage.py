#!/usr/bin/env python3
"""How often the intervals of recall contain the true recall.

    coverage.py --program target/release/lookalike [--corpora 10] [--seeds 20] [--only NAME]

A shape is a kind of corpus and the options of its search. CORPORA random corpora are made of each shape, and the pairs of
`--method exact` are the truth. Each of SEEDS seeds draws other hash functions, and other documents to audit. Prints a Markdown table: the
mean recall, the mean estimate, and the share of runs in which the summary's interval of 95 % contains the true recall. The same follows
for audits.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile


def text(words):
    return " ".join(words)


def edited(generator, words, edits, name):
    words = list(words)
    for edit in range(edits):
        words[generator.randrange(len(words))] = f"{name}e{edit}"
    return words


def one_word_changed(generator, pairs, length):
    """Pairs of texts of `length` words that differ in one word."""
    texts = []
    for pair in range(pairs):
        words = [f"p{pair}w{word}x{generator.randrange(10**6)}" for word in range(length)]
        texts += [text(words), text(edited(generator, words, 1, f"p{pair}"))]
    return texts


def one_word_more(generator, pairs, lengths):
    """Short texts, each with a copy that has one more word."""
    texts = []
    for pair in range(pairs):
        words = [f"p{pair}w{word}x{generator.randrange(10**6)}" for word in range(generator.choice(lengths))]
        texts += [text(words), text([*words, f"p{pair}more"])]
    return texts


def versions(generator, counts, length, edits):
    """Texts with several versions. Each is edited from an earlier version."""
    texts = []
    for name, count in enumerate(counts):
        of_text = [[f"t{name}w{word}x{generator.randrange(10**6)}" for word in range(length)]]
        for version in range(count - 1):
            old = generator.choice(of_text)
            of_text.append(edited(generator, old, 1 + generator.randrange(edits), f"t{name}v{version}"))
        texts += [text(words) for words in of_text]
    return texts


def with_others(generator, texts, count):
    return texts + [text([f"o{other}w{word}x{generator.randrange(10**6)}" for word in range(30)]) for other in range(count)]


def few(generator):
    return versions(generator, [2] * 8, 60, 3)


def large_cluster(generator):
    return with_others(generator, versions(generator, [60] + [2] * 100, 80, 3), 400)


def mixture(generator):
    texts = one_word_more(generator, 150, range(2, 12))
    texts += versions(generator, [25] + [generator.randrange(2, 6) for _ in range(40)], 60, 4)
    return with_others(generator, texts, 100)


def half_shared(generator):
    """Pairs that share about one word in thirty."""
    texts = []
    for pair in range(300):
        words = [[f"p{pair}s{side}w{word}x{generator.randrange(10**6)}" for word in range(32)] for side in range(2)]
        shared = [f"p{pair}c{word}" for word in range(generator.choice([1, 2, 3]))]
        texts += [text(shared + side) for side in words]
    return texts


SIMHASH = "--method simhash --verify --shingle 1"
SHAPES = {
    "threshold 0.999, 32 values": (lambda g: one_word_changed(g, 150, 2000), "--threshold 0.999 --shingle 1 --num-perm 32"),
    "threshold 0.999, 32 values, classic": (
        lambda g: one_word_changed(g, 150, 2000), "--threshold 0.999 --shingle 1 --num-perm 32 --scheme classic"),
    "threshold 0.999, 64 values, classic": (
        lambda g: one_word_changed(g, 150, 2000), "--threshold 0.999 --shingle 1 --num-perm 64 --scheme classic"),
    "threshold 0.999, 128 values, classic": (
        lambda g: one_word_changed(g, 150, 2000), "--threshold 0.999 --shingle 1 --scheme classic"),
    "threshold 0.99, 128 values": (lambda g: one_word_changed(g, 300, 200), "--threshold 0.99 --shingle 1"),
    "SimHash, 4 words and 5": (lambda g: one_word_more(g, 500, [4]), SIMHASH),
    "SimHash, 3 to 30 words and one more": (lambda g: one_word_more(g, 500, range(3, 31)), f"{SIMHASH} --threshold 0.7"),
    "SimHash, versions": (lambda g: versions(g, [3] * 80, 60, 4), SIMHASH),
    "SimHash, 128 bits, ties 1": (lambda g: one_word_more(g, 500, range(3, 31)), f"{SIMHASH} --bits 128 --tie one --threshold 0.7"),
    "one large cluster, bands that miss": (large_cluster, "--shingle 1 --bands 9 --rows 13 --threshold 0.8"),
    "one large cluster, bands that find": (large_cluster, "--shingle 1 --threshold 0.8"),
    "threshold 0.02, 128 values": (half_shared, "--threshold 0.02 --shingle 1"),
    "few pairs": (few, "--shingle 1 --threshold 0.8"),
    "few pairs, bands that miss": (few, "--shingle 1 --threshold 0.8 --bands 9 --rows 13"),
    "a mixture": (mixture, "--shingle 1 --threshold 0.7 --num-perm 64"),
    "a mixture, bands that miss": (mixture, "--shingle 1 --threshold 0.7 --bands 12 --rows 10"),
    "a mixture, cosine": (mixture, "--shingle 1 --measure cosine --threshold 0.8 --bands 12 --rows 10"),
    "a mixture, SimHash": (mixture, f"{SIMHASH} --measure cosine --threshold 0.85"),
}


def run(program, corpus, folder, options):
    out, summary = folder / "pairs.tsv", folder / "summary.json"
    command = [program, "pairs", corpus, "-o", out, "--summary", summary, "--quiet", "--threads", "1", *options.split()]
    subprocess.run([str(part) for part in command], check=True)
    lines = out.read_text().splitlines()[1:]
    return {tuple(line.split("\t")[:2]) for line in lines}, json.loads(summary.read_text())


class Tally:
    """Values, and how often their intervals contain the truth."""

    def __init__(self):
        self.values, self.widths, self.held = [], [], 0

    def add(self, value, interval, truth):
        if value is None:
            return
        self.values.append(value)
        self.widths.append(interval[1] - interval[0])
        # Six digits, because the ends are quotients of sums.
        self.held += interval[0] - 1e-6 <= truth <= interval[1] + 1e-6

    def row(self):
        if not self.values:
            return ["unknown", "–", "–"]
        count = len(self.values)
        mean = [f"{sum(values) / count:.4f}" for values in (self.values, self.widths)]
        return [*mean, f"{100 * self.held / count:.1f} % of {count}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--corpora", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--audit", default="100")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    print("| shape | pairs | true | estimated | width | holds | audited | width | holds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (make, options) in SHAPES.items():
        if arguments.only and arguments.only not in name:
            continue
        estimates, audits, truths, pairs = Tally(), Tally(), [], 0
        method = "" if "--method" in options else "--method minhash"
        threshold = f"--threshold {options.split('--threshold ')[1].split()[0]}" if "--threshold" in options else ""
        measure = "--measure cosine" if "cosine" in options else ""
        for number in range(arguments.corpora):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                corpus = folder / "corpus.jsonl"
                texts = make(random.Random(f"{name} {number}"))
                lines = [json.dumps({"id": str(place), "text": text}) for place, text in enumerate(texts)]
                corpus.write_text("\n".join(lines) + "\n")
                truth, _ = run(arguments.program, corpus, folder, f"--method exact --shingle 1 {threshold} {measure}")
                pairs += len(truth)
                for seed in range(arguments.seeds):
                    seeded = f"{options} {method} --seed {1 + seed + number * arguments.seeds} --audit {arguments.audit}"
                    found, summary = run(arguments.program, corpus, folder, seeded)
                    true = len(found & truth) / len(truth)
                    truths.append(true)
                    estimates.add(summary["recall_estimate"], summary["recall_interval"], true)
                    audits.add(summary["audit"]["recall"], summary["audit"]["recall_interval"], true)
        row = [name, pairs // arguments.corpora, f"{sum(truths) / len(truths):.4f}", *estimates.row(), *audits.row()]
        print("|", " | ".join(map(str, row)), "|", flush=True)


if __name__ == "__main__":
    main()
