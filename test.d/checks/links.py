#!/usr/bin/env python3
"""Checks that relative links of all *.md lead to files, and that their anchors lead to headings.

    links.py        # prints each broken link, and exits with 1 if there is one
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.M | re.S)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)
ANCHOR = re.compile(r'<a (?:id|name)="([^"]+)"')


def text_of(page):
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page):
    """The anchors of a page, as GitHub makes them: letters, digits, `_` and `-` of the heading in lower case; a repeated one gets a number."""
    found, text = set(), text_of(page)
    for heading in HEADING.findall(text):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (name := f"{anchor}-{number}" if number else anchor) in found:
            number += 1
        found.add(name)
    return found | set(ANCHOR.findall(text))


def problems(page):
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text_of(page))):
        path, _, anchor = link.partition("#")
        aim = (page.parent / path).resolve() if path else page
        if not aim.exists():
            yield f"there is no {path}"
        elif anchor and aim.suffix == ".md" and anchor not in anchors(aim):
            yield f"{path or 'the page'} has no heading for #{anchor}"


def main():
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, text=True)
    pages = [page for line in listed.splitlines() if (page := ROOT / line).exists()]
    found = [f"{page.relative_to(ROOT)}: {problem}" for page in pages for problem in problems(page)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(pages)} pages, {len(found)} broken links")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
