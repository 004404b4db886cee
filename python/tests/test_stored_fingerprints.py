"""The examples of docs/stored-fingerprints.md, and its functions beside the codes of the programs that it names.

Codes that are written here come from the programs themselves. ClickHouse and simhash are asked again where they are installed.
"""

from __future__ import annotations

import doctest
import json
import random
import re
from typing import Any

import pytest

import lookalike
from conftest import ROOT, corpus

TEXTS = [
    "the quick brown fox jumps over the lazy dog",
    "To be or not to be, that is: to be or not to be, that is.",
    "Don't panic: the 42nd café reopens_on Monday at nine, says Zoë. Monday at nine, says Zoë!",
    " one two",
]


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The functions of the page, after all its examples have run."""
    pytest.importorskip("numpy")
    text = (ROOT / "docs/stored-fingerprints.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "docs/stored-fingerprints.md", None, None)
    assert len(session.examples) > 30
    assert doctest.DocTestRunner().run(session, clear_globs=False).failed == 0
    return session.globs


def by_md5(texts: list[str], **options: Any) -> list[int | None]:
    """The fingerprints of the program, with words cut at white space."""
    plan = {"method": "simhash", "tokens": "whitespace", "feature_hash": "md5", **options}
    codes: list[int | None] = lookalike.sketch(texts, **plan)["fingerprint"].to_pylist()
    return codes


def windows(text: str, size: int) -> list[str]:
    words = text.split()
    return [" ".join(words[start : start + size]) for start in range(len(words) - size + 1)]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_shingles_of_words_have_the_codes_of_simhash(size):
    simhash = pytest.importorskip("simhash")
    texts = [text for text in [*corpus(200), *TEXTS] if len(text.split()) >= size]
    assert len(texts) > 190
    assert by_md5(texts, shingle=size, weights="tf") == [simhash.Simhash(windows(text, size)).value for text in texts]
    assert by_md5(texts, shingle=size) == [simhash.Simhash(set(windows(text, size))).value for text in texts]


def test_a_tie_of_one_gives_the_codes_of_simhash_before_1_8():
    # simhash 1.7.1: Simhash(text.split()).value
    codes = [3279303472042380063, 9929803440274459195, 18379325607884781047, 17293531781823638499]
    assert by_md5(TEXTS, shingle=1, weights="tf", tie="one") == codes
    # The first text has an odd number of words, and so no ties.
    assert [code == other for code, other in zip(codes, by_md5(TEXTS, shingle=1, weights="tf"))] == [True, False, False, False]


def test_the_function_for_simhash_py_gives_its_codes(page):
    # simhash-py 0.4.2: compute([unsigned_hash(" ".join(words).encode()) for words in shingle(text.split(), size)])
    words = [1140603644929599182, 13913945854252587188, 3282344027555184851, 13269949767247612689]
    fours = [12782281268758982817, 17934257239706810150, 18164884622420178366, 0]
    assert [page["seomoz"](text, 1) for text in TEXTS] == words
    assert [page["seomoz"](text) for text in TEXTS] == fours


def test_the_functions_for_java_give_the_values_of_commons_codec(page):
    # commons-codec 1.17.1: MurmurHash3.hash64(text.getBytes(UTF_8))
    hashes = {
        "": 8404154273843829576,
        "a": 15986002618429608327,
        "abcdefg": 1028602747570965258,
        "abcdefgh": 729624805048849005,
        "abcdefghijklmnopq": 14876738310967886804,
        "Zürich — 東京": 8028600814000119102,
    }
    assert {text: page["hash64"](text.encode()) for text in hashes} == hashes
    # The class of the article with this hash, and with hash128x64(bytes)[0] in its place.
    assert [page["java"](text) for text in TEXTS] == [4199018630734723677, 9012829447678905032, 2774826510875561940, 0]
    by_half = [6333535877968899624, 289675149011232881, 3559688047947333676, 0]
    plan = {"method": "simhash", "tokens": "whitespace", "feature_hash": "murmur3", "weights": "tf"}

    def half(shingle: bytes) -> int:
        code: int = lookalike.sketch([shingle.decode()], **plan)["fingerprint"].to_pylist()[0]
        return code

    assert [page["java"](text, hashfunc=half) for text in TEXTS] == by_half
    prepared = [re.sub("[^a-z0-9 ]", "", text.lower()) for text in TEXTS]
    codes = lookalike.sketch(prepared, **plan)["fingerprint"].to_pylist()
    # The third text repeats shingles, which weigh their count here, and its square there.
    assert codes[0] == by_half[0] and codes[2] != by_half[2]
    # hash128(bytes)[0]
    assert lookalike.sketch(prepared, **plan, seed=104729)["fingerprint"].to_pylist()[0] == 3864726852518484799


def test_the_functions_for_clickhouse_give_its_codes(page):
    words, characters = page["word_shingle_simhash"], page["ngram_simhash_utf8"]
    # ClickHouse 26.9.2.1: wordShingleSimHash(t), wordShingleSimHash(t, 1), ngramSimHashUTF8(t), and ngramSimHash(t) of ASCII
    assert [words(text) for text in TEXTS] == [2762952728, 984270783, 2827823588, 0]
    assert [words(text, 1) for text in TEXTS] == [3973998838, 1645298929, 3524989268, 0]
    assert [characters(text) for text in TEXTS] == [1413168402, 10313575, 499161237, 2909744444]
    assert [characters(text, first=0) for text in TEXTS if text.isascii()] == [1450917650, 14507879, 2365989932]
    assert characters("abc") == 0


def test_random_texts_have_the_codes_of_clickhouse(page):
    chdb = pytest.importorskip("chdb")

    def asked(function: str, texts: list[str]) -> list[int]:
        rows = ",".join("('" + text.replace("\\", r"\\").replace("'", r"\'") + "')" for text in texts)
        answer = chdb.query(f"SELECT {function} AS code FROM values('t String', {rows})", "JSONEachRow")
        return [int(json.loads(line)["code"]) for line in str(answer).splitlines()]

    draw = random.Random(3)
    texts = ["".join(draw.choices("abcdefghij ABC  .,;_-'\"\\/0123éüß日本—\t", k=draw.randrange(1, 120))) for _ in range(3000)]
    words, characters = page["word_shingle_simhash"], page["ngram_simhash_utf8"]
    ascii_texts = [text.encode("ascii", "ignore").decode() or "a" for text in texts]
    assert asked("wordShingleSimHash(t)", texts) == [words(text) for text in texts]
    assert asked("wordShingleSimHashUTF8(t, 2)", texts) == [words(text, 2) for text in texts]
    assert asked("ngramSimHashUTF8(t)", texts) == [characters(text) for text in texts]
    assert asked("ngramSimHash(t, 4)", ascii_texts) == [characters(text, 4, first=0) for text in ascii_texts]
