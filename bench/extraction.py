#!/usr/bin/env python3
"""How well `--extract all|blocks|main` finds the main content of web pages, and milliseconds a page, beside trafilatura.

    extraction.py [--wcxb FOLDER] [--articles FOLDER] [--trafilatura] [--example PATH]
    extraction.py --fit [--wcxb FOLDER] [--articles FOLDER]
    extraction.py --bound [--wcxb FOLDER] [--articles FOLDER] [--example PATH]

WCXB       FOLDER holds dev.jsonl (fields id, url, page_type, gold) and dev/html/ID.html.gz, as the Web Content eXtraction Benchmark
           (Foley 2026) gives them. Word F1 is that of its evaluate.py: words are a bag of \\w+ in lower case, F1 is the mean over pages.
Articles   FOLDER holds ground-truth.json and html/ID.html.gz of scrapinghub/article-extraction-benchmark. Its score: precision and
           recall of 4-grams of \\w+ of each page, their means over all pages, and F1 of the two means.
Halves     A domain (a page of the articles) is in half 0 or 1 by its MD5. The weights of `main` are fitted to half 0 only, so half 1
           tells how the next pages will do.
Time       Milliseconds of one thread: the mean over the pages, in the process that extracts them. Decompression does not count.
--fit      Fits the weights and writes them to crates/html/src/page/content/weights.rs. There are two logistic regressions, of each
           block's features and of the scores around it, with a build between them. A block of four words or more is content if half
           of its 4-grams are in the gold text, and a shorter one if it stands there between the blocks around it. A block counts by
           its words beside those of the content of its page. Needs numpy and scikit-learn.
--bound    The scores of the blocks that are content by the same rule: the most that a choice of whole blocks could reach, nearly.

Without --example, the example `extract` of crates/html is built in release mode.
"""

import argparse
import gzip
import hashlib
import json
import os
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
WEIGHTS = BENCH.parent / "crates/html/src/page/content/weights.rs"


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
    command = ["cargo", "build", "--release", "--quiet", "-p", "lookalike-html", "--example", "extract"]
    subprocess.run(command, check=True, cwd=BENCH.parent)
    return Path(os.environ.get("CARGO_TARGET_DIR", BENCH.parent / "target")) / "release/examples/extract"


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
    """Whether each block is content. The words of the gold text are used up as they are found."""
    gold = WORD.findall(gold.lower())
    texts = [WORD.findall(text.lower()) for text in texts]
    used, places = [False] * len(gold), places_of_long_blocks(texts, gold)
    for found in places:
        for place in found or ():
            used[place : place + 4] = [True] * 4
    answers, before = [found is not None for found in places], 0
    starts = [found[len(found) // 2] if found else None for found in places]
    behind = [len(gold)] * (len(texts) + 1)
    for number in reversed(range(len(texts))):
        behind[number] = behind[number + 1] if starts[number] is None else starts[number]
    words = {}
    for place, word in enumerate(gold):
        words.setdefault(word, []).append(place)
    for number, text in enumerate(texts):
        if starts[number] is not None:
            before = starts[number]
        elif 0 < len(text) < 4:
            end = behind[number] if behind[number] > before else len(gold)
            for place in words.get(text[0], ()):
                stop = place + len(text)
                if before <= place < end and gold[place:stop] == text and not any(used[place:stop]):
                    answers[number], used[place:stop] = True, [True] * len(text)
                    break
    return answers


def places_of_long_blocks(texts, gold):
    """For each block with four words or more and half of its 4-grams in the gold text: the places of the 4-grams there."""
    grams, used, places = {}, [False] * len(gold), []
    for place in range(len(gold) - 3):
        grams.setdefault(tuple(gold[place : place + 4]), []).append(place)
    for text in texts:
        found = []
        for start in range(len(text) - 3):
            # The first of twenty: a phrase of many rows would take too long.
            free = (place for place in grams.get(tuple(text[start : start + 4]), [])[:20] if not all(used[place : place + 4]))
            found += [place for place in [next(free, None)] if place is not None]
        is_content = len(found) * 2 > max(len(text) - 3, 0) and len(text) >= 4
        places.append(sorted(found) if is_content else None)
        for place in found if is_content else ():
            used[place : place + 4] = [True] * 4
    return places


def bound(program, pages):
    columns = ["", "WCXB", "half 0", "half 1", "articles", "half 0", "half 1", "ms a page"]
    print(markdown(columns) + "\n" + markdown(["---"] * len(columns)))
    for page, found in zip(pages, run_example(program, pages, "features")):
        texts = [text for text, _ in found["blocks"]]
        page["found"] = "\n".join(text for text, answer in zip(texts, labels(texts, page["gold"])) if answer)
    print_row("bound", pages, 0.0)


# Twice: there are eight pages of WCXB for each of the articles, and their conventions differ.
SET_WEIGHTS = {"WCXB": 1, "articles": 2}
# Words beside the content count no more than so many times the content: pages that are mostly menus are few pages all the same.
MOST_OTHER_WORDS = 3


def block_weights(page, words, answers):
    """How much each block of a page counts: its words beside those of the content, because F1 loses as much by them."""
    content = max(sum(count for count, answer in zip(words, answers) if answer), 1)
    other = max(sum(count for count, answer in zip(words, answers) if not answer), 1)
    share = min(1, MOST_OTHER_WORDS * content / other)
    return [SET_WEIGHTS[page["set"]] * (count / content * (1 if answer else share) + 4e-5) for count, answer in zip(words, answers)]


def fit(pages):
    chosen = [page for page in pages if page["half"] == 0]
    regressions = {}
    for kind in ("features", "contexts"):
        # The second regression is of the scores of the first.
        found = run_example(example(None), chosen, "features")
        regressions[kind] = regression(chosen, found, kind)
        WEIGHTS.write_text(weights_file(regressions))


def regression(pages, found, kind):
    """The weights and the bias of one of the two regressions."""
    import numpy
    from sklearn.linear_model import LogisticRegression

    values, answers, weights = [], [], []
    for page, blocks in zip(pages, found):
        names, of_page = blocks[kind]
        values += of_page
        page.setdefault("labels", labels([text for text, _ in blocks["blocks"]], page["gold"]))
        answers += page["labels"]
        weights += block_weights(page, [count for _, count in blocks["blocks"]], page["labels"])
    values, weights = numpy.array(values, dtype=numpy.float32), numpy.array(weights)
    mean, deviation = values.mean(0), values.std(0) + 1e-3
    fitted = LogisticRegression(C=0.1, max_iter=400)
    fitted.fit((values - mean) / deviation, answers, sample_weight=weights * len(weights) / weights.sum())
    scaled = fitted.coef_[0] / deviation
    return list(zip(names, scaled)), fitted.intercept_[0] - (scaled * mean).sum()


def weights_file(regressions):
    """The text of weights.rs. A regression that is not fitted has weights of zero."""
    number = lambda value: repr(round(float(value), 4) + 0.0)
    lines = [WEIGHTS.read_text().split("/// The sum before")[0].rstrip()]
    for kind, prefix, module in (("features", "", "features"), ("contexts", "CONTEXT_", "context")):
        weights, bias = regressions.get(kind, ([], 0.0))
        lines += ["", "/// The sum before anything is added.", f"pub(super) const {prefix}BIAS: f32 = {number(bias)};", ""]
        lines += [f"/// The weights, in the order of their [`NAMES`](super::{module}::NAMES).", "#[rustfmt::skip]"]
        lines += ['#[allow(clippy::approx_constant, reason = "a fitted weight may come close to a constant")]']
        head = f"pub(super) const {prefix}WEIGHTS: [f32; super::{module}::COUNT] = "
        rows = [f"    {number(weight)}, // {name}" for name, weight in weights]
        lines += [f"{head}[", *rows, "];"] if rows else [f"{head}[0.0; super::{module}::COUNT];"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wcxb", type=Path)
    parser.add_argument("--articles", type=Path)
    parser.add_argument("--trafilatura", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--bound", action="store_true")
    parser.add_argument("--example", type=Path)
    options = parser.parse_args()
    pages = [*(wcxb(options.wcxb) if options.wcxb else []), *(articles(options.articles) if options.articles else [])]
    if not pages:
        sys.exit("name at least one set of pages: --wcxb FOLDER, --articles FOLDER")
    with tempfile.TemporaryDirectory() as folder:
        unpack(pages, Path(folder))
        if options.fit:
            fit(pages)
        elif options.bound:
            bound(example(options.example), pages)
        else:
            compare(example(options.example), pages, options.trafilatura)


if __name__ == "__main__":
    main()
