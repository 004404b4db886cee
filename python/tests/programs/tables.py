"""All pairs by walking over the tables; counts; sessions; a merge."""
import itertools

from datasketch import MinHash, MinHashLSH

sketches = MinHash.bulk([[str(i).encode() for i in range(n % 5, n % 5 + 30)] for n in range(15)], num_perm=32)
lsh = MinHashLSH(threshold=0.6, num_perm=32)
with lsh.insertion_session() as session:
    for key, m in enumerate(sketches[:10]):
        session.insert(key, m, check_duplication=False)
other = MinHashLSH(threshold=0.6, num_perm=32)
for key, m in enumerate(sketches[10:], start=10):
    other.insert(key, m)
lsh.merge(other)
pairs = set()
for table in lsh.hashtables:
    for bucket in table.keys():
        pairs.update(itertools.combinations(sorted(table[bucket]), 2))
print(len(pairs), sorted(pairs)[:5])
print([sorted(count.values()) for count in lsh.get_counts()])
print([len(count) for count in lsh.get_subset_counts(0, 1, 2)])
print([bucket.hex() for bucket in lsh.keys[3]])
lsh.add_to_query_buffer(sketches[0])
lsh.add_to_query_buffer(sketches[5])
print(sorted(lsh.collect_query_buffer()))
with lsh.deletion_session() as session:
    session.remove(0)
print(0 in lsh, sorted(lsh.query(sketches[0])))
