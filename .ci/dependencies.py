#!/usr/bin/env python3
"""Checks licences, versions and sources of all dependencies against deny.toml.

    .ci/dependencies.py        # prints each dependency that breaks a rule, and exits with 1 if there is one

`cargo deny check` checks the same and more, and takes minutes to install. This reads the keys of deny.toml that it names
below and no others: licenses.allow, bans.skip, graph.targets. Sources may be crates.io and this repository. As in cargo-deny,
dependencies of tests do not count. Needs Python 3.11 and cargo.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def allowed(expression, licences):
    """Whether an SPDX expression is true of these licences. `/` is an old spelling of OR."""
    words = re.findall(r"[()]|[^\s()/]+|/", re.sub(r"\s+WITH\s+", "_WITH_", expression))

    def alternatives():
        result = conjunction()
        while words and words[0] in ("OR", "/"):
            words.pop(0)
            result = conjunction() or result
        return result

    def conjunction():
        result = term()
        while words and words[0] == "AND":
            words.pop(0)
            result = term() and result
        return result

    def term():
        word = words.pop(0)
        if word != "(":
            return word.replace("_WITH_", " WITH ") in licences
        result = alternatives()
        words.pop(0)
        return result

    return alternatives()


def dependencies(targets):
    """All packages that members of the workspace are built from on one of the targets."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--all-features"]
    for target in targets:
        command += ["--filter-platform", target]
    metadata = json.loads(subprocess.check_output(command, cwd=ROOT))
    needs = {
        node["id"]: [need["pkg"] for need in node["deps"] if any(kind["kind"] != "dev" for kind in need["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    reached, waiting = set(), list(metadata["workspace_members"])
    while waiting:
        package = waiting.pop()
        if package not in reached:
            reached.add(package)
            waiting += needs[package]
    return [package for package in metadata["packages"] if package["id"] in reached]


def problems(packages, rules):
    licences = set(rules["licenses"]["allow"])
    skipped = {skip["crate"] for skip in rules["bans"]["skip"]}
    versions = defaultdict(list)
    for package in packages:
        name = f"{package['name']}@{package['version']}"
        versions[package["name"]].append(name)
        if not package["license"] or not allowed(package["license"], licences):
            yield f"{name}: the licence {package['license']} is not in licenses.allow"
        if package["source"] not in (None, CRATES_IO):
            yield f"{name} comes from {package['source']}"
    for names in versions.values():
        others = [name for name in names if name not in skipped]
        if len(others) > 1:
            yield f"{', '.join(others)}: one version is enough, or bans.skip gives the reason for the older"
        if len(names) == 1 and not others:
            yield f"{names[0]}: bans.skip has an entry, and there is no other version"
    for skip in sorted(skipped - {name for names in versions.values() for name in names}):
        yield f"{skip}: bans.skip has an entry, and there is no such dependency"


def main():
    rules = tomllib.loads((ROOT / "deny.toml").read_text())
    packages = dependencies(rules["graph"]["targets"])
    found = list(problems(packages, rules))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(packages)} dependencies, {len(found)} against deny.toml")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
