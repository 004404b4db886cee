#!/usr/bin/env python3
"""Runs a table of commands by two programs and compares all their results.

    same_commands.py --before OLD/lookalike --after NEW/lookalike [--work FOLDER] [--only NAME]

Each case runs in a new folder with the same small corpus in every format. The script compares exit codes, standard output,
standard error and the bytes of all files, except times and memory. It prints the cases that differ, with the differences, and exits
with 1 if there are any. Needs pyarrow for the cases with Parquet.
"""
import argparse
import bz2
import csv
import filecmp
import gzip
import io
import json
import lzma
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

WORDS = 3000
# A corpus in which most documents are near another one.
DOCUMENTS = 600
LINE = {"ensure_ascii": False}

# Each case is the commands that run one after the other in its folder.
FORMATS = ["jsonl", "csv", "tsv", "parquet", "jsonl.gz", "jsonl.bz2", "jsonl.xz", "csv.gz", "warc", "warc.gz"]
DEDUP_LISTS = "--removed removed.jsonl --clusters clusters.csv"
DEDUP = {
    "first": "--keep first",
    "last": "--keep last",
    "longest": "--keep longest",
    "max": "--keep max:n",
    "min": "--keep min:n",
    "within": "--within n",
    "within-simhash": "--within n --method simhash",
    "within-minhash": "--within n --method minhash",
    "keep-3": "--keep 3",
    "keep-none": "--keep none",
    "star-keep-2": "--cluster star --keep 2",
    "star-keep-none": "--cluster star --keep none",
    "contained-keep-2": "--keep 2 --min-containment 0.9",
    "star": "--cluster star",
    "star-longest": "--cluster star --keep longest",
    "contained": "--min-containment 0.9",
    "star-contained": "--cluster star --min-containment 0.9",
    "loose": "--threshold 0.5",
    "strict-threshold": "--threshold 1",
    "minhash": "--method minhash",
    "classic": "--method minhash --scheme classic --num-perm 64",
    "bands": "--method minhash --bands 16 --rows 8",
    "exact": "--method exact",
    "simhash": "--method simhash",
    "simhash-verified": "--method simhash --verify --hamming 8",
    "simhash-sha1": "--method simhash --feature-hash sha1",
    "simhash-tf": "--method simhash --weights tf --shingle 1",
    "simhash-tf-idf": "--method simhash --weights tf-idf --shingle 2",
    "simhash-128": "--method simhash --bits 128 --hamming 12 --tie one",
    "word-jaccard": "--measure word-jaccard",
    "cosine": "--measure cosine --weights tf --method minhash",
    "containment": "--measure containment",
    "whitespace": "--tokens whitespace",
    "chars": "--tokens chars --shingle 8",
    "jieba": "--tokens jieba",
    "stop-words": "--stop-words en",
    "audit": "--audit 100 --method minhash",
    "memory": "--memory 128MiB --method minhash",
    "one-thread": "--threads 1",
    "seed": "--seed 7 --method minhash",
}
CASES = {
    **{f"dedup-{form}": [f"dedup in.{form} -o out.{form} {DEDUP_LISTS}"] for form in FORMATS},
    **{f"annotate-{form}": [f"dedup in.{form} -o out.{form} --annotate"] for form in FORMATS[:5]},
    **{f"pairs-{form}": [f"pairs in.{form} -o pairs.{form}"] for form in FORMATS[:4]},
    **{f"dedup-{name}": [f"dedup in.jsonl -o out.jsonl {DEDUP_LISTS} {options}"] for name, options in DEDUP.items()},
    **{
        f"pairs-{name}": [f"pairs in.jsonl {DEDUP[name]}"]
        for name in ["minhash", "exact", "simhash", "simhash-verified", "cosine", "containment", "loose", "memory", "audit"]
    },
    "folder": ["dedup texts -o out --removed removed.csv"],
    "pages": ["dedup pages -o out --removed removed.jsonl"],
    "several": ["dedup in.jsonl in.csv texts -o out --removed removed.jsonl --clusters clusters.tsv"],
    "glob": ["dedup in.*z* -o out"],
    "dry-run": ["dedup in.jsonl --dry-run"],
    "report": ["dedup in.jsonl -o out.jsonl --report report.html"],
    "against": ["dedup in.jsonl -o out.jsonl --against old.jsonl --removed removed.jsonl"],
    "against-containment": [
        "dedup in.jsonl -o out.jsonl --against old.jsonl --against-containment 0.8 --against-shingles 8 --removed removed.jsonl"
    ],
    "only-against": [
        "dedup in.jsonl -o out.jsonl --against old.jsonl --only-against --removed removed.jsonl --clusters clusters.jsonl"
    ],
    "bad-records": ["dedup bad.jsonl -o out.jsonl --removed removed.jsonl", "pairs bad.jsonl"],
    "strict": ["dedup bad.jsonl -o out.jsonl --strict"],
    "cut": ["dedup cut.jsonl.gz -o out.jsonl.gz"],
    "no-field": ["dedup in.jsonl -o out.jsonl --text-field body"],
    "no-file": ["dedup nowhere.jsonl -o out.jsonl"],
    "own-output": ["dedup in.jsonl -o in.jsonl"],
    "wrong-threshold": ["dedup in.jsonl -o out.jsonl --threshold 2"],
    "no-containment": ["dedup in.jsonl -o out.jsonl --method simhash --min-containment 0.5"],
    "index": [
        "index build old.jsonl -o seen.index --method minhash",
        "index info seen.index --verify",
        "dedup in.jsonl -o out.jsonl --against seen.index --method minhash --removed removed.jsonl --update",
        "index add seen.index more.jsonl --method minhash",
        "index info seen.index",
        "dedup in.jsonl -o again.jsonl --against seen.index --method minhash --keep last",
        "dedup in.jsonl -o again.jsonl --against seen.index --method minhash --threshold 0.7",
    ],
    "index-simhash": ["index build old.jsonl -o seen.index --method simhash"],
    "sketch": ["sketch in.jsonl -o signatures.jsonl", "sketch in.jsonl -o signatures.csv --num-perm 16"],
    "sketch-parquet": ["sketch in.jsonl -o signatures.parquet"],
    "sketch-simhash": ["sketch in.jsonl -o prints.jsonl --method simhash --weights log-tf"],
    "frequencies": [
        "frequencies in.jsonl -o words.df --shingle 1",
        "dedup in.jsonl -o out.jsonl --method simhash --weights tf-idf --shingle 1 --frequencies words.df",
        "dedup in.jsonl -o out2.jsonl --method simhash --weights tf-idf --shingle 2 --frequencies words.df",
    ],
    "similar": ["similar texts/3.txt --in in.jsonl", "similar texts/3.txt --in in.csv -k 3 --shingle 2 -o similar.csv"],
    "similar-none": ["similar no_such_word --in in.jsonl"],
    "compare": [
        "compare texts/3.txt texts/4.txt",
        "compare d3 d4 --in in.jsonl --format json",
        "compare d3 d4 --in in.jsonl -o page.html",
        "compare d3 nobody --in in.jsonl",
    ],
    "tune": ["tune in.jsonl", "tune in.jsonl --format json --sample 100", "tune in.jsonl --tolerate 5%", "tune in.jsonl --table"],
    "eval": [
        "pairs in.jsonl -o truth.csv --method exact --threshold 0.7",
        "pairs in.jsonl -o found.jsonl",
        "dedup in.jsonl -o out.jsonl --clusters clusters.csv",
        "eval found.jsonl --truth truth.csv --missing missing.csv --wrong wrong.csv",
        "eval clusters.csv --truth truth.csv --documents 600 --format json",
    ],
    "help": ["--help", "dedup --help", "index --help", "frobnicate"],
}


def documents(rng):
    """Ids, texts and numbers. Every third text is a copy, or a near copy, of an earlier one."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(WORDS)]
    chinese = [chr(0x4E00 + rng.randrange(2000)) for _ in range(400)]
    made = []
    for number in range(DOCUMENTS):
        if number % 3 and made:
            text = list(rng.choice(made)[-30:])
            for _ in range(rng.choice([0, 0, 1, 1, 2, 5, 12])):
                text[rng.randrange(len(text))] = rng.choice(words)
            text += rng.choices(words, k=rng.choice([0, 0, 0, 3, 30]))
        elif number % 7 == 0:
            text = rng.choices(chinese, k=rng.randint(4, 60))
        else:
            text = rng.choices(words, k=rng.choice([1, 4, 30, 60, 200]))
        made.append(text)
    made[5], made[6] = [], ["  "]
    return [(f"d{number}", " ".join(text), rng.randrange(50)) for number, text in enumerate(made)]


def lines(rows):
    return "".join(json.dumps({"id": id, "text": text, "n": n}, **LINE) + "\n" for id, text, n in rows).encode()


def table(rows, delimiter):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([("id", "text", "n"), *rows])
    return out.getvalue().encode()


def archive(rows):
    parts = []
    for id, text, _ in rows:
        body = text.encode()
        head = f"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Record-ID: <urn:{id}>\r\nContent-Type: text/plain\r\n"
        parts.append(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n")
    return b"".join(parts)


def packed(content):
    return gzip.compress(content, mtime=0)


def corpus(folder):
    rows = documents(random.Random(17))
    plain = lines(rows)
    bad = plain.splitlines(keepends=True)[:40]
    bad[3], bad[9] = b'{"id": "d3", "text": \n', b'{"id": "d9", "text": 7}\n'
    files = {
        "in.jsonl": plain,
        "in.csv": table(rows, ","),
        "in.tsv": table(rows, "\t"),
        "in.warc": archive(rows),
        "in.warc.gz": b"".join(packed(archive([row])) for row in rows),
        "in.jsonl.gz": packed(plain),
        "in.jsonl.bz2": bz2.compress(plain),
        "in.jsonl.xz": lzma.compress(plain),
        "in.csv.gz": packed(table(rows, ",")),
        "old.jsonl": lines([(f"old-{id}", text, n) for id, text, n in rows[::5]]),
        "more.jsonl": lines([(f"more-{id}", text, n) for id, text, n in rows[1::6]]),
        "bad.jsonl": b"".join(bad),
        "cut.jsonl.gz": packed(plain)[:-2000],
        **{f"texts/{number}.txt": text.encode() for number, (_, text, _) in enumerate(rows[:60])},
        **{
            f"pages/{number}.html": f"<title>a page</title><p>{text}</p><script>x</script>".encode()
            for number, (_, text, _) in enumerate(rows[:60])
        },
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    columns = {name: [row[index] for row in rows] for index, name in enumerate(["id", "text", "n"])}
    pyarrow.parquet.write_table(pyarrow.table(columns), folder / "in.parquet", row_group_size=150)
    return True


def without_measurements(text):
    """The output of a run, without times and memory."""
    text = re.sub(r'"seconds": ?\{[^}]*\}', '"seconds": {}', text)
    text = re.sub(r'"(peak_memory_bytes|[a-z_]*seconds[a-z_]*|[a-z_]*per_second)": ?[-+.0-9e]+', r'"\1": 0', text)
    text = re.sub(r"[0-9][0-9.,]* a second", "0 a second", text)
    # A short time is given in words, and a rate in the unit that fits it.
    text = text.replace("less than 0.01 s", "0 s")
    text = re.sub(r"[0-9][0-9.,]* ?[kM]B/s", "0 MB/s", text)
    return re.sub(r"[0-9][0-9.,]* ?(ns|µs|ms|s|MB/s|KB|MB|GB|MiB|GiB)\b", r"0 \1", text)


def run(program, commands, folder):
    """The exit codes and messages of the commands of a case."""
    said = []
    for number, command in enumerate(commands):
        has_summary = command.split()[0] in ["dedup", "pairs", "sketch", "similar", "tune"]
        options = ["--summary", f"summary-{number}.json"] if has_summary else []
        done = subprocess.run([program, *command.split(), *options], cwd=folder, capture_output=True, text=True)
        said.append((command, done.returncode, without_measurements(done.stdout), without_measurements(done.stderr)))
    return said


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def differences(before, after):
    """The differences between two folders."""
    names = [files(before), files(after)]
    for name in sorted(set(names[0]) ^ set(names[1])):
        yield f"only one of them leaves {name}"
    for name in sorted(set(names[0]) & set(names[1])):
        if filecmp.cmp(before / name, after / name, shallow=False):
            continue
        texts = [(folder / name).read_bytes() for folder in (before, after)]
        if name.endswith(".json"):
            texts = [without_measurements(text.decode()) for text in texts]
        if name.endswith(".html"):
            # Charts show times too.
            texts = [re.sub(rb"[0-9]+([.,][0-9]+)*", b"0", text) for text in texts]
        if texts[0] != texts[1]:
            yield f"{name} differs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=pathlib.Path, required=True)
    parser.add_argument("--after", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, help="keep the folders here")
    parser.add_argument("--only", help="run only this case")
    arguments = parser.parse_args()
    work = arguments.work or pathlib.Path(tempfile.mkdtemp())
    shutil.rmtree(work / "corpus", ignore_errors=True)
    has_parquet = corpus(work / "corpus")
    commands = differing = 0
    for name, case in CASES.items():
        if (arguments.only or name) != name or ("parquet" in name and not has_parquet):
            continue
        folders, said = [], []
        for kind in ["before", "after"]:
            folder = work / kind / name
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(work / "corpus", folder)
            folders.append(folder)
            said.append(run(getattr(arguments, kind).resolve(), case, folder))
        commands += len(case)
        found = [
            f"{one[0]}\n    before: {one[1:]}\n    after:  {other[1:]}" for one, other in zip(*said) if one != other
        ]
        found += differences(*folders)
        differing += bool(found)
        for difference in found:
            print(f"{name}: {difference}")
        if not arguments.work:
            for folder in folders:
                shutil.rmtree(folder)
    if not arguments.work:
        shutil.rmtree(work)
    print(f"{commands} commands in {len(CASES)} cases; {differing} cases differ")
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
