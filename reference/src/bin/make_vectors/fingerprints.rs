//! Writes `fingerprints.json`: hashes of whole shingles, weights, and SimHash fingerprints of made documents.

use std::collections::BTreeMap;

use lookalike_reference::feature_hash::{fnv1a64, md5_end, murmur3_x64_128, sha1_end, shingle_strings};
use lookalike_reference::shingles::{feature_set, features};
use lookalike_reference::simhash::{Tie, Weights, fingerprint128, idf, log_weight, log2, weigh};
use lookalike_reference::tokens::token_hash;
use serde::Serialize;

use crate::{hex, json, json_file, texts};

const COMMENT: &str = "\
SimHash fingerprints of Lookalike, made by reference/src/bin/make_vectors. Do not edit.
Numbers of 64 bits are strings of 16 hexadecimal digits. The definitions: reference/src/simhash.rs, feature_hash.rs.

'feature_hashes': MurmurHash3_x64_128 (its first 64 bits), FNV-1a (64 bits), and the last 64 bits of MD5 and of SHA-1,
of the first 'length' letters of 'abc...zabc...z...' in ASCII, with 'seed'.

'weights': for a count, the log2 of it times 2^32, rounded down; its weight by log-tf, in units of 1/128; and the idf
of a feature in so many of 1,000,000 documents, in units of 1/1048576.

'fingerprints': the document has 'tokens' tokens; token i, from 0, is 't' and the decimal number i, or i modulo
'period' where there is a period. Its features are those of shingles of 'shingle' tokens, by 'feature_hash': xxh3 as in
sketches.json; the others of the tokens joined by one space. 'weights' and 'tie' as in the reference.
For tf-idf and levels, the different features are numbered from 0 in ascending order. The feature with number j is in
37 j modulo 600 of 600 documents. It has the level 1 + j modulo 5; but 2, if j is a multiple of 6.
  fingerprint  128 bits as 32 hexadecimal digits; the last 16 are the fingerprint of 64 bits

To check all of it without Rust: reference/check_vectors.py.";

#[derive(Serialize)]
struct FeatureHashes {
    length: usize,
    seed: String,
    murmur3: String,
    fnv1a64: String,
    md5: String,
    sha1: String,
}

#[derive(Serialize)]
struct CountWeights {
    count: u32,
    log2: String,
    log_tf: u64,
    idf: u64,
}

#[derive(Clone, Copy, Serialize)]
struct Setting {
    feature_hash: &'static str,
    weights: &'static str,
    tie: &'static str,
}

#[derive(Serialize)]
struct Fingerprint {
    tokens: usize,
    period: Option<usize>,
    shingle: usize,
    seed: String,
    #[serde(flatten)]
    setting: Setting,
    fingerprint: String,
}

/// An empty document, even numbers for ties, lengths around blocks of 128 words at which vector code has its tails, and
/// a long one. Then documents that repeat their tokens.
const DOCUMENTS: [(usize, Option<usize>); 12] = [
    (0, None),
    (1, None),
    (4, None),
    (9, None),
    (33, None),
    (128, None),
    (129, None),
    (130, None),
    (1000, None),
    (20, Some(3)),
    (129, Some(40)),
    (600, Some(100)),
];

/// Two tokens per shingle, which makes one shingle less than tokens.
const SHINGLE: usize = 2;

/// The number of documents that the table of frequencies has counted.
const TABLE_DOCUMENTS: u64 = 600;

pub(crate) fn file() -> String {
    let mut fingerprints = Vec::new();
    for weights in ["set", "tf", "log-tf", "tf-idf", "levels"] {
        for tie in ["zero", "one"] {
            let setting = Setting { feature_hash: "xxh3", weights, tie };
            fingerprints.extend(DOCUMENTS.map(|(tokens, period)| fingerprint(tokens, period, 0, setting)));
        }
    }
    for feature_hash in ["murmur3", "fnv1a64", "md5", "sha1"] {
        for seed in [0, 42] {
            let setting = Setting { feature_hash, weights: "tf", tie: "zero" };
            fingerprints.extend(DOCUMENTS.map(|(tokens, period)| fingerprint(tokens, period, seed, setting)));
        }
    }
    json_file(
        COMMENT,
        &[("feature_hashes", feature_hashes()), ("weights", weights()), ("fingerprints", fingerprints)],
    )
}

fn fingerprint(tokens: usize, period: Option<usize>, seed: u64, setting: Setting) -> String {
    let names: Vec<String> =
        (0..tokens).map(|i| format!("t{}", period.map_or(i, |period| i % period))).collect();
    let strings = shingle_strings(&names, SHINGLE);
    let features: Vec<u64> = match setting.feature_hash {
        "xxh3" => {
            let hashes: Vec<u64> = names.iter().map(|name| token_hash(name, seed)).collect();
            features(&hashes, SHINGLE)
        }
        "murmur3" => strings.iter().map(|string| murmur3_x64_128(string.as_bytes(), seed).0).collect(),
        "fnv1a64" => strings.iter().map(|string| fnv1a64(string.as_bytes(), seed)).collect(),
        "md5" => strings.iter().map(|string| md5_end(string.as_bytes(), seed)).collect(),
        _ => strings.iter().map(|string| sha1_end(string.as_bytes(), seed)).collect(),
    };
    let numbered = feature_set(&features);
    let rule = match setting.weights {
        "set" => Weights::Set,
        "tf" => Weights::Tf,
        "log-tf" => Weights::LogTf,
        "tf-idf" => Weights::TfIdf {
            documents: TABLE_DOCUMENTS,
            frequencies: numbered.iter().zip(0_u32..).map(|(&x, j)| (x, 37 * j % 600)).collect(),
        },
        _ => Weights::Levels { levels: levels(&numbered), others: 2 },
    };
    let tie = if setting.tie == "one" { Tie::One } else { Tie::Zero };
    let fingerprint = format!("{:032x}", fingerprint128(&weigh(&features, &rule), tie));
    json(Fingerprint { tokens, period, shingle: SHINGLE, seed: hex(seed), setting, fingerprint })
}

fn levels(numbered: &[u64]) -> BTreeMap<u64, u8> {
    let level = |(j, &x): (usize, &u64)| (x, (1 + j % 5) as u8);
    numbered.iter().enumerate().filter(|(j, _)| j % 6 != 0).map(level).collect()
}

fn feature_hashes() -> Vec<String> {
    let mut hashes = Vec::new();
    for length in (0..=34).chain([47, 48, 49, 255, 256, 1000]) {
        for seed in [0, 42, u64::MAX] {
            let letters = texts::letters(length);
            let murmur3 = hex(murmur3_x64_128(letters.as_bytes(), seed).0);
            let fnv1a64 = hex(fnv1a64(letters.as_bytes(), seed));
            let md5 = hex(md5_end(letters.as_bytes(), seed));
            let sha1 = hex(sha1_end(letters.as_bytes(), seed));
            hashes.push(json(FeatureHashes { length, seed: hex(seed), murmur3, fnv1a64, md5, sha1 }));
        }
    }
    hashes
}

fn weights() -> Vec<String> {
    let edges = [100, 127, 128, 1_000, 1_023, 1_024, 65_535, 999_998, 999_999, 1_000_000, u32::MAX];
    let weights = |count: u32| {
        let log2 = hex(log2(u64::from(count)));
        json(CountWeights { count, log2, log_tf: log_weight(count), idf: idf(1_000_000, count) })
    };
    (1..=32).chain(edges).map(weights).collect()
}
