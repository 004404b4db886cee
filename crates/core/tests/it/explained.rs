//! Tests explained fingerprints against the fingerprints themselves and against the reference.

use crate::fixed::fixed;
use lookalike::search::SketchBuilder;
use lookalike::{
    Bits, DocumentFrequencies, FeatureHash, FeatureLevels, Level, Method, Options, Sketcher, Tie, Tokens,
    Weighting, Weights,
};
use lookalike_reference::feature_hash::shingle_strings;
use lookalike_reference::simhash as reference;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The weights of a weighting, here and in the reference. The tables know some of `features`.
fn weights_of(weighting: Weighting, features: &[u64]) -> (Weights, reference::Weights) {
    match weighting {
        Weighting::Set => (Weights::Set, reference::Weights::Set),
        Weighting::Tf => (Weights::Tf, reference::Weights::Tf),
        Weighting::LogTf => (Weights::LogTf, reference::Weights::LogTf),
        Weighting::TfIdf => {
            let (mut table, mut frequencies) = (DocumentFrequencies::new(0), BTreeMap::new());
            for document in features.chunks(2).chain([&[][..]; 9]) {
                let distinct: BTreeSet<u64> = document.iter().copied().collect();
                table.push(&distinct.iter().copied().collect::<Vec<_>>());
                distinct.into_iter().for_each(|feature| *frequencies.entry(feature).or_default() += 1);
            }
            let rule = reference::Weights::TfIdf { documents: table.documents(), frequencies };
            (Weights::TfIdf(Arc::new(table)), rule)
        }
        Weighting::Levels => {
            let mut levels = FeatureLevels::new(1).unwrap();
            let given: BTreeMap<u64, u8> = features.iter().step_by(2).map(|&feature| (feature, 4)).collect();
            given.iter().for_each(|(&feature, &level)| levels.insert(feature, level).unwrap());
            (Weights::Levels(Arc::new(levels)), reference::Weights::Levels { levels: given, others: 1 })
        }
    }
}

proptest! {
    #![proptest_config(fixed(300))]

    #[test]
    fn explanations_equal_the_fingerprint_and_the_reference(
        text in "([a-c]{1,2}|the|漢字|É|[ ?\t]){0,40}", shingle in 1_usize..4,
        feature_hash in prop::sample::select(&FeatureHash::ALL[..]), tokens in prop::sample::select(&Tokens::ALL[..]),
        weighting in prop::sample::select(&Weighting::ALL[..]), wide in any::<bool>(), one in any::<bool>()
    ) {
        let (bits, tie) = (if wide { Bits::B128 } else { Bits::B64 }, if one { Tie::One } else { Tie::Zero });
        let plan = Options {
            method: Some(Method::SimHash), shingle: Some(shingle), tokens: Some(tokens.1),
            feature_hash: Some(feature_hash.1), weighting: Some(weighting.1), bits: Some(bits), tie: Some(tie),
            stop_words: (tokens.1 != Tokens::Chars).then(|| vec!["the".to_owned()]),
            ..Options::default()
        }.plan().unwrap();
        let mut sketcher = Sketcher::new(&plan);
        let all: Vec<String> = sketcher.tokens(&text).map(str::to_owned).collect();
        let features = sketcher.features(&text).to_vec();
        let (weights, rule) = weights_of(weighting.1, &features);
        let mut builder = SketchBuilder::new(&plan, &weights, Level::detect());
        let explained = builder.explain(&text, None).unwrap();
        prop_assert_eq!(explained.fingerprint, builder.fingerprint(&text));

        let is_stop_word = |token: &String| tokens.1 != Tokens::Chars && token == "the";
        let counted: Vec<String> = all.iter().filter(|token| !is_stop_word(token)).cloned().collect();
        prop_assert_eq!((explained.tokens, explained.stop_words), (all.len(), all.len() - counted.len()));
        let shingles = shingle_strings(&counted, shingle);
        let weighed = reference::weigh(&features, &rule);
        prop_assert_eq!(explained.features.len(), weighed.len());
        let mut last = None;
        for feature in &explained.features {
            let of_feature = |other: &u64| *other == feature.hash as u64;
            let first = features.iter().position(of_feature).unwrap();
            prop_assert!(last < Some(first), "in text order");
            last = Some(first);
            prop_assert_eq!(&feature.shingle, &shingles[first]);
            prop_assert_eq!(feature.count as usize, features.iter().filter(|other| of_feature(other)).count());
            prop_assert!(weighed.contains(&(features[first], u64::from(feature.weight))));
            let high = if wide { reference::second_half(features[first]) } else { 0 };
            prop_assert_eq!(feature.hash >> 64, u128::from(high));
        }
        prop_assert_eq!(explained.sums.len(), bits.count() as usize);
        for (bit, &sum) in explained.sums.iter().enumerate() {
            let votes = weighed.iter().map(|&(feature, weight)| {
                let half = if bit < 64 { feature } else { reference::second_half(feature) };
                i128::from(weight) * if half >> (bit % 64) & 1 == 1 { 1 } else { -1 }
            });
            prop_assert_eq!(sum, votes.sum::<i128>());
            prop_assert_eq!(explained.fingerprint.value() >> bit & 1 == 1, sum > 0 || sum == 0 && one);
        }
    }
}
