#!/usr/bin/env python3
"""Mixed load for a long time, and the memory of the service by the minute.

    soak.py --program target/release/lookalike --work FOLDER [--minutes 60] [--rate 400]

Sends about `--rate` requests a second on 8 connections: additions (half of them near-duplicates, all with a time to live of ten minutes), checks, reads, removals,
purges, lists of similar documents, comparisons, clusters, touches, deduplications of 20 texts, and a bulk request of 200 lines now and then. Another connection
reads events. When there are 20,000 families, the oldest 200 are removed by a bulk request, and so on: so many documents are alive all the time. Every answer must have a status that its request may have. Each minute prints a row: documents, requests, refused (429), memory of the
process without files (RssAnon) and with them (VmRSS), open files, bytes of the index, and the median and 99th percentile of the time of a check.

The memory is flat if its maximum in the last third is not above that in the second third by more than a tenth. The exit code says it.
"""
import argparse
import http.client
import json
import pathlib
import random
import threading
import time

from service import JSON, Service, text_of

THREADS, TTL, ALIVE = 8, 600, 20_000
EXPECTED = {
    "add": {200, 201, 409}, "check": {200}, "get": {200, 404, 410}, "remove": {204}, "similar": {200}, "compare": {200, 404, 410},
    "cluster": {200, 404, 410}, "touch": {200, 404}, "deduplicate": {200}, "bulk": {200},
}
WEIGHTS = {"add": 40, "check": 30, "get": 8, "remove": 4, "similar": 4, "compare": 3, "cluster": 4, "touch": 4, "deduplicate": 1, "bulk": 0.5}


class Load:
    """What all threads share."""

    def __init__(self, address, rate):
        self.address, self.rate, self.is_over = address, rate, threading.Event()
        self.lock, self.requests, self.refused, self.checks, self.wrong, self.family, self.removed = threading.Lock(), 0, 0, [], [], 0, 0

    def next_family(self):
        with self.lock:
            self.family += 1
            return self.family

    def families_to_remove(self):
        """The next 200 families that are to be removed, if there are too many."""
        with self.lock:
            if self.family - self.removed < ALIVE + 200:
                return []
            self.removed += 200
            return range(self.removed - 199, self.removed + 1)

    def recent(self, generator):
        """A family that was added not long ago."""
        return max(1, self.family - min(ALIVE - 5000, int(generator.expovariate(1 / 5000))))


def request(kind, load, generator):
    """The method, path and body of a request."""
    family, variant = load.recent(generator), generator.randrange(3)
    old, text = f"d{family}-{variant}", text_of(family, variant)
    if kind == "add":
        family = load.next_family() if generator.random() < 0.5 else family
        return "POST", "/v1/documents", {"id": f"d{family}-{variant}", "text": text_of(family, variant), "ttl": TTL, "url": f"https://example.org/{family}/{variant}"}
    if kind == "bulk":
        families = [load.next_family() for _ in range(200)]
        return "POST", "/v1/bulk?op=add", "".join(json.dumps({"id": f"d{f}-0", "text": text_of(f), "ttl": TTL}) + "\n" for f in families)
    if kind == "deduplicate":
        return "POST", "/v1/deduplicate", {"documents": [{"id": str(n), "text": text_of(family + n // 2, n)} for n in range(20)]}
    return {
        "check": ("POST", "/v1/check", {"text": text if generator.random() < 0.5 else text_of(-family)}),
        "get": ("GET", f"/v1/documents/{old}?include=text", None),
        "remove": ("DELETE", f"/v1/documents/{old}" + ("?purge=true" if generator.random() < 0.02 else ""), None),
        "similar": ("POST", "/v1/similar", {"text": text}),
        "compare": ("POST", "/v1/compare", {"a": {"id": old}, "b": {"text": text}}),
        "cluster": ("GET", f"/v1/documents/{old}/cluster", None),
        "touch": ("POST", f"/v1/documents/{old}/touch", {"ttl": TTL}),
    }[kind]


def clean(load):
    """Removes old families until the end."""
    connection = http.client.HTTPConnection(*load.address, timeout=60)
    while not load.is_over.is_set():
        families = load.families_to_remove()
        if not families:
            time.sleep(0.05)
            continue
        lines = "".join(json.dumps({"id": f"d{family}-{variant}"}) + "\n" for family in families for variant in range(3))
        connection.request("POST", "/v1/bulk?op=remove", lines, JSON)
        answer = connection.getresponse()
        told = answer.read()
        if answer.status != 200 or b'"error"' in told:
            load.wrong.append(f"remove: {answer.status} {told[:200]}")


def work(load, seed):
    generator, connection = random.Random(seed), http.client.HTTPConnection(*load.address, timeout=60)
    due = time.monotonic()
    while not load.is_over.is_set():
        due += generator.expovariate(load.rate / THREADS)
        time.sleep(max(0, due - time.monotonic()))
        [kind] = generator.choices(list(WEIGHTS), WEIGHTS.values())
        method, path, body = request(kind, load, generator)
        body = body if isinstance(body, str) or body is None else json.dumps(body)
        begin = time.monotonic()
        connection.request(method, path, body, JSON if body else {})
        answer = connection.getresponse()
        told = answer.read()
        with load.lock:
            load.requests += 1
            load.refused += answer.status == 429
            if kind == "check":
                load.checks.append(time.monotonic() - begin)
            if answer.status not in EXPECTED[kind] | {429}:
                load.wrong.append(f"{method} {path}: {answer.status} {told[:200]}")


def listen(load):
    """Reads events until the end."""
    connection = http.client.HTTPConnection(*load.address, timeout=60)
    connection.request("GET", "/v1/events")
    answer = connection.getresponse()
    while not load.is_over.is_set() and answer.readline():
        pass


def figures(service, load, folder):
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{service.pid()}/status").read_text().splitlines())
    files = len(list(pathlib.Path(f"/proc/{service.pid()}/fd").iterdir()))
    size = sum(path.stat().st_size for path in folder.iterdir())
    with load.lock:
        checks, load.checks = sorted(load.checks), []
    share = lambda part: 1000 * checks[int(part * (len(checks) - 1))] if checks else 0
    memory = [int(status[name].split()[0]) / 1024 for name in ("RssAnon", "VmRSS")]
    return *memory, files, size / 1e6, share(0.5), share(0.99)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--rate", type=float, default=400)
    arguments = parser.parse_args()
    folder = arguments.work / f"soak-{int(time.time())}.index"
    service = Service(arguments.program, folder, ["--mode", "all"])
    load = Load(service.address, arguments.rate)
    threads = [threading.Thread(target=work, args=(load, seed)) for seed in range(THREADS)] + [threading.Thread(target=part, args=(load,)) for part in (listen, clean)]
    for thread in threads:
        thread.start()
    print("| minute | families | requests | refused | RssAnon MB | VmRSS MB | files | index MB | check p50 ms | p99 ms |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    memory = []
    for minute in range(1, arguments.minutes + 1):
        time.sleep(60)
        anonymous, resident, files, size, p50, p99 = figures(service, load, folder)
        memory.append(anonymous)
        print(f"| {minute} | {load.family:,} | {load.requests:,} | {load.refused} | {anonymous:.0f} | {resident:.0f} | {files} | {size:.0f} | {p50:.2f} | {p99:.1f} |", flush=True)
        if load.wrong:
            break
    load.is_over.set()
    for thread in threads[:THREADS]:
        thread.join()
    service.stop()
    third = max(1, len(memory) // 3)
    before, after = max(memory[third:2 * third] or memory), max(memory[-third:])
    print(f"\nwrong answers: {len(load.wrong)} {load.wrong[:3]}; memory at most {before:.0f} MB in the second third, {after:.0f} MB in the last")
    raise SystemExit(1 if load.wrong or after > 1.1 * before else 0)


if __name__ == "__main__":
    main()
