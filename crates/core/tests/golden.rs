//! The golden values of `vectors/`, by every instruction set of this machine.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use lookalike::{Level, Options, Plan, Scheme, Sketcher, Tokens};
use serde::Deserialize;

#[derive(Deserialize)]
struct TokenVectors {
    texts: Vec<Text>,
    hashes: Vec<Hash>,
}

#[derive(Deserialize)]
struct Text {
    name: String,
    text: String,
    tokenizer: String,
    tokens: Vec<String>,
    token_hashes: Vec<Hex>,
}

#[derive(Deserialize)]
struct Hash {
    length: usize,
    seed: Hex,
    hash: Hex,
}

#[derive(Deserialize)]
struct SketchVectors {
    sketches: Vec<Document>,
}

#[derive(Deserialize)]
struct Document {
    tokens: usize,
    period: Option<usize>,
    shingle: usize,
    seed: Hex,
    num_perm: usize,
    shingles: usize,
    distinct: usize,
    feature_set: Option<Vec<Hex>>,
    threshold: f64,
    recall: f64,
    bands: usize,
    rows: usize,
    bucketed: Signature,
    classic: Signature,
}

#[derive(Deserialize)]
struct Signature {
    xxh3: Hex,
    band_keys: Vec<Hex>,
    values: Option<Vec<u32>>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Debug)]
#[serde(try_from = "String")]
struct Hex(u64);

impl TryFrom<String> for Hex {
    type Error = std::num::ParseIntError;

    fn try_from(digits: String) -> Result<Self, Self::Error> {
        u64::from_str_radix(&digits, 16).map(Hex)
    }
}

fn read<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(digits: &[Hex]) -> Vec<u64> {
    digits.iter().map(|hex| hex.0).collect()
}

#[test]
fn tokens_and_their_hashes_are_the_golden_ones() {
    let vectors: TokenVectors = read("tokens.json");
    for (name, tokens) in Tokens::ALL {
        let plan = Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap();
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&plan, level);
            for text in vectors.texts.iter().filter(|text| text.tokenizer == name) {
                let found: Vec<&str> = sketcher.tokens(&text.text).collect();
                assert_eq!(found, text.tokens, "{} as {name} on {}", text.name, level.name());
                let hashes = sketcher.token_hashes(&text.text);
                assert_eq!(
                    hashes,
                    numbers(&text.token_hashes),
                    "{} as {name} on {}",
                    text.name,
                    level.name()
                );
            }
        }
    }
}

#[test]
fn hashes_of_every_length_and_seed_are_the_golden_ones() {
    let vectors: TokenVectors = read("tokens.json");
    for hash in vectors.hashes.iter().filter(|hash| hash.length > 0) {
        let text: String = (b'a'..=b'z').cycle().take(hash.length).map(char::from).collect();
        let plan = Options { seed: Some(hash.seed.0), ..Options::default() }.plan().unwrap();
        for level in Level::available() {
            let found = Sketcher::with_level(&plan, level).token_hashes(&text).to_vec();
            assert_eq!(found, [hash.hash.0], "length {} on {}", hash.length, level.name());
        }
    }
}

#[test]
fn features_signatures_and_band_keys_are_the_golden_ones() {
    let vectors: SketchVectors = read("sketches.json");
    for document in &vectors.sketches {
        let text: Vec<String> =
            (0..document.tokens).map(|i| format!("t{}", document.period.map_or(i, |p| i % p))).collect();
        let text = text.join(" ");
        for (scheme, expected) in
            [(Scheme::Bucketed, &document.bucketed), (Scheme::Classic, &document.classic)]
        {
            let plan = plan(document, scheme);
            assert_eq!((plan.banding().bands, plan.banding().rows), (document.bands, document.rows));
            for level in Level::available() {
                let mut sketcher = Sketcher::with_level(&plan, level);
                let mut features = sketcher.features(&text).to_vec();
                assert_eq!(features.len(), document.shingles);
                features.sort_unstable();
                features.dedup();
                assert_eq!(features.len(), document.distinct);
                if let Some(set) = &document.feature_set {
                    assert_eq!(features, numbers(set));
                }
                let sketch = sketcher.sketch(&text);
                if let Some(values) = &expected.values {
                    assert_eq!(sketch.signature, values, "{} on {}", scheme.name(), level.name());
                }
                let bytes: Vec<u8> = sketch.signature.iter().flat_map(|value| value.to_le_bytes()).collect();
                assert_eq!(xxhash_rust::xxh3::xxh3_64(&bytes), expected.xxh3.0, "{}", level.name());
                assert_eq!(sketch.keys, numbers(&expected.band_keys));
            }
        }
    }
}

fn plan(document: &Document, scheme: Scheme) -> Plan {
    Options {
        threshold: Some(document.threshold),
        recall: Some(document.recall),
        shingle: Some(document.shingle),
        num_perm: Some(document.num_perm),
        seed: Some(document.seed.0),
        scheme: Some(scheme),
        ..Options::default()
    }
    .plan()
    .unwrap()
}
