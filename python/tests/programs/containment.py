"""Columns of tables that contain the values of a column."""
from datasketch import MinHash, MinHashLSHEnsemble

entries = []
for n in range(1, 60):
    m = MinHash(num_perm=128)
    m.update_batch(str(i).encode() for i in range(n * n))
    entries.append((f"column{n}", m, n * n))
ensemble = MinHashLSHEnsemble(threshold=0.8, num_perm=128, num_part=8, m=4)
ensemble.index(entries)
print([tuple(map(int, pair)) for pair in ensemble.params])
for n in (2, 5, 20, 59):
    key, m, size = entries[n - 1]
    print(key in ensemble, sorted(ensemble.query(m, size)))
