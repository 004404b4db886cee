"""Functions that every peer's script needs: reading the corpus, word shingles, union-find, writing clusters.

They are as fast as plain Python allows, so that most of the measured time is the peer's.
"""

import json

SHINGLE, NUM_PERM, BANDS, ROWS, THRESHOLD = 5, 128, 16, 8, 0.8


def read(path):
    """The ids and the texts of a JSONL corpus."""
    ids, texts = [], []
    with open(path, "rb") as lines:
        for line in lines:
            record = json.loads(line)
            ids.append(record["id"])
            texts.append(record["text"])
    return ids, texts


def write_kept(source, out, removed):
    """Copies the lines of a JSONL corpus to OUT.kept, except the lines with these numbers."""
    with open(source, "rb") as lines, open(f"{out}.kept", "wb") as sink:
        sink.writelines(line for number, line in enumerate(lines) if number not in removed)


def shingles(text):
    """Word 5-grams by white space. A shorter text is one shingle."""
    words = text.split()
    if len(words) < SHINGLE:
        return [" ".join(words)] if words else []
    return list(map(" ".join, zip(words, words[1:], words[2:], words[3:], words[4:])))


class Union:
    """Union-find with path halving over 0..count, or over any hashable keys."""

    def __init__(self):
        self.parent = {}

    def root(self, item):
        parent = self.parent
        if parent.setdefault(item, item) == item:
            return item
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def join(self, a, b):
        a, b = self.root(a), self.root(b)
        if a != b:
            self.parent[max(a, b)] = min(a, b)

    def removed(self):
        """All members of clusters except the first of each."""
        return {item for item in self.parent if self.root(item) != item}

    def write(self, path, name=lambda item: item):
        """`id TAB cluster`, for clusters of two or more. A cluster has the name of its first member."""
        with open(path, "w", encoding="utf-8") as sink:
            for item in self.parent:
                sink.write(f"{name(item)}\t{name(self.root(item))}\n")
