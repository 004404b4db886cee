//! Folds: what else does not count in a text, if the user says so.
//!
//! A fold takes something away that the normal form keeps. Hyphens are taken out of the text, everything else out of its
//! tokens.
//!
//! Not for: case, compatibility forms and optional writing, which never count.

mod hyphens;
mod letters;

pub(super) use hyphens::Joined;
pub(super) use letters::{fold_letters, is_decimal};

use super::Tokens;
use crate::simd::{FRONT, Spans};
use unicode_normalization::char::is_combining_mark;

/// What does not count in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Fold {
    /// The value and the length of numbers. Every run of decimal digits is one token, "0".
    Digits,
    /// Diacritical marks, as of `é`, the strokes of `đ ħ ł ø ŧ`, and the difference of `ı` and `i`.
    Accents,
    /// Spellings of one Arabic letter: those of yeh (ی ى ي), kaf (ک ك), heh (ه ة ہ ە) and alef (ا ٱ), and hamza and
    /// madda above or below a letter.
    ArabicLetters,
    /// A hyphen between two letters, and the line end behind it.
    Hyphens,
    /// The difference of traditional and simplified Chinese characters.
    Chinese,
}

impl Fold {
    /// Every fold, with its name in options and files.
    pub const ALL: [(&'static str, Fold); 5] = [
        ("digits", Fold::Digits),
        ("accents", Fold::Accents),
        ("arabic-letters", Fold::ArabicLetters),
        ("hyphens", Fold::Hyphens),
        ("chinese", Fold::Chinese),
    ];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

/// A set of folds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Vec<Fold>", into = "Vec<Fold>"))]
pub struct Folds(u8);

impl Folds {
    /// Whether the set has `fold`.
    pub fn contains(self, fold: Fold) -> bool {
        self.0 >> fold as u8 & 1 == 1
    }

    /// Whether the set is empty, which is the default.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The folds, in the order of [`Fold::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Fold> {
        Fold::ALL.into_iter().map(|(_, fold)| fold).filter(move |&fold| self.contains(fold))
    }

    /// The number of this set, which plan ids contain.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.0)
    }

    /// Whether a fold changes tokens, and not only the text before it is cut.
    pub(super) fn change_tokens(self) -> bool {
        self.iter().any(|fold| fold != Fold::Hyphens)
    }
}

impl FromIterator<Fold> for Folds {
    fn from_iter<I: IntoIterator<Item = Fold>>(folds: I) -> Self {
        Folds(folds.into_iter().fold(0, |set, fold| set | 1 << fold as u8))
    }
}

impl From<Vec<Fold>> for Folds {
    fn from(folds: Vec<Fold>) -> Self {
        folds.into_iter().collect()
    }
}

impl From<Folds> for Vec<Fold> {
    fn from(folds: Folds) -> Self {
        folds.iter().collect()
    }
}

/// Takes out of the tokens of a text what the folds say.
///
/// `piece` gets all parts of the old tokens in order: whether it begins a new token, or adds to the one before it, and its
/// length in bytes.
pub(super) fn fold_tokens(
    tokens: Tokens,
    folds: Folds,
    spans: &mut Spans,
    mut piece: impl FnMut(bool, usize),
) {
    let (bytes, starts, ends) = spans.view();
    let length: usize = spans.tokens().map(<[u8]>::len).sum();
    let mut folded = Spans::default();
    // A simplified character may take four bytes in place of three, and a gap takes one.
    folded.clear(length + length / 3 + starts.len());
    let (mut at, mut before, mut is_in_number) = (FRONT, 0, false);
    let mut letters = String::new();
    for (&start, &end) in starts.iter().zip(ends) {
        let token = &bytes[start as usize..end as usize];
        let mut rest = std::str::from_utf8(token).expect("a token is cut between characters");
        // What was apart stays apart. The digits of a script without spaces are tokens side by side.
        let is_apart = std::mem::replace(&mut before, end) != start;
        at += usize::from(is_apart);
        is_in_number &= !is_apart;
        while !rest.is_empty() {
            let (number, behind) = split_number(tokens, folds, rest);
            if !number.is_empty() {
                piece(!is_in_number, number.len());
                if !is_in_number {
                    at = folded.push(at, "0");
                }
                is_in_number = true;
            }
            let end = behind.find(|c| folds.contains(Fold::Digits) && is_decimal(c)).unwrap_or(behind.len());
            let (word, after) = behind.split_at(end);
            letters.clear();
            fold_letters(folds, word, &mut letters);
            // Of a character that is a mark, nothing may be left. White space around it is one space then.
            if tokens == Tokens::Chars && letters == " " && (folded.len() == 0 || folded.ends_with(" ")) {
                letters.clear();
            }
            piece(!letters.is_empty(), word.len());
            if !letters.is_empty() {
                at = folded.push(at, &letters);
                is_in_number = false;
            }
            rest = after;
        }
    }
    if tokens == Tokens::Chars && folded.ends_with(" ") {
        folded.pop();
    }
    *spans = folded;
}

/// The number at the start of a token, and what is behind it. In words, marks that stand in a number belong to it.
fn split_number(tokens: Tokens, folds: Folds, token: &str) -> (&str, &str) {
    if !folds.contains(Fold::Digits) || !token.starts_with(is_decimal) {
        return ("", token);
    }
    let belongs = |c| is_decimal(c) || tokens != Tokens::Chars && is_combining_mark(c);
    token.split_at(token.find(|c| !belongs(c)).unwrap_or(token.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_folds_that_they_were_made_of() {
        for (name, fold) in Fold::ALL {
            assert_eq!(fold.name(), name);
            let set: Folds = [fold].into_iter().collect();
            assert!(set.iter().eq([fold]) && !set.is_empty());
        }
        // Plan ids have these numbers.
        let numbers = Fold::ALL.map(|(_, fold)| [fold].into_iter().collect::<Folds>().number());
        assert_eq!(numbers, [1, 2, 4, 8, 16]);
        assert!(Folds::default().is_empty());
    }
}
