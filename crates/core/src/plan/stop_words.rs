//! The token hashes of stop words.

use super::Plan;
use crate::error::PlanError;
use crate::simd::{Level, Spans};
use crate::text::{Tokens, is_one_word, listed, split};

/// The hashes of the tokens of `words`, ascending. A word that tokens cut in several, such as "don't", counts as all of them.
///
/// Words of a script without spaces are different: their characters are parts of many other words. Where most of a list of
/// ours is given, its words that are cut are left out.
///
/// # Errors
/// [`PlanError::StopWords`] names another word that is cut into such characters, and [`PlanError::StopCharacters`] says that
/// characters are no words.
pub(super) fn stop_word_hashes(plan: &Plan, words: &[String]) -> Result<Vec<u64>, PlanError> {
    let (level, mut spans, mut tokens) = (Level::detect(), Spans::default(), Vec::new());
    let (mut hashes, mut cut, listed) = (Vec::new(), Vec::new(), listed(words));
    if plan.tokens() == Tokens::Chars && !words.is_empty() {
        return Err(PlanError::StopCharacters);
    }
    for word in words {
        split(plan.tokens(), plan.folds(), plan.jieba_words(), level, word, &mut spans);
        if plan.tokens() != Tokens::Whitespace && spans.len() > 1 && !spans.tokens().all(is_one_word) {
            cut.extend((!listed.contains(&word[..])).then_some(word));
            continue;
        }
        level.hash_tokens(&spans, plan.seed(), &mut tokens);
        hashes.append(&mut tokens);
    }
    if let Some(&word) = cut.first() {
        return Err(PlanError::StopWords { word: word.clone(), others: cut.len() - 1 });
    }
    hashes.sort_unstable();
    hashes.dedup();
    Ok(hashes)
}
