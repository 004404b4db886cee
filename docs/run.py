#!/usr/bin/env python3
"""Runs the commands on a page, and compares their output with the output on the page.

    run.py [--program PATH/lookalike] PAGE.md…

All blocks of a page marked `sh` run in one shell, in a new folder. The output of a block is compared with the unmarked block after it. A
row of a table whose last columns are `command` and `prints` is a block too. Figures that depend on the machine (seconds, megabytes, numbers a
second) may differ. Blocks that call cargo or ./test are skipped, because they build the program that is tested here. The exit code is 1 if any output differs.
"""
import argparse
import difflib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
TABLE = re.compile(r"^\|.*\| command \| prints \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", re.M)
CELL = re.compile(r"(?<!\\)\|")
MARK = "@@ end of a block"
OF_THE_MACHINE = re.compile(
    r"\d[\d,.]* [kM]B/s|(?:less than |about )?\d[\d,.]* (?:s\b|MB)|\d[\d,.]*(?= a second)"
)


def rows(page):
    """The place, the command and the output of each row of a table of commands."""
    for table in TABLE.finditer(page):
        place = table.start(1)
        for row in table[1].splitlines(keepends=True):
            command, printed = (cell.strip().strip("`").replace(r"\|", "|") for cell in CELL.split(row)[-3:-1])
            if not command.startswith("./test"):
                yield place, command, printed
            place += len(row)


def blocks(page):
    """Each block of commands, in order, and its output on the page, or None if the page has no output."""
    return [block[1:] for block in sorted([*fenced(page), *rows(page)], key=lambda block: block[0])]


def fenced(page):
    """The place, the commands and the output of each block."""
    found = [match for match in BLOCK.finditer(page)]
    for index, match in enumerate(found):
        if match[1] != "sh" or re.search(r"^(cargo|\./test)\b", match[2], re.M):
            continue
        behind = found[index + 1] if index + 1 < len(found) else None
        quotes = behind is not None and behind[1] == "" and page[match.end() : behind.start()].strip() == ""
        yield match.start(), match[2], behind[2] if quotes else None


def run(page, program):
    """The differences of a page."""
    parts = list(blocks(page.read_text()))
    script = "set -o pipefail\n" + "".join(f"{commands}\necho; echo '{MARK}'\n" for commands, _ in parts)
    path = f"{program.parent.resolve()}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as output:
        # A shell that changes PATH finds the same program.
        shell = subprocess.Popen(
            ["bash", "-c", script], cwd=folder, env={**os.environ, "PATH": path, "NO_COLOR": "1"},
            stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
        )
        try:
            shell.wait(timeout=300)
        except subprocess.TimeoutExpired:
            output.write("\nthis took longer than 300 s")
        # A service that the page forgot must not outlive it.
        try:
            os.killpg(shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        shell.wait()
        output.seek(0)
        said = output.read()
    printed = said.split(f"\n{MARK}\n")[:-1]
    if len(printed) != len(parts):
        yield f"{page}: the shell ended after {len(printed)} of {len(parts)} blocks:\n{said[-2000:]}"
        return
    for (commands, quoted), answer in zip(parts, printed):
        if quoted is None:
            if re.search(r"^error", answer, re.M):
                yield f"{page}: this ends with an error:\n{commands}{answer}"
            continue
        quoted, answer = (OF_THE_MACHINE.sub("N", text).strip() for text in (quoted, answer))
        if quoted != answer:
            lines = difflib.unified_diff(quoted.splitlines(), answer.splitlines(), "quoted", "printed", lineterm="")
            yield f"{page}: after\n{commands}" + "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", type=pathlib.Path, default=pathlib.Path("target/debug/lookalike"))
    arguments.add_argument("pages", nargs="+", type=pathlib.Path)
    arguments = arguments.parse_args()
    wrong = [problem for page in arguments.pages for problem in run(page, arguments.program)]
    print("\n\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
