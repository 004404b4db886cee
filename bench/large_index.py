#!/usr/bin/env python3
"""A large index behind `lookalike serve`: bytes, memory, start, and the time of checks and additions, also while runs are merged.

    large_index.py --program target/release/lookalike --load FOLDER --work FOLDER --corpus corpus.jsonl [--documents 10000000] [--seconds 20]

`--load` names the folder with the programs `rate` and `idle` of bench/load. `--corpus` is what corpus.py makes. Needs wrk.

The index has the documents of the corpus, a million pieces of about 600 characters of them, and generated documents of three of 4,096 phrases of
eight words, up to `--documents`. All of it comes from seed 7. Then it measures, one after the other:

    build     seconds and memory of `index build`, and bytes a document: texts, the rest of the log, runs
    start     the files are dropped from memory before each: seconds of `cat` of the runs, to the first answer, and to /ready
    memory    RssAnon after the start, and after all checks
    checks    at a constant rate of 1,000 a second, half new texts and half copies, in turns with a server that parses the same requests and
              answers at once (bench/load/src/bin/idle.rs): alone, and while the runs are merged
    adds      from 64 connections: as fast as they can, beside a loop that appends as many bytes as a sync has on average and calls fdatasync, alone;
              and at a constant rate of 5,000 a second, beside fdatasync of 512 bytes at the same time
    copy      seconds until a service with an empty folder that follows this one has all documents
"""
import argparse
import json
import mmap
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import threading
import time
import urllib.request

import service

SEED = 7
PHRASES = 4096
IDLE = "127.0.0.1:18766"


def make_texts(arguments):
    """Three files: the corpus itself, pieces of it, and generated documents."""
    pieces, generated = arguments.work / "pieces.jsonl", arguments.work / "generated.jsonl"
    if generated.exists():
        return [arguments.corpus, pieces, generated]
    whole = count = 0
    with open(arguments.corpus) as corpus, open(pieces, "w") as out:
        for line in corpus:
            document, whole, at = json.loads(line), whole + 1, 0
            text = document["text"]
            while at < len(text) and count < 1_000_000:
                end = len(text) if len(text) - at < 800 else text.find(" ", at + 600, at + 680)
                end = at + 600 if end < 0 else end
                piece = text[at:end].strip()
                if len(piece) >= 200:
                    out.write(json.dumps({"id": f"{document['id']}-{at}", "text": piece}, ensure_ascii=False) + "\n")
                    count += 1
                at = end
    generator = random.Random(SEED)
    syllables = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("ren", "tol", "vak", "min", "sor", "pel")]
    phrases = [" ".join(generator.choices(syllables, k=8)) for _ in range(PHRASES)]
    with open(generated, "w") as out:
        for number in range(arguments.documents - whole - count):
            first, second, third = (generator.getrandbits(12) for _ in range(3))
            out.write(f'{{"id":"s{number}","text":"{phrases[first]} {phrases[second]} {phrases[third]}"}}\n')
    return [arguments.corpus, pieces, generated]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def text_bytes(path, bands, num_perm):
    """The bytes of compressed texts in a file of the log: see crates/index/src/log/record.rs."""
    with open(path, "rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    keys, texts, at = (36 * bands + 7) // 8, 0, data.find(b"\xf5frm")
    while data[at:at + 4] == b"\xf5frm":
        end = at + 52 + struct.unpack_from("<I", data, at + 4)[0]
        at += 60
        while at < end:
            length, body = varint(data, at + 1)
            body += 4
            if data[at] == 1:
                flags, part = data[body], body + 1
                part += 4 * (bool(flags & 8) + bool(flags & 2))
                if flags & 1:
                    part = varint(data, part + 16)[1] + keys + num_perm
                part += 8 * (bool(flags & 64) + bool(flags & 16))
                for is_there in (True, flags & 4, flags & 16, flags & 32):
                    if is_there:
                        size, part = varint(data, part)
                        part += size
                texts += body + length - part
            at = body + length
    return texts


def drop(folder):
    """Drops the files of an index from the memory of the system."""
    os.sync()
    for path in folder.iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def anonymous(server):
    return int(re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{server.pid}/status").read_text())[1]) * 1024


def metric(name, server):
    return float(re.search(rf"^lookalike_{name} (\S+)", service.wait_for("/metrics", server), re.M)[1])


def post(path, body=b"", kind="application/json"):
    request = urllib.request.Request(f"http://127.0.0.1:{service.PORT}{path}", body, {"content-type": kind}, method="POST")
    with urllib.request.urlopen(request) as answer:
        return answer.read().decode()


def constant(arguments, rate, seconds, path, lines, *servers):
    """For each server the requests, those refused, and percentiles in milliseconds."""
    command = [arguments.load / "rate", str(rate), str(seconds), "64", path, lines, *servers]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split()[1:] for line in printed.splitlines()]


def checks(arguments, seconds):
    return constant(arguments, 1000, seconds, "/v1/check", arguments.work / "checks.jsonl", f"127.0.0.1:{service.PORT}", IDLE)


def show_checks(name, rows):
    for who, (requests, refused, p50, p90, p99, p999, most) in zip(("service", "idle"), rows):
        print(f"| {name}, {who} | {requests} requests, {refused} refused, p50 {p50}, p90 {p90}, p99 {p99}, p99.9 {p999}, most {most} ms |")
    print(f"| {name}, ratio of p99 | {float(rows[0][4]) / float(rows[1][4]):.2f} |", flush=True)


class Syncs(threading.Thread):
    """Appends and syncs in a loop until it is stopped."""

    def __init__(self, path, size):
        super().__init__()
        self.path, self.data, self.seconds, self.is_stopped = path, os.urandom(size), [], False

    def run(self):
        with open(self.path, "wb", buffering=0) as file:
            while not self.is_stopped:
                start = time.monotonic()
                file.write(self.data)
                os.fdatasync(file.fileno())
                self.seconds.append(time.monotonic() - start)

    def stop(self):
        self.is_stopped = True
        self.join()
        self.seconds.sort()
        return 1000 * self.seconds[len(self.seconds) // 2], 1000 * self.seconds[len(self.seconds) * 99 // 100]


def measure_adds(arguments, server, folder):
    names = ("sync_changes_count", "sync_changes_sum")
    figures = lambda: [metric(name, server) for name in names] + [sum(path.stat().st_size for path in folder.glob("*.log"))]
    before = figures()
    rate, latency = service.wrk(arguments, arguments.work / "new-0.jsonl", "/v1/documents", 64, 1)
    syncs, changes, size = (now - old for now, old in zip(figures(), before))
    stored, frame = changes / arguments.seconds, size / syncs
    alone = Syncs(arguments.work / "syncs", int(frame))
    alone.start()
    time.sleep(arguments.seconds / 4)
    alone.stop()
    loop = len(alone.seconds) / sum(alone.seconds) * changes / syncs
    print(f"| additions, 64 connections | {stored:,.0f} a second stored of {rate:,.0f} answers, p50 {latency[50]}, p99 {latency[99]} |")
    print(f"| a loop of the same frames ({frame:,.0f} bytes, {changes / syncs:.1f} documents) alone | {loop:,.0f} documents a second: ratio {stored / loop:.2f} |")
    beside = Syncs(arguments.work / "syncs", 512)
    beside.start()
    lines = arguments.work / "new-1.jsonl"
    [(requests, refused, p50, p90, p99, p999, most)] = constant(arguments, 5000, arguments.seconds, "/v1/documents", lines, f"127.0.0.1:{service.PORT}")
    sync50, sync99 = beside.stop()
    print(f"| additions at 5,000 a second, 64 connections | {requests} requests, {refused} refused, p50 {p50}, p90 {p90}, p99 {p99}, p99.9 {p999}, most {most} ms |")
    print(f"| fdatasync of 512 bytes at the same time | p50 {sync50:.2f}, p99 {sync99:.2f} ms: ratio of p99 {float(p99) / sync99:.1f} |", flush=True)


def measure_copy(arguments, server):
    """A service that follows: seconds until it has all documents."""
    folder, port = arguments.work / f"copy-{os.getpid()}.index", service.PORT + 2
    command = [arguments.program, "serve", "--index", folder, "--listen", f"127.0.0.1:{port}", "--follow", f"http://127.0.0.1:{service.PORT}"]
    begin = time.monotonic()
    copy = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while subprocess.run(["curl", "-sf", "-o", "/dev/null", f"http://127.0.0.1:{port}/ready"]).returncode:
        time.sleep(0.05)
    seconds, documents = time.monotonic() - begin, metric("documents", server)
    print(f"| a copy with an empty folder | {documents:,.0f} documents after {seconds:.0f} s: {documents / seconds:,.0f} a second |", flush=True)
    copy.send_signal(signal.SIGTERM)
    copy.wait()
    shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--load", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--corpus", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--plan", choices=["normal", "small"], default="normal")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    texts, folder = make_texts(arguments), arguments.work / f"{arguments.documents}-{arguments.plan}.index"
    print("| figure | value |\n|---|---|", flush=True)
    if not folder.exists():
        summary = arguments.work / "summary.json"
        command = [arguments.program, "index", "build", "-o", folder, "-q", "--summary", summary, "--plan", arguments.plan, *texts]
        begin = time.monotonic()
        subprocess.run(command, check=True)
        peak = json.loads(summary.read_text())["peak_memory_bytes"]
        print(f"| build | {time.monotonic() - begin:.0f} s, {peak / 1e9:.1f} GB of memory |", flush=True)
    info = json.loads(subprocess.run([arguments.program, "index", "info", folder, "--format", "json"], check=True, capture_output=True).stdout)
    count = info["documents"]
    bands, num_perm = info["plan"]["bands"], info["plan"]["num_perm"]
    text = sum(text_bytes(path, bands, num_perm) for path in folder.glob("*.log")) / count
    of = lambda kind: sum(path.stat().st_size for path in folder.glob(f"*.{kind}")) / count
    rest = sum(path.stat().st_size for path in folder.iterdir()) / count - text
    print(f"| bytes a document | texts {text:.1f}, the rest {rest:.1f}: log {of('log') - text:.1f}, runs {of('run'):.1f}, links {of('links'):.1f} |", flush=True)

    drop(folder)
    begin = time.monotonic()
    subprocess.run(["cat", *folder.glob("*.run")], check=True, stdout=subprocess.DEVNULL)
    cat = time.monotonic() - begin
    drop(folder)
    begin = time.monotonic()
    server = service.start(arguments, folder)
    service.wait_for("/health", server)
    first = time.monotonic() - begin
    service.wait_for("/ready", server)
    ready = time.monotonic() - begin
    print(f"| start | first answer after {first:.2f} s, /ready after {ready:.2f} s; cat of the runs {cat:.2f} s: ratio {ready / cat:.2f} |")
    print(f"| memory after the start | {anonymous(server) / 1e6:.0f} MB |", flush=True)

    with open(texts[1]) as pieces, open(arguments.work / "checks.jsonl", "w") as out:
        for number, line in zip(range(20_000), pieces):
            copy = json.loads(line)["text"]
            new = " ".join(word[::-1] for word in copy.split(" "))
            out.write(json.dumps({"text": copy if number % 2 else new}) + "\n")
    # For each measurement of additions texts of its own.
    with open(texts[1]) as pieces:
        for part, count in enumerate((400_000, 5000 * arguments.seconds, 300_000)):
            with open(arguments.work / f"new-{part}.jsonl", "w") as new:
                for number, line in zip(range(count), pieces):
                    words = json.loads(line)["text"].split(" ")
                    new.write(json.dumps({"id": f"{part}-{number}", "text": " ".join(word[::-1] for word in words)}) + "\n")
    idle = subprocess.Popen([arguments.load / "idle", IDLE])
    checks(arguments, arguments.seconds)
    show_checks("checks at 1,000 a second, alone", checks(arguments, arguments.seconds))
    measure_adds(arguments, server, folder)
    # A memtable becomes a run, which is merged with the large one.
    url = f"http://127.0.0.1:{service.PORT}/v1/bulk?op=put"
    subprocess.run(["curl", "-s", "-o", "/dev/null", "-X", "POST", "-T", arguments.work / "new-2.jsonl", "-H", "Expect:", url], check=True)
    post("/v1/admin/merge")
    rows = checks(arguments, 6)
    jobs = subprocess.run(["curl", "-s", f"http://127.0.0.1:{service.PORT}/v1/admin/jobs"], check=True, capture_output=True, text=True).stdout
    print(f"| the merge after 6 s | `{jobs.strip()}` |")
    show_checks("checks at 1,000 a second, while merging", rows)
    print(f"| memory after all checks | {anonymous(server) / 1e6:.0f} MB |", flush=True)
    measure_copy(arguments, server)
    idle.kill()
    server.send_signal(signal.SIGTERM)
    server.wait()


if __name__ == "__main__":
    main()
