//! Words of one's own for jieba's dictionary.

use super::{Folds, Tokens, split};
use crate::error::PlanError;
use crate::simd::{Level, Spans};
use std::fmt;
#[cfg(feature = "jieba")]
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

/// Words that are added to jieba's dictionary, each with how often it occurs, if that is given.
pub struct JiebaWords {
    /// A line for each word: the word, and its frequency behind a space.
    lines: Vec<String>,
    /// The dictionary with these words, loaded on first use.
    #[cfg(feature = "jieba")]
    pub(super) dictionary: OnceLock<jieba_rs::Jieba>,
}

impl fmt::Debug for JiebaWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JiebaWords").field("words", &self.lines.len()).finish_non_exhaustive()
    }
}

impl PartialEq for JiebaWords {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl JiebaWords {
    /// Reads the lines of a user dictionary of jieba: a word, perhaps its frequency, and perhaps a tag of letters, which has no effect. A word is
    /// brought to its normal form. Words with other characters than Chinese ones are left out, as the dictionary gets Chinese text alone.
    ///
    /// # Errors
    /// [`PlanError::JiebaLine`].
    pub(crate) fn read(given: &[String], folds: Folds) -> Result<Self, PlanError> {
        let (level, mut spans, mut lines) =
            (Level::detect(), Spans::default(), Vec::with_capacity(given.len()));
        for line in given {
            let mut parts = line.split_whitespace();
            let Some(word) = parts.next() else { continue };
            let rest: Vec<&str> = parts.collect();
            let is_tag = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
            let frequency = match rest[..] {
                [] => None,
                [tag] if is_tag(tag) => None,
                [frequency] => Some(frequency),
                [frequency, tag] if is_tag(tag) => Some(frequency),
                _ => return Err(PlanError::JiebaLine { line: line.clone() }),
            };
            if frequency.is_some_and(|frequency| frequency.parse::<u32>().is_err()) {
                return Err(PlanError::JiebaLine { line: line.clone() });
            }
            split(Tokens::Chars, folds, None, level, word, &mut spans);
            let word = spans.tokens().map(String::from_utf8_lossy).collect::<String>();
            if word.chars().all(is_han) {
                lines.push(frequency.map_or_else(|| word.clone(), |frequency| format!("{word} {frequency}")));
            }
        }
        Ok(JiebaWords {
            lines,
            #[cfg(feature = "jieba")]
            dictionary: OnceLock::new(),
        })
    }

    /// A line for each word, as they are read.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Names the words, in their order.
    pub(crate) fn id(&self) -> u64 {
        xxh3_64(self.lines.join("\n").as_bytes())
    }

    /// The words, each with its frequency.
    #[cfg(feature = "jieba")]
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, Option<usize>)> {
        self.lines.iter().map(|line| match line.split_once(' ') {
            Some((word, frequency)) => (word, frequency.parse().ok()),
            None => (&line[..], None),
        })
    }
}

/// Whether jieba's dictionary may have words of this character.
pub(super) fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
