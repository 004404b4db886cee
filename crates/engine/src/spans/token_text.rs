//! The tokens of a text, to be compared one by one.

use lookalike::Sketcher;
use std::ops::Range;

/// Stands behind each token. No token has this byte, as it is not in UTF-8.
const END: u8 = 0xff;

/// The tokens of a text, or of a part of it, in order.
#[derive(Clone, Debug, Default)]
pub struct TokenText {
    bytes: Vec<u8>,
    /// Where each token ends.
    ends: Vec<u32>,
}

impl TokenText {
    /// The tokens of `text`, in the memory of an earlier one.
    pub fn read(&mut self, sketcher: &mut Sketcher, text: &str) {
        self.bytes.clear();
        self.ends.clear();
        for token in sketcher.tokens(text) {
            self.bytes.extend_from_slice(token.as_bytes());
            self.bytes.push(END);
            // A text takes less than 4 GiB once normalised.
            self.ends.push(self.bytes.len() as u32);
        }
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of some tokens. Equal bytes are equal tokens.
    pub(super) fn part(&self, tokens: Range<usize>) -> &[u8] {
        let end = |tokens: usize| tokens.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        &self.bytes[end(tokens.start)..end(tokens.end)]
    }
}

/// Some consecutive tokens that are kept.
pub(super) struct TokenBytes {
    bytes: Box<[u8]>,
    /// Where every `STEP`th token begins.
    steps: Box<[u32]>,
    /// The character of the text at which each token begins, if this is asked for.
    characters: Box<[u32]>,
}

const STEP: usize = 64;

impl TokenBytes {
    pub(super) fn new(text: &TokenText, tokens: Range<usize>, characters: Box<[u32]>) -> Self {
        let start = text.part(0..tokens.start).len();
        let steps = tokens.clone().step_by(STEP).map(|token| (text.part(0..token).len() - start) as u32);
        TokenBytes { steps: steps.collect(), bytes: text.part(tokens).into(), characters }
    }

    /// The character of the text at which a token begins.
    pub(super) fn character(&self, token: usize) -> u32 {
        self.characters.get(token).copied().unwrap_or_default()
    }

    /// Whether the tokens from `first` on are these.
    pub(super) fn has(&self, first: usize, tokens: &[u8]) -> bool {
        let Some(&step) = self.steps.get(first / STEP) else { return false };
        let mut rest = &self.bytes[step as usize..];
        for _ in 0..first % STEP {
            let Some(end) = rest.iter().position(|&byte| byte == END) else { return false };
            rest = &rest[end + 1..];
        }
        rest.starts_with(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Plan;

    #[test]
    fn tokens_are_found_where_they_are_and_nowhere_else() {
        let words: Vec<String> = (0..300).map(|number| format!("w{number}")).collect();
        let mut text = TokenText::default();
        text.read(&mut Sketcher::new(&Plan::default()), &words.join(" "));
        assert_eq!((text.len(), text.is_empty()), (300, false));
        let kept = TokenBytes::new(&text, 10..290, Box::default());
        for first in [10, 11, 73, 74, 75, 137, 138, 139, 280] {
            let part = text.part(first..first + 10);
            assert!(kept.has(first - 10, part), "{first}");
            assert!(!kept.has(first - 9, part), "{first}");
        }
        // The start of a word is no word.
        text.read(&mut Sketcher::new(&Plan::default()), "w1");
        assert!(!kept.has(0, text.part(0..1)));
        assert!(!kept.has(1000, text.part(0..1)));
    }
}
