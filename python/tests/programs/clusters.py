"""Clusters by removing each key from its own result, with tuples as keys, and an error that is caught."""
from datasketch import MinHash, MinHashLSH

FILES = {("repo", n): set(range(n // 5 * 100, n // 5 * 100 + 60 - n % 5)) for n in range(40)}
lsh = MinHashLSH(threshold=0.8, num_perm=128)
sketches = {}
for key, lines in FILES.items():
    m = MinHash(num_perm=128)
    m.update_batch([str(line).encode() for line in lines])
    sketches[key] = m
    lsh.insert(key, m)
try:
    lsh.insert(("repo", 0), sketches[("repo", 0)])
except ValueError:
    print("a second key")
for key in sorted(FILES):
    result = lsh.query(sketches[key])
    result.remove(key)
    print(key, sorted(result))
lsh.remove(("repo", 3))
print(("repo", 3) in lsh, ("repo", 4) in lsh, len(list(lsh.keys)), lsh.is_empty())
try:
    lsh.remove(("repo", 3))
except ValueError:
    print("no such key")
