"""A hash function of one's own: integers that hash to themselves, and one of zlib."""
import zlib

import numpy as np
from datasketch import MinHash

a = MinHash(num_perm=64, hashfunc=lambda value: int(value))
a.update_batch(np.arange(100, dtype=np.int64))
b = MinHash(num_perm=64, hashfunc=lambda value: int(value))
for value in range(50, 150):
    b.update(value)
print(a.jaccard(b), a.hashvalues.tolist()[:8])
c = MinHash(num_perm=64, hashfunc=zlib.crc32, scheme="legacy")
c.update(b"one")
d = c.copy()
d.update(b"two")
print(c.hashvalues.tolist()[:4], d.hashvalues.tolist()[:4], MinHash.union(c, d) == d)
try:
    MinHash(hashfunc=lambda value: 1 << 40).update(b"x")
except ValueError:
    print("out of range")
