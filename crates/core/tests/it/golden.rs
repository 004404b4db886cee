//! Tests the golden values of `vectors/` with every instruction set of this machine.

use lookalike::sketch::{Minima, PermutationScheme, Permutations};
use lookalike::text::{Folds, SECTION_SEPARATOR};
use lookalike::{
    Bits, DocumentFrequencies, FeatureHash, FeatureLevels, Fingerprinter, Level, Method, Options, Plan,
    Scheme, Sketcher, Tie, Tokens, Weights,
};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Deserialize)]
struct TokenVectors {
    texts: Vec<Text>,
    folds: Vec<Folded>,
    hashes: Vec<Hash>,
}

#[derive(Deserialize)]
struct Folded {
    fold: Folds,
    tokenizer: String,
    text: String,
    tokens: Vec<String>,
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
    sections: Vec<Sectioned>,
}

#[derive(Deserialize)]
struct Sectioned {
    sections: Vec<String>,
    shingle: usize,
    features: Vec<Hex>,
}

#[derive(Deserialize)]
struct Document {
    tokens: usize,
    period: Option<usize>,
    shingle: usize,
    seed: Hex,
    num_perm: usize,
    shingles: usize,
    s1: Hex,
    s2: Hex,
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
fn folded_tokens_equal_the_golden_values() {
    let vectors: TokenVectors = read("tokens.json");
    for Folded { fold, tokenizer, text, tokens } in &vectors.folds {
        let options = Options { tokens: Tokens::named(tokenizer), fold: Some(*fold), ..Options::default() };
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&options.plan().unwrap(), level);
            let found: Vec<&str> = sketcher.tokens(text).collect();
            assert_eq!(&found, tokens, "{text:?} without {fold:?} as {tokenizer} on {}", level.name());
        }
    }
}

#[test]
fn tokens_and_their_hashes_equal_the_golden_values() {
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
fn hashes_of_every_length_and_seed_equal_the_golden_values() {
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
fn features_signatures_and_band_keys_equal_the_golden_values() {
    let vectors: SketchVectors = read("sketches.json");
    for document in &vectors.sketches {
        let text = made_text(document.tokens, document.period);
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
                let sums: [u64; 3] = bytemuck::cast(sketch.content);
                assert_eq!(
                    sums,
                    [document.s1.0, document.s2.0, document.shingles as u64],
                    "{}",
                    level.name()
                );
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

#[test]
fn features_of_sections_equal_the_golden_values() {
    let vectors: SketchVectors = read("sketches.json");
    assert!(!vectors.sections.is_empty());
    for Sectioned { sections, shingle, features } in &vectors.sections {
        let plan = Options { shingle: Some(*shingle), ..Options::default() }.plan().unwrap();
        let text = sections.join(&SECTION_SEPARATOR.to_string());
        for level in Level::available() {
            let mut sketcher = Sketcher::with_level(&plan, level);
            assert_eq!(sketcher.features(&text), numbers(features), "{sections:?} on {}", level.name());
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

#[derive(Deserialize)]
struct FingerprintVectors {
    feature_hashes: Vec<FeatureHashes>,
    fingerprints: Vec<FingerprintVector>,
}

#[derive(Deserialize)]
struct FeatureHashes {
    length: usize,
    seed: Hex,
    murmur3: Hex,
    fnv1a64: Hex,
    md5: Hex,
    sha1: Hex,
}

#[derive(Deserialize)]
struct FingerprintVector {
    tokens: usize,
    period: Option<usize>,
    shingle: usize,
    seed: Hex,
    feature_hash: String,
    weights: String,
    tie: String,
    fingerprint: String,
}

#[test]
fn hashes_of_shingles_equal_the_golden_values() {
    let vectors: FingerprintVectors = read("fingerprints.json");
    for hashes in vectors.feature_hashes.iter().filter(|hashes| hashes.length > 0) {
        let text: String = (b'a'..=b'z').cycle().take(hashes.length).map(char::from).collect();
        for (feature_hash, Hex(expected)) in [
            (FeatureHash::Murmur3, hashes.murmur3),
            (FeatureHash::Fnv1a64, hashes.fnv1a64),
            (FeatureHash::Md5, hashes.md5),
            (FeatureHash::Sha1, hashes.sha1),
        ] {
            let options = Options {
                method: Some(Method::SimHash),
                feature_hash: Some(feature_hash),
                seed: Some(hashes.seed.0),
                ..Options::default()
            };
            assert_eq!(Sketcher::new(&options.plan().unwrap()).features(&text), [expected], "{text}");
        }
    }
}

#[test]
fn fingerprints_equal_the_golden_values() {
    let vectors: FingerprintVectors = read("fingerprints.json");
    for vector in &vectors.fingerprints {
        let (_, feature_hash) =
            FeatureHash::ALL.into_iter().find(|(name, _)| *name == vector.feature_hash).unwrap();
        let options = Options {
            method: Some(Method::SimHash),
            feature_hash: Some(feature_hash),
            shingle: Some(vector.shingle),
            seed: Some(vector.seed.0),
            ..Options::default()
        };
        let plan = options.plan().unwrap();
        let tie = [Tie::Zero, Tie::One].into_iter().find(|tie| tie.name() == vector.tie).unwrap();
        let text = made_text(vector.tokens, vector.period);
        for level in Level::available() {
            let features = Sketcher::with_level(&plan, level).features(&text).to_vec();
            let (frequencies, levels) = tables(&features);
            let weights = [
                Weights::Set,
                Weights::Tf,
                Weights::LogTf,
                Weights::TfIdf(Arc::new(frequencies)),
                Weights::Levels(Arc::new(levels)),
            ];
            let weights = weights.into_iter().find(|rule| rule.weighting().name() == vector.weights).unwrap();
            let of = |bits| {
                let weighting = Some(weights.weighting());
                let options = Options { bits: Some(bits), tie: Some(tie), weighting, ..options.clone() };
                Fingerprinter::with_level(&options.plan().unwrap(), &weights, level).fingerprint(&features)
            };
            assert_eq!(of(Bits::B128).to_string(), vector.fingerprint, "{} {text}", level.name());
            assert_eq!(of(Bits::B64).to_string(), vector.fingerprint[16..], "{} {text}", level.name());
        }
    }
}

/// The tables that the vector file describes. Feature number j is the j-th in ascending order.
fn tables(features: &[u64]) -> (DocumentFrequencies, FeatureLevels) {
    let numbered: BTreeSet<u64> = features.iter().copied().collect();
    let (mut frequencies, mut levels) = (DocumentFrequencies::new(0), FeatureLevels::new(2).unwrap());
    for document in 0..600 {
        let has = |j: usize| 37 * j % 600 > document;
        let described = numbered.iter().enumerate().filter(|&(j, _)| has(j)).map(|(_, &x)| x);
        // A document without features would not count, and the file says nothing of this one.
        let other = (0..).find(|feature| !numbered.contains(feature));
        let distinct: Vec<u64> = described.chain(other).collect();
        frequencies.push(&distinct);
    }
    for (j, &feature) in numbered.iter().enumerate().filter(|(j, _)| j % 6 != 0) {
        levels.insert(feature, (1 + j % 5) as u8).unwrap();
    }
    (frequencies, levels)
}

fn made_text(tokens: usize, period: Option<usize>) -> String {
    let text: Vec<String> = (0..tokens).map(|i| format!("t{}", period.map_or(i, |p| i % p))).collect();
    text.join(" ")
}

#[derive(Deserialize)]
struct PermutedVectors {
    sketches: Vec<PermutedSketch>,
}

#[derive(Deserialize)]
struct PermutedSketch {
    scheme: String,
    num_perm: usize,
    seed: u32,
    count: u64,
    values: Vec<Hex>,
}

#[test]
fn values_of_datasketch_equal_the_golden_values() {
    let vectors: PermutedVectors = read("datasketch.json");
    assert!(!vectors.sketches.is_empty());
    for PermutedSketch { scheme, num_perm, seed, count, values } in &vectors.sketches {
        let (scheme, mask) = match scheme.as_str() {
            "affine32" => (PermutationScheme::Affine32, u64::from(u32::MAX)),
            "affine64" => (PermutationScheme::Affine64, u64::MAX),
            _ => (PermutationScheme::Legacy, u64::from(u32::MAX)),
        };
        let hash = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        for level in Level::available() {
            let mut minima = Minima::empty(scheme, *num_perm);
            let permutations = Permutations::new(scheme, *num_perm, *seed);
            permutations.lower(level, &mut (0..*count).map(hash).collect::<Vec<_>>(), &mut minima);
            let found: Vec<u64> = (0..*num_perm).map(|position| minima.at(position)).collect();
            let expected: Vec<u64> = values.iter().map(|value| value.0).collect();
            assert_eq!(found, expected, "{scheme:?}, {num_perm} values, seed {seed}, {}", level.name());
        }
    }
}
