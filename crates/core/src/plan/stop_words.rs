//! The token hashes of stop words.

use super::Plan;
use crate::simd::{Level, Spans};
use crate::text::split;

/// The hashes of the words that are exactly one token, ascending.
pub(super) fn stop_word_hashes(plan: &Plan, words: &[String]) -> Vec<u64> {
    let (level, mut spans, mut tokens) = (Level::detect(), Spans::default(), Vec::new());
    let mut hashes = Vec::new();
    for word in words {
        split(plan.tokens(), level, word, &mut spans);
        level.hash_tokens(&spans, plan.seed(), &mut tokens);
        if let [token] = *tokens {
            hashes.push(token);
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}
