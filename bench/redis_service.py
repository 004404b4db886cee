#!/usr/bin/env python3
"""`lookalike serve` beside datasketch with Redis: check-and-adds and checks a second, bytes a document, recall and precision.

    redis_service.py --program target/release/lookalike --work FOLDER [--documents 100000]

Needs redis-server, wrk, curl, and datasketch and redis from PyPI (`pip install datasketch==2.0.0 redis`). The texts are those of redis_index.py. Measures in one run, one
after the other, each on an empty store:

    folder      the service with an index in a folder: all documents by one bulk request, checks by one bulk request, and by 16 connections
    redis       the same with an index in Redis, without a file
    datasketch  two processes with 21 bands of 6, and Redis: query, then insert if nothing was found; then queries. Sketches are made beforehand

Recall and precision are those of 4,000 texts: 2,000 are copies of documents in which some words are exchanged, and 2,000 are new. The truth is the exact Jaccard similarity of
5-word shingles, 0.8 or more. Seed 20261122.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import time

import redis_index
import service

QUERIES = 2000


def shingles(text):
    words = text.split()
    return {tuple(words[at : at + 5]) for at in range(max(len(words) - 4, 1))}


def edited(generator, text, words, weights):
    """The text with up to eight words exchanged."""
    changed = text.split()
    for _ in range(generator.randrange(9)):
        [changed[generator.randrange(len(changed))]] = generator.choices(words, weights)
    return " ".join(changed)


def judge(found, truth):
    """Recall and precision of what was found for each query."""
    right = sum(own and is_similar for own, is_similar in zip(found, truth))
    return right / sum(truth), right / max(1, sum(found))


def bulk(op, lines, answers):
    begin = time.monotonic()
    url = f"http://127.0.0.1:{service.PORT}/v1/bulk?op={op}"
    subprocess.run(["curl", "-s", "-o", answers, "-X", "POST", "-T", lines, "-H", "Expect:", url], check=True)
    seconds = time.monotonic() - begin
    with answers.open() as told:
        answers = [json.loads(line) for line in told][:-1]
    return len(answers) / seconds, answers


def serve(arguments, place, size, truth):
    """The figures of a service with its index at this place. `size` gives the bytes of the index."""
    server = service.start(arguments, place)
    service.wait_for("/ready", server)
    work = arguments.work
    added, _ = bulk("add", work / "corpus.jsonl", work / "answers")
    checked, _ = bulk("check", work / "checks.jsonl", work / "answers")
    single, _ = service.wrk(arguments, work / "checks.jsonl", "/v1/check", 16, 1)
    _, answers = bulk("check", work / "queries.jsonl", work / "answers")
    server.terminate()
    server.wait()
    # Now all keys are in runs.
    bytes_each = size() / arguments.documents
    found = [answer["match"] is not None for answer in answers]
    return added, checked, single, bytes_each, *judge(found, truth)


def datasketch(texts, queries, truth):
    server = redis_index.Server()
    redis_index.fill_datasketch(server.port, texts[: redis_index.DATASKETCH_FILLED])
    bytes_each = (server.bytes() - server.start_bytes) / redis_index.DATASKETCH_FILLED
    lsh = redis_index.open_datasketch(server.port)
    found = [bool(lsh.query(redis_index.sketch(text))) for text in queries]
    some = texts[redis_index.DATASKETCH_FILLED :][: 2 * redis_index.DATASKETCH_DOCUMENTS]
    added = redis_index.datasketch(server, some, 2, "insert")["rate"]
    checked = redis_index.datasketch(server, some, 2, "query")["rate"]
    server.close()
    return added, checked, None, bytes_each, *judge(found, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=100_000, help="30,000 or more")
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    texts, others, generator, words, weights = redis_index.make_texts(arguments.documents)
    # Of documents that datasketch has too.
    originals = texts[:QUERIES]
    copies = [edited(generator, text, words, weights) for text in originals]
    similarity = lambda a, b: len(a & b) / len(a | b)
    truth = [similarity(shingles(copy), shingles(text)) >= 0.8 for copy, text in zip(copies, originals)] + [False] * QUERIES
    queries = copies + others[:QUERIES]
    write = lambda name, lines: (arguments.work / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    write("corpus.jsonl", ({"id": f"d{number}", "text": text} for number, text in enumerate(texts)))
    write("checks.jsonl", ({"text": text} for pair in zip(others, texts) for text in pair))
    write("queries.jsonl", ({"text": text} for text in queries))

    folder = arguments.work / "folder.index"
    shutil.rmtree(folder, ignore_errors=True)
    rows = [("folder", *serve(arguments, folder, lambda: sum(path.stat().st_size for path in folder.iterdir()), truth))]
    server = redis_index.Server()
    rows.append(("Redis", *serve(arguments, f"redis://127.0.0.1:{server.port}", lambda: server.bytes() - server.start_bytes, truth)))
    server.close()
    rows.append(("datasketch with Redis", *datasketch(texts, queries, truth)))
    base = rows[-1]
    print(f"texts: {sum(map(len, texts)) / len(texts):,.0f} bytes on average; {sum(truth):,} of {len(queries):,} queries have a similar document")
    print("| index | check-and-adds/s | times | checks/s | times | checks/s, 16 connections | times | bytes/document | times fewer | recall | precision |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, added, checked, single, size, recall, precision in rows:
        one = (f"{single:,.0f}", f"{single / base[2]:.0f}") if single else ("", "")
        figures = (f"{added:,.0f}", f"{added / base[1]:.0f}", f"{checked:,.0f}", f"{checked / base[2]:.0f}", *one, f"{size:,.0f}", f"{base[4] / size:.1f}", f"{recall:.4f}", f"{precision:.4f}")
        print(f"| {name} | {' | '.join(figures)} |")


if __name__ == "__main__":
    main()
