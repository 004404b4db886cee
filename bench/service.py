#!/usr/bin/env python3
"""The speed of `lookalike serve`: bulk additions, checks, and single additions that wait for the disk.

    service.py --program target/release/lookalike --work FOLDER [--documents 100000] [--seconds 10]

Needs wrk. Makes in FOLDER a corpus of random words with the frequencies of language (as index.py does), 60 to 180 words a document. Then
starts a service with an empty index and measures, one after the other:

    bulk      all documents in one stream: documents a second, beside the first scan of `dedup --method minhash` over the same file
    check     new texts and copies in turns, 16 connections: requests a second, and the latency that wrk reports
    add       new texts, 64 connections: durable additions a second, beside a loop that appends as many bytes and calls fdatasync
    restart   seconds from the start of the process to the first answer, and to /ready, after SIGKILL

and the bytes of a document in the index. Prints a Markdown table. Seed 20261122.
"""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time
import urllib.error
import urllib.request

import index

PORT = 18765
LUA = """
local lines = {}
for line in io.lines("%s") do lines[#lines + 1] = line end
local thread = 0
function setup(t) t:set("offset", thread); thread = thread + 1 end
local count = 0
function request()
    count = count + 1
    local line = lines[(offset * math.floor(#lines / 2) + count * %d) %% #lines + 1]
    return wrk.format("POST", "%s", {["content-type"] = "application/json"}, line)
end
"""


def start(arguments, folder):
    command = [arguments.program, "serve", "--index", folder, "--listen", f"127.0.0.1:{PORT}"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def wait_for(path, server):
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}{path}") as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
        except urllib.error.URLError:
            pass
        if server.poll() is not None:
            raise SystemExit("the service has ended")
        time.sleep(0.002)


def wrk(arguments, lines, path, connections, step):
    script = arguments.work / "requests.lua"
    script.write_text(LUA % (lines, step, path))
    command = ["wrk", "-t2", f"-c{connections}", f"-d{arguments.seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{PORT}"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate = float(re.search(r"Requests/sec:\s*([\d.]+)", printed)[1])
    latency = {share: re.search(rf"{share}%\s+(\S+)", printed)[1] for share in (50, 99)}
    return rate, latency


def sync_rate(path, size, seconds):
    """Appends and syncs in a loop: syncs a second."""
    data, count, end = os.urandom(size), 0, time.monotonic() + seconds
    with open(path, "wb", buffering=0) as file:
        while time.monotonic() < end:
            file.write(data)
            os.fdatasync(file.fileno())
            count += 1
    return count / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    generator = random.Random(index.SEED)
    words, weights = index.vocabulary(generator)
    line = lambda number: json.dumps({"id": f"d{number}", "text": index.text(generator, words, weights)}) + "\n"
    corpus, new = arguments.work / "corpus.jsonl", arguments.work / "new.jsonl"
    corpus.write_text("".join(line(number) for number in range(arguments.documents)))
    new.write_text("".join(line(f"n{number}") for number in range(arguments.documents)))
    checks = arguments.work / "checks.jsonl"
    with corpus.open() as old, new.open() as others, checks.open("w") as out:
        for pair, _ in zip(zip(old, others), range(5000)):
            out.writelines(json.dumps({"text": json.loads(line)["text"]}) + "\n" for line in pair)

    summary = arguments.work / "summary.json"
    batch = [arguments.program, "dedup", corpus, "--dry-run", "--method", "minhash", "-q", "--summary", summary]
    subprocess.run(batch, check=True)
    scan = arguments.documents / json.loads(summary.read_text())["seconds"]["sketch"]

    folder = arguments.work / f"index-{os.getpid()}"
    server = start(arguments, folder)
    wait_for("/ready", server)
    begin = time.monotonic()
    # With -T curl sends while it reads the file, and reads the answers meanwhile.
    url = f"http://127.0.0.1:{PORT}/v1/bulk?op=add"
    subprocess.run(["curl", "-s", "-o", arguments.work / "answers", "-X", "POST", "-T", corpus, "-H", "Expect:", url], check=True)
    bulk = arguments.documents / (time.monotonic() - begin)
    check_rate, check_latency = wrk(arguments, checks, "/v1/check", 16, 1)
    idle = wrk(arguments, checks, "/health", 16, 1)[0]
    begin_documents = int(re.search(r"lookalike_documents (\d+)", wait_for("/metrics", server))[1])
    add_rate, add_latency = wrk(arguments, new, "/v1/documents", 64, 1)
    documents = int(re.search(r"lookalike_documents (\d+)", wait_for("/metrics", server))[1])
    added = (documents - begin_documents) / arguments.seconds
    syncs = sync_rate(arguments.work / "syncs", 16_384, 3)
    server.send_signal(signal.SIGKILL)
    server.wait()
    begin = time.monotonic()
    server = start(arguments, folder)
    wait_for("/health", server)
    first = time.monotonic() - begin
    wait_for("/ready", server)
    ready = time.monotonic() - begin
    server.send_signal(signal.SIGTERM)
    server.wait()
    info = json.loads(subprocess.run([arguments.program, "index", "info", folder, "--format", "json"], check=True, capture_output=True).stdout)
    per = {kind: sum(f["bytes"] for f in info["files"] if f["name"].endswith(kind)) / info["documents"] for kind in (".log", ".run")}
    print("| figure | value | beside it |\n|---|---|---|")
    print(f"| bulk, documents a second | {bulk:,.0f} | first scan {scan:,.0f}: ratio {bulk / scan:.2f} |")
    print(f"| checks a second, 16 connections | {check_rate:,.0f}, p50 {check_latency[50]}, p99 {check_latency[99]} | GET-like requests that only answer {idle:,.0f} |")
    print(f"| durable additions a second, 64 connections | {added:,.0f} of {add_rate:,.0f} answers, p50 {add_latency[50]}, p99 {add_latency[99]} | syncs of 16 KiB a second {syncs:,.0f} |")
    print(f"| seconds to the first answer and to /ready after SIGKILL, {info['documents']:,} documents | {first:.2f}, {ready:.2f} | |")
    print(f"| bytes a document: log, run | {per['.log']:.0f}, {per['.run']:.1f} | |")


if __name__ == "__main__":
    main()
