#!/usr/bin/env python3
"""An index of fingerprints with and without texts: bytes a document on the disk and in memory, and the time of a check.

    without_texts.py --program target/release/lookalike --load FOLDER --work FOLDER [--documents 1000000 10000000]

`--load` names the folder with the program `rate` of bench/load. Documents have ids of eight bytes and 24 words of 4,096, from seed 7. For each number of
them, both indexes are built by SimHash of 64 bits and distance 3. Then each is served. Checks are texts of which half are documents with one more word,
1,000 a second for ten seconds. It prints a row for each index:

    log       bytes a document of the log, without its id and text
    runs      bytes a document of the runs, without the table of ids
    ids       bytes a document of ids, in the log and in runs
    texts     bytes a document of texts
    memory    bytes a document that the process holds after the checks: its own, and the runs that are mapped
    check     processor-microseconds of the service for a check, and the times within which half and 99 of 100 are answered
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import time

SEED = 7
WORDS = 4096
ID_BYTES = 8
PORT = 18767


def make(path, documents):
    """Writes the documents. Each has 24 words."""
    words = [f"{a}{b}{c}{d}" for a in "bdfglmnp" for b in "aeiou" for c in "krstvz" for d in ("n", "l", "mo", "ra", "si", "te", "do", "ka", "pu", "wi", "ja", "xo", "ly", "ge", "hu", "be", "fy", "zi")]
    words = words[:WORDS]
    draw = random.Random(SEED).choices
    with open(path, "w") as out:
        for number in range(documents):
            out.write(f'{{"id":"{number:08d}","text":"{" ".join(draw(words, k=24))}"}}\n')


def table_bytes(documents, key_bits):
    """Bytes a document of a table in one run of so many documents, with its directory: see crates/index/src/keys/runs/layout.rs."""
    directory_bits = max(documents // 8, 16).bit_length() - 1
    number = -(-documents.bit_length() // 8)
    return max(1, -(-(key_bits - directory_bits) // 8)) + number + number * (1 << directory_bits) / documents


def serve(arguments, index, questions):
    """What the service holds after the checks, processor-seconds of each, and what `rate` says."""
    service = subprocess.Popen(
        [arguments.program, "serve", "--index", index, "--listen", f"127.0.0.1:{PORT}"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert "serving" in service.stderr.readline()
        while subprocess.run(["curl", "-sf", f"http://127.0.0.1:{PORT}/ready"], capture_output=True).returncode:
            time.sleep(0.1)

        def processor():
            fields = pathlib.Path(f"/proc/{service.pid}/stat").read_text().rsplit(")")[-1].split()
            return (int(fields[11]) + int(fields[12])) / 100

        before = processor()
        rate = [arguments.load / "rate", 1000, 10, 16, "/v1/check", questions, f"127.0.0.1:{PORT}"]
        said = subprocess.run(list(map(str, rate)), capture_output=True, text=True, check=True).stdout
        used = processor() - before
        own = int(re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{service.pid}/status").read_text())[1]) << 10
        mapped, is_run = 0, False
        for line in pathlib.Path(f"/proc/{service.pid}/smaps").read_text().splitlines():
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                is_run = line.endswith(".run")
            elif is_run and line.startswith("Rss:"):
                mapped += int(line.split()[1]) << 10
        return own, mapped, used, said.strip()
    finally:
        service.terminate()
        service.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--load", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--documents", type=int, nargs="+", default=[1_000_000, 10_000_000])
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    for documents in arguments.documents:
        corpus, questions = arguments.work / "documents.jsonl", arguments.work / "questions.jsonl"
        make(corpus, documents)
        with open(corpus) as lines, open(questions, "w") as out:
            step = max(documents // 10_000, 1)
            for number, line in enumerate(lines):
                if number % step == 0:
                    text = json.loads(line)["text"]
                    text = text + " again" if number // step % 2 else " ".join(reversed(text.split()))
                    out.write(json.dumps({"text": text}) + "\n")
        for texts in ("false", "true"):
            index = arguments.work / "seen.index"
            shutil.rmtree(index, ignore_errors=True)
            start = time.monotonic()
            build = ["index", "build", corpus, "-o", index, "--method", "simhash", "--store-texts", texts, "-q"]
            subprocess.run([arguments.program, *build], check=True)
            seconds = time.monotonic() - start
            info = json.loads(subprocess.run([arguments.program, "index", "info", index, "--format", "json"], capture_output=True, text=True, check=True).stdout)
            files = {kind: sum(file["bytes"] for file in info["files"] if file["name"].endswith(kind)) for kind in (".log", ".run", ".links")}
            runs = [file["documents"] for file in info["files"] if file["name"].endswith(".run")]
            of_ids = sum(run * table_bytes(run, 36) for run in runs) / documents
            # Without texts: a record has 6 bytes before its body, a byte of flags, 4 of the content hash, one of the number of shingles, the
            # fingerprint and the id, which has a byte before it.
            log, run = files[".log"] / documents, files[".run"] / documents
            ids = of_ids + 1 + ID_BYTES
            bare = log - 1 - ID_BYTES
            text = 0 if texts == "false" else bare - 32
            own, mapped, used, said = serve(arguments, index, questions)
            print(
                f"{documents:,} documents, texts {texts}: built in {seconds:.0f} s; {len(runs)} runs; bytes a document: log {bare - text:.1f}, runs {run - of_ids:.1f}, "
                f"ids {ids:.1f}, texts {text:.1f}; links {files['.links'] / documents:.1f}; memory {own / documents:.1f} own, {mapped / documents:.1f} mapped; "
                f"processor {used / 10_000 * 1e6:.0f} us a check; {said}",
                flush=True,
            )


if __name__ == "__main__":
    main()
