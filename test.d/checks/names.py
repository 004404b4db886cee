#!/usr/bin/env python3
"""Checks that the names of types mean one thing, as the dictionary of ARCHITECTURE.md says.

    names.py      # prints the names that several types have, and exits with 1 if a rule is broken

No two crates have a public type of one name, `Error` aside. At most two types in a hundred share their name with another. A type that a feature replaces by an empty one, in a file `absent.rs` or `…_absent.rs`, is one type. So is a type of several
platforms. Types of tests do not count, nor those of `reference`, `bench` and `fuzz`.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_SHARED = 0.02
DEFINITION = re.compile(r"^( *)(pub(?:\([^)]*\))? )?(?:unsafe )?(struct|enum|trait|union|type) (\w+)", re.M)
TESTS = re.compile(r"#\[cfg\(test\)\]\s*mod \w+ \{.*", re.S)
# The other file of a pair of which one is built.
ALTERNATIVE = re.compile(r"(absent|platform/other)\.rs$")


def types(source):
    """The names of the types that a file defines, each with whether it is public. Types of a trait are none."""
    for indent, public, kind, name in DEFINITION.findall(TESTS.sub("", source)):
        if kind != "type" or not indent:
            yield name, public == "pub "


def all_types():
    """The files of the types of each name, as pairs of a path and whether the type is public."""
    found = defaultdict(list)
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        shown = path.relative_to(ROOT / "crates").as_posix()
        if not re.search(r"(^|/|_)tests(\.rs|/)", shown) and not ALTERNATIVE.search(shown):
            for name, public in types(path.read_text(encoding="utf-8")):
                found[name].append((shown, public))
    return found


def main():
    found = all_types()
    shared = {name: places for name, places in found.items() if len(places) > 1}
    public = {name: [path for path, public in places if public] for name, places in shared.items() if name != "Error"}
    public = {name: paths for name, paths in public.items() if len({path.split("/")[0] for path in paths}) > 1}
    total, sharing = sum(map(len, found.values())), sum(map(len, shared.values()))
    wrong = bool(public) or sharing > MOST_SHARED * total
    if wrong:
        for name, places in sorted(shared.items()):
            print(f"{name}{' leaves several crates' if name in public else ''}: {', '.join(path for path, _ in places)}")
    print(f"{total} types, {sharing} of them with the name of another ({sharing / total:.1%})")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
