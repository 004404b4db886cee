#!/usr/bin/env python3
"""How well `--extract all|blocks|main` finds the main content of web pages, and milliseconds a page, beside trafilatura.

    extraction.py [--wcxb FOLDER] [--articles FOLDER] [--trafilatura] [--example PATH]
    extraction.py --fit [--wcxb FOLDER] [--articles FOLDER] > crates/corpus/src/html/page/content/weights.rs

WCXB       FOLDER holds dev.jsonl (fields id, url, page_type, gold) and dev/html/ID.html.gz, as the Web Content eXtraction Benchmark
           (Foley 2026) gives them. Word F1 is that of its evaluate.py: words are a bag of \\w+ in lower case, F1 is the mean over pages.
Articles   FOLDER holds ground-truth.json and html/ID.html.gz of scrapinghub/article-extraction-benchmark. Its score: precision and
           recall of 4-grams of \\w+ of each page, their means over all pages, and F1 of the two means.
Halves     A domain (a page of the articles) is in half 0 or 1 by its MD5. The weights of `main` are fitted to half 0 only, so half 1
           tells how the next pages will do.
Time       Milliseconds of one thread: the mean over the pages, in the process that extracts them. Decompression does not count.
--fit      Prints the weights: a logistic regression of each block's features. A block is content if more than half of its words are
           in the gold text and not in an earlier block. It counts by its share of the words of the page. Needs numpy and scikit-learn.

Without --example, the example `extract` of crates/corpus is built in release mode.
"""

import argparse
import gzip
import hashlib
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlparse

from quality import BENCH, markdown

WORD = re.compile(r"\w+")
PARTS = ["all", "blocks", "main"]


def bag(text):
    return Counter(WORD.findall(text.lower()))


def word_f1(text, gold):
    found, gold = bag(text), bag(gold)
    if not found or not gold:
        return float(not found and not gold)
    shared = sum((found & gold).values())
    precision, recall = shared / sum(found.values()), shared / sum(gold.values())
    return 2 * precision * recall / (precision + recall) if shared else 0.0


def shingles(text):
    words = WORD.findall(text)
    grams = (tuple(words[start : start + 4]) for start in range(max(1, len(words) - 3)))
    return Counter(gram for gram in grams if gram)


def shingle_scores(text, gold):
    """Precision and recall of a page; none where there is nothing to divide by."""
    found, gold = shingles(text), shingles(gold)
    shared, texts, golds = sum((found & gold).values()), sum(found.values()), sum(gold.values())
    if texts == golds == 0:
        return None, None
    return (shared / texts if texts else None), (shared / golds if golds else None)


def articles_f1(pages):
    scores = [shingle_scores(page["found"], page["gold"]) for page in pages]
    means = [statistics.mean(score[part] for score in scores if score[part] is not None) for part in (0, 1)]
    return 2 * means[0] * means[1] / sum(means)


def half_of(domain):
    return int(hashlib.md5(domain.encode()).hexdigest(), 16) % 2


def wcxb(folder):
    for line in (folder / "dev.jsonl").open():
        page = json.loads(line)
        domain = (urlparse(page["url"]).netloc if page["url"] else "") or page["id"]
        yield {
            "id": page["id"], "set": "WCXB", "gold": page["gold"] or "", "kind": page["page_type"],
            "half": half_of(domain), "file": folder / "dev/html" / f"{page['id']}.html.gz",
        }  # fmt: skip


def articles(folder):
    for name, page in json.loads((folder / "ground-truth.json").read_text()).items():
        yield {
            "id": name, "set": "articles", "gold": page["articleBody"], "kind": "article",
            "half": half_of(name), "file": folder / "html" / f"{name}.html.gz",
        }  # fmt: skip


def unpack(pages, folder):
    for page in pages:
        page["path"] = folder / f"{page['set']}-{page['id']}.html"
        page["path"].write_bytes(gzip.decompress(page["file"].read_bytes()))


def example(path):
    if path:
        return path
    command = ["cargo", "build", "--release", "--quiet", "-p", "lookalike-corpus", "--no-default-features", "--example", "extract"]
    subprocess.run(command, check=True, cwd=BENCH.parent)
    return BENCH.parent / "target/release/examples/extract"


def run_example(program, pages, *arguments):
    paths = "".join(f"{page['path']}\n" for page in pages)
    with subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        output, _ = process.communicate(paths)
    # Other line ends may be in the texts.
    return [json.loads(line) for line in output.split("\n") if line]


def print_row(name, pages, milliseconds):
    sets = {kind: [page for page in pages if page["set"] == kind] for kind in ("WCXB", "articles")}
    cells = [name]
    for half in ({0, 1}, {0}, {1}):
        chosen = [word_f1(page["found"], page["gold"]) for page in sets["WCXB"] if page["half"] in half]
        cells.append(f"{statistics.mean(chosen):.3f}" if chosen else "–")
    for half in ({0, 1}, {0}, {1}):
        chosen = [page for page in sets["articles"] if page["half"] in half]
        cells.append(f"{articles_f1(chosen):.3f}" if chosen else "–")
    print(markdown([*cells, f"{milliseconds:.2f}"]), flush=True)


def print_kinds(found):
    """Word F1 of each kind of page in WCXB."""
    kinds = sorted({page["kind"] for pages in found.values() for page in pages if page["set"] == "WCXB"})
    print("\n" + markdown(["WCXB", *kinds]))
    print(markdown(["---"] * (len(kinds) + 1)))
    for name, pages in found.items():
        scores = {kind: [] for kind in kinds}
        for page in pages:
            if page["set"] == "WCXB":
                scores[page["kind"]].append(word_f1(page["found"], page["gold"]))
        print(markdown([name, *(f"{statistics.mean(scores[kind]):.3f}" for kind in kinds)]))


def compare(program, pages, with_trafilatura):
    columns = ["", "WCXB", "half 0", "half 1", "articles", "half 0", "half 1", "ms a page"]
    print(markdown(columns) + "\n" + markdown(["---"] * len(columns)))
    output, found = run_example(program, pages), {}
    for part in PARTS:
        found[part] = [{**page, "found": texts[part]["text"]} for page, texts in zip(pages, output)]
        print_row(part, found[part], statistics.mean(texts[part]["milliseconds"] for texts in output))
    if with_trafilatura:
        import trafilatura

        name, seconds = f"trafilatura {trafilatura.__version__}", 0.0
        found[name] = []
        for page in pages:
            html = page["path"].read_bytes()
            started = time.perf_counter()
            text = trafilatura.extract(html) or ""
            seconds += time.perf_counter() - started
            found[name].append({**page, "found": text})
        print_row(name, found[name], seconds * 1000 / len(pages))
    print_kinds(found)


def labels(texts, gold):
    """Whether each block is content, with the words of the gold text used up as they are found."""
    left, answers = bag(gold), []
    for text in texts:
        words = bag(text)
        total = sum(words.values())
        answers.append(total > 0 and sum((words & left).values()) > total / 2)
        if answers[-1]:
            left -= words
    return answers


def fit(program, pages):
    import numpy
    from sklearn.linear_model import LogisticRegression

    features, answers, weights, names = [], [], [], []
    chosen = [page for page in pages if page["half"] == 0]
    for page, found in zip(chosen, run_example(program, chosen, "features")):
        names = found["names"]
        words = sum(words for _, words in found["blocks"])
        features += found["features"]
        answers += labels([text for text, _ in found["blocks"]], page["gold"])
        weights += [count / max(words, 1) + 1e-5 for _, count in found["blocks"]]
    features, weights = numpy.array(features, dtype=numpy.float32), numpy.array(weights)
    mean, deviation = features.mean(0), features.std(0) + 1e-3
    regression = LogisticRegression(C=0.1, max_iter=150)
    regression.fit((features - mean) / deviation, answers, sample_weight=weights * len(weights) / weights.sum())
    fitted = regression.coef_[0] / deviation
    print_weights(names, fitted, regression.intercept_[0] - (fitted * mean).sum())


def print_weights(names, weights, bias):
    head = (BENCH.parent / "crates/corpus/src/html/page/content/weights.rs").read_text().split("/// The sum before")[0]
    number = lambda value: repr(round(float(value), 4) + 0.0)
    print(f"{head}/// The sum before any feature is added.\npub(super) const BIAS: f32 = {number(bias)};\n")
    print("/// The weight of each feature, in the order of [`NAMES`](super::features::NAMES).\n#[rustfmt::skip]")
    print('#[allow(clippy::approx_constant, reason = "a fitted weight may come close to a constant")]')
    print("pub(super) const WEIGHTS: [f32; super::features::COUNT] = [")
    for name, weight in zip(names, weights):
        print(f"    {number(weight)}, // {name}")
    print("];")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wcxb", type=Path)
    parser.add_argument("--articles", type=Path)
    parser.add_argument("--trafilatura", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--example", type=Path)
    options = parser.parse_args()
    pages = [*(wcxb(options.wcxb) if options.wcxb else []), *(articles(options.articles) if options.articles else [])]
    if not pages:
        sys.exit("name at least one set of pages: --wcxb FOLDER, --articles FOLDER")
    program = example(options.example)
    with tempfile.TemporaryDirectory() as folder:
        unpack(pages, Path(folder))
        fit(program, pages) if options.fit else compare(program, pages, options.trafilatura)


if __name__ == "__main__":
    main()
