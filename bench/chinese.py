#!/usr/bin/env python3
"""Recall of `lookalike pairs` on edited Chinese texts, by tokens, shingle length, method and threshold or distance.

    chinese.py NAME=SOURCE... [--seed N] [--show N] [--program PATH]

SOURCE   A JSONL whose field `gold` is a text (the data set zh-web-content), or a folder of HTML files in Chinese (package
         debian-handbook: apt-get download, dpkg-deb -x). HTML is cut into sections at headings. A paragraph that is less
         than half Chinese is untranslated, and is left out. Texts of less than 200 characters and repeated texts are left out.
Planted  Every text has two copies for each e of 2, 5, 10, 20 %. In one, this share of the characters, at random places,
         is replaced, deleted or followed by another (a third each). In the other, sentences of as many characters are.
         New text comes from other texts. If no choice of sentences is within a quarter of the share, there is no copy.
Recall   Of the pairs of a text and its copy, by e. Two copies of one text are similar as well, but are not counted.
Others   Pairs of different texts with any copies that were reported together. `near` are pairs whose originals have a Jaccard
         similarity of at least 0.1 in character 5-grams, computed here. Such texts share passages.
Time     CPU seconds of `lookalike sketch` with one thread for each MB of text, medians of nine rounds in turns. A single
         short text takes the time of loading a dictionary. This time is subtracted, and printed.

Every table has one corpus and method. Its cells have one number for each threshold or distance. --show prints the beginnings
of the first N other pairs. Do not publish them, because the texts belong to others.
"""

import argparse
import json
import random
import re
import resource
import statistics
import subprocess
import tempfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

from quality import BENCH, markdown
from score import ordered

SHARES = [2, 5, 10, 20]
KINDS = ["characters", "sentences"]
TOKENS = ["words", "chars", "jieba"]
SHINGLES = range(1, 6)
# Title of a table: the option that varies from cell to cell, its values, and the other options.
METHODS = {
    "MinHash, threshold 0.5 / 0.7 / 0.8": ("--threshold", ["0.5", "0.7", "0.8"], []),
    **{
        f"SimHash, {weights}, distance 3 / 7 / 10":
            ("--hamming", ["3", "7", "10"], ["--method", "simhash", "--weights", weights])
        for weights in ("set", "log-tf")
    },
}  # fmt: skip
LEAST_CHARACTERS = 200
NEAR = 0.1
HAN = re.compile("[\u3400-\u9fff]")
SENTENCE = re.compile("[^。！？；\n]+[。！？；\n]*")


class Sections(HTMLParser):
    """The sections of a page of the handbook: lists of paragraphs, from the first heading to the navigation at the end."""

    BLOCKS = {"div", "p", "li", "dt", "dd", "pre", "td", "h1", "h2", "h3", "h4"}

    def __init__(self, page):
        super().__init__()
        self.sections, self.text, self.inside = [], [], False
        self.feed(page)
        self.flush()

    def flush(self):
        paragraph = " ".join("".join(self.text).split())
        self.text = []
        letters = sum(character.isalpha() for character in paragraph)
        if self.inside and letters and len(HAN.findall(paragraph)) >= letters / 2:
            self.sections[-1].append(paragraph)

    def handle_starttag(self, tag, attributes):
        if tag not in self.BLOCKS and tag != "ul":
            return
        self.flush()
        if tag in ("h1", "h2", "h3", "h4"):
            self.inside = True
            self.sections.append([])
        elif "docnav" in (dict(attributes).get("class") or ""):
            self.inside = False

    def handle_endtag(self, tag):
        if tag in self.BLOCKS:
            self.flush()

    def handle_data(self, data):
        self.text.append(data)


def without_indent(text):
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def texts_of(source):
    """The different texts of a source that are long enough, by name."""
    if source.is_dir():
        texts = {
            f"{page.stem}-{number}": "\n".join(section)
            for page in sorted(source.glob("*.html"))
            for number, section in enumerate(Sections(page.read_text(encoding="utf-8")).sections)
        }
    else:
        rows = map(json.loads, source.read_text(encoding="utf-8").splitlines())
        texts = {f"d{number:02}": without_indent(row["gold"]) for number, row in enumerate(rows)}
    first = {text: name for name, text in reversed(texts.items())}
    return {name: text for name, text in texts.items() if len(text) >= LEAST_CHARACTERS and first[text] == name}


class Editor:
    """Edits texts of one corpus at random. New text comes from the other texts."""

    def __init__(self, texts, seed):
        self.texts, self.random = texts, random.Random(seed)

    def foreign(self, name, unit):
        other = self.random.choice([other for other in self.texts if other != name])
        return self.random.choice(unit(self.texts[other]))

    def edit(self, name, parts, chosen, unit):
        """`parts` joined, each chosen one replaced, deleted or followed by a foreign one."""
        edited = []
        for number, part in enumerate(parts):
            operation = self.random.choice(["replace", "delete", "insert"]) if number in chosen else "keep"
            edited += [part] if operation in ("keep", "insert") else []
            edited += [self.foreign(name, unit)] if operation in ("replace", "insert") else []
        return "".join(edited)

    def characters(self, name, share):
        text = self.texts[name]
        chosen = set(self.random.sample(range(len(text)), round(len(text) * share)))
        return self.edit(name, text, chosen, str)

    def sentences(self, name, share):
        text = self.texts[name]
        sentences = SENTENCE.findall(text)
        chosen, length, wanted = set(), 0, len(text) * share
        for number in self.random.sample(range(len(sentences)), len(sentences)):
            if length + len(sentences[number]) <= 1.25 * wanted:
                chosen.add(number)
                length += len(sentences[number])
        return self.edit(name, sentences, chosen, SENTENCE.findall) if length >= 0.75 * wanted else None


class Corpus:
    """Texts and their copies, as a JSONL. `planted` has (kind, share) of each pair of a text and its copy."""

    def __init__(self, name, source, seed, folder):
        self.name, self.texts, self.planted = name, texts_of(source), {}
        self.path = Path(folder, f"{name}.jsonl")
        editor = Editor(self.texts, seed)
        self.bytes = 0
        with open(self.path, "w", encoding="utf-8") as out:
            for text_name, text in self.texts.items():
                copies = {text_name: text}
                for kind in KINDS:
                    for share in SHARES:
                        copy = getattr(editor, kind)(text_name, share / 100)
                        if copy is not None:
                            copies[f"{text_name}/{kind}-{share}"] = copy
                            self.planted[ordered(text_name, f"{text_name}/{kind}-{share}")] = kind, share
                for identity, copy in copies.items():
                    self.bytes += len(copy.encode())
                    out.write(json.dumps({"id": identity, "text": copy}, ensure_ascii=False) + "\n")

    def jaccard(self, pair):
        """The Jaccard similarity of two originals in character 5-grams, white space left out."""
        texts = ("".join(self.texts[name].split()) for name in pair)
        a, b = ({text[i : i + 5] for i in range(len(text) - 4)} for text in texts)
        return len(a & b) / len(a | b)


def lookalike(program, *options):
    subprocess.run([program, *map(str, options), "--quiet"], check=True)


def find(program, corpus, folder, options):
    """Found pairs of a text and its copy, and pairs of originals whose copies were found together."""
    out = Path(folder, "pairs.jsonl")
    lookalike(program, "pairs", corpus.path, "-o", out, *options)
    with open(out, encoding="utf-8") as lines:
        pairs = [ordered(row["a"], row["b"]) for row in map(json.loads, lines)]
    families = {ordered(*(identity.split("/")[0] for identity in pair)) for pair in pairs}
    return corpus.planted.keys() & set(pairs), {pair for pair in families if pair[0] != pair[1]}


def table(program, corpus, method, folder, seen):
    """Prints the table of a method. Counts in `seen` how many settings report each other pair."""
    option, values, options = METHODS[method]
    total = Counter(corpus.planted.values())
    columns = [(kind, share) for kind in KINDS for share in SHARES]
    print(f"\n### {corpus.name}: {method}\n")
    print(markdown(["tokens", "shingle", *(f"{kind} {share} %" for kind, share in columns), "others", "of them near"]))
    print(markdown(["---"] * (len(columns) + 4)))
    for tokens in TOKENS:
        for shingle in SHINGLES:
            cells, other_cells, near_cells = [[] for _ in columns], [], []
            for value in values:
                setting = [option, value, *options, "--tokens", tokens, "--shingle", shingle]
                found, others = find(program, corpus, folder, setting)
                counts = Counter(corpus.planted[pair] for pair in found)
                for cell, column in zip(cells, columns):
                    cell.append(f"{counts[column] / total[column]:.2f}")
                seen.update(others)
                other_cells.append(str(len(others)))
                near_cells.append(str(sum(corpus.jaccard(pair) >= NEAR for pair in others)))
            joined = map(" ".join, [*cells, other_cells, near_cells])
            print(markdown([tokens, str(shingle), *joined]), flush=True)


def child_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def times(program, corpus, folder, rounds=9):
    one = Path(folder, "one.jsonl")
    with open(corpus.path, encoding="utf-8") as lines:
        one.write_text(next(lines), encoding="utf-8")
    seconds = {(tokens, path): [] for tokens in TOKENS for path in (one, corpus.path)}
    for _ in range(rounds):
        for (tokens, path), measured in seconds.items():
            before = child_seconds()
            options = ["--tokens", tokens, "--shingle", 3, "--threads", 1]
            lookalike(program, "sketch", path, "-o", Path(folder, "out.jsonl"), *options)
            measured.append(child_seconds() - before)
    print(f"\n### Time, {corpus.bytes / 1e6:.1f} MB of {corpus.name}\n")
    print(markdown(["tokens", "CPU seconds", "middle half", "of them for one text", "ms/MB", "MB/s"]))
    print(markdown(["---"] * 6))
    for tokens in TOKENS:
        low, median, high = statistics.quantiles(seconds[tokens, corpus.path], n=4)
        start = statistics.median(seconds[tokens, one])
        by_size = (median - start) / (corpus.bytes / 1e6)
        cells = [f"{median:.3f}", f"{low:.3f}–{high:.3f}", f"{start:.3f}", f"{1000 * by_size:.1f}", f"{1 / by_size:.0f}"]
        print(markdown([tokens, *cells]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="NAME=SOURCE")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, metavar="N")
    parser.add_argument("--program", default=str(BENCH.parent / "target/release/lookalike"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        named = (source.split("=", 1) for source in args.sources)
        corpora = [Corpus(name, Path(source), args.seed, folder) for name, source in named]
        for corpus in corpora:
            lengths = sorted(map(len, corpus.texts.values()))
            planted = Counter(corpus.planted.values())
            counts = ", ".join(f"{planted[kind, share]} {kind} {share} %" for kind in KINDS for share in SHARES)
            print(f"{corpus.name}: {len(lengths)} texts of {lengths[0]} to {lengths[-1]} characters, median "
                  f"{statistics.median(lengths):.0f}; copies: {counts}; {corpus.bytes / 1e6:.1f} MB  ")
        for corpus in corpora:
            seen = Counter()
            for method in METHODS:
                table(args.program, corpus, method, folder, seen)
            print(f"\n### {corpus.name}: the other pairs reported by most settings, and their similarity\n")
            for pair, settings in seen.most_common(12):
                print(f"    {pair[0]} {pair[1]}: {settings} settings, J {corpus.jaccard(pair):.3f}")
            for pair, _ in seen.most_common(args.show):
                print(*(f"{name}: {corpus.texts[name][:300]!r}" for name in pair), sep="\n")
        times(args.program, max(corpora, key=lambda corpus: corpus.bytes), folder)


if __name__ == "__main__":
    main()
