#!/usr/bin/env python3
"""`lookalike audit` killed at random moments and resumed: the lists must be those of an audit that nothing disturbed, byte for byte.

    audit.py --program target/debug/lookalike [--pages 300] [--rounds 20] [--orders 10] [--seed 1]

Makes a site with copies, edited copies, redirects, broken links, a blocked page and a template, and serves it on loopback. Each answer
comes after a random time, so that pages arrive in another order in each run. First come audits with one connection and with eight. Then, in each
round, one audit is killed by SIGKILL one to four times, and the same command goes on until the crawl ends. Compares `--pairs`, `--clusters`,
`--skipped`, `--links`, and `--pages` without its columns of times. Ends with 1 if one byte differs or if a page was fetched again after it was
stored, apart from requests in flight.
"""
import argparse
import collections
import csv
import http.server
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

LISTS = ["pages", "pairs", "clusters", "skipped", "links"]
TIMES = {"milliseconds", "first_byte_milliseconds"}
CONNECTIONS = 8


def site(pages, rng):
    """The answers by path: a status, and a body or the target of a redirect."""
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(3, 9))) for _ in range(5000)]
    answers = {"/robots.txt": (200, "User-agent: *\nDisallow: /p7\n")}
    texts = []
    for number in range(pages):
        if texts and rng.random() < 0.4:
            text = list(rng.choice(texts))
            for _ in range(rng.choice([0, 0, 1, 5, 30])):
                text[rng.randrange(len(text))] = rng.choice(words)
        else:
            text = rng.choices(words, k=rng.randint(60, 300))
        texts.append(text)
        targets = [f"/p{(number * 2 + step) % pages}" for step in (1, 2, 3)] + [f"/missing{number % 9}", f"/moved{number % 40}"]
        links = " ".join(f'<a href="{target}">more</a>' for target in targets)
        canonical = f'<link rel="canonical" href="/p{number - 1}">' if number % 23 == 22 else ""
        head = f"<head><title>Page {number}</title>{canonical}</head>"
        body = f"<nav>Home, products, help and contact of this site</nav><main><p>{' '.join(text)}</p>{links}</main>"
        answers[f"/p{number}"] = (200, f"<!doctype html><html>{head}<body>{body}</body></html>")
    answers |= {f"/moved{number}": (301, f"/p{number * 5 % pages}") for number in range(40)}
    return answers | {"/": answers["/p0"]}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.fetched = answers, collections.Counter()

    def handle_error(self, *_):
        """A killed client leaves answers that nobody reads."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        self.server.fetched[self.path] += 1
        time.sleep(random.random() * 0.004)
        status, body = self.server.answers.get(self.path, (404, "nothing here"))
        self.send_response(status)
        if status == 301:
            self.send_header("Location", body)
            body = ""
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


def command(program, url, folder, connections):
    outputs = [part for name in LISTS for part in (f"--{name}", folder / f"{name}.csv")]
    return list(map(str, [program, "audit", url, "--state", folder / "state", "--connections", connections, "--quiet", *outputs]))


def lists(folder):
    found = {name: (folder / f"{name}.csv").read_bytes() for name in LISTS[1:]}
    with (folder / "pages.csv").open(newline="", encoding="utf-8") as lines:
        found["pages"] = [{name: cell for name, cell in row.items() if name not in TIMES} for row in csv.DictReader(lines)]
    return found


def differences(expected, folder):
    return [name for name, content in lists(folder).items() if content != expected[name]]


def killed(program, url, folder, seconds, rng):
    """Runs the audit until it ends by itself. Returns how often it was killed."""
    kills = 0
    for _ in range(rng.randint(1, 4)):
        process = subprocess.Popen(command(program, url, folder, rng.randint(1, CONNECTIONS)))
        try:
            if process.wait(rng.random() * seconds):
                sys.exit(f"an audit that nobody killed ended with {process.returncode}")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    subprocess.run(command(program, url, folder, rng.randint(1, CONNECTIONS)), check=True)
    return kills


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    server = Server(site(arguments.pages, rng))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url, program = f"http://127.0.0.1:{server.server_port}/", arguments.program.resolve()
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        first, begun = pathlib.Path(temporary) / "first", time.monotonic()
        first.mkdir()
        subprocess.run(command(program, url, first, 1), check=True)
        seconds, expected = time.monotonic() - begun, lists(first)
        rows = {name: len(content) if name == "pages" else content.count(b"\n") - 1 for name, content in expected.items()}
        print(f"one connection: {seconds:.1f} s; rows {rows}")
        if min(rows.values()) < 1:
            sys.exit("a list is empty, so the comparison shows nothing")
        for order in range(arguments.orders):
            folder = pathlib.Path(temporary) / f"order-{order}"
            folder.mkdir()
            begun = time.monotonic()
            subprocess.run(command(program, url, folder, CONNECTIONS), check=True)
            seconds = time.monotonic() - begun
            wrong += [f"order {order}: {name}" for name in differences(expected, folder)]
        total = 0
        for number in range(arguments.rounds):
            folder = pathlib.Path(temporary) / f"round-{number}"
            folder.mkdir()
            server.fetched.clear()
            kills = killed(program, url, folder, seconds, rng)
            total += kills
            wrong += [f"round {number}: {name}" for name in differences(expected, folder)]
            again = sum(times - 1 for path, times in server.fetched.items() if path != "/robots.txt")
            if again > kills * CONNECTIONS:
                wrong.append(f"round {number}: {again} requests again after {kills} kills")
    if arguments.rounds and not total:
        wrong.append("nothing was killed")
    print(f"{arguments.orders} orders and {arguments.rounds} rounds with {total} kills:", ", ".join(wrong) or "every list is the same")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
