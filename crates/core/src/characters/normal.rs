//! The normal form of a text, in which case, compatibility forms, invisible characters and optional writing do not count.
//!
//! This is Unicode's NFKC_Casefold, with two differences. One U+200D stays between emoji ([`visible`](super::visible)).
//! Optional writing is removed, and so is the dot above an `i`: `İ` counts as `i`.

use super::unicode::{case_fold, is_invisible, is_optional};
use super::visible::visible;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

pub(super) const DOT_ABOVE: char = '\u{307}';

/// The normal form of `text`.
pub(crate) fn normalise(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    // Case folding makes a letter of U+0345, so marks have to be in order before.
    for c in visible(text).nfd() {
        match is_nfkc_quick(std::iter::once(c)) {
            IsNormalized::Yes => folded.extend(case_fold(c).filter(|&c| !is_optional(c))),
            _ => folded.extend(decomposed(c)),
        }
    }
    if folded.contains(DOT_ABOVE) {
        folded = without_dots_of_i(folded.nfd());
    }
    folded.nfc().collect()
}

/// The normal form of `c` alone.
pub(crate) fn expansion(c: char) -> impl Iterator<Item = char> {
    let dot = move |part: &char| !(c == 'İ' && *part == DOT_ABOVE);
    std::iter::once(c).nfd().flat_map(decomposed).filter(dot).nfc()
}

/// What is left of a character of a canonical decomposition, decomposed.
fn decomposed(c: char) -> impl Iterator<Item = char> {
    case_fold(c).nfkc().flat_map(case_fold).nfkd().filter(|&c| !is_optional(c))
}

/// Whether nothing is left of `c`, except of a U+200D between emoji.
pub(crate) fn is_hidden(c: char) -> bool {
    is_invisible(c)
        || is_optional(c)
        || ('\u{fc5e}'..='\u{fe7f}').contains(&c) && expansion(c).next().is_none()
}

/// Removes the dots above that belong to an `i`: those that no other mark above comes before.
///
/// `İ` is `I` with such a dot, and programs put it in lower case as `i` with such a dot. Source: the Unicode Standard,
/// `SpecialCasing.txt`, After_I.
fn without_dots_of_i(decomposed: impl Iterator<Item = char>) -> String {
    let mut after_i = false;
    let is_left = |c: &char| {
        if after_i && *c == DOT_ABOVE {
            return false;
        }
        after_i = *c == 'i' || after_i && !matches!(canonical_combining_class(*c), 0 | 230);
        true
    };
    decomposed.filter(is_left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_reference::normal;

    #[test]
    fn the_normal_form_of_each_character_is_that_of_the_reference() {
        for c in '\0'..=char::MAX {
            let expected = normal::normalize(&c.to_string());
            assert_eq!(normalise(&c.to_string()), expected, "{c:?}");
            if !is_invisible(c) {
                assert_eq!(expansion(c).collect::<String>(), expected, "{c:?}");
            }
            assert_eq!(is_hidden(c), expected.is_empty(), "{c:?}");
            assert_eq!(is_optional(c), normal::is_optional(c), "{c:?}");
        }
    }

    #[test]
    fn marks_are_in_order_before_case_is_folded() {
        for text in ["α\u{345}\u{301}", "ᾳ\u{301}", "i\u{323}\u{307}\u{301}", "İ\u{327}", "ا\u{6d6}ـ\u{653}"]
        {
            assert_eq!(normalise(text), normal::normalize(text), "{text:?}");
        }
    }
}
