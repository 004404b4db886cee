"""An index that is pickled as a file and goes on growing."""
import pickle

from datasketch import MinHash, MinHashLSH


def sketch(words):
    m = MinHash(num_perm=64)
    m.update_batch(word.encode() for word in words.split())
    return m


lsh = MinHashLSH(threshold=0.5, num_perm=64, params=(16, 4))
for n in range(20):
    lsh.insert(n, sketch(f"a b c d e f g {n} {n % 4}"))
lsh = pickle.loads(pickle.dumps(lsh))
lsh.insert("new", sketch("a b c d e f g"))
print(lsh.b, lsh.r, lsh.h, sorted(map(str, lsh.query(sketch("a b c d e f g 1 1")))))
m = pickle.loads(pickle.dumps(sketch("x y z")))
m.update(b"w")
print(m.hashvalues.tolist()[:6])
