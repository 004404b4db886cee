#!/usr/bin/env python3
"""The index in Redis: additions and checks a second, and bytes a document, beside datasketch with the same server.

    redis_index.py --program target/release/redis --work FOLDER [--documents 100000] [--clients 16]

Needs redis-server, and datasketch and redis from PyPI (`pip install datasketch==2.0.0 redis`). The program is `src/bin/redis.rs` of
`bench/kernels`, built with `--features redis`. Makes in FOLDER a corpus of random words with the frequencies of language, as index.py does,
60 to 180 words a document. Starts a server on a free port without persistence, and one with `--appendonly yes`, and measures:

    add         all documents, by so many clients at once: each is sketched, looked up and added
    check       new texts and copies in turns
    bytes       `used_memory` of the server a document, and the part of it that are the stored documents
    datasketch  MinHashLSH with 126 permutations in 21 bands of 6, made beforehand: query, then insert if nothing was found; then queries.
                One process, then two

Prints a Markdown table. Seed 20261122.
"""
import argparse
import json
import multiprocessing
import pathlib
import random
import socket
import subprocess
import tempfile
import time

import redis
from datasketch import MinHash, MinHashLSH

import index

# datasketch gets so many documents in one session before it is measured with the next ones, since it takes milliseconds for each.
DATASKETCH_FILLED, DATASKETCH_DOCUMENTS = 20_000, 3000


class Server:
    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder.name, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.client = redis.Redis(port=self.port)
        while True:
            try:
                self.client.ping()
                break
            except redis.ConnectionError:
                time.sleep(0.01)
        self.start_bytes = self.bytes()

    def bytes(self):
        return self.client.info("memory")["used_memory"]

    def seconds(self):
        """Processor time of the server."""
        cpu = self.client.info("cpu")
        return cpu["used_cpu_user"] + cpu["used_cpu_sys"]

    def close(self):
        self.process.kill()
        self.process.wait()


def ours(arguments, server, lines, verb):
    begin = server.seconds()
    command = [arguments.program, f"redis://127.0.0.1:{server.port}", lines, str(arguments.clients), verb]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    figures["server_us"] = (server.seconds() - begin) / figures["documents"] * 1e6
    return figures


def stored_bytes(server):
    """Bytes of the documents themselves."""
    total = 0
    for key in server.client.scan_iter("{lookalike}:d:*", count=1000):
        total += sum(map(len, server.client.hvals(key)))
    return total


def open_datasketch(port):
    storage = {"type": "redis", "basename": b"datasketch", "redis": {"host": "127.0.0.1", "port": port}}
    return MinHashLSH(num_perm=126, params=(21, 6), storage_config=storage)


def sketch(text):
    words = text.split()
    sketch = MinHash(num_perm=126)
    sketch.update_batch([" ".join(words[at : at + 5]).encode() for at in range(max(len(words) - 4, 1))])
    return sketch


def fill_datasketch(port, texts):
    with open_datasketch(port).insertion_session() as session:
        for number, text in enumerate(texts):
            session.insert(f"f{number}", sketch(text))


def datasketch_worker(port, texts, first, verb, out):
    sketches = [sketch(text) for text in texts]
    lsh = open_datasketch(port)
    begin, begin_cpu = time.monotonic(), time.process_time()
    for number, made in enumerate(sketches):
        found = lsh.query(made)
        if verb == "insert" and not found:
            lsh.insert(f"d{first + number}", made)
    out.put((time.monotonic() - begin, (time.process_time() - begin_cpu) / len(texts)))


def datasketch(server, texts, processes, verb):
    out, share = multiprocessing.Queue(), len(texts) // processes
    parts = [texts[part * share : (part + 1) * share] for part in range(processes)]
    begin = server.seconds()
    workers = [
        multiprocessing.Process(target=datasketch_worker, args=(server.port, part, share * at, verb, out)) for at, part in enumerate(parts)
    ]
    for worker in workers:
        worker.start()
    results = [out.get() for _ in workers]
    for worker in workers:
        worker.join()
    rate = share * processes / max(seconds for seconds, _ in results)
    cpu = sum(cpu for _, cpu in results) / processes
    return {"rate": rate, "client_us": cpu * 1e6, "server_us": (server.seconds() - begin) / (share * processes) * 1e6}


def make_texts(documents):
    """The texts, others that are in no index, and what they are made with."""
    generator = random.Random(index.SEED)
    words, weights = index.vocabulary(generator)
    texts, others = ([index.text(generator, words, weights) for _ in range(count)] for count in (documents, 10_000))
    return texts, others, generator, words, weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=100_000, help="30,000 or more")
    parser.add_argument("--clients", type=int, default=16)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    texts, others, *_ = make_texts(arguments.documents)
    corpus, checks = arguments.work / "corpus.jsonl", arguments.work / "checks.jsonl"
    line = lambda name, text: json.dumps({"id": name, "text": text}) + "\n"
    corpus.write_text("".join(line(f"d{number}", text) for number, text in enumerate(texts)))
    pairs = zip(others, texts)
    checks.write_text("".join(line("", text) for pair in pairs for text in pair))

    rows = []
    for name, options in [("", []), ("appendonly, everysec", ["--appendonly", "yes"]), ("appendonly, always", ["--appendonly", "yes", "--appendfsync", "always"])]:
        server = Server(*options)
        added = ours(arguments, server, corpus, "add")
        checked = ours(arguments, server, checks, "check")
        total = (server.bytes() - server.start_bytes) / added["new"]
        stored = stored_bytes(server) / added["new"]
        rows.append((f"Lookalike {name}", added, checked, total, stored))
        server.close()
    for processes in (1, 2):
        server = Server()
        fill_datasketch(server.port, texts[:DATASKETCH_FILLED])
        total = (server.bytes() - server.start_bytes) / DATASKETCH_FILLED
        some = texts[DATASKETCH_FILLED : DATASKETCH_FILLED + DATASKETCH_DOCUMENTS * processes]
        added = datasketch(server, some, processes, "insert")
        checked = datasketch(server, some, processes, "query")
        rows.append((f"datasketch, {processes} process{'es' if processes > 1 else ''}", added, checked, total, None))
        server.close()
    print(subprocess.run(["redis-server", "--version"], check=True, capture_output=True, text=True).stdout.split(" sha=")[0])
    print(f"texts: {sum(map(len, texts)) / len(texts):,.0f} bytes on average")
    print("| index | additions/s | p50, p99 ms | server CPU, µs | checks/s | p50, p99 ms | server CPU, µs | bytes/document | of these stored documents |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, added, checked, total, stored in rows:
        tails = [f"{figures['p50_ms']}, {figures['p99_ms']}" if "p50_ms" in figures else f"{figures['client_us']:,.0f} µs of the client" for figures in (added, checked)]
        print(f"| {name} | {added['rate']:,.0f} | {tails[0]} | {added['server_us']:,.0f} | {checked['rate']:,.0f} | {tails[1]} | {checked['server_us']:,.0f} | {total:,.0f} | {'' if stored is None else f'{stored:,.0f}'} |")


if __name__ == "__main__":
    main()
