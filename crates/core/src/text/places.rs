//! The places of tokens in their text.

use super::Tokens;
use super::normalised::Normalised;
use crate::characters::unicode::is_whitespace;
use crate::characters::{Kind, final_kind};
use crate::simd::Spans;
use std::ops::Range;

/// A part of a text, in bytes and in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The range in bytes of UTF-8.
    pub bytes: Range<usize>,
    /// The range in characters (Unicode scalar values).
    pub chars: Range<usize>,
}

/// The place of each token of `spans` in `text`, the text that was cut into them.
///
/// Two neighbours may come from the same unit of normalisation, as both tokens of `㌔` do. They then have the same
/// place.
pub(crate) fn locate(tokens: Tokens, text: &str, spans: &Spans) -> Vec<Stretch> {
    let normalised = match tokens {
        Tokens::Whitespace => Normalised::unchanged(text),
        _ => Normalised::new(text),
    };
    let mut written = Written::new(tokens, &normalised.text);
    let place = |token: &[u8]| {
        // Tokens come in order, and together they are all that is written. Their lengths therefore show where they end.
        let (mut left, mut span) = (token.len(), None::<Range<usize>>);
        while left > 0 {
            let Some((part, length)) = written.next() else { break };
            span = Some(span.map_or(part.start, |span| span.start)..part.end);
            left = left.saturating_sub(length);
        }
        // A text of emoji or punctuation has nothing written, and is one token.
        let span = span.unwrap_or_else(|| trimmed(&normalised.text));
        normalised.origin(span.start, span.end)
    };
    spans.tokens().map(place).collect()
}

/// The characters of a normalised text that are in tokens.
struct Written<'t> {
    tokens: Tokens,
    text: &'t str,
    at: usize,
}

impl<'t> Written<'t> {
    fn new(tokens: Tokens, text: &'t str) -> Self {
        Written { tokens, text, at: trimmed(text).start }
    }
}

impl Iterator for Written<'_> {
    /// The place of a character, and its length in the token in bytes.
    type Item = (Range<usize>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = &self.text[self.at..];
            let (c, start) = (rest.chars().next()?, self.at);
            self.at += c.len_utf8();
            match self.tokens {
                Tokens::Chars if is_whitespace(c) => {
                    // A run of white space is one space.
                    self.at = self.text.len() - rest.trim_start_matches(is_whitespace).len();
                    return Some((start..self.at, 1));
                }
                Tokens::Chars => {}
                Tokens::Whitespace if is_whitespace(c) => continue,
                Tokens::Whitespace => {}
                _ if final_kind(c) == Kind::Gap => continue,
                _ => {}
            }
            return Some((start..self.at, c.len_utf8()));
        }
    }
}

fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is_whitespace).len();
    start..start + text.trim_matches(is_whitespace).len()
}

#[cfg(test)]
mod tests {
    use crate::{Options, Sketcher, Tokens};

    fn slices(tokens: Tokens, text: &str) -> Vec<&str> {
        let plan = Options { tokens: Some(tokens), ..Options::default() }.plan().unwrap();
        let located = Sketcher::new(&plan).locate(text);
        let slices = located.places().iter().map(|place| &text[place.bytes.clone()]);
        slices.collect()
    }

    #[test]
    fn tokens_are_located_in_the_original_text() {
        assert_eq!(slices(Tokens::Words, "It's Ａ１, ﬁne!"), ["It", "s", "Ａ１", "ﬁne"]);
        assert_eq!(
            slices(Tokens::Words, "Cafe\u{301} 東京ﾀﾜｰ 👍ok"),
            ["Cafe\u{301}", "東", "京", "ﾀ", "ﾜ", "ｰ", "ok"]
        );
        assert_eq!(slices(Tokens::Words, "５㌔"), ["５", "㌔", "㌔"]);
        assert_eq!(slices(Tokens::Words, " ?! 👍 "), ["?! 👍"]);
        assert_eq!(slices(Tokens::Whitespace, " Ｏne  two\u{a0}3 "), ["Ｏne", "two", "3"]);
        assert_eq!(slices(Tokens::Chars, "\tａ \n b "), ["ａ", " \n ", "b"]);
        assert!(slices(Tokens::Chars, " ").is_empty());
    }

    #[test]
    fn invisible_characters_are_part_of_a_place_within_a_token() {
        let text = "\u{feff}co\u{ad}ope\u{200b}rate\u{200e} e\u{ad}\u{301}\u{ad}!";
        assert_eq!(slices(Tokens::Words, text), ["co\u{ad}ope\u{200b}rate", "e\u{ad}\u{301}"]);
        assert_eq!(slices(Tokens::Chars, "\u{feff}a \u{ad} b\u{ad}"), ["a", " \u{ad} ", "b"]);
        assert_eq!(slices(Tokens::Chars, "👩\u{ad}\u{200d}👧"), ["👩", "\u{ad}\u{200d}", "👧"]);
        assert_eq!(slices(Tokens::Words, " \u{ad}?\u{ad}! \u{200b}"), ["?\u{ad}!"]);
        assert_eq!(slices(Tokens::Whitespace, "\u{feff}a\u{ad} \u{200b}"), ["\u{feff}a\u{ad}", "\u{200b}"]);
        assert!(slices(Tokens::Words, "\u{ad}").is_empty());
    }

    #[cfg(feature = "jieba")]
    #[test]
    fn words_of_the_dictionary_are_located_in_the_original_text() {
        let text = "我来到「北京」，清华大学 ok";
        assert_eq!(slices(Tokens::Jieba, text), ["我", "来到", "北京", "清华大学", "ok"]);
    }
}
