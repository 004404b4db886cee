#!/usr/bin/env python3
"""Lines a second of bulk additions, of several programs in turns.

    bulk.py NAME=PROGRAM [NAME=PROGRAM ...] [--lines 20000] [--rounds 5]

Texts are 60 to 180 random words. Each program gets them into an empty index in three streams: `new` texts; near-duplicates of texts of the index (`dup`), which
each differ by a word; and `mixed`, where a text and its near-duplicate are up to 300 lines apart. Prints medians of the rounds: lines a second, and the time of the
service's processor. Seed 5. Needs Linux and curl.
"""
import argparse
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import tempfile
import time


def streams(work, count):
    """The files of lines, by the name of the stream."""
    generator = random.Random(5)
    words = [f"w{number:x}" for number in range(20_000)]
    new = [generator.choices(words, k=generator.randint(60, 180)) for _ in range(count)]

    def near(text):
        place = generator.randrange(len(text))
        return [*text[:place], "changed", *text[place + 1 :]]

    mixed = [text for one in new[: count // 2] for text in (one, near(one))]
    for place in range(len(mixed)):
        other = min(len(mixed) - 1, place + generator.randrange(300))
        mixed[place], mixed[other] = mixed[other], mixed[place]
    files = {}
    for name, texts in [("new", new), ("dup", [near(text) for text in new]), ("mixed", mixed)]:
        files[name] = work / f"{name}.jsonl"
        lines = ({"id": f"{name}{number}", "text": " ".join(text)} for number, text in enumerate(texts))
        files[name].write_text("".join(json.dumps(line) + "\n" for line in lines))
    return files


class Service:
    """A service with an empty index."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="lookalike-bulk-")
        log = pathlib.Path(self.folder.name, "log")
        command = [program, "serve", "--index", f"{self.folder.name}/index", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stderr=log.open("w"))
        while not (address := re.search(r"http://[0-9.:]+", log.read_text())):
            time.sleep(0.05)
        self.url = f"{address[0]}/v1/bulk?op=add"

    def processor(self):
        """Seconds of the processor that it has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def send(self, file):
        """Seconds, and seconds of the processor, for the lines of a file."""
        begin, used = time.monotonic(), self.processor()
        # With -T curl sends while it reads the file, and reads the answers meanwhile.
        subprocess.run(["curl", "-s", "-o", os.devnull, "-X", "POST", "-T", file, "-H", "Expect:", self.url], check=True)
        return time.monotonic() - begin, self.processor() - used

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory(prefix="lookalike-bulk-") as work:
        files = streams(pathlib.Path(work), arguments.lines)
        for _ in range(arguments.rounds):
            for name, program in (named.split("=") for named in arguments.programs):
                for sent in (["new", "dup"], ["mixed"]):
                    service = Service(program)
                    for stream in sent:
                        figures.setdefault((stream, name), []).append(service.send(files[stream]))
                    service.close()
    for (stream, name), measured in sorted(figures.items()):
        seconds, processor = (statistics.median(column) for column in zip(*measured))
        print(f"{stream:5} {name:10} {arguments.lines / seconds:8.0f} lines/s {processor / arguments.lines * 1e6:6.1f} µs of the processor a line")


if __name__ == "__main__":
    main()
