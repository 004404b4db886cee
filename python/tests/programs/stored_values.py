"""Values to a database and back: JSON, bytes, and an assignment of hashvalues."""
import json

import numpy as np
from datasketch import MinHash

m = MinHash(num_perm=16, seed=3)
m.update_batch([b"one", b"two", b"three"])
print(m.hashvalues.dtype, m.hashvalues.tolist())
text = json.dumps([int(value) for value in m.hashvalues])
again = MinHash(num_perm=16, seed=3)
again.hashvalues = np.array(json.loads(text), dtype=m.hashvalues.dtype)
print(again.jaccard(m), again == m, again.digest().tobytes().hex())
third = MinHash(hashvalues=m.hashvalues, seed=3, scheme="affine32")
third.update(b"four")
print(third.jaccard(m), third.hashvalues.tolist())
