//! Counting words.

use std::str;

/// The number of words of a text. A word is a run of letters and digits. In scripts that are written without spaces, each character
/// is one.
pub(super) fn count_words(text: &[u8]) -> u32 {
    let mut words = 0_u32;
    let mut is_inside = false;
    let mut rest = text;
    while let Some(&first) = rest.first() {
        if first.is_ascii() {
            let is_word = first.is_ascii_alphanumeric();
            words += u32::from(is_word && !is_inside);
            is_inside = is_word;
            rest = &rest[1..];
            continue;
        }
        let end = rest.iter().position(u8::is_ascii).unwrap_or(rest.len());
        // Only the text of a whole page is known to be valid.
        for character in str::from_utf8(&rest[..end]).unwrap_or_default().chars() {
            let is_word = character.is_alphanumeric();
            let is_alone = is_word && is_written_without_spaces(character);
            words += u32::from(is_word && (is_alone || !is_inside));
            is_inside = is_word && !is_alone;
        }
        rest = &rest[end..];
    }
    words
}

fn is_written_without_spaces(character: char) -> bool {
    matches!(character,
        // Thai, Lao, Burmese and Khmer.
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        // Kana and Han.
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_characters_of_scripts_without_spaces() {
        for (text, words) in [
            ("", 0),
            ("one, two-three 4", 4),
            ("naïve café", 2),
            ("日本語", 3),
            ("Über日x本y", 5),
            ("– … ·", 0),
            ("สวัสดี", 6),
        ] {
            assert_eq!(count_words(text.as_bytes()), words, "{text}");
        }
    }
}
