//! Tests fingerprints by a table of hashes against the reference: each shingle votes by the hash that the table has for it.

use crate::fixed::fixed;
use lookalike::search::SketchBuilder;
use lookalike::{
    Bits, FeatureHashes, Level, Method, MissingHash, Options, Plan, Sketcher, Tie, Tokens, Weighting, Weights,
};
use lookalike_reference::feature_hash::{fnv1a64, shingle_strings};
use lookalike_reference::simhash as reference;
use proptest::prelude::*;

fn plan(shingle: usize, weighting: Weighting, bits: Bits, tie: Tie) -> Plan {
    let options = Options {
        method: Some(Method::SimHash),
        tokens: Some(Tokens::Whitespace),
        shingle: Some(shingle),
        weighting: Some(weighting),
        bits: Some(bits),
        tie: Some(tie),
        ..Options::default()
    };
    options.plan().unwrap()
}

/// The table of these shingles.
fn table<'a>(plan: &Plan, entries: impl Iterator<Item = (&'a String, u64)>) -> FeatureHashes {
    let (mut sketcher, mut hashes) = (Sketcher::new(plan), FeatureHashes::default());
    for (shingle, hash) in entries {
        hashes.insert(sketcher.features(shingle)[0], hash);
    }
    hashes
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn fingerprints_by_a_table_equal_the_reference(
        text in "([a-c]{1,2}|É|漢字|[ \t]){0,40}", shingle in 1_usize..4, wide in any::<bool>(), one in any::<bool>(),
        (weighting, rule, weights) in prop::sample::select(vec![
            (Weighting::Set, reference::Weights::Set, Weights::Set),
            (Weighting::Tf, reference::Weights::Tf, Weights::Tf),
            (Weighting::LogTf, reference::Weights::LogTf, Weights::LogTf),
        ]),
        // With few bits, different shingles have the same hash. Each counts.
        mask in prop::sample::select(vec![u64::MAX, 0b11, 1 << 63]), left_out in any::<prop::sample::Index>(),
    ) {
        let (bits, tie) = (if wide { Bits::B128 } else { Bits::B64 }, if one { Tie::One } else { Tie::Zero });
        let plan = plan(shingle, weighting, bits, tie);
        let tokens: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let shingles = shingle_strings(&tokens, shingle);
        let features = Sketcher::new(&plan).features(&text).to_vec();
        let hash_of = |shingle: &String| fnv1a64(shingle.as_bytes(), 0) & mask;
        let hashes = table(&plan, shingles.iter().map(|shingle| (shingle, hash_of(shingle))));
        let shingle_of = |feature| &shingles[features.iter().position(|other| *other == feature).unwrap()];
        let weighed: Vec<(u64, u64)> = reference::weigh(&features, &rule)
            .into_iter()
            .map(|(feature, weight)| (hash_of(shingle_of(feature)), weight))
            .collect();
        let reference_tie = if one { reference::Tie::One } else { reference::Tie::Zero };
        let expected = match bits {
            Bits::B64 => u128::from(reference::fingerprint64(&weighed, reference_tie)),
            Bits::B128 => reference::fingerprint128(&weighed, reference_tie),
        };
        for level in Level::available() {
            let mut builder = SketchBuilder::new(&plan, &weights, level);
            let made = builder.fingerprint_by(&text, Some(&hashes)).unwrap();
            prop_assert_eq!((made.value(), made.is_empty()), (expected, shingles.is_empty()));
            let explained = builder.explain(&text, Some(&hashes)).unwrap();
            prop_assert_eq!(explained.fingerprint, made);
            for feature in &explained.features {
                prop_assert_eq!(feature.hash as u64, hash_of(&feature.shingle));
            }
            for (bit, &sum) in explained.sums.iter().enumerate() {
                prop_assert_eq!(made.value() >> bit & 1 == 1, sum > 0 || sum == 0 && one);
            }
            if !shingles.is_empty() {
                let missing = left_out.get(&shingles);
                let others = shingles.iter().filter(|shingle| *shingle != missing);
                let lacking = table(&plan, others.map(|shingle| (shingle, 7)));
                let error = MissingHash { shingle: missing.clone() };
                prop_assert_eq!(builder.fingerprint_by(&text, Some(&lacking)), Err(error.clone()));
                prop_assert_eq!(builder.explain(&text, Some(&lacking)).unwrap_err(), error);
            }
        }
    }
}

#[test]
fn the_first_shingle_that_is_missing_is_named() {
    let plan = plan(2, Weighting::Tf, Bits::B64, Tie::Zero);
    let hashes = table(&plan, [(&"the quick".to_owned(), 1)].into_iter());
    let mut builder = SketchBuilder::new(&plan, &Weights::Tf, Level::detect());
    let error = builder.fingerprint_by("the quick brown fox", Some(&hashes)).unwrap_err();
    assert_eq!(error.to_string(), "the shingle \"quick brown\" has no hash in the table");
}

#[test]
fn fingerprints_by_other_tables_cannot_be_compared() {
    let plan = plan(1, Weighting::Tf, Bits::B64, Tie::Zero);
    let words = ["fox".to_owned(), "dog".to_owned()];
    let [first, same, other] = [[(0, 5), (1, 6)], [(1, 6), (0, 5)], [(0, 6), (1, 5)]]
        .map(|entries| table(&plan, entries.into_iter().map(|(word, hash)| (&words[word], hash))));
    assert_eq!(first.id(), same.id());
    let mut builder = SketchBuilder::new(&plan, &Weights::Tf, Level::detect());
    let [by_first, by_same, by_other] =
        [&first, &same, &other].map(|hashes| builder.fingerprint_by("fox dog", Some(hashes)).unwrap());
    assert_eq!(by_first.hamming(by_same), Ok(0));
    assert_eq!(by_first.hamming(by_other).unwrap_err().field, "plan");
    assert_eq!(by_first.hamming(builder.fingerprint("fox dog")).unwrap_err().field, "plan");
}
