//! Properties of characters that tokens depend on, by Unicode 17.0.
//!
//! The standard library has them too, but in another version with each compiler. The same plan must give the same
//! tokens, so the tables are kept here. A new version changes tokens and needs new plan ids. (The tables of
//! normalisation come from a crate. The manifest pins its version for the same reason.)

mod tables;

use tables::{ALPHANUMERIC, CASE_IGNORABLE, CASED, LOWER, PICTOGRAPHIC};

/// The capital sigma, the one letter whose lower case depends on its neighbours.
pub(crate) const SIGMA: char = 'Σ';

/// Whether `c` is a letter, a mark that counts as one, or a number.
pub(crate) fn is_alphanumeric(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => is_in(&ALPHANUMERIC, c),
    }
}

/// Whether `c` is white space.
pub(crate) fn is_whitespace(c: char) -> bool {
    matches!(c,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}'
        | '\u{205f}' | '\u{3000}')
}

/// Whether `c` has the property Default_Ignorable_Code_Point. Such characters are invisible where they are not
/// supported.
#[inline(always)]
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether `c` has the property Extended_Pictographic. Such characters are emoji or reserved for them.
pub(crate) fn is_pictographic(c: char) -> bool {
    is_in(&PICTOGRAPHIC, c)
}

/// The parts between white space.
pub(crate) fn split_whitespace(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_whitespace).filter(|part| !part.is_empty())
}

/// The lower case of `c` regardless of its place.
pub(crate) fn to_lowercase(c: char) -> impl Iterator<Item = char> {
    // The only character whose lower case is two characters.
    let dot = (c == 'İ').then_some('\u{307}');
    let lower = match c {
        '\0'..='\x7f' => c.to_ascii_lowercase(),
        'İ' => 'i',
        _ => simple_lowercase(c),
    };
    std::iter::once(lower).chain(dot)
}

fn simple_lowercase(c: char) -> char {
    let point = c as i32;
    let next = LOWER.partition_point(|[first, ..]| *first <= point);
    match next.checked_sub(1).map(|run| LOWER[run]) {
        Some([first, last, step, added]) if point <= last && (point - first) % step == 0 => {
            char::from_u32((point + added) as u32).unwrap_or(c)
        }
        _ => c,
    }
}

/// The lower case of a text. A sigma at the end of a word gets its final form.
pub(crate) fn lowercase(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            SIGMA if ends_word(&text[..at], &text[at + SIGMA.len_utf8()..]) => lower.push('ς'),
            _ => lower.extend(to_lowercase(c)),
        }
    }
    lower
}

/// Whether a word ends between `before` and `after`. Source: the Unicode Standard, 3.13, Final_Sigma.
fn ends_word(before: &str, after: &str) -> bool {
    let is_cased = |c: Option<char>| c.is_some_and(|c| is_in(&CASED, c));
    is_cased(before.chars().rev().find(|&c| !is_case_ignorable(c)))
        && !is_cased(after.chars().find(|&c| !is_case_ignorable(c)))
}

/// Whether the rule for the final sigma ignores `c`.
pub(crate) fn is_case_ignorable(c: char) -> bool {
    is_in(&CASE_IGNORABLE, c)
}

fn is_in(list: &[u32], c: char) -> bool {
    list.partition_point(|&border| border <= c as u32) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same property in the standard library, which does not publish it.
    fn is_ignorable(c: char) -> bool {
        let is_final = |text: String| text.to_lowercase().ends_with('ς');
        is_final(format!("A{c}{SIGMA}")) && !is_final(format!("{c}{SIGMA}"))
    }

    #[test]
    fn the_tables_agree_with_a_compiler_of_the_same_version() {
        if char::UNICODE_VERSION != (17, 0, 0) {
            return;
        }
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_whitespace(c), c.is_whitespace(), "{c:?}");
            assert!(to_lowercase(c).eq(c.to_lowercase()), "{c:?}");
            assert_eq!(is_case_ignorable(c), is_ignorable(c), "{c:?}");
            for text in [format!("{c}{SIGMA}"), format!("A{SIGMA}{c}"), format!("A{SIGMA}{c}B")] {
                assert_eq!(lowercase(&text), text.to_lowercase(), "{text:?}");
            }
        }
    }

    #[test]
    fn the_version_does_not_come_from_the_compiler() {
        // A character of Unicode 17.0, and a letter of 18.0 that is no letter here.
        assert!(is_alphanumeric('\u{323b0}') && !is_alphanumeric('\u{208f}'));
        assert!(to_lowercase('\u{a7dd}').eq(['\u{a7dd}']));
        assert_eq!(unicode_normalization::UNICODE_VERSION, (18, 0, 0));
    }

    #[test]
    fn a_sigma_at_the_end_of_a_word_has_its_final_form() {
        assert_eq!(lowercase("ΌΔΟΣ ΟΔΟΣ. Σ ΑΣ\u{301}Α ΑΣ:"), "όδος οδος. σ ασ\u{301}α ας:");
    }
}
