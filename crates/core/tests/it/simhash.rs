//! Tests fingerprints against the reference and by their properties, with every instruction set of this machine.

use crate::fixed::fixed;
use lookalike::hash::SplitMix64;
use lookalike::{
    Bits, DocumentFrequencies, FeatureHash, FeatureLevels, Fingerprinter, Level, Method, Options, Plan,
    Sketcher, Tie, Tokens, Weights,
};
use lookalike_reference::feature_hash::{fnv1a64, md5_end, murmur3_x64_128, sha1_end, shingle_strings};
use lookalike_reference::simhash as reference;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const TIES: [(Tie, reference::Tie); 2] = [(Tie::Zero, reference::Tie::Zero), (Tie::One, reference::Tie::One)];

fn features_by(feature_hash: FeatureHash, options: &Options, text: &str) -> Vec<u64> {
    let options =
        Options { method: Some(Method::SimHash), feature_hash: Some(feature_hash), ..options.clone() };
    Sketcher::new(&options.plan().unwrap()).features(text).to_vec()
}

/// Features with many repetitions, some with few set bits, so that ties and zeros occur.
fn features() -> impl Strategy<Value = Vec<u64>> {
    let feature = prop_oneof![any::<u64>(), 0_u64..20, (0_u32..64).prop_map(|bit| 1 << bit)];
    prop_oneof![
        prop::collection::vec(feature.clone(), 0..20),
        prop::collection::vec(feature.clone(), 100..300),
        prop::collection::vec(feature, 1000..1100),
    ]
}

fn plan(bits: Bits, tie: Tie, weights: &Weights) -> Plan {
    let (method, weighting) = (Some(Method::SimHash), Some(weights.weighting()));
    Options { method, bits: Some(bits), tie: Some(tie), weighting, ..Options::default() }.plan().unwrap()
}

/// Checks both widths and both tie rules on every level against the reference for features with weights.
fn agrees(features: &[u64], weights: Weights, expected: &[(u64, u64)]) {
    for (tie, reference_tie) in TIES {
        let (narrow, wide) = (
            reference::fingerprint64(expected, reference_tie),
            reference::fingerprint128(expected, reference_tie),
        );
        for level in Level::available() {
            let of = |bits| {
                Fingerprinter::with_level(&plan(bits, tie, &weights), &weights, level).fingerprint(features)
            };
            let (short, long) = (of(Bits::B64), of(Bits::B128));
            assert_eq!(short.value(), u128::from(narrow), "{} {weights:?}", level.name());
            assert_eq!(long.value(), wide, "{} {weights:?}", level.name());
            assert_eq!(short.is_empty(), expected.iter().all(|&(_, weight)| weight == 0));
        }
    }
}

/// A hash function of bytes and a seed.
type Hash = fn(&[u8], u64) -> u64;

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn fingerprints_by_counts_equal_the_reference(features in features()) {
        agrees(&features, Weights::Set, &reference::weigh(&features, &reference::Weights::Set));
        agrees(&features, Weights::Tf, &reference::weigh(&features, &reference::Weights::Tf));
        agrees(&features, Weights::LogTf, &reference::weigh(&features, &reference::Weights::LogTf));
    }

    #[test]
    fn fingerprints_by_frequencies_equal_the_reference(
        features in features(), others in prop::collection::vec(0_u64..20, 0..40), times in 0_usize..2000
    ) {
        let mut table = DocumentFrequencies::new(0);
        let mut frequencies = BTreeMap::new();
        // One pair of features is in very many documents, more than the table of precomputed weights covers.
        for document in others.chunks(3).chain(std::iter::repeat_n(&[1, 2][..], times)) {
            let distinct: BTreeSet<u64> = document.iter().copied().collect();
            table.push(&distinct.iter().copied().collect::<Vec<_>>());
            distinct.into_iter().for_each(|feature| *frequencies.entry(feature).or_default() += 1);
        }
        let rule = reference::Weights::TfIdf { documents: table.documents(), frequencies };
        agrees(&features, Weights::TfIdf(Arc::new(table)), &reference::weigh(&features, &rule));
    }

    #[test]
    fn fingerprints_by_levels_equal_the_reference(
        features in features(), given in prop::collection::vec((0_u64..20, 1_u8..=5), 0..20), others in 0_u8..=5
    ) {
        let mut levels = FeatureLevels::new(others).unwrap();
        given.iter().for_each(|&(feature, level)| levels.insert(feature, level).unwrap());
        let rule = reference::Weights::Levels { levels: given.into_iter().collect(), others };
        agrees(&features, Weights::Levels(Arc::new(levels)), &reference::weigh(&features, &rule));
    }

    #[test]
    fn fingerprints_by_any_weights_equal_the_reference(
        features in features(), weights in prop::collection::vec(any::<u32>(), 1100), digits in 0_u32..32
    ) {
        let weights: Vec<u32> = weights[..features.len()].iter().map(|weight| weight >> digits).collect();
        let expected: Vec<(u64, u64)> =
            features.iter().copied().zip(weights.iter().map(|&weight| u64::from(weight))).collect();
        for (tie, reference_tie) in TIES {
            for level in Level::available() {
                let mut fingerprinter = Fingerprinter::with_level(&plan(Bits::B128, tie, &Weights::Set), &Weights::Set, level);
                let found = fingerprinter.weighted(&features, &weights).value();
                prop_assert_eq!(found, reference::fingerprint128(&expected, reference_tie), "{}", level.name());
            }
        }
    }

    #[test]
    fn order_does_not_matter(features in features(), by in any::<prop::sample::Index>()) {
        let mut other = features.clone();
        other.reverse();
        if !other.is_empty() {
            other.rotate_left(by.index(features.len()));
        }
        for weights in [Weights::Set, Weights::Tf, Weights::LogTf] {
            let mut fingerprinter = Fingerprinter::new(&plan(Bits::B128, Tie::Zero, &weights), &weights);
            prop_assert_eq!(fingerprinter.fingerprint(&features), fingerprinter.fingerprint(&other));
        }
    }

    #[test]
    fn every_feature_twice_is_the_same_document(features in features()) {
        let twice = [&features[..], &features[..]].concat();
        for weights in [Weights::Set, Weights::Tf] {
            let mut fingerprinter = Fingerprinter::new(&plan(Bits::B128, Tie::One, &weights), &weights);
            prop_assert_eq!(fingerprinter.fingerprint(&features), fingerprinter.fingerprint(&twice));
        }
    }

    #[test]
    fn shingles_and_their_hashes_equal_the_reference(
        text in "[a-cA-Z ?!é漢\u{301}\t]{0,30}", shingle in 1_usize..6, seed in any::<u64>()
    ) {
        for (_, tokens) in Tokens::ALL {
            let options =
                Options { tokens: Some(tokens), shingle: Some(shingle), seed: Some(seed), ..Options::default() };
            let plan = options.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let words: Vec<String> = sketcher.tokens(&text).map(String::from).collect();
            let expected = shingle_strings(&words, shingle);
            prop_assert_eq!(sketcher.shingles(&text).collect::<Vec<_>>(), expected.clone());
            let functions: [(FeatureHash, Hash); 4] = [
                (FeatureHash::Fnv1a64, fnv1a64),
                (FeatureHash::Murmur3, |bytes, seed| murmur3_x64_128(bytes, seed).0),
                (FeatureHash::Md5, md5_end),
                (FeatureHash::Sha1, sha1_end),
            ];
            for (feature_hash, function) in functions {
                let hashes: Vec<u64> = expected.iter().map(|s| function(s.as_bytes(), seed)).collect();
                prop_assert_eq!(features_by(feature_hash, &options, &text), hashes);
            }
            let features = sketcher.features(&text).to_vec();
            prop_assert_eq!(features_by(FeatureHash::Xxh3, &options, &text), features);
        }
    }

    #[test]
    fn different_tokens_have_different_strings(
        a in "[ab ?\u{301}]{0,8}", b in "[ab ?\u{301}]{0,8}"
    ) {
        for (_, tokens) in Tokens::ALL {
            // Long enough that the whole text is one shingle.
            let plan = Options { tokens: Some(tokens), shingle: Some(100), ..Options::default() }.plan().unwrap();
            let mut sketcher = Sketcher::new(&plan);
            let mut of = |text: &str| {
                let words: Vec<String> = sketcher.tokens(text).map(String::from).collect();
                (words, sketcher.shingles(text).map(String::from).collect::<Vec<_>>())
            };
            let ((left, left_strings), (right, right_strings)) = (of(&a), of(&b));
            prop_assert_eq!(left == right, left_strings == right_strings);
        }
    }
}

/// The weights are integers, so that every machine gets the same bits. They are fine enough that the bits are those of sums of
/// floats.
#[test]
fn fingerprints_by_frequencies_are_those_of_double_arithmetic() {
    let mut random = SplitMix64(7);
    let mut table = DocumentFrequencies::new(0);
    // Common and rare ones.
    let word = |random: &mut SplitMix64| {
        let most = 1 + random.next() % 2000;
        SplitMix64(random.next() % most).next()
    };
    for _ in 0..800 {
        let distinct: BTreeSet<u64> = (0..150).map(|_| word(&mut random)).collect();
        table.push(&distinct.into_iter().collect::<Vec<_>>());
    }
    let (documents, table) = (table.documents() as f64, Arc::new(table));
    let weights = Weights::TfIdf(Arc::clone(&table));
    let mut fingerprinter = Fingerprinter::new(&plan(Bits::B64, Tie::Zero, &weights), &weights);
    for _ in 0..1000 {
        let features: Vec<u64> = (0..300).map(|_| word(&mut random)).collect();
        let idf = |&feature: &u64| (documents / (f64::from(table.frequency(feature)) + 1.0)).ln().max(0.0);
        let sum = |bit: u32| {
            features.iter().map(|of| if of >> bit & 1 == 1 { idf(of) } else { -idf(of) }).sum::<f64>()
        };
        let expected = (0..64).filter(|&bit| sum(bit) > 0.0).fold(0_u128, |bits, bit| bits | 1 << bit);
        assert_eq!(fingerprinter.fingerprint(&features).value(), expected);
    }
}
