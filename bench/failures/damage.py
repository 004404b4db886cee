#!/usr/bin/env python3
"""Damages the files of a live index, a byte at a time, and starts a service on it.

    damage.py --program target/debug/examples/small_files --info target/debug/lookalike [--places 100] [--seed 1]

The index has files of every kind: its first documents come from `lookalike index build`, which trains a dictionary. A service then added,
linked and removed documents until it was killed. For each kind of file, `--places` times:

    a flipped bit, or another byte     `index info --verify` names the file and a place, with exit code 1. The service refuses to start and
                                       names the file, or each of its answers is right or is an error that names the file
    a file that was cut off            the same; the last file of the log is cut only in the part that was not acknowledged: see below

and for the last frame of the log, which was being written when the power went:

    each length of it, and zeros from a sector on      the service has everything before it, and nothing of it

Exit code 1 if an answer is wrong, if a document is missing without a word, or if the program panics.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from service import Gone, Refused, Service, text_of

OLD, ADDED = 450, 330


class Wrong(Exception):
    """The program does not do what it says."""


def require(condition, message):
    if not condition:
        raise Wrong(message)


def build(arguments, folder):
    """Makes the index, and returns the text of each document that is there, and the ids that were removed."""
    corpus = folder.with_suffix(".jsonl")
    there = {f"old{number}": text_of(f"old{number}", words=90) for number in range(OLD)}
    corpus.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in there.items()))
    subprocess.run([arguments.info, "index", "build", corpus, "-o", folder, "-q"], check=True)
    service = Service(arguments.program, folder)
    client, removed = service.client(), set()
    for number in range(ADDED):
        id, text = f"new{number}", text_of(f"old{number}" if number % 10 == 0 else number, variant=1, words=90)
        status, answer = client.add(id, text, on_duplicate="store", meta={"number": number})
        require(status == 201, f"{id}: {status} {answer}")
        there[id] = text
        if number % 7 == 3:
            for gone in (f"new{number - 2}", f"old{number}"):
                require(client.remove(gone)[0] == 204, f"{gone} is not removed")
                del there[gone]
                removed.add(gone)
        if number == ADDED // 2:
            time.sleep(1.5)  # The work in the background makes runs, and merges them.
    # One more file of the log than the runs cover.
    service.kill()
    return there, removed


def files_of(folder):
    """The files by kind."""
    kinds = collections.defaultdict(list)
    for file in sorted(folder.iterdir()):
        if file.stat().st_size:
            kinds[file.suffix].append(file.name)
    return kinds


def verify(arguments, folder, name, what):
    ran = subprocess.run([arguments.info, "index", "info", folder, "--verify"], capture_output=True, text=True)
    require("panicked" not in ran.stderr, f"{what}: index info panics: {ran.stderr}")
    is_told = ran.returncode == 1 and name in ran.stderr and re.search(r"byte \d+", ran.stderr)
    require(is_told, f"{what}: index info --verify ends with {ran.returncode}: {ran.stdout[-200:]} {ran.stderr}")


def compare(arguments, folder, there, removed, name, what):
    """Starts a service, and compares its answers with the documents. Returns how it met the damage."""
    try:
        service = Service(arguments.program, folder)
    except Refused as refused:
        require("panicked" not in str(refused), f"{what}: {refused}")
        require(name in str(refused), f"{what}: it does not start and does not name {name}: {refused}")
        return "refused to start"
    client, damaged = service.client(), 0
    try:
        for id, text in there.items():
            for status, answer in (client.read(id), client.check(text)):
                if status == 500:
                    require(name in answer["detail"], f"{what}: {id}: {answer}")
                    damaged += 1
                else:
                    require(status == 200, f"{what}: {id}: {status} {answer}")
                    require(answer.get("text", text) == text and answer.get("match", 1), f"{what}: {id}: {answer}")
        for id in removed:
            status, answer = client.read(id)
            require(status == 404 or status == 500 and name in answer["detail"], f"{what}: removed {id}: {status} {answer}")
        status, answer = client.add("one more", text_of("one more"))
        require(status == 201 or status == 500 and name in answer["detail"], f"{what}: one more: {status} {answer}")
    except Gone as gone:
        raise Wrong(f"{what}: it ends: {service.printed()}") from gone
    finally:
        service.kill()
    require("panicked" not in service.printed(), f"{what}: {service.printed()}")
    return "an error that names the file" if damaged else "all answers right"


def damages(kinds, folder, places, generator):
    """Pairs of a file, and what happens to its bytes."""
    for kind, names in kinds.items():
        for place in range(places):
            name = names[place % len(names)]
            size = (folder / name).stat().st_size
            # The first and the last bytes have the fields of the format.
            at = generator.choice([generator.randrange(size), generator.randrange(min(size, 120)), size - 1 - generator.randrange(min(size, 60))])
            by = generator.choice([1 << generator.randrange(8), generator.randrange(1, 256)])
            yield kind, name, f"byte {at} ^ {by:#04x}", lambda data, at=at, by=by: data[:at] + bytes([data[at] ^ by]) + data[at + 1:]
        for _ in range(places // 10):
            name = generator.choice(names)
            if kind == ".log" and name == names[-1]:
                continue
            length = generator.randrange((folder / name).stat().st_size)
            yield kind, name, f"cut to {length}", lambda data, length=length: data[:length]


def flip(arguments, pristine, there, removed, generator):
    told = collections.Counter()
    work = pristine.with_name("damaged.index")
    for kind, name, what, damage in damages(files_of(pristine), pristine, arguments.places, generator):
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(pristine, work)
        (work / name).write_bytes(damage((work / name).read_bytes()))
        what = f"{name}: {what}"
        verify(arguments, work, name, what)
        met = compare(arguments, work, there, removed, name, what)
        told[kind, "cut off" if "cut" in what else "a byte", met] += 1
    return told


def tear(arguments, pristine, there, removed, generator):
    """The last frame of the log is there in part."""
    folder = pristine.with_name("torn.index")
    shutil.copytree(pristine, folder)
    service = Service(arguments.program, folder)
    last = folder / files_of(folder)[".log"][-1]
    require(service.client().add("before", text_of("before"))[0] == 201, "before is not added")
    before = last.read_bytes()
    require(service.client().add("torn", " ".join(f"{generator.random()}" for _ in range(150)))[0] == 201, "torn is not added")
    service.kill()
    whole = last.read_bytes()
    require(whole.startswith(before) and len(whole) > len(before) + 1024, "the last frame is in the last file")
    cuts = [len(before) + 1, len(before) + 51, len(before) + 52, len(whole) - 1]
    cuts += [generator.randrange(len(before) + 1, len(whole)) for _ in range(arguments.places // 2)]
    torn = [(f"cut after {cut - len(before)} bytes", whole[:cut]) for cut in cuts]
    sectors = range(-(-len(before) // 512) * 512, len(whole) - 8, 512)
    torn += [(f"zeros from {sector} on", whole[:sector] + bytes(len(whole) - sector)) for sector in sectors]
    there = there | {"before": text_of("before")}
    for what, data in torn:
        work = pristine.with_name("damaged.index")
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(folder, work)
        (work / last.name).write_bytes(data)
        met = compare(arguments, work, there, removed | {"torn"}, last.name, f"a torn frame {what}")
        require(met == "all answers right", f"a torn frame {what}: {met}")
    return {("the last frame", "torn", "all answers right"): len(torn)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--info", required=True, type=pathlib.Path)
    parser.add_argument("--places", type=int, default=100, help="flipped bytes for each kind of file")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as temporary:
        pristine = pathlib.Path(temporary) / "pristine.index"
        try:
            there, removed = build(arguments, pristine)
            kinds = files_of(pristine)
            require(len(kinds) == 6, f"an index has six kinds of files, and this one {sorted(kinds)}")
            told = flip(arguments, pristine, there, removed, generator) | collections.Counter(tear(arguments, pristine, there, removed, generator))
        except Wrong as wrong:
            print(wrong, file=sys.stderr)
            return 1
    for (kind, what, met), count in sorted(told.items()):
        print(f"{count:5} {kind:15} {what:8} {met}")
    print(f"{told.total()} damages, {len(there)} documents, {len(removed)} removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
