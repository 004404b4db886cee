#!/usr/bin/env python3
"""Builds the benchmark corpus: real documentation in many languages, with edited copies planted in it.

Makes   WORK/corpus.jsonl           one {"id", "text"} a line, UTF-8 (not escaped), ids d0000001... in file order
        WORK/corpus.planted.tsv     copy <TAB> original <TAB> edit rate, one planted copy a line
        WORK/corpus.manifest.json   seed, packages and versions, documents, bytes, words, sha256
        (`--size small` writes corpus-small.* with 10,000 documents from the same sections)

Model   Text of Debian packages (HTML, roff, POD, plain text), at most 40 MB a package, cut at line ends into sections
        of 80-1200 words, mean about 390. Boilerplate and versioned pages are kept. Most of the pairs are therefore natural
        near-duplicates. A word is a run between white space. Two Chinese or Japanese characters count as one word.
        20 % of the sections get 1, 2 or 3 copies. In a copy, every token is edited with probability 0/1/2/3/5/10/20 %
        (weights .10/.25/.20/.10/.15/.10/.10): 50 % substituted, 25 % a token inserted before it, 25 % deleted. New
        tokens come from random places of the corpus, so they follow its own frequencies. A token is a word, or one
        character of Chinese or Japanese text.
Seed    20261121 (--seed). The same seed and package versions give the same bytes. The manifest has both.
Cost    about 500 MB of packages, fetched once with `apt-get download` (run `apt-get update` before), some minutes on
        two cores, under 4 GB of memory. WORK/sections keeps the sections of each package for the next run. Delete
        them if you change how text is extracted or cut.
"""

import argparse
import gzip
import hashlib
import html
import json
import multiprocessing
import random
import re
import subprocess
import sys
import tarfile
from pathlib import Path

PACKAGES = """
openjdk-17-doc linux-doc-6.1 rust-doc ghc-doc sagemath-doc python-scipy-doc python-pandas-doc python-sympy-doc
python-sklearn-doc python-astropy-doc erlang-doc racket-doc scala-doc lazarus-doc-2.2 wx3.2-doc petsc3.18-doc
libstdc++-12-doc libboost1.81-doc qtbase5-doc-html qtdeclarative5-doc-html qtwebengine5-doc-html qttools5-doc-html
python3.11-doc python-django-doc sqlite3-doc postgresql-doc-15 llvm-14-doc clang-14-doc cmake-doc nodejs-doc
fp-docs-3.2.2 maxima-doc octave-doc libgtk-3-doc libglib2.0-doc perl-doc r-doc-html
sbcl-doc gnutls-doc libcommons-lang3-java-doc libeigen3-doc openmpi-doc ns3-doc libghc-lens-doc
apache2-doc debian-handbook installation-guide-amd64 gnome-user-docs
libreoffice-help-en-us libreoffice-help-ja libreoffice-help-zh-cn libreoffice-help-zh-tw libreoffice-help-ko
libreoffice-help-ru libreoffice-help-de libreoffice-help-fr libreoffice-help-es libreoffice-help-el
libreoffice-help-hi libreoffice-help-vi libreoffice-help-tr libreoffice-help-pl
debian-reference-en debian-reference-ja debian-reference-zh-cn debian-reference-zh-tw debian-reference-fr
debian-reference-de debian-reference-it debian-reference-es debian-reference-pt developers-reference-ja
developers-reference-de developers-reference-ru maint-guide-ja maint-guide-zh-cn debian-faq debian-faq-ja
manpages manpages-dev manpages-fr manpages-de manpages-ja manpages-ru manpages-zh manpages-pl manpages-es manpages-tr
manpages-pt-br freebsd-manpages
dict-gcide dict-wn dict-foldoc dict-jargon dict-freedict-deu-eng bible-kjv-text anarchism
fortunes fortunes-de fortunes-zh
""".split()

SEED = 20261121
PACKAGE_LIMIT = 40_000_000  # bytes of text a package, so that no project dominates the corpus
SHORTEST, LONGEST = 80, 1200  # words a section
COPIED_SHARE = 0.20
RATES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.10, 0.20)
RATE_WEIGHTS = (0.10, 0.25, 0.20, 0.10, 0.15, 0.10, 0.10)
MEAN_COPIES = 2  # of 1, 2 or 3, evenly
SIZES = {"full": 210_000, "small": 10_000}

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
CJK_CHARACTER = re.compile(f"[{CJK}]")
TOKEN = re.compile(f"\\s*(?:[{CJK}]|[^\\s{CJK}]+)")
SPACED_TOKEN = re.compile(r"\s*\S+")


# ---------------------------------------------------------------- files to text

HIDDEN = re.compile(r"(?is)<(script|style|head|template|nav)\b.*?</\1\s*>|<!--.*?-->|<[!?][^>]*>")
PREFORMATTED = re.compile(r"(?is)(<pre\b.*?</pre\s*>)")
BLOCK = re.compile(
    r"(?i)</?(?:address|article|aside|blockquote|body|br|caption|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]"
    r"|header|hr|item|li|main|nav|note|ol|option|p|page|pre|screen|section|steps|summary|table|tbody|td|terms|tfoot|th"
    r"|thead|title|tr|ul)\b[^>]*>"
)
TAG = re.compile(r"<[^>]*>")
SPACES = re.compile(r"\s+")
CHARSET = re.compile(rb"charset=[\"']?([\w-]+)", re.I)


def decode(data):
    """UTF-8, else the charset that the page declares, else Latin-1."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        declared = CHARSET.search(data[:2048])
        try:
            return data.decode(declared[1].decode() if declared else "latin-1")
        except (LookupError, UnicodeDecodeError):
            return data.decode("latin-1")


def html_text(page):
    """The visible text, one line a block. Regular expressions, not html.parser: the same text, eight times faster."""
    parts = PREFORMATTED.split(HIDDEN.sub(" ", page))
    parts[::2] = [SPACES.sub(" ", part) for part in parts[::2]]  # line breaks mean something in <pre> only
    return html.unescape(TAG.sub("", BLOCK.sub("\n", "".join(parts))))


ROFF_PARAGRAPH = {"PP", "P", "LP", "TP", "IP", "Pp", "sp", "br", "nf", "fi", "RS", "RE", "HP", "TQ"}
ROFF_HEADING = {"SH", "SS", "Sh", "Ss"}
ROFF_INLINE = {"B", "I", "BR", "IR", "RB", "RI", "BI", "IB", "SM", "SB", "Nm", "Fl", "Ar", "Xr", "Nd", "Dv", "Li", "Em"}
ROFF_ESCAPE = re.compile(r"\\(?:f(?:\[[^]]*\]|\(..|.)|s[-+]?\d+|\*?\[[^]]*\]|\*?\(..|[&%^|/,:c]|-|e|~| )")


def roff_text(page):
    """The text of a manual page, one line a paragraph. Requests are dropped, font macros keep their arguments."""

    def unescape(match):
        return {"\\-": "-", "\\e": "\\", "\\~": " ", "\\ ": " ", "\\(aq": "'", "\\(co": "©"}.get(match[0], "")

    lines, paragraph = [], []
    for line in page.splitlines():
        if line[:1] in (".", "'"):
            macro, _, rest = line[1:].strip().partition(" ")
            if macro in ROFF_PARAGRAPH or macro in ROFF_HEADING:
                lines.append(" ".join(paragraph))
                paragraph = []
            if macro not in ROFF_INLINE and macro not in ROFF_HEADING:
                continue
            line = rest.replace('"', "")
        paragraph.append(ROFF_ESCAPE.sub(unescape, line))
    lines.append(" ".join(paragraph))
    return "\n".join(lines)


HTML_NAME = re.compile(r"\.(?:x?html?|page)(?:\.[a-z]{2}(?:[-_.][a-z0-9-]+)*)?$", re.I)
TEXT_NAME = re.compile(r"\.(?:txt|text|pod|md|dict|rawtext)$|/games/fortunes/[^.]+$", re.I)
SKIPPED_NAME = re.compile(  # generated lists, and sources of pages that are also installed
    r"/_sources/|/_modules/|/genindex|/search\.html|/changelog|/copyright$|/index-files/|/src-html/|-members\.html$|_source\.html$"
)


def file_text(name, data):
    """The text of one packaged file, or None if it has no prose."""
    if SKIPPED_NAME.search(name):
        return None
    if name.endswith((".gz", ".dz")):
        name, data = name[:-3], gzip.decompress(data)
    if HTML_NAME.search(name):
        return html_text(decode(data))
    if "/man/" in name:
        return roff_text(decode(data))
    if TEXT_NAME.search(name):
        return decode(data)
    return None


# ---------------------------------------------------------------- text to sections


def words(line):
    """Words of a line. Two characters of Chinese or Japanese count as one."""
    spaced = len(line.split())
    return spaced if line.isascii() else spaced + len(CJK_CHARACTER.findall(line)) // 2


def lines_of(text):
    """(line, words) with white space collapsed and empty lines dropped. Lines too long for a section are divided."""
    for raw in text.split("\n"):
        line = " ".join(raw.split())
        if not line:
            continue
        count = words(line)
        if count <= LONGEST // 2:
            yield line, count
            continue
        tokens = TOKEN.findall(line)
        for start in range(0, len(tokens), LONGEST // 3):
            piece = "".join(tokens[start : start + LONGEST // 3]).strip()
            yield piece, words(piece)


def sections(text, rng):
    """Cuts one file into sections of SHORTEST..LONGEST words. A shorter rest joins the last section or is dropped."""

    def target():
        # Long-tailed, mean near 520: files that end early bring the corpus down to the wanted mean of 390.
        return SHORTEST + (LONGEST - SHORTEST) * rng.betavariate(1.3, 2.0)

    done, lines, count, wanted = [], [], 0, target()
    for line, line_words in lines_of(text):
        if count + line_words > LONGEST:
            if count >= SHORTEST:
                done.append((lines, count))
            lines, count, wanted = [], 0, target()
        lines.append(line)
        count += line_words
        if count >= wanted:
            done.append((lines, count))
            lines, count, wanted = [], 0, target()
    if count >= SHORTEST:
        done.append((lines, count))
    elif done and done[-1][1] + count <= LONGEST:
        done[-1][0].extend(lines)
    return ["\n".join(section) for section, _ in done]


def package_sections(job):
    """Writes the sections of one package to `out`, a JSON string a line, and keeps them there for the next run."""
    package, deb, out, seed = job
    if out.exists():
        return package
    rng = random.Random(f"{seed}:{package}")
    unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE)
    total = 0
    partial = out.with_suffix(".part")
    with partial.open("w", encoding="utf-8") as sink, tarfile.open(fileobj=unpack.stdout, mode="r|") as archive:
        for member in archive:
            if not member.isfile() or total >= PACKAGE_LIMIT:
                continue
            text = file_text(member.name, archive.extractfile(member).read())
            for section in sections(text, rng) if text else ():
                total += len(section.encode("utf-8", "replace"))
                sink.write(json.dumps(section.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False) + "\n")
                if total >= PACKAGE_LIMIT:
                    break
    unpack.stdout.close()
    unpack.wait()
    partial.rename(out)
    return package


def download(folder):
    """Downloads missing packages and returns {package: (version, path)} in the order of PACKAGES."""
    folder.mkdir(parents=True, exist_ok=True)
    apt = ["apt-get", "-o", "APT::Sandbox::User=root", "download", "-qq"]
    known = subprocess.run(["apt-cache", "pkgnames"], capture_output=True, text=True, check=True).stdout.split()
    missing = sorted(set(PACKAGES) - set(known))
    if missing:
        print("not in this release, left out:", *missing, file=sys.stderr)
    wanted = [package for package in PACKAGES if package not in missing]
    listing = subprocess.run([*apt, "--print-uris", *wanted], capture_output=True, text=True, check=True).stdout
    names = [line.split()[1] for line in listing.splitlines()]
    absent = [name.split("_")[0] for name in names if not (folder / name).exists()]
    if absent:
        subprocess.run([*apt, *absent], cwd=folder, check=True)
    by_package = {name.split("_")[0]: name for name in names}
    return {p: (by_package[p].split("_")[1].replace("%3a", ":"), folder / by_package[p]) for p in wanted}


# ---------------------------------------------------------------- sections to corpus


def tokens_of(text):
    """Tokens with the white space before them. Joined, they give the text back."""
    return (SPACED_TOKEN if text.isascii() or not CJK_CHARACTER.search(text) else TOKEN).findall(text)


def edited(text, rate, pools, rng):
    """A copy of `text` with each token edited with probability `rate`. See the module's model."""
    if rate == 0:
        return text
    result = []
    for token in tokens_of(text):
        if rng.random() >= rate:
            result.append(token)
            continue
        bare = token.lstrip()
        space = token[: len(token) - len(bare)]
        new = rng.choice(pools[bool(CJK_CHARACTER.match(bare))])
        edit = rng.random()
        if edit < 0.50:
            result.append(space + new)
        elif edit < 0.75:
            result.append(f"{space}{new}{' ' if not CJK_CHARACTER.match(bare) else ''}{bare}")
        # else: deleted
    return "".join(result)


def build(section_files, documents, seed, out):
    """Samples base documents, plants copies, shuffles and writes. Returns the manifest's figures."""
    rng = random.Random(f"{seed}:corpus:{documents}")
    counts = [sum(1 for _ in path.open("rb")) for path in section_files.values()]
    available, base_count = sum(counts), round(documents / (1 + COPIED_SHARE * MEAN_COPIES))
    if available < base_count:
        sys.exit(f"only {available} sections for {base_count} base documents; add packages or lower --documents")
    chosen = set(rng.sample(range(available), base_count))
    base, sources, position = [], [], 0
    for package, path in section_files.items():
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                if position in chosen:
                    base.append(json.loads(line))
                    sources.append(package)
                position += 1

    pools = {False: [], True: []}
    for text in base:
        tokens = tokens_of(text)
        for token in rng.sample(tokens, min(3, len(tokens))):
            token = token.strip()
            pools[bool(CJK_CHARACTER.match(token))].append(token)
    pools[True] = pools[True] or pools[False]

    rows = [(text, None, None) for text in base]  # text, base index, rate
    for index in rng.sample(range(base_count), round(base_count * COPIED_SHARE)):
        for _ in range(rng.randint(1, 3)):
            rate = rng.choices(RATES, RATE_WEIGHTS)[0]
            rows.append((edited(base[index], rate, pools, rng), index, rate))

    order = list(range(len(rows)))
    rng.shuffle(order)
    name = {row: f"d{place:07d}" for place, row in enumerate(order, 1)}
    digest, size, word_count = hashlib.sha256(), 0, 0
    partial = out.with_suffix(".part")
    with partial.open("wb") as sink:
        for row in order:
            text = rows[row][0]
            line = json.dumps({"id": name[row], "text": text}, ensure_ascii=False).encode("utf-8") + b"\n"
            digest.update(line)
            size += len(line)
            word_count += len(text.split())
            sink.write(line)
    partial.rename(out)
    with out.with_suffix(".planted.tsv").open("w", encoding="utf-8") as sink:
        for row in order:
            if rows[row][1] is not None:
                sink.write(f"{name[row]}\t{name[rows[row][1]]}\t{rows[row][2]}\n")
    per_package = {}
    for package, text in zip(sources, base):
        entry = per_package.setdefault(package, [0, 0])
        entry[0] += 1
        entry[1] += len(text.encode("utf-8"))
    chinese_japanese = sum(len(CJK_CHARACTER.findall(text)) * 10 > len(text) for text in base if not text.isascii())
    return {
        "documents": len(rows), "base_documents": base_count, "planted_copies": len(rows) - base_count,
        "bytes": size, "words": word_count, "words_per_document": round(word_count / len(rows), 1),
        "base_documents_with_non_ascii": sum(not text.isascii() for text in base),
        "base_documents_chinese_japanese": chinese_japanese,
        "sections_available": available, "sha256": digest.hexdigest(),
    }, per_package


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=Path, default=Path(__file__).parent / "work", help="folder for packages, sections and corpora")
    parser.add_argument("--size", choices=SIZES, default="full", help="full: 210,000 documents, small: 10,000")
    parser.add_argument("--documents", type=int, help="about this many documents, planted copies included")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, help="default WORK/corpus.jsonl, or WORK/corpus-SIZE.jsonl")
    args = parser.parse_args()
    documents = args.documents or SIZES[args.size]
    label = "" if args.documents is None and args.size == "full" else f"-{args.documents or args.size}"
    out = args.out or args.work / f"corpus{label}.jsonl"

    debs = download(args.work / "debs")
    cache = args.work / "sections"
    cache.mkdir(exist_ok=True)
    files = {p: cache / f"{p}_{version.replace(':', '_')}_{args.seed}.jsonl" for p, (version, _) in debs.items()}
    jobs = [(p, debs[p][1], files[p], args.seed) for p in sorted(debs, key=lambda p: -debs[p][1].stat().st_size)]
    with multiprocessing.Pool(2) as pool:
        for done, package in enumerate(pool.imap_unordered(package_sections, jobs), 1):
            print(f"\r{done}/{len(jobs)} packages, {package:40}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    figures, per_package = build(files, documents, args.seed, out)
    manifest = {
        "corpus": out.name, "seed": args.seed, "python": sys.version.split()[0], **figures,
        "packages": [
            {"package": p, "version": debs[p][0], "documents": n, "bytes": size} for p, (n, size) in per_package.items()
        ],
    }
    manifest_path = out.with_suffix(".manifest.json")
    manifest_path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1), file=sys.stderr)


if __name__ == "__main__":
    main()
