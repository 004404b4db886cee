//! From a text to the set of its word 5-grams.
//!
//! A document with fewer than five tokens has one shingle, the whole of it; one without tokens has none, so it is a
//! duplicate of nothing.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

const SHINGLE: usize = 5;

/// What a token is.
#[derive(Clone, Copy)]
pub enum Tokens {
    /// Runs between Unicode `White_Space`; case and punctuation are kept.
    Whitespace,
    /// Runs of alphanumeric characters and `_` in the lower-cased text.
    Alnum,
}

fn tokens(text: &str, tokens: Tokens) -> Vec<&str> {
    match tokens {
        Tokens::Whitespace => text.split_whitespace().collect(),
        Tokens::Alnum => text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|token| !token.is_empty())
            .collect(),
    }
}

/// Calls `each` with every shingle as bytes: each token preceded by its length, so different lists never look alike.
fn each_shingle(text: &str, kind: Tokens, mut each: impl FnMut(&[u8])) {
    let lowered;
    let text = match kind {
        Tokens::Whitespace => text,
        Tokens::Alnum => {
            lowered = text.to_lowercase();
            &lowered
        }
    };
    let tokens = tokens(text, kind);
    if tokens.is_empty() {
        return;
    }
    let mut bytes = Vec::new();
    for window in tokens.windows(SHINGLE.min(tokens.len())) {
        bytes.clear();
        for token in window {
            bytes.extend_from_slice(&(token.len() as u64).to_le_bytes());
            bytes.extend_from_slice(token.as_bytes());
        }
        each(&bytes);
    }
}

/// The set as sorted 64-bit hashes. Among 10^8 different shingles about 3 in 10 000 runs see any collision at all.
pub fn hashed(text: &str, kind: Tokens) -> Vec<u64> {
    let mut set = Vec::new();
    each_shingle(text, kind, |shingle| set.push(xxh3_64(shingle)));
    set.sort_unstable();
    set.dedup();
    set
}

/// Numbers shingles by the bytes themselves, without trusting any hash to be unique.
#[derive(Default)]
pub struct Interner {
    numbers: HashMap<Vec<u8>, u32>,
}

impl Interner {
    /// The set as sorted numbers.
    pub fn set(&mut self, text: &str, kind: Tokens) -> Vec<u32> {
        let mut set = Vec::new();
        each_shingle(text, kind, |shingle| {
            let next = self.numbers.len() as u32;
            set.push(*self.numbers.entry(shingle.to_vec()).or_insert(next));
        });
        set.sort_unstable();
        set.dedup();
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_boundaries_count() {
        assert_ne!(hashed("ab c", Tokens::Whitespace), hashed("a bc", Tokens::Whitespace));
    }

    #[test]
    fn short_texts_are_one_shingle_and_empty_ones_none() {
        assert_eq!(hashed("one two", Tokens::Whitespace).len(), 1);
        assert_eq!(hashed("a b c d e f", Tokens::Whitespace).len(), 2);
        assert!(hashed(" \u{3000} ", Tokens::Whitespace).is_empty());
    }

    #[test]
    fn alnum_ignores_case_and_punctuation() {
        assert_eq!(hashed("Ab, c_d (E)", Tokens::Alnum), hashed("aB c_d e.", Tokens::Alnum));
    }
}
