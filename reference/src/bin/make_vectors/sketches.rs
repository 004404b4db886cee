//! Writes `sketches.json`: features, signatures and band keys of made documents.

use lookalike_reference::banding::{Banding, band_keys, candidate_probability, choose_banding};
use lookalike_reference::sections::{SEPARATOR, features_of_text};
use lookalike_reference::shingles::{content_identity, feature_set, features};
use lookalike_reference::sketch::{Parameters, bucketed, classic};
use lookalike_reference::tokens::{Tokenizer, token_hash};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::{hex, json, json_file};

const COMMENT: &str = "\
Features, signatures and band keys of Lookalike, made by reference/src/bin/make_vectors. Do not edit.
Numbers of 64 bits are strings of 16 hexadecimal digits. The definitions: reference/src/, one file a step.

'sketches': the document has 'tokens' tokens; token i, from 0, is 't' and the decimal number i, or i modulo
'period' where there is a period: 't0', 't1', 't2' ... Each is hashed with XXH3 (64 bits) and 'seed'.
  shingles, s1, s2  number of shingles of 'shingle' tokens with repetitions; sum of their features modulo 2^64;
                    sum of (high 32 bits * low 32 bits) of their features modulo 2^64
  distinct          number of different features
  feature_set       the different features, ascending; only where there are at most 20
  bands, rows       the banding with most rows whose chance to find a pair at 'threshold' reaches 'recall'
  bucketed, classic the two MinHash signatures, of 'num_perm' values each:
    xxh3            XXH3 (64 bits, seed 0) of the values as little-endian 32-bit numbers, one after the other
    band_keys       the key of every band, in order
    values          the values themselves; only for some

'sections': 'sections' are the sections of a text, which U+FDD0 stands between; their tokens are those of the tokenizer words in
tokens.json. 'features' are the features of the text in order, of 'shingle' tokens, with seed 0. No shingle has tokens of two sections.

'parameters': for a seed, the numbers drawn from SplitMix64: for rounds 1 to 3 of the bucketed scheme
bin multiplier, bin increment, value multiplier, value increment; then for the first four positions
multiplier, increment.

'bandings': 'bands' and 'rows' for a threshold, a number of values and a wanted recall, and the chance
1 - (1 - threshold^rows)^bands that they reach (compare it to 1e-12, the choice exactly).

To check all of it without Rust: reference/check_vectors.py.";

#[derive(Clone, Copy)]
struct Document {
    tokens: usize,
    period: Option<usize>,
}

#[derive(Clone, Copy)]
struct Setting {
    shingle: usize,
    seed: u64,
    num_perm: usize,
    threshold: f64,
}

const RECALL: f64 = 0.995;

/// Lengths around the shingle lengths, around powers of two at which vector code has its tails, and long ones.
const LENGTHS: [usize; 19] = [0, 1, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64, 127, 128, 129, 300, 1000];

/// Documents that repeat their tokens: the number of tokens and the period.
const REPEATING: [(usize, usize); 4] = [(20, 1), (64, 7), (129, 128), (300, 40)];

/// The settings of every document. They have all shingle lengths with the default signature, and all signature lengths
/// with the default shingle. Another seed and threshold come with one of each.
const SETTINGS: [Setting; 11] = [
    Setting { shingle: 5, seed: 0, num_perm: 128, threshold: 0.8 },
    Setting { shingle: 1, seed: 0, num_perm: 128, threshold: 0.8 },
    Setting { shingle: 2, seed: 0, num_perm: 128, threshold: 0.8 },
    Setting { shingle: 9, seed: 0, num_perm: 128, threshold: 0.8 },
    Setting { shingle: 5, seed: 0, num_perm: 64, threshold: 0.8 },
    Setting { shingle: 5, seed: 0, num_perm: 100, threshold: 0.8 },
    Setting { shingle: 5, seed: 0, num_perm: 256, threshold: 0.8 },
    Setting { shingle: 5, seed: 42, num_perm: 128, threshold: 0.8 },
    Setting { shingle: 1, seed: 42, num_perm: 64, threshold: 0.5 },
    Setting { shingle: 9, seed: 42, num_perm: 100, threshold: 0.5 },
    Setting { shingle: 2, seed: 42, num_perm: 256, threshold: 0.9 },
];

#[derive(Serialize)]
struct Sketch {
    tokens: usize,
    period: Option<usize>,
    shingle: usize,
    seed: String,
    num_perm: usize,
    shingles: u64,
    s1: String,
    s2: String,
    distinct: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature_set: Option<Vec<String>>,
    threshold: f64,
    recall: f64,
    bands: usize,
    rows: usize,
    bucketed: Signature,
    classic: Signature,
}

#[derive(Serialize)]
struct Signature {
    xxh3: String,
    band_keys: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<u32>>,
}

#[derive(Serialize)]
struct Sectioned {
    sections: &'static [&'static str],
    shingle: usize,
    features: Vec<String>,
}

/// Sections that are longer and shorter than a shingle, without tokens, and with one token that is no word.
const SECTIONED: [(&[&str], usize); 5] = [
    (&["one two three four five six", "seven eight nine ten eleven"], 5),
    (&["one two three", "four five six"], 5),
    (&["", "one two", "  ", "?!", "one two"], 2),
    (&["A title", "The body of the text, in many words."], 1),
    (&["one", "two", "three"], 3),
];

#[derive(Serialize)]
struct SeedParameters {
    seed: String,
    rounds: Vec<[u32; 4]>,
    positions: Vec<[u32; 2]>,
}

#[derive(Serialize)]
struct BandingChoice {
    threshold: f64,
    num_perm: usize,
    recall: f64,
    bands: usize,
    rows: usize,
    chance: f64,
}

pub(crate) fn file() -> String {
    let plain = LENGTHS.map(|tokens| Document { tokens, period: None });
    let repeating = REPEATING.map(|(tokens, period)| Document { tokens, period: Some(period) });
    let mut sketches = Vec::new();
    for setting in SETTINGS {
        sketches.extend(plain.iter().chain(&repeating).map(|&document| json(sketch(document, setting))));
    }
    let sections = SECTIONED.map(|(sections, shingle)| {
        let text = sections.join(&SEPARATOR.to_string());
        let features = features_of_text(&text, Tokenizer::Words, 0, shingle);
        json(Sectioned { sections, shingle, features: features.into_iter().map(hex).collect() })
    });
    let sections = sections.to_vec();
    json_file(
        COMMENT,
        &[
            ("sketches", sketches),
            ("sections", sections),
            ("parameters", parameters()),
            ("bandings", bandings()),
        ],
    )
}

fn sketch(document: Document, setting: Setting) -> Sketch {
    let Document { tokens, period } = document;
    let Setting { shingle, seed, num_perm, threshold } = setting;
    let token = |i| format!("t{}", period.map_or(i, |period| i % period));
    let token_hashes: Vec<u64> = (0..tokens).map(|i| token_hash(&token(i), seed)).collect();
    let features = features(&token_hashes, shingle);
    let identity = content_identity(&features);
    let set = feature_set(&features);
    let parameters = Parameters::new(seed, num_perm);
    let banding = choose_banding(threshold, num_perm, RECALL);
    // No feature, one, fewer and more features than positions: enough to find the place where values differ.
    let show_values = shingle == 5 && [0, 1, 8, 64, 1000].contains(&tokens);
    let signature = |values: Vec<u32>| Signature {
        xxh3: hex(xxh3_64(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())),
        band_keys: band_keys(&values, banding).into_iter().map(hex).collect(),
        values: show_values.then_some(values),
    };
    Sketch {
        tokens,
        period,
        shingle,
        seed: hex(seed),
        num_perm,
        shingles: identity.shingles,
        s1: hex(identity.sum),
        s2: hex(identity.product_sum),
        distinct: set.len(),
        feature_set: (set.len() <= 20).then(|| set.iter().copied().map(hex).collect()),
        threshold,
        recall: RECALL,
        bands: banding.bands,
        rows: banding.rows,
        bucketed: signature(bucketed(&set, &parameters)),
        classic: signature(classic(&set, &parameters)),
    }
}

fn parameters() -> Vec<String> {
    let of_seed = |seed| {
        let Parameters { rounds, positions } = Parameters::new(seed, 4);
        let rounds = rounds
            .iter()
            .map(|r| [r.bin.multiplier, r.bin.increment, r.value.multiplier, r.value.increment])
            .collect();
        let positions = positions.iter().map(|p| [p.multiplier, p.increment]).collect();
        json(SeedParameters { seed: hex(seed), rounds, positions })
    };
    [0, 1, 42, u64::MAX].map(of_seed).to_vec()
}

fn bandings() -> Vec<String> {
    let mut bandings = Vec::new();
    for threshold in [0.1, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0] {
        for num_perm in [16, 64, 100, 128, 256] {
            for recall in [0.9, 0.99, 0.995, 0.999] {
                let banding = choose_banding(threshold, num_perm, recall);
                let Banding { bands, rows } = banding;
                let chance = candidate_probability(threshold, banding);
                bandings.push(json(BandingChoice { threshold, num_perm, recall, bands, rows, chance }));
            }
        }
    }
    bandings
}
