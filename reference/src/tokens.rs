//! Tokens of a text, and their hashes.
//!
//! "White space" is always Unicode's White_Space property ([`char::is_whitespace`]). U+0085, U+00A0 and U+2028 are
//! therefore white space, and U+001C, U+200B, U+200C, U+200D and U+FEFF are not. The last four are invisible
//! characters, which [`visible`] removes first. Only [`Tokenizer::Whitespace`] leaves the text as it is.
//!
//! Letters and lower case are defined by Unicode 17.0. The functions below take them from the compiler, and Rust 1.95
//! has this version. With another compiler, newer characters may differ here.

use crate::visible::visible;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A rule that cuts a text into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Words of the normalised text. In scripts that are written without spaces, single characters.
    Words,
    /// The parts between white space of the unchanged text.
    Whitespace,
    /// Every character of the normalised text.
    Chars,
}

/// The tokens of a text, in order.
///
/// Some texts have no token: the empty text and text of white space only. If the text is normalised ([`normalize`]),
/// the same holds for invisible characters and white space only. Every other text has at least one token. If the rule
/// finds none (only emoji or punctuation), the whole normalised text is one token, without the white space around it.
pub fn tokens(text: &str, tokenizer: Tokenizer) -> Vec<String> {
    let text = match tokenizer {
        Tokenizer::Words | Tokenizer::Chars => normalize(text),
        Tokenizer::Whitespace => text.to_string(),
    };
    let by_rule = match tokenizer {
        Tokenizer::Words => words(&text),
        Tokenizer::Whitespace => text.split_whitespace().map(str::to_string).collect(),
        Tokenizer::Chars => chars(&text),
    };
    let whole = text.trim();
    if by_rule.is_empty() && !whole.is_empty() { vec![whole.to_string()] } else { by_rule }
}

/// The hash of a token: the 64-bit XXH3 hash of its UTF-8 bytes, with the plan's seed as XXH3's seed.
///
/// Source: xxHash specification, "XXH3 Algorithm Overview".
pub fn token_hash(token: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(token.as_bytes(), seed)
}

/// Removes invisible characters, applies Normalization Form KC, and converts to lower case.
///
/// Invisible characters are removed first, so a text with them has the same tokens as the text without.
///
/// The whole string is converted to lower case, not each character: a sigma at the end of a word becomes `ς`. This
/// comes last, so the result need not be in NFKC: `İ` becomes `i` and a combining dot.
pub fn normalize(text: &str) -> String {
    visible(text).nfkc().collect::<String>().to_lowercase()
}

/// Maximal runs of word characters, and every character of an unspaced script as a token of its own.
fn words(normalized: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    for c in normalized.chars() {
        if (c.is_alphanumeric() || c == '_') && !is_unspaced(c) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(std::mem::take(&mut word));
        }
        if is_unspaced(c) && (c.is_alphanumeric() || is_combining_mark(c)) {
            tokens.push(c.to_string());
        }
    }
    if !word.is_empty() {
        tokens.push(word);
    }
    tokens
}

/// Every character, once each run of white space is one space and outer white space is removed.
fn chars(normalized: &str) -> Vec<String> {
    let one_spaced = normalized.split_whitespace().collect::<Vec<_>>().join(" ");
    one_spaced.chars().map(|c| c.to_string()).collect()
}

/// Whether the character belongs to a script that is written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    UNSPACED.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}

/// First and last code point of every unspaced range.
///
/// The bounds follow blocks instead of the Script property, so a new Unicode version cannot move them.
pub const UNSPACED: [(u32, u32); 22] = [
    // Thai, Lao
    (0x0E00, 0x0E7F),
    (0x0E80, 0x0EFF),
    // Burmese, and its two extensions further below
    (0x1000, 0x109F),
    // Khmer
    (0x1780, 0x17FF),
    // Han: radicals, iteration mark, number zero, Hangzhou numerals
    (0x2E80, 0x2FDF),
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    // Kana: hiragana, its marks, katakana, prolonged sound and iteration marks, phonetic extensions
    (0x3041, 0x3096),
    (0x3099, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FC, 0x30FF),
    (0x31F0, 0x31FF),
    // Han: extension A, unified ideographs
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    // Burmese extensions B and A
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    // Han: compatibility ideographs
    (0xF900, 0xFAFF),
    // Kana: extended B, supplement, extended A, small extension
    (0x1AFF0, 0x1B16F),
    // Han: planes 2 and 3, whole
    (0x20000, 0x2FFFF),
    (0x30000, 0x3FFFF),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visible::is_invisible;

    fn words_of(text: &str) -> Vec<String> {
        tokens(text, Tokenizer::Words)
    }

    #[test]
    fn words_are_lower_case_runs_of_alphanumerics_and_underscores() {
        assert_eq!(words_of("It's snake_case: N° 42!"), ["it", "s", "snake_case", "n", "42"]);
    }

    #[test]
    fn compatibility_forms_of_one_word_are_one_token() {
        assert_eq!(words_of("ﬁn ＡＢＣ Ⅷ ½ \u{212A}"), ["fin", "abc", "viii", "1", "2", "k"]);
        assert_eq!(words_of("cafe\u{301}"), words_of("caf\u{e9}"));
    }

    #[test]
    fn a_final_sigma_has_its_own_lower_case() {
        assert_eq!(words_of("ΟΔΟΣ ΣΟΣ"), ["οδος", "σος"]);
    }

    #[test]
    fn the_dot_of_a_turkish_capital_i_ends_the_word() {
        assert_eq!(words_of("DİYAR"), ["di", "yar"]);
    }

    #[test]
    fn unspaced_scripts_give_one_token_per_character_with_marks() {
        assert_eq!(words_of("用Rust写の"), ["用", "rust", "写", "の"]);
        assert_eq!(words_of("กี่"), ["ก", "ี", "่"]);
        // Halfwidth KA and its voicing mark are composed by NFKC.
        assert_eq!(words_of("ｶﾞ"), ["ガ"]);
        // The baht sign lies in the Thai range, but is neither a letter nor a mark.
        assert_eq!(words_of("ก฿5"), ["ก", "5"]);
    }

    #[test]
    fn invisible_characters_neither_split_words_nor_count() {
        assert_eq!(words_of("co\u{ad}ope\u{200b}rate \u{feff}\u{200e}x\u{fe0f}"), ["cooperate", "x"]);
        assert_eq!(words_of("e\u{ad}\u{301}"), words_of("\u{e9}"));
        assert_eq!(words_of("\u{391}\u{3a3}\u{200d}"), ["ας"]);
        assert_eq!(words_of("\u{1f469}\u{200d}\u{1f467}\u{fe0f}"), ["\u{1f469}\u{200d}\u{1f467}"]);
        assert_eq!(tokens(" \u{ad}A\u{ad} \u{200b} b", Tokenizer::Chars), ["a", " ", "b"]);
        for tokenizer in [Tokenizer::Words, Tokenizer::Chars] {
            assert_eq!(tokens("\u{feff} \u{ad}\u{3164}", tokenizer), [""; 0]);
        }
        assert_eq!(tokens("A\u{ad} \u{feff}", Tokenizer::Whitespace), ["A\u{ad}", "\u{feff}"]);
    }

    #[test]
    fn a_text_without_words_is_one_token() {
        assert_eq!(words_of(" 🙂 🙃\n"), ["🙂 🙃"]);
        assert_eq!(words_of("?!…"), ["?!..."]);
        assert_eq!(tokens(" \t\u{a0}\u{2028}", Tokenizer::Words), [""; 0]);
        assert_eq!(tokens("", Tokenizer::Chars), [""; 0]);
    }

    #[test]
    fn whitespace_keeps_case_and_form() {
        assert_eq!(tokens("Ａ\u{85}b\u{a0}ﬁ\u{1c}c", Tokenizer::Whitespace), ["Ａ", "b", "ﬁ\u{1c}c"]);
    }

    #[test]
    fn chars_merge_white_space_into_one_space() {
        assert_eq!(tokens(" A \t\u{2003}b ", Tokenizer::Chars), ["a", " ", "b"]);
    }

    /// "Has a character that is not white space" therefore means the same before and after normalisation, and no token
    /// is ever empty.
    #[test]
    fn normalisation_turns_no_character_into_mere_white_space() {
        for c in ('\0'..=char::MAX).filter(|&c| !c.is_whitespace() && !is_invisible(c)) {
            assert_ne!(normalize(&c.to_string()).trim(), "", "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn unspaced_ranges_are_in_order_and_apart() {
        assert!(UNSPACED.iter().all(|(first, last)| first <= last));
        assert!(UNSPACED.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    /// Values of xxHash's own self-test. The bytes come from its generator, the hashes from its table.
    #[test]
    fn xxh3_agrees_with_the_published_values_in_every_length_class() {
        assert_eq!(token_hash("", 0), 0x2D06_8005_38D3_94C2);
        const PRIME32: u64 = 0x9E37_79B1;
        const PRIME64: u64 = 0x9E37_79B1_85EB_CA8D;
        let mut state = PRIME32;
        let bytes: Vec<u8> = std::iter::repeat_with(|| {
            let byte = (state >> 56) as u8;
            state = state.wrapping_mul(PRIME64);
            byte
        })
        .take(512)
        .collect();
        for (length, seed, published) in [
            (0, PRIME64, 0xA8A6_B918_B2F0_364A),
            (1, 0, 0xC44B_DFF4_074E_ECDB),
            (6, 0, 0x27B5_6A84_CD2D_7325),
            (12, 0, 0xA713_DAF0_DFBB_77E7),
            (24, 0, 0xA3FE_70BF_9D35_10EB),
            (48, 0, 0x397D_A259_ECBA_1F11),
            (80, 0, 0xBCDE_FBBB_2C47_C90A),
            (195, 0, 0xCD94_217E_E362_EC3A),
            (403, 0, 0xCDEB_804D_65C6_DEA4),
            (512, 0, 0x617E_4959_9013_CB6B),
        ] {
            assert_eq!(xxh3_64_with_seed(&bytes[..length], seed), published, "length {length}");
        }
    }
}
