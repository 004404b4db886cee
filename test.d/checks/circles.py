#!/usr/bin/env python3
"""Checks that no circle of imports within a crate joins more than three files.

    circles.py [--all]      # prints circles of more than three files, and exits with 1 if there is one; --all prints all circles

A file imports the files that define the names it uses. A re-export (`pub use`) is a door: a name is followed through it to the file that
defines it. The head of a folder (`mod.rs`) may define what the files of the folder share, so their imports from it do not count. Nor do tests.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 3

# What is no code: comments, strings and characters. A lifetime is no character.
NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]+?|[^\\'\n])'""", re.S)
TESTS = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:mod|fn|use|impl|struct)\b[^;{]*([;{])")
MODULE = re.compile(r"(?:#\[path = \"([^\"]*)\"\]\s*)?\bmod (\w+);")
USE = re.compile(r"(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);")
PATH = re.compile(r"(?<![\w:.])[a-z_]\w*(?:::\w+)+")


def without_tests(code):
    """The code without what is only compiled for tests."""
    while found := TESTS.search(code):
        end = found.end()
        if found[1] == "{":
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(code[end], 0)
                end += 1
        code = code[: found.start()] + code[end:]
    return code


def leaves(tree):
    """The paths of a use tree, each with the name that it gives: `a::{b, c as d}` gives (a::b, b) and (a::c, d)."""
    tree = tree.strip()
    if "{" in tree:
        head, _, rest = tree.partition("{")
        inner, depth, start = rest.rstrip().removesuffix("}"), 0, 0
        for at, letter in enumerate(inner + ","):
            depth += {"{": 1, "}": -1}.get(letter, 0)
            if letter == "," and not depth:
                if inner[start:at].strip():
                    yield from leaves(head + inner[start:at].strip())
                start = at + 1
        return
    path, _, name = tree.partition(" as ")
    segments = path.strip().strip(":").split("::")
    if segments[-1] == "self":
        segments.pop()
    yield tuple(segments), name.strip() or segments[-1]


class Module:
    def __init__(self, file, parent):
        self.file, self.parent, self.children, self.names, self.globs, self.used = file, parent, {}, {}, [], []

    def root(self):
        return self.parent.root() if self.parent else self

    def heads(self):
        """The files of the folders around this module."""
        return {self.parent.file, *self.parent.heads()} if self.parent else set()

    def read(self, folder):
        """Reads the file, and those of the modules that it declares. Their files are in `folder`."""
        text = self.file.read_text(encoding="utf-8")
        paths = dict(re.findall(r"#\[path = \"([^\"]*)\"\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod (\w+);", text))
        paths = {name: path for path, name in paths.items()}
        code = without_tests(NO_CODE.sub(lambda found: "" if found[0].startswith("/") else '""', text))
        for _, name in MODULE.findall(code):
            files = [self.file.parent / paths[name]] if name in paths else [folder / f"{name}.rs", folder / name / "mod.rs"]
            # A stand-in for a build without a feature has the same name, and comes second.
            file = next((file for file in files if file.exists()), None)
            if file and name not in self.children:
                child = self.children[name] = Module(file, self)
                child.read(file.parent if file.name == "mod.rs" else file.parent / file.stem)
        for public, tree in USE.findall(code):
            for path, name in leaves(re.sub(r"\s+", " ", tree)):
                if name == "*":
                    self.globs.append(path[:-1])
                elif path[0] != name:
                    self.names[name] = path
                if not public:
                    self.used.append(path)
        self.used += [tuple(path.split("::")) for path in PATH.findall(USE.sub("", code))]

    def all(self):
        yield self
        for child in self.children.values():
            yield from child.all()

    def first(self, path):
        """The module in which a path starts, and the rest of the path. None for another crate."""
        module = self
        if path[0] == "crate":
            return self.root(), path[1:]
        if path[0] == "self":
            return self, path[1:]
        while path and path[0] == "super":
            module, path = module.parent or module, path[1:]
        return (module, path) if module is not self or path[0] in self.children or path[0] in self.names else None

    def file_of(self, path, seen=()):
        """The file that defines what a path in this module names. None if another crate does."""
        start = self.first(path)
        if start is None or (self, path) in seen:
            return None
        seen = (*seen, (self, path))
        module, rest = start
        while rest:
            name, after = rest[0], rest[1:]
            if name in module.children:
                module, rest = module.children[name], after
            elif name in module.names:
                return module.file_of((*module.names[name], *after), seen)
            else:
                behind = (module.file_of((*glob, *rest), seen) for glob in module.globs)
                return next((file for file in behind if file), module.file)
        return module.file


def imports(source):
    """The files that each file below a source folder imports."""
    edges = defaultdict(set)
    for name in ("lib.rs", "main.rs"):
        if (source / name).exists():
            top = Module(source / name, None)
            top.read(source)
            for module in top.all():
                found = {module.file_of(path) for path in module.used}
                edges[module.file] |= found - {None, module.file, *module.heads()}
    return edges


def circles(edges):
    """The strongly connected sets of more than one file (Tarjan, 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for other in sorted(edges[file]):
            if other not in number:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == number[file]:
            start = stack.index(file)
            if len(stack) - start > 1:
                found.append(sorted(stack[start:]))
            del stack[start:]

    for file in sorted(edges):
        if file not in number:
            visit(file)
    return found


def main():
    sys.setrecursionlimit(10_000)
    count = large = files = 0
    for source in sorted((ROOT / "crates").glob("*/src")):
        edges = imports(source)
        files += len(edges)
        for circle in circles(edges):
            count, is_large = count + 1, len(circle) > LARGEST
            large += is_large
            if is_large or "--all" in sys.argv:
                print(f"a circle of {len(circle)} files:")
                for file in circle:
                    others = [str(other.relative_to(ROOT)) for other in sorted(edges[file]) if other in circle]
                    print(f"  {file.relative_to(ROOT)} imports {', '.join(others)}")
    print(f"{files} files, {count} circles, {large} of more than {LARGEST} files")
    sys.exit(bool(large))


if __name__ == "__main__":
    main()
