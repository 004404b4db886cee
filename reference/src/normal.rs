//! Normal form: what is left of a text when compatibility forms, case and optional writing do not count.
//!
//! Sources: the Unicode Standard 17.0, section 3.13 (D146 and D147, compatibility and identifier caseless match; R5,
//! `toNFKC_Casefold`), and `CaseFolding.txt`, `DerivedGeneralCategory.txt`.

use crate::visible::visible;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

const DOT_ABOVE: char = '\u{307}';

/// The normal form of a text.
///
/// In this order: invisible characters are removed ([`visible`]), the text is decomposed (NFD), every character is
/// replaced by its NFKC_Casefold, and optional writing and the dots of `i` are removed from the decomposition of the
/// result, which then is composed (NFC).
///
/// Without the removals this would be Unicode's `toNFKC_Casefold(NFD(text))`, but for the U+200D between emoji that
/// [`visible`] leaves.
pub fn normalize(text: &str) -> String {
    let folded: String = visible(text).nfd().flat_map(nfkc_casefold).collect();
    let written: String = folded.nfd().filter(|&c| !is_optional(c)).collect();
    without_dots_of_i(&written).nfc().collect()
}

/// The property NFKC_Casefold of a character that is visible: the form that all its compatibility caseless matches have.
fn nfkc_casefold(c: char) -> std::vec::IntoIter<char> {
    let once: String = case_fold(std::iter::once(c).nfd()).nfkc().collect();
    case_fold(once.chars()).nfkc().collect::<Vec<_>>().into_iter()
}

/// Full case folding (`toCasefold`, D144).
///
/// Two letters are one if they are equal in upper case, which is how Unicode derives its folding. The exceptions are
/// those of `CaseFolding.txt`: `ı` stays, and Cherokee folds to upper case. `İ` is `i` and a dot.
fn case_fold(text: impl Iterator<Item = char>) -> std::vec::IntoIter<char> {
    let mut folded = Vec::new();
    for c in text {
        match c {
            'ı' => folded.push(c),
            '\u{13a0}'..='\u{13f5}' => folded.push(c),
            '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => folded.extend(c.to_uppercase()),
            _ => folded.extend(c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)),
        }
    }
    folded.into_iter()
}

/// The text without the dots above that belong to an `i`: those that no other mark above comes before.
///
/// `İ` decomposes into `I` and such a dot, and programs put it in lower case as `i` and such a dot. The condition is
/// that of `After_I` in `SpecialCasing.txt`.
fn without_dots_of_i(decomposed: &str) -> String {
    let mut after_i = false;
    let is_left = |&c: &char| {
        if after_i && c == DOT_ABOVE {
            return false;
        }
        after_i = c == 'i' || after_i && !matches!(canonical_combining_class(c), 0 | 230);
        true
    };
    decomposed.chars().filter(is_left).collect()
}

/// Whether readers write the character or leave it out, without making it another word.
pub fn is_optional(c: char) -> bool {
    OPTIONAL.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}

/// First and last code point of every range of optional writing.
///
/// Marks that canonical equivalence makes part of a letter are none: hamza and madda above and below (U+0653 to U+0655),
/// as `أ` is `ا` and U+0654. The vowel signs U+0659 to U+065F and U+08E4 to U+08EF are none either: languages that use them need them.
pub const OPTIONAL: [(u32, u32); 20] = [
    // Hebrew cantillation marks and points
    (0x0591, 0x05BD),
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x05C7, 0x05C7),
    // Arabic honorifics and small signs of the Quran
    (0x0610, 0x061A),
    // Tatweel
    (0x0640, 0x0640),
    // Fathatan, dammatan, kasratan, fatha, damma, kasra, shadda, sukun
    (0x064B, 0x0652),
    // Subscript alef, inverted damma, mark of noon ghunna
    (0x0656, 0x0658),
    // Superscript alef
    (0x0670, 0x0670),
    // Signs of the Quran
    (0x06D6, 0x06DC),
    (0x06DF, 0x06E4),
    (0x06E7, 0x06E8),
    (0x06EA, 0x06ED),
    (0x08CA, 0x08CE),
    (0x08D3, 0x08E1),
    (0x08E3, 0x08E3),
    // Open fathatan, dammatan and kasratan
    (0x08F0, 0x08F2),
    // More signs of the Quran
    (0x08F3, 0x08F3),
    // Point of Judeo-Spanish
    (0xFB1E, 0xFB1E),
];

#[cfg(test)]
mod tests {
    use super::*;
    use caseless::default_case_fold_str;
    use icu_properties::CodePointMapData;
    use icu_properties::props::{GeneralCategory, Script};
    use std::ops::RangeInclusive;

    /// Letters with a case that Unicode has since the version of the other library, 16.0.
    const NEW_IN_17: [RangeInclusive<char>; 4] = [
        '\u{a7ce}'..='\u{a7ce}',
        '\u{a7d2}'..='\u{a7d2}',
        '\u{a7d4}'..='\u{a7d4}',
        '\u{16ea0}'..='\u{16eb8}',
    ];

    #[test]
    fn case_folding_agrees_with_another_library() {
        let is_new = |c: char| NEW_IN_17.iter().any(|range| range.contains(&c));
        for c in '\0'..=char::MAX {
            let theirs = default_case_fold_str(&c.to_string());
            assert_eq!(case_fold([c].into_iter()).collect::<String>() == theirs, !is_new(c), "{c:?}");
        }
    }

    #[test]
    fn case_and_compatibility_do_not_count() {
        for same in [
            ["Straße", "STRASSE"],
            ["STRAẞE", "strasse"],
            ["ΟΔΟΣ", "οδος"],
            ["οδοσ", "οδος"],
            ["ﬁn", "FIN"],
            ["ŉ", "ʼN"],
            ["ᾳ", "ΑΙ"],
            ["T\u{308}", "ẗ"],
            ["J\u{30c}", "ǰ"],
            ["ꮳ", "Ꮳ"],
            ["ſ", "s"],
            ["և", "ԵՒ"],
        ] {
            assert_eq!(normalize(same[0]), normalize(same[1]), "{same:?}");
        }
    }

    #[test]
    fn a_dotted_capital_i_is_an_i() {
        for text in
            ["İstanbul", "I\u{307}stanbul", "i\u{307}stanbul", "istanbul", "ISTANBUL", "İ\u{307}stanbul"]
        {
            assert_eq!(normalize(text), "istanbul");
        }
        assert_eq!(normalize("i\u{323}\u{307}"), "ị");
        assert_eq!(normalize("i\u{307}\u{301}"), "í");
        // The dot after the acute is above it.
        assert_eq!(normalize("i\u{301}\u{307}"), "í\u{307}");
        assert_eq!(normalize("ıI"), "ıi");
        assert_eq!(normalize("ė i\u{200b}\u{307} j\u{307}"), "ė i j\u{307}");
    }

    #[test]
    fn optional_writing_does_not_count() {
        assert_eq!(normalize("السَّلَامُ عَلَيْكُم"), "السلام عليكم");
        assert_eq!(normalize("العـــربية"), "العربية");
        assert_eq!(normalize("שָׁלוֹם"), "שלום");
        assert_eq!(normalize("\u{fb2a}\u{5b8}"), "ש");
        // Presentation forms have their tatweel and harakat after compatibility decomposition only.
        assert_eq!(normalize("\u{fe71}\u{fe76}\u{fcf2}"), " ");
        // Madda and hamza are parts of letters, also behind harakat.
        assert_eq!(normalize("ا\u{64e}\u{653}أ"), "آأ");
        assert_eq!(normalize("ا\u{6d6}\u{653}"), "آ");
    }

    #[test]
    fn optional_writing_is_marks_of_two_scripts_and_the_tatweel() {
        let categories = CodePointMapData::<GeneralCategory>::new();
        let scripts = CodePointMapData::<Script>::new();
        for c in ('\0'..=char::MAX).filter(|&c| is_optional(c)) {
            assert!(c == 'ـ' || categories.get(c) == GeneralCategory::NonspacingMark, "{c:?}");
            assert!(
                c == 'ـ' || matches!(scripts.get(c), Script::Arabic | Script::Hebrew | Script::Inherited),
                "{c:?}"
            );
        }
        assert!(OPTIONAL.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    /// A text that was normalised already is left as it is, and one that is canonically equivalent becomes the same.
    #[test]
    fn the_normal_form_of_each_character_is_stable() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let normal = normalize(&text);
            assert_eq!(normalize(&normal), normal, "{c:?}");
            assert_eq!(normalize(&text.nfd().collect::<String>()), normal, "{c:?}");
            assert_eq!(normalize(&text.nfkc().collect::<String>()), normal, "{c:?}");
        }
    }
}
