//! The places of tokens in their text.

use super::folds::{Joined, fold_tokens};
use super::normalised::Normalised;
use super::{Folds, Tokens, split_unfolded};
use crate::characters::unicode::is_whitespace;
use crate::characters::{CharacterRole, final_kind};
use crate::simd::{Level, Spans};
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
pub(crate) fn locate(tokens: Tokens, folds: Folds, level: Level, text: &str, spans: &Spans) -> Vec<Stretch> {
    // Tokens of a fold or a dictionary may be joined, or others.
    if tokens == Tokens::Words
        && folds == Folds::default()
        && let Some(places) = spans.places()
    {
        return with_characters(text, places);
    }
    locate_all(tokens, folds, level, text, spans)
}

/// The same for all tokens and folds: the text is put in its normal form again, and each character of it traced.
fn locate_all(tokens: Tokens, folds: Folds, level: Level, text: &str, spans: &Spans) -> Vec<Stretch> {
    let joined = Joined::new(folds, text);
    let normalised = match tokens {
        Tokens::Whitespace => Normalised::unchanged(text),
        _ => Normalised::new(&joined.text),
    };
    let mut written = TokenCharacters::new(tokens, &normalised.text);
    let place = |length: usize| {
        // Tokens come in order, and together they are all that is written. Their lengths therefore show where they end.
        let (mut left, mut span) = (length, None::<Range<usize>>);
        while left > 0 {
            let Some((part, length)) = written.next() else { break };
            span = Some(span.map_or(part.start, |span| span.start)..part.end);
            left = left.saturating_sub(length);
        }
        // A text of emoji or punctuation has nothing written, and is one token.
        let span = span.unwrap_or_else(|| trimmed(&normalised.text));
        joined.origin(normalised.origin(span.start, span.end))
    };
    lengths(tokens, folds, level, &joined.text, spans).into_iter().map(place).collect()
}

/// The stretches of ascending ranges of bytes.
fn with_characters(text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Vec<Stretch> {
    let (mut byte, mut character) = (0, 0);
    let mut character_at = |at: usize| {
        // The first byte of each character is no byte within one.
        character += text.as_bytes()[byte..at].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        byte = at;
        character
    };
    ranges
        .map(|bytes| {
            let start = character_at(bytes.start);
            Stretch { chars: start..character_at(bytes.end), bytes }
        })
        .collect()
}

/// The length of each token before folds changed it, in bytes.
fn lengths(tokens: Tokens, folds: Folds, level: Level, joined: &str, spans: &Spans) -> Vec<usize> {
    let unfolded = || spans.tokens().map(<[u8]>::len).collect();
    if !folds.change_tokens() {
        return unfolded();
    }
    let mut words = Spans::default();
    split_unfolded(tokens, folds, level, joined, &mut words);
    let (mut lengths, mut skipped) = (Vec::new(), 0);
    fold_tokens(tokens, folds, &mut words, |is_new, length| match lengths.last_mut() {
        _ if is_new => lengths.push(length + std::mem::take(&mut skipped)),
        Some(last) => *last += length,
        None => skipped += length,
    });
    if words.len() == 0 {
        return unfolded();
    }
    // A dictionary may have made one token of several.
    let mut parts = words.tokens().zip(lengths);
    let sum_of_parts = |token: &[u8]| {
        let (mut left, mut sum) = (token.len(), 0);
        while left > 0 {
            let Some((part, length)) = parts.next() else { break };
            (left, sum) = (left.saturating_sub(part.len()), sum + length);
        }
        sum
    };
    spans.tokens().map(sum_of_parts).collect()
}

/// The characters of a normalised text that are in tokens.
struct TokenCharacters<'t> {
    tokens: Tokens,
    text: &'t str,
    at: usize,
    /// Whether the character before `at` is in a token. If so, a mark is, too.
    inside: bool,
}

impl<'t> TokenCharacters<'t> {
    fn new(tokens: Tokens, text: &'t str) -> Self {
        TokenCharacters { tokens, text, at: trimmed(text).start, inside: false }
    }
}

impl Iterator for TokenCharacters<'_> {
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
                _ => {
                    self.inside = match final_kind(c) {
                        CharacterRole::Gap => false,
                        CharacterRole::Mark => self.inside,
                        _ => true,
                    };
                    if !self.inside {
                        continue;
                    }
                }
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
    use super::*;
    use crate::text::{Fold, split};
    use crate::{Options, Sketcher, Tokens};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tokens_that_stand_where_their_characters_do_are_located_at_once(
            characters in prop::collection::vec(
                prop::sample::select("aZ_9 \n.-éßÉΣς’“日本のㄱㅏกำ๋कि\u{301}\u{327}\u{a0}…½ﬁＡ👍\u{200d}\u{ad}İẞ".chars().collect::<Vec<_>>()),
                0..120
            )
        ) {
            let text: String = characters.into_iter().collect();
            for level in Level::available() {
                let mut spans = Spans::default();
                split(Tokens::Words, Folds::default(), None, level, &text, &mut spans);
                let expected = locate_all(Tokens::Words, Folds::default(), level, &text, &spans);
                prop_assert_eq!(locate(Tokens::Words, Folds::default(), level, &text, &spans), expected);
            }
        }
    }

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

    #[test]
    fn folded_tokens_are_located_in_the_original_text() {
        let slices = |tokens, fold: Fold, text: &str| {
            let fold = Some([fold].into_iter().collect());
            let plan = Options { tokens: Some(tokens), fold, ..Options::default() }.plan().unwrap();
            let located = Sketcher::new(&plan).locate(text);
            located.places().iter().map(|place| text[place.bytes.clone()].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(slices(Tokens::Words, Fold::Digits, "It took １２3ms."), ["It", "took", "１２3", "ms"]);
        assert_eq!(slices(Tokens::Words, Fold::Accents, "Ọkọ\u{300} e\u{301}t"), ["Ọkọ\u{300}", "e\u{301}t"]);
        assert_eq!(slices(Tokens::Words, Fold::Hyphens, "an exam-\n  ple"), ["an", "exam-\n  ple"]);
        assert_eq!(slices(Tokens::Words, Fold::Chinese, "漢語"), ["漢", "語"]);
        assert_eq!(slices(Tokens::Chars, Fold::Digits, "a12 3"), ["a", "12", " ", "3"]);
        assert_eq!(slices(Tokens::Chars, Fold::Hyphens, "exa-\nm"), ["e", "x", "a", "m"]);
        #[cfg(feature = "jieba")]
        assert_eq!(
            slices(Tokens::Jieba, Fold::Chinese, "我來到北京，清華大學。"),
            ["我", "來到", "北京", "清華大學"]
        );
    }

    #[cfg(feature = "jieba")]
    #[test]
    fn words_of_the_dictionary_are_located_in_the_original_text() {
        let text = "我来到「北京」，清华大学 ok";
        assert_eq!(slices(Tokens::Jieba, text), ["我", "来到", "北京", "清华大学", "ok"]);
    }
}
