#!/usr/bin/env python3
"""The same documents in the same order, through `lookalike serve` and through `lookalike dedup`: are the results the same?

    same_stream.py --program target/release/lookalike --corpus corpus.jsonl --work FOLDER [--documents 200000] [--redis redis://localhost:6379] [--method "simhash --verify"]

Sends the first documents of a corpus as one stream to /v1/bulk, once with --mode unique and once with --mode all, and compares:

    unique    the accepted documents, with those that `dedup --cluster star --keep first` keeps
    all       the clusters of the service, with those of `dedup --clusters`

With --redis the service has its index there, under new names. --method has the method of both, with its options. Prints the number of documents and clusters on both sides and of the differences, and ends with exit code 1 if there are any. Needs curl.
"""
import argparse
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request

PORT = 18766


def served(arguments, corpus, mode, work):
    """Sends the corpus to a service of this mode, and calls `work` with its address and its answers."""
    index = f"{arguments.redis}?name={mode}-{int(time.time())}" if arguments.redis else arguments.work / f"{mode}.index"
    if not arguments.redis:
        shutil.rmtree(index, ignore_errors=True)
    address = f"http://127.0.0.1:{PORT}"
    command = [arguments.program, "serve", "--index", index, "--mode", mode, "--listen", f"127.0.0.1:{PORT}"]
    command += ["--method", *arguments.method.split()]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while subprocess.run(["curl", "-sf", f"{address}/health"], capture_output=True).returncode != 0:
            time.sleep(0.05)
        answers = arguments.work / f"{mode}.answers"
        url = f"{address}/v1/bulk?op=add"
        subprocess.run(["curl", "-s", "-o", answers, "-X", "POST", "-T", corpus, "-H", "Expect:", url], check=True)
        with answers.open() as lines:
            return work(address, [json.loads(line) for line in lines][:-1])
    finally:
        server.terminate()
        server.wait()


def accepted(ids):
    return lambda _address, answers: {document for document, answer in zip(ids, answers) if answer["stored"]}


def clusters_of(expected):
    """The clusters of the service, asked by a member of each expected one."""

    def ask(address, answers):
        found = set()
        for cluster in expected:
            path = urllib.parse.quote(min(cluster), safe="")
            with urllib.request.urlopen(f"{address}/v1/documents/{path}/cluster") as answer:
                answer = json.load(answer)
            assert answer["count"] == len(answer["members"]), "clusters of more than 1,000 are not shown whole"
            found.add(frozenset(member["id"] for member in answer["members"]))
        duplicates = sum(answer["status"] in ("duplicate", "copy") for answer in answers)
        return found, duplicates

    return ask


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--redis")
    parser.add_argument("--method", default="minhash")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    corpus, ids = arguments.work / "stream.jsonl", []
    with arguments.corpus.open() as lines, corpus.open("w") as out:
        for line in itertools.islice(lines, arguments.documents):
            document = json.loads(line)
            ids.append(document["id"])
            out.write(json.dumps({"id": document["id"], "text": document["text"]}) + "\n")

    dedup = [arguments.program, "dedup", corpus, "-q", "--method", *arguments.method.split()]
    star = arguments.work / "star.jsonl"
    subprocess.run([*dedup, "--cluster", "star", "--keep", "first", "-o", star], check=True)
    with star.open() as lines:
        kept = {json.loads(line)["id"] for line in lines}
    unique = served(arguments, corpus, "unique", accepted(ids))
    different = len(kept ^ unique)
    print(f"unique: {len(ids):,} documents; dedup keeps {len(kept):,}, the service {len(unique):,}; {different} differ")

    listed = arguments.work / "clusters.jsonl"
    subprocess.run([*dedup, "-o", star, "--clusters", listed], check=True)
    expected = {}
    with listed.open() as lines:
        for row in map(json.loads, lines):
            expected.setdefault(row["cluster"], set()).add(row["id"])
    expected = {frozenset(cluster) for cluster in expected.values()}
    found, duplicates = served(arguments, corpus, "all", clusters_of(expected))
    # A document joins a cluster when it is a duplicate of an earlier one: as many as all clusters have members beyond their first ones.
    merged = sum(len(cluster) - 1 for cluster in expected) - duplicates
    wrong = len(expected ^ found)
    print(f"all: dedup has {len(expected):,} clusters; {wrong} differ in the service; {merged} clusters were united by a later document")
    sys.exit(1 if different or wrong else 0)


if __name__ == "__main__":
    main()
