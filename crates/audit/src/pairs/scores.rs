//! The measures of a pair that need all words of both texts.

use super::search::TextPair;
use crate::read::{DistinctTexts, SiteText};
use lookalike::compare::HeldSequence;

/// The steps of all comparisons of word sequences in an audit: about a minute of one processor. A step handles up to 64
/// words of one text and a word of the other.
const ALL_STEPS: u64 = 1 << 35;

/// The steps of the comparisons of one pair, if there are so many pairs.
///
/// They do not depend on time, so neither do the results. Texts of 1,000 words are always compared to the end. Up to
/// 8,000 pairs, texts of 16,000 words are too.
pub(crate) fn steps_for(pairs: usize) -> u64 {
    (ALL_STEPS / (pairs as u64).max(1)).clamp(1 << 14, 1 << 22)
}

/// Fills the word scores of pairs with the same first text. Each thread has its own counts. With 0 steps, common words
/// are the only bound of the common subsequence.
pub(crate) fn fill_words(
    site: &SiteText,
    texts: &DistinctTexts,
    pairs: &mut [TextPair],
    counts: &mut [u32],
    steps: u64,
) {
    let Some(first) = pairs.first() else { return };
    let left: Vec<u64> = texts.words_of(site, first.a).map(u64::from).collect();
    left.iter().for_each(|&word| counts[word as usize] += 1);
    let mut held = HeldSequence::new(&left);
    let mut right: Vec<u64> = Vec::new();
    for pair in pairs {
        right.clear();
        right.extend(texts.words_of(site, pair.b).map(u64::from));
        pair.words = word_overlap(counts, &right);
        if steps == 0 {
            pair.sequence = [0, pair.words];
            continue;
        }
        // The comparison asks after every 64 words of the right text.
        let each = 64 * (left.len() as u64).div_ceil(64);
        let mut steps = steps;
        let go_on = || {
            let goes_on = steps >= each;
            steps = steps.saturating_sub(each);
            goes_on
        };
        let sequence = held.compare(&right, go_on);
        pair.sequence = [sequence.at_least as u32, sequence.at_most as u32];
    }
    left.iter().for_each(|&word| counts[word as usize] = 0);
}

/// The words that both texts have, each as often as both have it. `counts` says how often the first has each word, and
/// is the same afterwards.
fn word_overlap(counts: &mut [u32], right: &[u64]) -> u32 {
    let mut common = 0;
    // Each word is taken out as often as it occurs, below zero too, and then put back.
    for &word in right {
        let count = &mut counts[word as usize];
        common += u32::from((*count as i32) > 0);
        *count = count.wrapping_sub(1);
    }
    for &word in right {
        let count = &mut counts[word as usize];
        *count = count.wrapping_add(1);
    }
    common
}
