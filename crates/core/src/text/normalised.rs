//! NFKC and lower case, with a map from the normalised text back to the original.

use crate::characters::unicode::{is_invisible, lowercase, to_lowercase};
use crate::characters::{JOINER, invisible_run, joins_emoji, visible};
use crate::text::Stretch;
use std::borrow::Cow;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// A text without invisible characters, after NFKC and in lower case, with its places in the original.
///
/// The text is cut into *units*, and each unit was normalised apart from the rest. Invisible characters between two
/// units are a unit of their own, which becomes nothing or U+200D.
pub(super) struct Normalised<'t> {
    pub(super) text: Cow<'t, str>,
    pieces: Vec<Piece>,
}

/// One unit, or a run of ASCII characters. Each of these is a unit that keeps its length.
#[derive(Clone, Copy)]
struct Piece {
    /// Its start in the normalised text, in bytes.
    at: u32,
    /// Its start in the original, in bytes.
    byte: u32,
    /// Its start in the original, in characters.
    character: u32,
    ascii: bool,
}

impl<'t> Normalised<'t> {
    /// Normalises `text`.
    pub(super) fn new(text: &'t str) -> Self {
        let mut composed = String::with_capacity(text.len());
        let mut pieces = Pieces::default();
        for unit in units(text) {
            if unit.len() == 1 {
                // ASCII stays as it is, and makes up most of many texts.
                composed.push_str(unit);
                pieces.push(unit, 1);
                continue;
            }
            let before = composed.len();
            if unit.starts_with(is_invisible) {
                let (start, end) = (pieces.byte, pieces.byte + unit.len());
                if joins_emoji(&text[..start], unit, &text[end..]) {
                    composed.push(JOINER);
                }
                pieces.push(unit, composed.len() - before);
                continue;
            }
            // Nearly every text is normal already, and the check is twenty times faster than composing.
            match is_nfkc_quick(unit.chars()) {
                IsNormalized::Yes if !unit.contains(is_invisible) => composed.push_str(unit),
                _ => composed.extend(visible(unit).nfkc()),
            }
            pieces.push(unit, composed[before..].chars().map(lower_length).sum());
        }
        // The text is lower-cased as a whole because of the sigma at the end of a word, which has the length of any
        // other sigma.
        Normalised { text: Cow::Owned(lowercase(&composed)), pieces: pieces.finish() }
    }

    /// Leaves `text` as it is. Every character is a unit.
    pub(super) fn unchanged(text: &'t str) -> Self {
        let mut pieces = Pieces::default();
        let mut utf8 = [0; 4];
        text.chars().for_each(|c| pieces.push(c.encode_utf8(&mut utf8), c.len_utf8()));
        Normalised { text: Cow::Borrowed(text), pieces: pieces.finish() }
    }

    /// The smallest part of the original that makes the bytes from `start` to `end`. It consists of whole units.
    pub(super) fn origin(&self, start: usize, end: usize) -> Stretch {
        let (first, last) = (self.unit(start).0, self.unit(end - 1).1);
        Stretch { bytes: first.0..last.0, chars: first.1..last.1 }
    }

    /// The start and end of the unit that makes the byte at `at`: in the original, each in bytes and characters.
    fn unit(&self, at: usize) -> ((usize, usize), (usize, usize)) {
        let index = self.pieces.partition_point(|piece| piece.at as usize <= at) - 1;
        let piece = self.pieces[index];
        let (byte, character) = (piece.byte as usize, piece.character as usize);
        if piece.ascii {
            let inside = at - piece.at as usize;
            let start = (byte + inside, character + inside);
            return (start, (start.0 + 1, start.1 + 1));
        }
        let next = self.pieces[index + 1];
        ((byte, character), (next.byte as usize, next.character as usize))
    }
}

/// The list of pieces under construction. Runs of ASCII are joined.
#[derive(Default)]
struct Pieces {
    list: Vec<Piece>,
    at: usize,
    byte: usize,
    character: usize,
}

impl Pieces {
    /// Appends a unit that becomes `length` bytes.
    fn push(&mut self, unit: &str, length: usize) {
        let ascii = unit.len() == 1;
        if !(ascii && self.list.last().is_some_and(|piece| piece.ascii)) {
            self.start_piece(ascii);
        }
        self.at += length;
        self.byte += unit.len();
        self.character += if ascii { 1 } else { unit.chars().count() };
    }

    fn start_piece(&mut self, ascii: bool) {
        let narrow = |offset: usize| u32::try_from(offset).expect("a text is shorter than 4 GiB");
        let (at, byte, character) = (narrow(self.at), narrow(self.byte), narrow(self.character));
        self.list.push(Piece { at, byte, character, ascii });
    }

    /// All pieces, and an empty one that marks the end of the last.
    fn finish(mut self) -> Vec<Piece> {
        self.start_piece(false);
        self.list
    }
}

fn lower_length(c: char) -> usize {
    if c.is_ascii() {
        return 1;
    }
    to_lowercase(c).map(char::len_utf8).sum()
}

/// The shortest parts of `text` whose NFKC forms, one after the other, are the NFKC form of the whole.
///
/// Invisible characters are parts of their own, unless they stand within a part.
fn units(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.as_bytes() {
            [_, next, ..] if next.is_ascii() => 1,
            _ if rest.starts_with(is_invisible) => invisible_run(rest).len(),
            _ => {
                let next = rest.char_indices().skip(1).find(|&(_, c)| !is_invisible(c) && starts_unit(c));
                let end = next.map_or(rest.len(), |(at, _)| at);
                rest[..end].trim_end_matches(is_invisible).len()
            }
        };
        let (unit, after) = rest.split_at(end);
        rest = after;
        (!unit.is_empty()).then_some(unit)
    })
}

/// Whether `c` never combines with a character before it.
///
/// This is so if the first character of its decomposition is a starter that composes with nothing before it (Unicode
/// Standard Annex #15, "Stable code points").
fn starts_unit(c: char) -> bool {
    c.is_ascii()
        || std::iter::once(c).nfkd().next().is_some_and(|first| {
            canonical_combining_class(first) == 0
                && is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes
        })
}

#[cfg(test)]
mod tests {
    use super::super::normalise as definition;
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn units_make_the_normalised_text(
            text in "[a-cA-C .éÜßΣΑﬁ½ªº…\u{301}\u{316}\u{327}\u{345}\u{344}漢字ｶﾞﾟがガㄱㅏㅎㅓ각가\u{1100}\u{1161}\u{11a8}नक़😀👍🏽İ\u{0}Ａ㍿㌔ﷺ\u{ad}\u{200d}\u{fe0f}\u{3164}]{0,40}"
        ) {
            let normalised = Normalised::new(&text);
            prop_assert_eq!(&normalised.text, &definition(&text));
            for (at, c) in normalised.text.char_indices() {
                let origin = normalised.origin(at, at + c.len_utf8());
                prop_assert_eq!(text[..origin.bytes.start].chars().count(), origin.chars.start);
                prop_assert_eq!(text[..origin.bytes.end].chars().count(), origin.chars.end);
                // The unit on its own also makes the character. (Exceptions are the sigma and the joiner, which depend
                // on neighbours.)
                let unit = definition(&text[origin.bytes]);
                prop_assert!(unit.contains(c) || "σς\u{200d}".contains(c), "{:?} in {:?}", c, unit);
            }
        }

        #[test]
        fn any_characters_keep_their_places(text in any::<String>()) {
            prop_assert_eq!(&Normalised::new(&text).text, &definition(&text));
        }
    }

    #[test]
    fn units_are_as_short_as_unicode_allows() {
        let of = |text| units(text).collect::<Vec<&str>>();
        assert_eq!(of("abé"), ["a", "b", "é"]);
        assert_eq!(of("ae\u{301}ｶﾞＡ"), ["a", "e\u{301}", "ｶﾞ", "Ａ"]);
        assert_eq!(of("漢字👍🏽"), ["漢", "字", "👍", "🏽"]);
        assert_eq!(of("a\u{ad}\u{200b}b漢\u{fe00}"), ["a", "\u{ad}\u{200b}", "b", "漢", "\u{fe00}"]);
        assert_eq!(
            of("\u{ad}\u{301}e\u{ad}\u{301}\u{ad}"),
            ["\u{ad}", "\u{301}", "e\u{ad}\u{301}", "\u{ad}"]
        );
        assert!(of("").is_empty());
    }

    /// If it holds, no joiner between emoji is within a unit.
    #[test]
    fn emoji_start_units() {
        assert!(
            ('\0'..=char::MAX).filter(|&c| crate::characters::unicode::is_pictographic(c)).all(starts_unit)
        );
    }
}
