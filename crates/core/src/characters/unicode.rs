//! Properties of characters that tokens depend on, by Unicode 17.0. Marks (general category M) come from the crate of
//! normalisation.
//!
//! The standard library has them too, but in another version with each compiler. The same plan must give the same
//! tokens, so the tables are kept here. A new version changes tokens and needs new plan ids. (The tables of
//! normalisation come from a crate. The manifest pins its version for the same reason.)

mod tables;

use tables::{ALPHANUMERIC, FOLD, FOLD_TO_SEVERAL, PICTOGRAPHIC};

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

/// The characters to which `c` folds (full case folding), before any normalisation.
pub(crate) fn case_fold(c: char) -> CaseFold {
    if c.is_ascii() {
        return CaseFold::One(Some(c.to_ascii_lowercase()));
    }
    match FOLD_TO_SEVERAL.binary_search_by_key(&c, |(from, _)| *from) {
        Ok(at) => CaseFold::Several(FOLD_TO_SEVERAL[at].1.chars()),
        Err(_) => CaseFold::One(Some(simple_fold(c))),
    }
}

fn simple_fold(c: char) -> char {
    let point = c as i32;
    let next = FOLD.partition_point(|[first, ..]| *first <= point);
    match next.checked_sub(1).map(|run| FOLD[run]) {
        Some([first, last, step, added]) if point <= last && (point - first) % step == 0 => {
            char::from_u32((point + added) as u32).unwrap_or(c)
        }
        _ => c,
    }
}

/// The characters to which one folds.
#[derive(Clone)]
pub(crate) enum CaseFold {
    One(Option<char>),
    Several(std::str::Chars<'static>),
}

impl Iterator for CaseFold {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self {
            CaseFold::One(c) => c.take(),
            CaseFold::Several(rest) => rest.next(),
        }
    }
}

/// Whether readers write `c` or leave it out without making another word: tatweel and harakat of Arabic, points and
/// cantillation of Hebrew. The marks of hamza and madda are parts of letters.
#[inline(always)]
pub(crate) fn is_optional(c: char) -> bool {
    matches!(c,
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}' | '\u{fb1e}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{652}' | '\u{656}'..='\u{658}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}'..='\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{8ca}'..='\u{8ce}' | '\u{8d3}'..='\u{8e1}' | '\u{8e3}' | '\u{8f0}'..='\u{8f3}')
}

fn is_in(list: &[u32], c: char) -> bool {
    list.partition_point(|&border| border <= c as u32) % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_a_compiler_of_the_same_version() {
        // `CaseFolding.txt` has no entry for the dotless i, and folds Cherokee to upper case.
        let is_exception = |c| matches!(c, 'ı' | '\u{13a0}'..='\u{13f5}' | '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}');
        if char::UNICODE_VERSION != (17, 0, 0) {
            return;
        }
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
            assert_eq!(is_whitespace(c), c.is_whitespace(), "{c:?}");
            if !is_exception(c) {
                let folded = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
                assert!(case_fold(c).eq(folded), "{c:?}");
            }
        }
    }

    #[test]
    fn the_version_does_not_come_from_the_compiler() {
        // A character of Unicode 17.0, and a letter of 18.0 that is no letter here.
        assert!(is_alphanumeric('\u{323b0}') && !is_alphanumeric('\u{208f}'));
        assert!(case_fold('\u{a7dd}').eq(['\u{a7dd}']));
        assert_eq!(unicode_normalization::UNICODE_VERSION, (18, 0, 0));
    }

    #[test]
    fn cherokee_folds_to_upper_case_and_the_dotless_i_stays() {
        assert!(case_fold('ı').eq(['ı']) && case_fold('İ').eq(['i', '\u{307}']));
        assert!(case_fold('\u{ab70}').eq(['\u{13a0}']) && case_fold('\u{13f8}').eq(['\u{13f0}']));
        assert!(case_fold('\u{13a0}').eq(['\u{13a0}']));
    }
}
