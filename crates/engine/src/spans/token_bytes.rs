//! Consecutive tokens of a text, to be compared one by one.

use lookalike::Sketcher;
use std::ops::Range;

/// Stands behind each token. No token has this byte, as it is not in UTF-8.
const END: u8 = 0xff;

/// Some consecutive tokens of a text.
pub(super) struct TokenBytes {
    bytes: Box<[u8]>,
    /// Where every `STEP`th token begins.
    steps: Box<[u32]>,
    /// The character of the text at which each token begins, if this is asked for.
    characters: Box<[u32]>,
}

const STEP: usize = 64;

impl TokenBytes {
    /// Of the last text that `sketcher` has cut into tokens.
    pub(super) fn new(sketcher: &Sketcher, tokens: Range<usize>, characters: Box<[u32]>) -> Self {
        let (mut bytes, mut steps) = (Vec::new(), Vec::with_capacity(tokens.len() / STEP + 1));
        for (number, token) in sketcher.last_token_bytes(tokens).enumerate() {
            if number % STEP == 0 {
                // A text takes less than 4 GiB once normalised.
                steps.push(bytes.len() as u32);
            }
            bytes.extend_from_slice(token);
            bytes.push(END);
        }
        TokenBytes { bytes: bytes.into(), steps: steps.into(), characters }
    }

    /// The character of the text at which a token begins.
    pub(super) fn character(&self, token: usize) -> u32 {
        self.characters.get(token).copied().unwrap_or_default()
    }

    /// Whether the tokens from `first` on are these.
    pub(super) fn has<'t>(&self, first: usize, tokens: impl Iterator<Item = &'t [u8]>) -> bool {
        let Some(&step) = self.steps.get(first / STEP) else { return false };
        let mut rest = &self.bytes[step as usize..];
        for _ in 0..first % STEP {
            let Some(end) = rest.iter().position(|&byte| byte == END) else { return false };
            rest = &rest[end + 1..];
        }
        for token in tokens {
            match rest.strip_prefix(token).and_then(|rest| rest.strip_prefix(&[END])) {
                Some(behind) => rest = behind,
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Plan;

    #[test]
    fn tokens_are_found_where_they_are_and_nowhere_else() {
        let words: Vec<String> = (0..300).map(|number| format!("w{number}")).collect();
        let mut sketcher = Sketcher::new(&Plan::default());
        sketcher.token_hashes(&words.join(" "));
        let kept = TokenBytes::new(&sketcher, 10..290, Box::default());
        for first in [10, 11, 73, 74, 75, 137, 138, 139, 280] {
            let part = || sketcher.last_token_bytes(first..first + 10);
            assert!(kept.has(first - 10, part()), "{first}");
            assert!(!kept.has(first - 9, part()), "{first}");
        }
        // The start of a word is no word.
        sketcher.token_hashes("w1");
        assert!(!kept.has(0, sketcher.last_token_bytes(0..1)));
        assert!(!kept.has(1000, sketcher.last_token_bytes(0..1)));
    }
}
