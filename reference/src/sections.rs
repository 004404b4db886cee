//! Sections: a text that was read from several fields or from a list has a section for each value.
//!
//! A shingle has tokens of one section alone. A section is cut as if it were a text of its own.

use crate::shingles::features;
use crate::tokens::{Tokenizer, token_hash, tokens};

/// Stands between two sections. Unicode calls it a noncharacter.
pub const SEPARATOR: char = '\u{fdd0}';

/// The sections of a text, in order. Some may be empty.
pub fn sections(text: &str) -> Vec<&str> {
    text.split(SEPARATOR).collect()
}

/// The tokens of a text: those of its sections, in order.
pub fn tokens_of_text(text: &str, tokenizer: Tokenizer) -> Vec<String> {
    sections(text).into_iter().flat_map(|section| tokens(section, tokenizer)).collect()
}

/// The features of a text: those of its sections, in order and with repetitions.
pub fn features_of_text(text: &str, tokenizer: Tokenizer, seed: u64, shingle: usize) -> Vec<u64> {
    let features_of = |section: &str| {
        let hashes: Vec<u64> =
            tokens(section, tokenizer).iter().map(|token| token_hash(token, seed)).collect();
        features(&hashes, shingle)
    };
    sections(text).into_iter().flat_map(features_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, shingle: usize) -> usize {
        features_of_text(text, Tokenizer::Words, 0, shingle).len()
    }

    #[test]
    fn no_shingle_leaves_its_section() {
        assert_eq!(count("a b c d e f", 3), 4);
        assert_eq!(count("a b c\u{fdd0}d e f", 3), 2);
        assert_eq!(count("a\u{fdd0}b\u{fdd0}c", 3), 3);
    }

    #[test]
    fn a_section_without_tokens_has_no_shingle() {
        assert_eq!(count("\u{fdd0}\u{fdd0} \u{fdd0}a b c", 3), 1);
        // The emoji is a token of its section alone.
        assert_eq!(count("👍\u{fdd0}a b c", 3), 2);
    }

    #[test]
    fn the_order_of_sections_does_not_count_for_the_set() {
        let mut one = features_of_text("a b\u{fdd0}c d", Tokenizer::Words, 0, 2);
        let mut other = features_of_text("c d\u{fdd0}a b", Tokenizer::Words, 0, 2);
        one.sort_unstable();
        other.sort_unstable();
        assert_eq!(one, other);
    }
}
