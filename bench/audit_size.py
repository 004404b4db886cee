#!/usr/bin/env python3
"""`lookalike audit` on a site and on parts of it: does it depend on the size of a site which pages are pairs?

    audit_size.py --program target/release/lookalike --work FOLDER SITE

`SITE` is a folder of HTML files. For parts of a half and a quarter of its pages, three random ones of each, it prints the pages, the pairs of the whole
site that are in the part, the pairs of the part, those in both, and those of them that have the same class.
"""
import argparse
import csv
import pathlib
import random
import shutil
import subprocess


def pairs(arguments, folder):
    """The class of each pair, by the paths of its pages in the folder."""
    state, table = arguments.work / "site.audit", arguments.work / "pairs.csv"
    shutil.rmtree(state, ignore_errors=True)
    subprocess.run([arguments.program, "audit", folder, "--state", state, "--quiet", "--pairs", table], check=True)
    with open(table) as lines:
        return {(row["a"], row["b"]): row["class"] for row in csv.DictReader(lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("site", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    site, part = arguments.site, arguments.work / "part"
    whole = pairs(arguments, site)
    pages = sorted(path.relative_to(site) for path in site.rglob("*.html"))
    print(f"{len(pages)} pages, {len(whole)} pairs")
    for share in (2, 4):
        for seed in range(3):
            taken = set(random.Random(seed).sample(pages, len(pages) // share))
            shutil.rmtree(part, ignore_errors=True)
            for path in site.rglob("*"):
                if path.is_file() and (path.suffix != ".html" or path.relative_to(site) in taken):
                    copy = part / path.relative_to(site)
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, copy)
            urls = {f"file:///{path}" for path in taken}
            expected = {pair: kind for pair, kind in whole.items() if urls.issuperset(pair)}
            found = pairs(arguments, part)
            both = expected.keys() & found.keys()
            same = sum(expected[pair] == found[pair] for pair in both)
            print(f"{len(taken)} pages: {len(expected)} pairs of the whole site, {len(found)} of the part, {len(both)} in both, {same} of the same class")


if __name__ == "__main__":
    main()
