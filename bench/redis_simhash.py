#!/usr/bin/env python3
"""SimHash in Redis: the answers of an index in a folder, through kills, and its cost beside four sets of ids a page.

    redis_simhash.py --lookalike target/release/lookalike --program target/release/redis --work FOLDER [--documents 100000] [--kills 20]

Needs redis-server, and datasketch and redis from PyPI (for `redis_index.py`). `--program` is `src/bin/redis.rs` of `bench/kernels`, built with `--features redis`. Documents are random words with the
frequencies of language, 60 to 180 words; one in five is a copy of an earlier one with up to two words replaced. By SimHash of 64 bits, distance 3, without --verify.

    answers     two services, one with its index in a folder and one in Redis (appendonly, everysec), get all documents one after the other. Each answer, with the match
                and its distance, must be the same. Redis, its service, or both are killed so often while a document is on its way, and it is sent again
    cost        additions and checks by 16 clients, server processor time of each, and bytes a page. The same with the commands of a well-known design:
                SET of the code under a hash of the URL, with 30 days to live; SADD of the URL to four sets, one for each 16 bits; a check reads four sets, and the
                codes of their members. Its codes are made beforehand, and it stores no text

Prints Markdown. Seed 20261129.
"""
import argparse
import hashlib
import http.client
import json
import pathlib
import random
import shutil
import signal
import subprocess
import time

import index
import redis_index

SEED, DISTANCE, TTL = 20261129, 3, 30 * 86400
MASK = (1 << 16) - 1


def make_texts(count):
    generator = random.Random(SEED)
    words, weights = index.vocabulary(generator)
    texts = []
    for _ in range(count):
        if texts and generator.random() < 0.2:
            tokens = generator.choice(texts).split(" ")
            for _ in range(generator.randrange(3)):
                tokens[generator.randrange(len(tokens))] = generator.choice(words)
            texts.append(" ".join(tokens))
        else:
            texts.append(index.text(generator, words, weights))
    return texts


class Service:
    """A service that is started again on the same index."""

    def __init__(self, program, place):
        self.command = [program, "serve", "--index", place, "--method", "simhash", "--hamming", str(DISTANCE), "--listen", "127.0.0.1:0"]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "http://" in line:
                self.address = line.split("http://")[1].split(";")[0].strip()
                break
        else:
            raise SystemExit(f"{self.command}: did not start")
        self.connection = http.client.HTTPConnection(self.address)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def send(self, document):
        self.connection.request("POST", "/v1/documents", json.dumps(document), {"Content-Type": "application/json"})

    def answer(self):
        response = self.connection.getresponse()
        body = json.loads(response.read())
        return body if response.status < 500 else None

    def ask(self, document):
        while True:
            try:
                self.send(document)
                if (answer := self.answer()) is not None:
                    return answer
            except (OSError, http.client.HTTPException):
                pass
            self.connection = http.client.HTTPConnection(self.address)
            time.sleep(0.05)


class DurableRedis(redis_index.Server):
    """A server that comes back on the same port, with its data."""

    def __init__(self):
        super().__init__("--appendonly", "yes")

    def restart(self):
        self.process.kill()
        self.process.wait()
        self.process = subprocess.Popen(self.process.args, stdout=subprocess.DEVNULL)


def said(answer, is_again):
    """What an answer says. A document that was sent again is there if it was added before."""
    status = "added" if is_again and answer["status"] == "unchanged" else answer["status"]
    return status, answer["match"] and (answer["match"]["id"], answer["match"]["hamming"])


def compare_answers(arguments, texts):
    folder = arguments.work / "simhash.index"
    shutil.rmtree(folder, ignore_errors=True)
    server = DurableRedis()
    in_folder = Service(arguments.lookalike, str(folder))
    in_redis = Service(arguments.lookalike, f"redis://127.0.0.1:{server.port}")
    generator = random.Random(SEED)
    killed_at = set(generator.sample(range(1, len(texts)), arguments.kills))
    differing, statuses, kills = 0, {}, {"redis": 0, "service": 0, "both": 0}
    for number, text in enumerate(texts):
        document = {"id": f"https://example.org/page/{number}", "text": text}
        if is_killed := number in killed_at:
            in_redis.send(document)
            time.sleep(generator.random() * 0.002)
            what = generator.choice(["redis", "service", "both"])
            kills[what] += 1
            if what != "service":
                server.restart()
            if what != "redis":
                in_redis.kill()
                in_redis.start()
            else:
                in_redis.connection = http.client.HTTPConnection(in_redis.address)
        answers = [in_folder.ask(document), in_redis.ask(document)]
        first, second = said(answers[0], False), said(answers[1], is_killed)
        differing += first != second
        if first != second:
            print("differs:", number, *answers, is_killed)
        statuses[first[0]] = statuses.get(first[0], 0) + 1
    in_folder.kill()
    in_redis.kill()
    server.close()
    print(f"{len(texts):,} documents: {statuses}. {differing} answers differ, with kills: {kills}")


def codes_of(arguments, lines):
    out = arguments.work / "codes.jsonl"
    command = [arguments.lookalike, "sketch", lines, "-o", out, "--method", "simhash", "-q"]
    subprocess.run(command, check=True)
    with out.open() as sketches:
        return [int(json.loads(line)["fingerprint"], 16) for line in sketches]


def key(url):
    return "simhash:" + hashlib.md5(url.encode()).hexdigest()


def seed_check(client, code):
    """The URLs of codes within the distance, as the design finds them."""
    pipeline = client.pipeline(transaction=False)
    for band in range(4):
        pipeline.smembers(f"lsh:{band}:{code >> 16 * band & MASK}")
    urls = list(set().union(*pipeline.execute()))
    stored = client.mget([key(url.decode()) for url in urls]) if urls else []
    return [url for url, other in zip(urls, stored) if other is not None and (int(other) ^ code).bit_count() <= DISTANCE]


def seed_add(client, url, code):
    if seed_check(client, code):
        return False
    pipeline = client.pipeline(transaction=False)
    pipeline.set(key(url), str(code), ex=TTL)
    for band in range(4):
        pipeline.sadd(f"lsh:{band}:{code >> 16 * band & MASK}", url)
    pipeline.execute()
    return True


def timed(server, count, work):
    begin, begin_cpu = time.monotonic(), server.seconds()
    results = work()
    return {"rate": count / (time.monotonic() - begin), "server_us": (server.seconds() - begin_cpu) / count * 1e6, "new": results}


def of_seed(codes, checked):
    server = redis_index.Server()
    urls = [f"https://example.org/page/{number}" for number in range(len(codes))]
    added = timed(server, len(codes), lambda: sum(seed_add(server.client, url, code) for url, code in zip(urls, codes)))
    checks = timed(server, len(checked), lambda: sum(not seed_check(server.client, code) for code in checked))
    total = (server.bytes() - server.start_bytes) / added["new"]
    server.close()
    return added, checks, total, 0


def ours(arguments, corpus, checks, hamming):
    server = redis_index.Server()

    def run(lines, verb):
        begin = server.seconds()
        command = [arguments.program, f"redis://127.0.0.1:{server.port}", lines, "16", verb, *hamming]
        figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return {**figures, "server_us": (server.seconds() - begin) / figures["documents"] * 1e6}

    added, checked = run(corpus, "add"), run(checks, "check")
    total = (server.bytes() - server.start_bytes) / added["new"]
    stored = redis_index.stored_bytes(server) / added["new"]
    server.close()
    return added, checked, total, stored


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lookalike", required=True, type=pathlib.Path)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=20)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    texts = make_texts(arguments.documents)
    corpus, checks = arguments.work / "corpus.jsonl", arguments.work / "checks.jsonl"
    line = lambda number, text: json.dumps({"id": f"https://example.org/page/{number}", "text": text}) + "\n"
    corpus.write_text("".join(line(number, text) for number, text in enumerate(texts)))
    generator = random.Random(SEED + 1)
    words, weights = index.vocabulary(generator)
    others = [index.text(generator, words, weights) for _ in range(5000)]
    checks.write_text("".join(line(number, text) for pair in zip(others, texts) for number, text in enumerate(pair)))

    compare_answers(arguments, texts)
    rows = [
        ("Lookalike, SimHash, distance 3", *ours(arguments, corpus, checks, [str(DISTANCE)])),
        ("Lookalike, MinHash, 0.8, exact", *ours(arguments, corpus, checks, [])),
        ("the design's commands, one client", *of_seed(codes_of(arguments, corpus), codes_of(arguments, checks))),
    ]
    print(f"texts: {sum(map(len, texts)) / len(texts):,.0f} bytes on average")
    print("| index | additions/s | server CPU, µs | checks/s | server CPU, µs | bytes a page | of these the document with its text |")
    print("|---|---|---|---|---|---|---|")
    for name, added, checked, total, stored in rows:
        figures = [f"{part[field]:,.0f}" for part in (added, checked) for field in ("rate", "server_us")]
        print(f"| {name} | {' | '.join(figures)} | {total:,.0f} | {stored:,.0f} |")


if __name__ == "__main__":
    main()
