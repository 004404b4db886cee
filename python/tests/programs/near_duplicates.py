"""An index of fingerprints that is searched before each insertion."""
from simhash import Simhash, SimhashIndex

data = {
    1: "How are you? I Am fine. blar blar blar blar blar Thanks.",
    2: "How are you i am fine. blar blar blar blar blar than",
    3: "This is simhash test.",
    4: "How are you i am fine. blar blar blar blar blar thank1",
}
index = SimhashIndex([(str(k), Simhash(v)) for k, v in data.items()], k=10)
print(sorted(index.get_near_dups(Simhash("How are you i am fine.ablar ablar xyz blarr blarr blar blar thank"))))
fresh = SimhashIndex([], k=3)
for n in range(50):
    value = Simhash(f"document {n % 10} with some words in it {n % 10}")
    if not fresh.get_near_dups(value):
        fresh.add(str(n), value)
print(sorted(int(i) for i in fresh.get_near_dups(Simhash("document 1 with some words in it 1"))), fresh.bucket_size() > 0)
index.delete("1", Simhash(data[1]))
print(sorted(index.get_near_dups(Simhash(data[1]))))
