"""The similar pairs by definition, without code of the program: compares the token sets of all pairs."""

import re
from fractions import Fraction

# White_Space of Unicode. The str.split of Python also splits at four control characters.
SPACE = re.compile("[\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def shingles(text, length):
    """The set of runs of `length` tokens between white space. A shorter text is one run."""
    tokens = [token for token in SPACE.split(text) if token]
    length = min(length, len(tokens))
    return {tuple(tokens[at : at + length]) for at in range(len(tokens) - length + 1)} if tokens else set()


def similar(documents, length, threshold, measure):
    """{(a, b): similarity} of all pairs at or above the threshold, a before b."""
    sets = [shingles(text or "", length) for _, text, _ in documents]
    found = {}
    for b, right in enumerate(sets):
        for a, left in enumerate(sets[:b]):
            whole = len(left | right) if measure == "jaccard" else min(len(left), len(right))
            common = len(left & right)
            if whole and Fraction(common, whole) >= threshold:
                found[a, b] = common / whole
    return found
