#!/usr/bin/env python3
"""Checks that crates import only from the floors below them, as the table "Floors" of ARCHITECTURE.md says.

    floors.py        # prints each crate that breaks a rule, and exits with 1 if there is one

A row of the table has the floor of a crate, its name, and the crates that it imports. Dependencies of tests do not count.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\d+) \| \[`(\w+)`\]\(crates/(\w+)/[^|]*\|[^|]*\| ([^|]*) \|$", re.M)


def table():
    """The floor and the imports of each crate, as ARCHITECTURE.md has them."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = page.split("\n## Floors\n")[1].split("\n## ")[0]
    return {name: (int(floor), set(re.findall(r"`(\w+)`", imports))) for floor, name, _, imports in ROW.findall(section)}


def dependencies():
    """The crates that each crate of the workspace is built with."""
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"]
    packages = json.loads(subprocess.check_output(command, cwd=ROOT))["packages"]
    folders = {package["name"]: Path(package["manifest_path"]).parent for package in packages}
    return {
        folders[package["name"]].name: {
            folders[need["name"]].name for need in package["dependencies"] if need["kind"] != "dev" and need["name"] in folders
        }
        for package in packages
        if folders[package["name"]].parent == ROOT / "crates"
    }


def problems(floors, crates):
    for name in sorted(floors.keys() ^ crates.keys()):
        yield f"{name}: it must be both in crates/ and in the table of ARCHITECTURE.md"
    for name in sorted(floors.keys() & crates.keys()):
        floor, said = floors[name]
        for need in sorted(crates[name] & floors.keys()):
            if floors[need][0] >= floor:
                yield f"{name}, on floor {floor}, imports {need}, on floor {floors[need][0]}"
        if said != crates[name]:
            yield f"{name} imports {', '.join(sorted(crates[name]))}; ARCHITECTURE.md says {', '.join(sorted(said))}"


def main():
    crates = dependencies()
    found = list(problems(table(), crates))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(crates)} crates, {len(found)} against the floors")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
