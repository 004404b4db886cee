#!/usr/bin/env python3
"""Checks that the wheel, and streams, are built with the same features of all dependencies as the tests, so that nothing is built twice.

    features.py TESTED... , STREAMS...    # arguments of cargo: the packages that are tested, such as --workspace --exclude NAME,
                                          # and those of the stage streams

Prints each dependency whose features differ, and exits with 1 if there is one. Cargo gives a dependency the features that all packages
of one command ask for. A feature that only a test asks for is given to the wheel too, by crates/python/Cargo.toml. One that only streams
ask for is given to the tests, by crates/corpus/Cargo.toml.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def features(*arguments):
    """The features of each dependency in one command of cargo. A dependency may be built twice: for the program and for the build."""
    command = ["cargo", "tree", "--locked", "--prefix", "none", "--format", "{p}\t{f}", *arguments]
    found = {}
    for line in subprocess.check_output(command, cwd=ROOT, text=True).splitlines():
        package, _, names = line.removesuffix(" (*)").partition("\t")
        found.setdefault(package, set()).add(names.removesuffix(" (*)"))
    return found


def differing(tested, other, name):
    """Prints the dependencies that have other features than in the tests, and returns their number."""
    count = 0
    for package, names in sorted(other.items()):
        more = names - tested.get(package, names)
        # Our own packages have features of their own.
        if more and not package.startswith("lookalike"):
            count += 1
            print(f"{package}: {name} has {' or '.join(sorted(more))}; the tests have {' or '.join(sorted(tested[package]))}")
    print(f"{len(other)} dependencies of {name}, {count} with other features than in the tests")
    return count


def main():
    at = sys.argv.index(",")
    tested, streams = sys.argv[1:at], sys.argv[at + 1 :]
    found = differing(
        features(*tested, "--edges", "normal,build,dev"),
        features("--package", "lookalike-python", "--edges", "normal,build"),
        "the wheel",
    )
    # Streams alone have some macros, which are built beside the program.
    edges = ("--edges", "normal,dev,no-proc-macro")
    found += differing(features(*tested, *edges), features(*streams, *edges), "the program with streams")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
