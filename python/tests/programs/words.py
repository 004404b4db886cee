"""Titles that are compared word by word: update in a loop, jaccard."""
from datasketch import MinHash

TITLES = ["the quick brown fox", "the quick brown dog", "a slow green turtle", "the quick brown fox jumps"]
sketches = []
for title in TITLES:
    m = MinHash(num_perm=256)
    for word in title.split():
        m.update(word.encode("utf8"))
    sketches.append(m)
for a in sketches:
    print([round(a.jaccard(b), 6) for b in sketches], round(a.count(), 6), len(a), a.is_empty())
