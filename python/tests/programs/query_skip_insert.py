"""The loop of most programs: query, skip what is found, else insert."""
from datasketch import MinHash, MinHashLSH

DOCUMENTS = [f"item {n % 7} of the long list of things that repeat {n % 3}" for n in range(60)]
lsh = MinHashLSH(threshold=0.7, num_perm=128)
kept = []
for row, text in enumerate(DOCUMENTS):
    m = MinHash(num_perm=128)
    for start in range(len(text) - 4):
        m.update(text[start : start + 5].encode("utf-8"))
    if lsh.query(m):
        continue
    lsh.insert(f"doc-{row}", m)
    kept.append(row)
print(lsh.b, lsh.r, kept)
