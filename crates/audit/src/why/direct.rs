//! Two texts compared directly, by their words alone.

use crate::pairs::PairCounts;
use lookalike::Sketcher;
use lookalike::compare::Subsequence;
use std::collections::{HashMap, HashSet};

/// The steps of a comparison: about a quarter of a second. A step handles up to 64 words of one text and a word of the other, so texts of 90,000 words are
/// compared to the end.
const STEPS: u64 = 1 << 27;

/// The counts of two texts whose tokens have these hashes. The same as an audit of both would count.
///
/// Of very long texts only bounds of the longest common subsequence are found.
pub(crate) fn compare(sketcher: &mut Sketcher, left: &[u64], right: &[u64]) -> PairCounts {
    let features = [left, right].map(|tokens| sketcher.features_of_tokens(tokens).to_vec());
    let shingle = sketcher.plan().shingle();
    let (matched, common) = shared_words([&features[0], &features[1]], [left.len(), right.len()], shingle);
    let distinct = |features: &[u64]| features.iter().collect::<HashSet<_>>().len() as u32;
    let length = |tokens: &[u64]| u32::try_from(tokens.len()).expect("a text has fewer than 2³² words");
    let each = 64 * (left.len() as u64).div_ceil(64);
    let mut steps = STEPS;
    let sequence = Subsequence::of(left, right, || {
        let goes_on = steps >= each;
        steps = steps.saturating_sub(each);
        goes_on
    });
    PairCounts {
        words: [length(left), length(right)],
        matched,
        distinct: [distinct(&features[0]), distinct(&features[1])],
        shingles: common,
        common_words: common_words(left, right),
        sequence: [sequence.at_least as u32, sequence.at_most as u32],
        is_exact: left == right && !left.is_empty(),
        is_template: false,
    }
}

/// The words of each of two texts in common shingles of `shingle` words, and the number of distinct common shingles.
/// The texts are given by their features and their numbers of words.
pub(crate) fn shared_words(features: [&[u64]; 2], words: [usize; 2], shingle: usize) -> ([u32; 2], u32) {
    let sets: [HashSet<u64>; 2] = features.map(|features| features.iter().copied().collect());
    let matched = [0, 1].map(|side| {
        let shared = features[side].iter().map(|feature| sets[1 - side].contains(feature));
        covered(shared, shingle.min(words[side]))
    });
    (matched, sets[0].intersection(&sets[1]).count() as u32)
}

/// The words in shared shingles of `length` words, given which shingle is shared.
fn covered(shared: impl Iterator<Item = bool>, length: usize) -> u32 {
    let (mut covered, mut end) = (0, 0);
    for (place, _) in shared.enumerate().filter(|(_, shared)| *shared) {
        covered += place + length - end.max(place);
        end = place + length;
    }
    covered as u32
}

fn common_words(left: &[u64], right: &[u64]) -> u32 {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    left.iter().for_each(|&word| *counts.entry(word).or_default() += 1);
    let takes = |word: &&u64| match counts.get_mut(word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    right.iter().filter(takes).count() as u32
}
