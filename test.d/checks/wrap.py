#!/usr/bin/env python3
"""Wraps the paragraphs and list items of Markdown at 120 columns. Front matter, tables, code, headings and quotes stay as they are, and so do
lines that end in two spaces.

    wrap.py            # wraps all *.md
    wrap.py --check    # names the pages that it would change, and exits with 1 if there is one
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDTH = 120
# A word that would begin a list, a heading, a table, code, HTML, an image or the target of a link at the start of a line.
MARKER = re.compile(r"([-+*#>|]|\d+[.)])$|#+|={2,}|-{2,}|`{3}|~{3}|<|!\[|\[[^\]]+\]:")
# Lines that stand alone: tables, headings, quotes, HTML, targets of links, rules, images.
ALONE = re.compile(r"\s*(\||#|>|<|\[[^\]]+\]:|---|===|!\[)")
FENCE = re.compile(r"\s*(`{3,}|~{3,})")
ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s+(?=\S)")


def words(text):
    """The words of a text. Code with spaces is one word."""
    found = [""]
    for part in re.findall(r"`+[^`]*`+|\S+?(?=`)|\S+|\s+", text):
        if part.isspace():
            found.append("")
        else:
            found[-1] += part
    return [word for word in found if word]


def filled(text, first, rest):
    """The lines of a paragraph whose first line starts with `first`, and the others with `rest`."""
    lines = [first]
    for number, word in enumerate(words(text)):
        fits = len(lines[-1]) + 1 + len(word) <= WIDTH
        if number == 0:
            lines[-1] += word
        elif fits or MARKER.match(word):
            lines[-1] += f" {word}"
        else:
            lines.append(rest + word)
    return lines


def wrapped(page):
    front = re.match(r"---\n.*?\n---\n", page, re.S)
    if front:
        return front[0] + wrapped(page[front.end() :])
    out, paragraph, first, rest, fence = [], [], "", "", None

    def end():
        if paragraph:
            out.extend(filled(" ".join(paragraph), first, rest))
            paragraph.clear()

    for line in page.split("\n"):
        opens = FENCE.match(line)
        if fence:
            out.append(line)
            fence = None if opens and opens[1].startswith(fence) else fence
        elif opens:
            end()
            out.append(line)
            fence = opens[1]
        elif not line.strip() or ALONE.match(line) or line.endswith("  ") or (line.startswith("    ") and not paragraph and not rest):
            end()
            out.append(line)
            first, rest = (first, rest) if line.strip() else ("", "")
        elif item := ITEM.match(line):
            end()
            first, rest = item[0], " " * len(item[0])
            paragraph.append(line[len(first) :])
        else:
            if not paragraph:
                first = rest = re.match(r"\s*", line)[0]
            paragraph.append(line.strip())
    end()
    return "\n".join(out)


def main():
    check = sys.argv[1:] == ["--check"]
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, text=True)
    changed = []
    for path in filter(Path.exists, map(ROOT.joinpath, listed.splitlines())):
        page = path.read_text(encoding="utf-8")
        if (new := wrapped(page)) != page:
            changed.append(path.relative_to(ROOT).as_posix())
            if not check:
                path.write_text(new, encoding="utf-8")
    print(*(f"{name} is not wrapped at {WIDTH}; run test.d/checks/wrap.py" for name in changed if check), sep="\n", end="\n" if check and changed else "")
    print(f"{len(listed.splitlines())} pages, {len(changed)} {'not ' if check else ''}wrapped")
    sys.exit(check and bool(changed))


if __name__ == "__main__":
    main()
