"""The most similar ones, by a forest."""
from datasketch import MinHash, MinHashLSHForest

forest = MinHashLSHForest(num_perm=128, l=8)
sketches = {}
for n in range(30):
    m = MinHash(num_perm=128)
    m.update_batch(str(i).encode() for i in range(n * 3, n * 3 + 50))
    sketches[f"doc{n}"] = m
    forest.add(f"doc{n}", m)
print(forest.is_empty(), "doc3" in forest)
forest.index()
for key in ("doc0", "doc7", "doc29"):
    print(sorted(forest.query(sketches[key], 5)), forest.get_minhash_hashvalues(key).tolist()[:3])
try:
    forest.add("doc0", sketches["doc0"])
except ValueError:
    print("a second key")
