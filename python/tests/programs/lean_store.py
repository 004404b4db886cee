"""Lean sketches as bytes, and in a set."""
from datasketch import LeanMinHash, MinHash

leans = []
for scheme in ("affine32", "affine64", "legacy"):
    for n in range(3):
        m = MinHash(num_perm=32, scheme=scheme)
        m.update_batch(str(i).encode() for i in range(n * 10, 100))
        lean = LeanMinHash(m)
        buffer = bytearray(lean.bytesize("<"))
        lean.serialize(buffer, "<")
        print(scheme, lean.bytesize(), buffer.hex()[:80])
        again = LeanMinHash.deserialize(buffer, "<")
        leans.append(again)
        print(again == lean, again.jaccard(m), hash(again) == hash(lean))
print(len(set(leans + leans)))
lean = LeanMinHash(seed=1, hashvalues=leans[0].hashvalues, scheme=leans[0].scheme)
print(lean == leans[0], LeanMinHash.union(leans[0], leans[1]).jaccard(leans[0]))
