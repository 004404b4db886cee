"""Fingerprints of texts, of lists, of weighted features, and of numbers of a database."""
from simhash import Simhash

print(Simhash("How are you? I Am fine. Thanks.").value, Simhash("").value, Simhash("你好　世界！").value)
print(Simhash(["aaa", "bbb"]).value, Simhash({"a": 2, "b": 1.5, "c": 0.25}).value)
print(Simhash([("word", 0.31), ("other", 0.55), ("third", 70)]).value)
a, b = Simhash("the cat sat on the mat"), Simhash("the cat sat on a mat")
print(a.distance(b), a == b, Simhash(a).value == a.value, Simhash(4390059585430954713).value)
print(Simhash("some text", f=128).value, Simhash("text", reg=r"[a-z]", hashfunc=lambda x: len(x) * 7919).value)
