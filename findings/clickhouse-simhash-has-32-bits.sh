#!/usr/bin/env bash
# ClickHouse 26.9.2 (chdb 4.4.0): the functions for SimHash return a UInt64 of which 32 bits are always 0, ngramSimHashUTF8 leaves out the first n-gram
# of a text, and wordShingleSimHash leaves out words of fewer than four bytes.
#
# A reader would expect 64 bits, all n-grams, and all words. The hash of a feature is CRC-32C, so unrelated codes differ in 16 bits, and a limit of three
# bits, which is usual for 64, finds codes by chance: 1.3 for each code among a million. A text of exactly n characters has the code 0 by
# ngramSimHashUTF8, so all such texts are equal. A text of "the", "cat" and "sat" has the code 0 by wordShingleSimHash.
#
# Seen: when the codes were computed by other means, for docs/stored-fingerprints.md.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q chdb==4.4.0
venv/bin/python - <<'PYTHON'
import json

import chdb


def asked(query):
    return json.loads(str(chdb.query(query, "JSONEachRow")))


most = asked("SELECT max(wordShingleSimHash(concat('some words with the number ', toString(number)))) AS most FROM numbers(10000)")["most"]
print("the greatest of 10,000 codes:", most)
assert int(most) < 2**32

codes = asked("SELECT ngramSimHashUTF8('abc') AS three, ngramSimHashUTF8('abcd') AS four, ngramSimHash('bcd') AS last")
print("codes of abc and abcd by characters, and of bcd by bytes:", codes)
assert int(codes["three"]) == 0 and int(codes["four"]) == int(codes["last"]) != 0

words = asked("SELECT wordShingleSimHash('the cat sat') AS short, wordShingleSimHash('the quick cat') AS mixed, wordShingleSimHash('quick') AS long")
print("codes of words:", words)
assert int(words["short"]) == 0 and int(words["mixed"]) == int(words["long"]) != 0
PYTHON
