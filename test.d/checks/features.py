#!/usr/bin/env python3
"""Checks that the wheel is built with the same features of all dependencies as the tests, so that nothing is built twice.

    features.py [ARGUMENTS OF CARGO]      # the packages that are tested, such as --workspace --exclude NAME

Prints each dependency whose features differ, and exits with 1 if there is one. Cargo gives a dependency the features that all packages
of one command ask for. A feature that only a test asks for is given to the wheel too, by crates/python/Cargo.toml.
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


def main():
    tested = features(*sys.argv[1:], "--edges", "normal,build,dev")
    wheel = features("--package", "lookalike-python", "--edges", "normal,build")
    differing = {package: names - tested.get(package, names) for package, names in wheel.items()}
    differing = {package: names for package, names in differing.items() if names}
    for package, names in sorted(differing.items()):
        print(f"{package}: the wheel has the features {' or '.join(sorted(names))}; the tests have {' or '.join(sorted(tested[package]))}")
    print(f"{len(wheel)} dependencies of the wheel, {len(differing)} with other features than in the tests")
    sys.exit(bool(differing))


if __name__ == "__main__":
    main()
