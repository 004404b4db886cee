#!/usr/bin/env python3
"""The tables of how-similar-is-distance-3.md, computed.

    python3 docs/tables.py                  # prints every table
    python3 docs/tables.py cosine false     # prints these
    python3 docs/tables.py --check FILE     # exits with 1 if a table of FILE differs from the computed one, and shows how
    python3 docs/tables.py --write FILE     # writes the computed tables between the markers of FILE

A table of FILE lies between `<!-- table: NAME -->` and `<!-- end -->`. Needs Python 3.9 and nothing else. It uses
no random numbers: every probability is a finite sum. It is exact for the model that the page names beside the table.
"""

import argparse
import difflib
import math
import pathlib
import re
import sys
from fractions import Fraction


# --- The model: codes of `bits` bits. Each bit differs with the same probability, independently of the others.


def bit_differs(cosine):
    """The probability that one bit differs: a random hyperplane separates two vectors (Goemans and Williamson, 1995)."""
    return math.acos(cosine) / math.pi


def cosine_of(share):
    """The cosine for which a share of the bits is expected to differ: the inverse of `bit_differs`."""
    return math.cos(math.pi * share)


def at_most(k, bits, p):
    """P(d <= k) for d ~ Bin(bits, p)."""
    return sum(math.comb(bits, d) * p**d * (1 - p) ** (bits - d) for d in range(k + 1))


def jaccard(cosine):
    """Jaccard similarity of two sets of the same size n that share c of their elements: cosine = c/n, J = c/(2n-c)."""
    return cosine / (2 - cosine)


def cosine_of_jaccard(j):
    return 2 * j / (1 + j)


def interval(d, bits):
    """Shares of differing bits that do not contradict d: 95 %, two-sided (Clopper and Pearson, 1934)."""
    low = 0.0 if d == 0 else solve(lambda p: 1 - at_most(d - 1, bits, p) - 0.025)
    high = solve(lambda p: 0.025 - at_most(d, bits, p))
    return low, high


def solve(rising):
    """The zero of a rising function on 0..1."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return low


def pairs(documents):
    return documents * (documents - 1) // 2


# --- Short texts: exact, from fair and independent hash bits, without any hyperplane.


def sums(weights):
    """The number of the 2^n choices of signs that give each sum of +-weights: one convolution for each weight."""
    counts = {0: 1}
    for weight in weights:
        convolved = {}
        for value, count in counts.items():
            for signed in (value + weight, value - weight):
                convolved[signed] = convolved.get(signed, 0) + count
        counts = convolved
    return counts


def bit_differs_exactly(common, removed, added):
    """The probability that a bit differs between the texts `common + removed` and `common + added`, lists of weights.

    A bit is 1 if its sum is > 0. With >= 0 the probability is the same, by inverting all signs.
    """
    left, right = sums(removed), sums(added)
    differing = 0
    for value, count in sums(common).items():
        a, b = above(-value, left), above(-value, right)
        differing += count * (a * (2 ** len(added) - b) + (2 ** len(removed) - a) * b)
    return Fraction(differing, 2 ** (len(common) + len(removed) + len(added)))


def above(bound, counts):
    return sum(count for value, count in counts.items() if value > bound)


def replaced(features, changed):
    """`bit_differs_exactly` if `changed` of `features` equal weights are replaced by others."""
    ones = [1] * changed
    return float(bit_differs_exactly([1] * (features - changed), ones, ones))


def tie(features):
    """The probability that a sum of that many equal weights is 0."""
    return float(Fraction(sums([1] * features).get(0, 0), 2**features))


# --- Blocks.


def shares_a_block(distance, bits=64, blocks=4):
    """The probability that codes at this distance agree on a whole block, with differing bits at random places."""
    width = bits // blocks
    ways = sum(
        (-1) ** (n + 1) * math.comb(blocks, n) * math.comb(bits - width * n, distance) for n in range(1, blocks + 1)
    )
    return ways / math.comb(bits, distance)


# --- Formats of numbers.

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power(x):
    mantissa, exponent = f"{x:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPT)}"


def chance(p):
    if p == 0 or p == 1:
        return f"{p:.0f}"
    if p > 0.9995:
        return "> 0.999"
    return f"{p:.3f}" if p >= 0.00095 else power(p)


def count(x):
    if x >= 999_999.5:
        return power(x)
    return f"{x:,.0f}" if x >= 9.95 else f"{x:.2g}" if x >= 0.0095 else power(x)


def markdown(head, rows):
    """A table with numbers aligned to the right, and other columns to the left."""
    columns = list(zip(*rows))
    number = re.compile(r"[-−> \d.,·⁻⁰¹²³⁴⁵⁶⁷⁸⁹–%]*$")
    rule = ["---:" if all(number.match(cell) for cell in column) else "---" for column in columns]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, rule, *rows])


# --- The tables.

COSINES = [0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999]


def cosine_rows(bits, distances):
    rows = []
    for cosine in COSINES:
        p = bit_differs(cosine)
        found = [chance(at_most(k, bits, p)) for k in distances]
        rows.append([f"{cosine:.3f}", f"{jaccard(cosine):.3f}", f"{bits * p:.1f}", *found])
    return markdown(["cosine", "J", "E[d]", *(f"P(d ≤ {k})" for k in distances)], rows)


def table_cosine():
    return cosine_rows(64, [3, 7, 10])


def table_cosine_128():
    return cosine_rows(128, [6, 14, 20])


def table_distance():
    rows = []
    for d in [0, 1, 2, 3, 5, 7, 8, 10, 12, 16, 21, 32]:
        cosine = max(cosine_of(d / 64), 0.0)
        # Weights are not negative, so no cosine is.
        worst, best = (max(cosine_of(p), 0.0) for p in reversed(interval(d, 64)))
        one_in = [f"{1 / (1 - cosine ** (1 / w)):,.0f}" if 0 < d < 32 else "–" for w in (1, 3)]
        between = f"{jaccard(worst):.3f} to {jaccard(best):.3f}"
        rows.append([str(d), f"{1 - d / 64:.3f}", f"{cosine:.3f}", f"{jaccard(cosine):.3f}", between, *one_in])
    head = ["d of 64", "bits that agree", "cosine", "J", "J, 95 %", "one word in, w = 1", "one word in, w = 3"]
    return markdown(head, rows)


def table_false():
    rows = []
    for bits, distances in [(64, [3, 7, 8, 10, 12]), (128, [6, 14, 16, 20, 24])]:
        for k in distances:
            p = at_most(k, bits, 0.5)
            expected = [count(p * pairs(n)) for n in (10**6, 10**7, 10**8)]
            rows.append([str(bits), str(k), power(p), *expected])
    return markdown(["bits", "d ≤", "of one pair", "1 M texts", "10 M", "100 M"], rows)


def table_common():
    rows = []
    for cosine in [0.0, 0.2, 0.4, 0.6, 0.8]:
        p = bit_differs(cosine)
        small = [power(at_most(k, 64, p)) for k in (3, 7, 10)]
        large = [power(at_most(k, 128, p)) for k in (6, 14, 20)]
        rows.append([f"{cosine:.1f}", f"{64 * p:.1f}", *small, *large])
    head = ["cosine", "E[d] of 64", "64: d ≤ 3", "d ≤ 7", "d ≤ 10", "128: d ≤ 6", "d ≤ 14", "d ≤ 20"]
    return markdown(head, rows)


def table_short():
    rows = []
    for m in [5, 10, 20, 50, 100, 200, 400]:
        p = replaced(m, 1)
        angle = 64 * bit_differs((m - 1) / m)
        found = [chance(at_most(k, 64, p)) for k in (3, 7, 10)]
        rows.append([str(m), f"{(m - 1) / m:.3f}", f"{(m - 1) / (m + 1):.3f}", f"{64 * p:.1f}", f"{angle:.1f}", *found])
    return markdown(
        ["m", "cosine", "J", "E[d], exact", "E[d] by the angle", "P(d ≤ 3)", "P(d ≤ 7)", "P(d ≤ 10)"], rows
    )


def table_words():
    rows = []
    for words in [20, 50, 100, 200, 400, 1000]:
        row = [str(words)]
        for k in (3, 10):
            # A word in the middle of a text belongs to `width` shingles.
            row += [chance(at_most(k, 64, replaced(words - width + 1, width))) for width in (1, 2, 3, 5)]
        rows.append(row)
    return markdown(["words", *(f"d ≤ {k}, w = {w}" for k in (3, 10) for w in (1, 2, 3, 5))], rows)


def table_ties():
    rows = []
    for m in [2, 4, 8, 20, 50, 100, 200, 400]:
        p = tie(m)
        one = (1 - p) / 2
        rows.append(
            [str(m), chance(p), f"{64 * p:.1f}", chance(at_most(3, 64, p)), f"{64 * 2 * one * (1 - one):.1f}"]
        )
    head = ["m", "a sum is 0", "E[d], same text, two rules", "P(d ≤ 3), same text, two rules", "E[d], nothing in common"]
    return markdown(head, rows)


def table_blocks():
    rows = []
    for d in [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32]:
        rows.append([str(d), chance(shares_a_block(d))])
    return markdown(["d", "shares a block"], rows)


def table_stages():
    rows = []
    for cosine in [0.9, 0.95, 0.97, 0.98, 0.99, 0.995]:
        p = bit_differs(cosine)
        within, block = at_most(3, 64, p), 1 - (1 - (1 - p) ** 16) ** 4
        rows.append([f"{cosine:.3f}", chance(block), chance(within), chance(within / block)])
    return markdown(["cosine", "shares a block", "shares a block and d ≤ 3", "of the candidates, d ≤ 3"], rows)


def table_percent():
    rows = []
    for share in (0.95, 0.5):
        percent = f"{100 * share:.0f} %"
        readings = [
            (f"{percent} of the bits agree", cosine_of(1 - share)),
            (f"Jaccard similarity {share}", cosine_of_jaccard(share)),
            (f"cosine {share}; or {percent} of the words kept, single words", share),
            (f"{percent} of the words kept, shingles of 2", share**2),
            (f"{percent} of the words kept, shingles of 3", share**3),
            (f"{percent} of the words kept, shingles of 5", share**5),
        ]
        for reading, cosine in readings:
            p = bit_differs(cosine)
            found = [chance(at_most(k, 64, p)) for k in (3, 10)]
            rows.append([reading, f"{cosine:.3f}", f"{jaccard(cosine):.3f}", f"{64 * p:.1f}", *found])
    return markdown(["read as", "cosine", "J", "E[d] of 64", "P(d ≤ 3)", "P(d ≤ 10)"], rows)


def table_drift():
    rows = []
    for share in [0.001, 0.01, 0.02, 0.05, 0.1, 0.2]:
        p = bit_differs(math.sqrt(1 - share))
        rows.append([f"{100 * share:g} %", f"{64 * p:.1f}", chance(at_most(3, 64, p)), chance(at_most(10, 64, p))])
    return markdown(["of the squared weight", "E[d] of 64", "P(d ≤ 3)", "P(d ≤ 10)"], rows)


TABLES = {
    name.removeprefix("table_").replace("_", "-"): function
    for name, function in globals().items()
    if name.startswith("table_")
}

MARKED = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def filled(page):
    """The page with all computed tables."""
    marked = [match[2] for match in MARKED.finditer(page)]
    if page.count("<!-- table:") != len(marked):
        sys.exit("a marker <!-- table: NAME --> has no <!-- end -->")
    for name in sorted(TABLES.keys() ^ set(marked)):
        sys.exit(f"the page lacks the table {name}" if name in TABLES else f"there is no table {name}")
    return MARKED.sub(lambda match: f"{match[1]}\n{TABLES[match[2]]()}\n\n{match[4]}", page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TABLES))
    parser.add_argument("--check", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--write", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    for name in arguments.names:
        if name not in TABLES:
            parser.error(f"there is no table {name}; there are {', '.join(TABLES)}")

    if arguments.write:
        arguments.write.write_text(filled(arguments.write.read_text("utf-8")), "utf-8")
    elif arguments.check:
        page = arguments.check.read_text("utf-8")
        if page != (computed := filled(page)):
            lines = page.splitlines(), computed.splitlines()
            print(*difflib.unified_diff(*lines, str(arguments.check), "computed", lineterm=""), sep="\n")
            sys.exit(1)
        print(f"all equal: {len(TABLES)} tables")
    else:
        for name in arguments.names or TABLES:
            print(f"<!-- table: {name} -->\n\n{TABLES[name]()}\n\n<!-- end -->\n")


if __name__ == "__main__":
    main()
