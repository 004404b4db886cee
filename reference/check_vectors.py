#!/usr/bin/env python3
"""Checks vectors/*.json without any of Lookalike's code.

    pip install xxhash
    python3 reference/check_vectors.py [FOLDER]

The program recomputes every token hash, feature, signature, band key, parameter, banding and fingerprint from the
definitions. It also recomputes the tokens of ASCII texts. The tokens of other texts are taken from the file, because
Python's Unicode tables have another version than Rust's, and no property Alphabetic. Only tokens cut at white space may
hold an invisible character other than U+200D.

Prints the checked numbers on one line. At the first difference, it prints the difference and exits with 1.
"""

import hashlib
import json
import pathlib
import random
import re
import struct
import sys

try:
    from xxhash import xxh3_64_intdigest
except ImportError:
    sys.exit("check_vectors.py needs the package xxhash: pip install xxhash")

MASK32 = 0xFFFF_FFFF
MASK64 = 0xFFFF_FFFF_FFFF_FFFF
BASE = 0xD134_2543_DE82_EF95
GOLDEN = 0x9E37_79B9_7F4A_7C15
PRIME = 2**61 - 1
# Floats of all computers agree on a probability to far less. No wanted recall may be closer to a probability than this.
TOLERANCE = 1e-12


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "vectors"
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    counts = {}
    check_tokens(read(folder / "tokens.json"), counts)
    check_sketches(read(folder / "sketches.json"), counts)
    check_fingerprints(read(folder / "fingerprints.json"), counts)
    check_datasketch(read(folder / "datasketch.json"), counts)
    print("all equal: " + ", ".join(f"{count} {what}" for what, count in counts.items()))


def read(path):
    return json.loads(path.read_text(encoding="ascii"))


def expect(where, what, found, computed):
    if found != computed:
        sys.exit(f"{where}: {what} is\n  {found}\nin the file, but\n  {computed}\nwhen computed")


def count(counts, what, more=1):
    counts[what] = counts.get(what, 0) + more


# tokens.json


def check_tokens(file, counts):
    names = set()
    for entry in file["texts"]:
        where = f"text {entry['name']!r} by {entry['tokenizer']}"
        if where in names:
            sys.exit(f"{where} is there twice")
        names.add(where)
        hashes = [hex64(token_hash(token, 0)) for token in entry["tokens"]]
        expect(where, "token_hashes", entry["token_hashes"], hashes)
        count(counts, "texts")
        count(counts, "token hashes", len(hashes))
        if entry["tokenizer"] != "whitespace":
            left = [token for token in entry["tokens"] if INVISIBLE.search(token)]
            expect(where, "tokens with invisible characters", left, [])
        if entry["text"].isascii():
            expect(where, "tokens", entry["tokens"], ascii_tokens(entry["text"], entry["tokenizer"]))
            count(counts, "tokenised ASCII texts")
    for entry in file["folds"]:
        if entry["text"].isascii() and entry["fold"] == ["digits"] and entry["tokenizer"] == "words":
            tokens = re.findall("[a-z_]+|[0-9]+", entry["text"].lower()) or entry["tokens"]
            expect(f"folds of {entry['text']!r}", "tokens", entry["tokens"], ["0" if token.isdigit() else token for token in tokens])
        count(counts, "folded texts")
    for entry in file["hashes"]:
        letters = "".join(chr(ord("a") + i % 26) for i in range(entry["length"]))
        where = f"{entry['length']} letters with seed {entry['seed']}"
        expect(where, "hash", entry["hash"], hex64(token_hash(letters, int(entry["seed"], 16))))
        count(counts, "hashes by length")


# Default_Ignorable_Code_Point of Unicode 17.0, without U+200D, which is kept between emoji.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def ascii_tokens(text, tokenizer):
    # The ASCII characters with White_Space. Not str.split(): Python also splits at U+001C to U+001F.
    white = "\t\n\v\f\r "
    if tokenizer != "whitespace":
        text = text.lower()
    if tokenizer == "words":
        tokens = re.findall("[a-z0-9_]+", text)
    elif tokenizer == "whitespace":
        tokens = re.findall(f"[^{white}]+", text)
    else:
        tokens = list(re.sub(f"[{white}]+", " ", text.strip(white)))
    whole = text.strip(white)
    return tokens or ([whole] if whole else [])


def token_hash(token, seed):
    return xxh3_64_intdigest(token.encode("utf-8"), seed)


# sketches.json


def check_sketches(file, counts):
    for entry in file["sketches"]:
        check_sketch(entry, counts)
    for entry in file["sections"]:
        tokens = [[token_hash(token, 0) for token in ascii_tokens(section, "words")] for section in entry["sections"]]
        features = [hex64(feature) for hashes in tokens for feature in shingle_features(hashes, entry["shingle"])]
        expect(f"sections {entry['sections']}", "features", entry["features"], features)
        count(counts, "texts with sections")
    for entry in file["parameters"]:
        rounds, positions = parameters(int(entry["seed"], 16), len(entry["positions"]))
        expect(f"parameters of seed {entry['seed']}", "rounds", entry["rounds"], rounds)
        expect(f"parameters of seed {entry['seed']}", "positions", entry["positions"], positions)
        count(counts, "parameter lists")
    for entry in file["bandings"]:
        bands, rows = check_banding(entry)
        chance = candidate_chance(entry["threshold"], bands, rows)
        if abs(entry["chance"] - chance) > TOLERANCE:
            sys.exit(f"banding {entry}: the chance is {chance} when computed")
        count(counts, "bandings")


def check_sketch(entry, counts):
    where = "sketch of " + ", ".join(
        f"{key} {entry[key]}" for key in ("tokens", "period", "shingle", "seed", "num_perm")
    )
    seed = int(entry["seed"], 16)
    period = entry["period"] or max(entry["tokens"], 1)
    hashes = [token_hash(f"t{i % period}", seed) for i in range(entry["tokens"])]
    features = shingle_features(hashes, entry["shingle"])
    feature_set = sorted(set(features))
    expect(where, "shingles", entry["shingles"], len(features))
    expect(where, "s1", entry["s1"], hex64(sum(features)))
    expect(where, "s2", entry["s2"], hex64(sum((x >> 32) * (x & MASK32) for x in features)))
    expect(where, "distinct", entry["distinct"], len(feature_set))
    expect(where, "having a feature_set", "feature_set" in entry, len(feature_set) <= 20)
    if "feature_set" in entry:
        expect(where, "feature_set", entry["feature_set"], [hex64(x) for x in feature_set])
    check_banding(entry)
    rounds, positions = parameters(seed, entry["num_perm"])
    classic = classic_signature(feature_set, positions)
    bucketed = bucketed_signature(feature_set, rounds, classic)
    for scheme, values in (("classic", classic), ("bucketed", bucketed)):
        found = entry[scheme]
        if "values" in found:
            expect(where, f"{scheme} values", found["values"], values)
            count(counts, "whole signatures")
        packed = struct.pack(f"<{len(values)}I", *values)
        expect(where, f"{scheme} xxh3", found["xxh3"], hex64(xxh3_64_intdigest(packed, 0)))
        keys = [hex64(key) for key in band_keys(values, entry["bands"], entry["rows"])]
        expect(where, f"{scheme} band_keys", found["band_keys"], keys)
        count(counts, "signatures")
        count(counts, "band keys", len(keys))
    count(counts, "sketches")


def check_banding(entry):
    threshold, num_perm, recall = entry["threshold"], entry["num_perm"], entry["recall"]
    where = f"threshold {threshold}, num_perm {num_perm}, recall {recall}"
    chosen = (num_perm, 1)
    for rows in range(num_perm, 0, -1):
        chance = candidate_chance(threshold, num_perm // rows, rows)
        if abs(chance - recall) < TOLERANCE:
            sys.exit(f"{where}: the chance with {rows} rows is too near the recall for a choice that is sure")
        if chance >= recall:
            chosen = (num_perm // rows, rows)
            break
    expect(where, "bands, rows", (entry["bands"], entry["rows"]), chosen)
    return chosen


# fingerprints.json


def check_fingerprints(file, counts):
    for entry in file["feature_hashes"]:
        letters = bytes(ord("a") + i % 26 for i in range(entry["length"]))
        seed = int(entry["seed"], 16)
        where = f"{entry['length']} letters with seed {entry['seed']}"
        expect(where, "murmur3", entry["murmur3"], hex64(murmur3(letters, seed)))
        expect(where, "fnv1a64", entry["fnv1a64"], hex64(fnv1a64(letters, seed)))
        expect(where, "md5", entry["md5"], hex64(md5(letters, seed)))
        expect(where, "sha1", entry["sha1"], hex64(sha1(letters, seed)))
        count(counts, "hashes of shingles", 4)
    for entry in file["weights"]:
        number = entry["count"]
        where = f"weights of {number}"
        expect(where, "log2", entry["log2"], hex64(log2(number)))
        expect(where, "log_tf", entry["log_tf"], log_weight(number))
        expect(where, "idf", entry["idf"], idf(IDF_DOCUMENTS, number))
        count(counts, "weights", 3)
    for entry in file["fingerprints"]:
        where = "fingerprint of " + ", ".join(
            f"{key} {entry[key]}"
            for key in ("tokens", "period", "shingle", "seed", "feature_hash", "weights", "tie")
        )
        weighted = weigh(document_features(entry), entry["weights"])
        tie = entry["tie"] == "one"
        low = fingerprint(weighted, tie)
        high = fingerprint([(fmix64(x ^ SECOND_HALF), weight) for x, weight in weighted], tie)
        expect(where, "fingerprint", entry["fingerprint"], f"{high << 64 | low:032x}")
        count(counts, "fingerprints")


def document_features(entry):
    seed = int(entry["seed"], 16)
    period = entry["period"] or max(entry["tokens"], 1)
    tokens = [f"t{i % period}" for i in range(entry["tokens"])]
    if entry["feature_hash"] == "xxh3":
        return shingle_features([token_hash(token, seed) for token in tokens], entry["shingle"])
    length = min(entry["shingle"], len(tokens))
    strings = [" ".join(tokens[i : i + length]) for i in range(len(tokens) - length + 1)] if tokens else []
    whole = {"murmur3": murmur3, "fnv1a64": fnv1a64, "md5": md5, "sha1": sha1}[entry["feature_hash"]]
    return [whole(string.encode("utf-8"), seed) for string in strings]


def weigh(features, rule):
    tf = {}
    for feature in features:
        tf[feature] = tf.get(feature, 0) + 1
    weighted = []
    for place, feature in enumerate(sorted(tf)):
        weight = {
            "set": 1,
            "tf": tf[feature],
            "log-tf": log_weight(tf[feature]),
            "tf-idf": tf[feature] * idf(600, 37 * place % 600),
            "levels": tf[feature] * (2 if place % 6 == 0 else 1 + place % 5),
        }[rule]
        weighted.append((feature, weight))
    return weighted


def fingerprint(weighted, tie):
    bits = 0
    for bit in range(64):
        total = sum(weight if x >> bit & 1 else -weight for x, weight in weighted)
        bits |= (total > 0 or total == 0 and tie) << bit
    return bits


# The definitions


SECOND_HALF = 0x243F_6A88_85A3_08D3
IDF_DOCUMENTS = 1_000_000


def fnv1a64(data, seed):
    state = 0xCBF2_9CE4_8422_2325 ^ seed
    for byte in data:
        state = (state ^ byte) * 0x100_0000_01B3 & MASK64
    return state


def md5(data, seed):
    return digest_end(hashlib.md5, data, seed)


def sha1(data, seed):
    return digest_end(hashlib.sha1, data, seed)


def digest_end(function, data, seed):
    """The last 8 bytes of a digest. A seed other than 0 is hashed before the data."""
    return int.from_bytes(function((seed.to_bytes(8, "little") if seed else b"") + data).digest()[-8:], "big")


def murmur3(data, seed):
    c1, c2 = 0x87C3_7B91_1142_53D5, 0x4CF5_AD43_2745_937F

    def rotl(x, by):
        return (x << by | x >> 64 - by) & MASK64

    h1 = h2 = seed
    for at in range(0, len(data), 16):
        block = data[at : at + 16]
        h1 ^= rotl(int.from_bytes(block[:8], "little") * c1 & MASK64, 31) * c2 & MASK64
        if len(block) == 16:
            h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DC_E729) & MASK64
        h2 ^= rotl(int.from_bytes(block[8:], "little") * c2 & MASK64, 33) * c1 & MASK64
        if len(block) == 16:
            h2 = ((rotl(h2, 31) + h1) * 5 + 0x3849_5AB5) & MASK64
    h1 = (h1 ^ len(data)) + (h2 ^ len(data)) & MASK64
    h2 = (h2 ^ len(data)) + h1 & MASK64
    return fmix64(h1) + fmix64(h2) & MASK64


def log_weight(number):
    return 128 + (number**128).bit_length() - 1


def log2(number):
    whole = number.bit_length() - 1
    digits, rest = whole, number << 63 - whole
    for _ in range(32):
        rest = rest * rest >> 63
        digit = rest >> 64
        digits, rest = digits << 1 | digit, rest >> digit
    return digits


def idf(documents, frequency):
    return max(log2(documents) - log2(frequency + 1), 0) * 2_977_044_472 + (1 << 43) >> 44


# datasketch.json


def check_datasketch(file, counts):
    for entry in file["sketches"]:
        mask = MASK64 if entry["scheme"] == "affine64" else MASK32
        hashes = [i * GOLDEN & mask for i in range(entry["count"])]
        pairs = permutations(entry["scheme"], entry["num_perm"], entry["seed"])
        values = [min((permuted(entry["scheme"], *pair, h) for h in hashes), default=mask) for pair in pairs]
        where = f"datasketch, {entry['scheme']}, {entry['num_perm']} values, seed {entry['seed']}"
        expect(where, "values", entry["values"], [hex64(value) for value in values])
        count(counts, "values of datasketch", len(values))


def permutations(scheme, num_perm, seed):
    state = [seed]
    for place in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + place & MASK32)
    # The generator of Python is the same one. Only its seeds differ.
    generator = random.Random()
    generator.setstate((3, (*state, 624), None))
    if scheme == "affine32":
        multipliers = [2 * (generator.getrandbits(32) % 2**31) + 1 for _ in range(num_perm)]
        return [(multiplier, generator.getrandbits(32)) for multiplier in multipliers]

    def wide():
        return generator.getrandbits(32) << 32 | generator.getrandbits(32)

    if scheme == "affine64":
        multipliers = [2 * (wide() % 2**63) + 1 for _ in range(num_perm)]
        return [(multiplier, wide()) for multiplier in multipliers]

    def below(end):
        return next(number for number in iter(lambda: wide() % 2**61, None) if number < end)

    return [(1 + below(PRIME - 1), below(PRIME)) for _ in range(num_perm)]


def permuted(scheme, multiplier, increment, h):
    if scheme == "legacy":
        return (multiplier * h + increment & MASK64) % PRIME & MASK32
    if scheme == "affine64":
        return multiplier * fmix64(h) + increment & MASK64
    return multiplier * fmix32(h) + increment & MASK32


def fmix32(h):
    h ^= h >> 16
    h = h * 0x85EB_CA6B & MASK32
    h ^= h >> 13
    h = h * 0xC2B2_AE35 & MASK32
    return h ^ h >> 16


def hex64(number):
    return f"{number & MASK64:016x}"


def fmix64(h):
    h ^= h >> 33
    h = h * 0xFF51_AFD7_ED55_8CCD & MASK64
    h ^= h >> 33
    h = h * 0xC4CE_B9FE_1A85_EC53 & MASK64
    return h ^ h >> 33


def polynomial(values):
    total = 0
    for value in values:
        total = total * BASE + value
    return total & MASK64


def shingle_features(hashes, shingle):
    length = min(shingle, len(hashes))
    if length == 0:
        return []
    return [fmix64(polynomial(hashes[i : i + length])) for i in range(len(hashes) - length + 1)]


def split_mix_64(state):
    while True:
        state = state + GOLDEN & MASK64
        z = (state ^ state >> 30) * 0xBF58_476D_1CE4_E5B9 & MASK64
        z = (z ^ z >> 27) * 0x94D0_49BB_1331_11EB & MASK64
        yield z ^ z >> 31


def parameters(seed, num_perm):
    numbers = split_mix_64(seed)

    def affine():
        return [next(numbers) & MASK32 | 1, next(numbers) & MASK32]

    rounds = [affine() + affine() for _ in range(3)]
    return rounds, [affine() for _ in range(num_perm)]


def classic_signature(features, positions):
    lows = [x & MASK32 for x in features]
    return [min((a * x + b & MASK32 for x in lows), default=MASK32) for a, b in positions]


def bucketed_signature(features, rounds, classic):
    if not features:
        return [MASK32] * len(classic)
    signature = [0x8000_0000 | value >> 1 for value in classic]
    for x in features:
        high, low = x >> 32, x & MASK32
        hashes = [(high, low)]
        hashes += [(a * high + b & MASK32, c * low + d & MASK32) for a, b, c, d in rounds]
        for tag, (bin_hash, value_hash) in enumerate(hashes):
            position = bin_hash * len(classic) >> 32
            signature[position] = min(signature[position], tag << 29 | value_hash >> 3)
    return signature


def band_keys(signature, bands, rows):
    for band in range(bands):
        values = signature[band * rows : (band + 1) * rows]
        yield fmix64(polynomial(values) + (band + 1) * GOLDEN & MASK64)


def candidate_chance(similarity, bands, rows):
    return 1 - (1 - similarity**rows) ** bands


if __name__ == "__main__":
    main()
