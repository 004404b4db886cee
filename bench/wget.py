#!/usr/bin/env python3
"""`lookalike audit` beside `wget -r` of the same site on loopback, in turns: the same pages, and the time of both.

    wget.py --program target/release/lookalike --server target/release/examples/serve_folder --site FOLDER [--rounds 3] [--work bench/work]

FOLDER has the HTML files of one site, and an `index.html`. The server is `cargo build --release -p lookalike-crawl --example serve_folder`.
Both begin at `index.html`, with an empty folder. The audit has its comparison of all pages and its report. wget also fetches images, styles
and scripts, which the audit does not. Needs `wget` and GNU `time`.

Prints a Markdown table: every run's seconds, the memory of the audit, and the pages that only one of the two has found. Ends with 1 if the
pages differ. `/` and `/index.html` are one file for wget and count as one here.
"""
import argparse
import csv
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import urllib.parse


def file_of(url):
    path = urllib.parse.unquote(urllib.parse.urlsplit(url).path).lstrip("/")
    return path + "index.html" if path == "" or path.endswith("/") else path


def audited(program, start, folder):
    """The files of the pages, the seconds and the MB."""
    pages, used = folder / "pages.csv", folder / "used"
    outputs = ["--state", folder / "state", "--pages", pages, "--report", folder / "report.html"]
    command = [program, "audit", start, *outputs, "--max-pages", 1_000_000, "--quiet"]
    begun = time.monotonic()
    subprocess.run(["time", "-f", "%M", "-o", used, *map(str, command)], check=True)
    seconds = time.monotonic() - begun
    with pages.open(newline="", encoding="utf-8") as lines:
        files = {file_of(row["url"]) for row in csv.DictReader(lines)}
    return files, seconds, int(used.read_text()) / 1000


def mirrored(start, folder):
    """The HTML files, and the seconds."""
    begun = time.monotonic()
    # wget ends with 8 when a link of the site is broken.
    ended = subprocess.run(["wget", "-q", "-r", "-np", "-nH", "--level=inf", "-P", folder, start], check=False).returncode
    if ended not in (0, 8):
        sys.exit(f"wget ended with {ended}")
    seconds = time.monotonic() - begun
    return {str(file.relative_to(folder)) for file in folder.rglob("*.htm*")}, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--server", type=pathlib.Path, required=True)
    parser.add_argument("--site", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(__file__).parent / "work")
    arguments = parser.parse_args()
    work = arguments.work / "wget"
    server = subprocess.Popen([arguments.server, arguments.site, "0"], stdout=subprocess.PIPE, text=True)
    start = server.stdout.readline().strip() + "index.html"
    print("| round | pages | only audit | only wget | audit s | MB | wget s | ratio |\n|---|---|---|---|---|---|---|---|")
    ratios, differ = [], 0
    # Removed at the end, because ext4 creates files slowly for a minute after many were removed.
    try:
        for turn in range(1, arguments.rounds + 1):
            folder = work / str(turn)
            folder.mkdir(parents=True)
            pages, seconds, memory = audited(arguments.program.resolve(), start, folder)
            files, beside = mirrored(start, folder / "mirror")
            if not files:
                sys.exit("wget has found no page, so the comparison shows nothing")
            ratios.append(seconds / beside)
            differ += len(pages ^ files)
            cells = [turn, len(files), len(pages - files), len(files - pages), f"{seconds:.2f}", f"{memory:.0f}", f"{beside:.2f}"]
            print("|", " | ".join(map(str, [*cells, f"{ratios[-1]:.2f}"])), "|", flush=True)
    finally:
        server.kill()
        shutil.rmtree(work, ignore_errors=True)
    print(f"\nmedian ratio {statistics.median(ratios):.2f}")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
