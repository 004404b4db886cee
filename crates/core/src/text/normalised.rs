//! The normal form of a text, with a map back to the original.
//!
//! **Places of passages.** Text is normalised in the shortest units that Unicode allows to be normalised separately,
//! and each unit keeps its place in the original (`text/normalised.rs`). Invisible characters between two such units
//! form an empty unit. If only a half of a unit is in a passage (`㌔` is キロ), the unit is not marked.

use crate::characters::unicode::is_invisible;
use crate::characters::{JOINER, joins_emoji, normalise, units};
use crate::text::Stretch;
use std::borrow::Cow;

/// The normal form of a text, with its places in the original.
///
/// The text is cut into *units*, and each unit was normalised apart from the rest. Invisible characters between two
/// units are a unit of their own, which becomes nothing or U+200D.
pub(super) struct Normalised<'t> {
    pub(super) text: Cow<'t, str>,
    pieces: Vec<UnitRun>,
}

/// One unit, or a run of ASCII characters. Each of these is a unit that keeps its length.
#[derive(Clone, Copy)]
struct UnitRun {
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
        let mut pieces = UnitRuns::default();
        for unit in units(text) {
            if unit.len() == 1 {
                // ASCII makes up most of many texts.
                composed.push_str(&unit.to_ascii_lowercase());
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
            composed.push_str(&normalise(unit));
            pieces.push(unit, composed.len() - before);
        }
        Normalised { text: Cow::Owned(composed), pieces: pieces.finish() }
    }

    /// Leaves `text` as it is. Every character is a unit.
    pub(super) fn unchanged(text: &'t str) -> Self {
        let mut pieces = UnitRuns::default();
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

/// The list of runs under construction. Runs of ASCII are joined.
#[derive(Default)]
struct UnitRuns {
    list: Vec<UnitRun>,
    at: usize,
    byte: usize,
    character: usize,
}

impl UnitRuns {
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
        self.list.push(UnitRun { at, byte, character, ascii });
    }

    /// All pieces, and an empty one that marks the end of the last.
    fn finish(mut self) -> Vec<UnitRun> {
        self.start_piece(false);
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_reference::normal::normalize as definition;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn units_make_the_normalised_text(
            text in "[a-cA-C .éÜßΣΑﬁ½ªº…\u{301}\u{316}\u{327}\u{345}\u{344}漢字ｶﾞﾟがガㄱㅏㅎㅓ각가\u{1100}\u{1161}\u{11a8}नक़😀👍🏽İi\u{307}\u{0}Ａ㍿㌔ﷺاـ\u{64e}\u{653}\u{654}\u{6d6}ﹱש\u{5b8}\u{5c1}\u{ad}\u{200d}\u{fe0f}\u{3164}]{0,40}"
        ) {
            let normalised = Normalised::new(&text);
            prop_assert_eq!(&normalised.text, &definition(&text));
            for (at, c) in normalised.text.char_indices() {
                let origin = normalised.origin(at, at + c.len_utf8());
                prop_assert_eq!(text[..origin.bytes.start].chars().count(), origin.chars.start);
                prop_assert_eq!(text[..origin.bytes.end].chars().count(), origin.chars.end);
                // The unit on its own also makes the character. (An exception is the joiner, which depends on
                // neighbours.)
                let unit = definition(&text[origin.bytes]);
                prop_assert!(unit.contains(c) || c == JOINER, "{:?} in {:?}", c, unit);
            }
        }

        #[test]
        fn any_characters_keep_their_places(text in any::<String>()) {
            prop_assert_eq!(&Normalised::new(&text).text, &definition(&text));
        }
    }
}
