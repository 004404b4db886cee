//! Tokens of a text, and their hashes.
//!
//! "White space" is always Unicode's White_Space property ([`char::is_whitespace`]). U+0085, U+00A0 and U+2028 are
//! therefore white space, and U+001C, U+200B, U+200C, U+200D and U+FEFF are not. The last four are invisible
//! characters, which [`visible`](crate::visible::visible) removes first. Only [`Tokenizer::Whitespace`] leaves the text as it is.
//!
//! Letters and case are defined by Unicode 17.0. The functions below take them from the compiler, and Rust 1.95 has
//! this version. With another compiler, newer characters may differ here.

use crate::folds::{Fold, is_decimal, normalize_folded};
use crate::normal::normalize;
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
/// the same holds for white space, invisible characters and optional writing only. Every other text has at least one token. If the rule
/// finds none (only emoji or punctuation), the whole normalised text is one token, without the white space around it.
pub fn tokens(text: &str, tokenizer: Tokenizer) -> Vec<String> {
    folded_tokens(text, tokenizer, &[])
}

/// The tokens of a text, without what the folds take away.
///
/// A text for which the rule finds no token is one token without any fold. Tokens cut at white space have no folds.
pub fn folded_tokens(text: &str, tokenizer: Tokenizer, folds: &[Fold]) -> Vec<String> {
    let (whole, folded) = match tokenizer {
        Tokenizer::Words | Tokenizer::Chars => (normalize(text), normalize_folded(text, folds)),
        Tokenizer::Whitespace => (text.to_string(), text.to_string()),
    };
    let digits = folds.contains(&Fold::Digits);
    let by_rule = match tokenizer {
        Tokenizer::Words if digits => words(&with_one_digit(&folded, " 0 ")),
        Tokenizer::Words => words(&folded),
        Tokenizer::Whitespace => folded.split_whitespace().map(str::to_string).collect(),
        Tokenizer::Chars if digits => chars(&with_one_digit(&folded, "0")),
        Tokenizer::Chars => chars(&folded),
    };
    let whole = whole.trim();
    if by_rule.is_empty() && !whole.is_empty() { vec![whole.to_string()] } else { by_rule }
}

/// The text with `number` in place of every run of decimal digits. In words, marks that stand in a run belong to it.
fn with_one_digit(text: &str, number: &str) -> String {
    let mut replaced = String::new();
    let mut is_in_run = false;
    for c in text.chars() {
        if is_in_run && is_combining_mark(c) && number.len() > 1 {
            continue;
        }
        if !is_decimal(c) {
            replaced.push(c);
        } else if !is_in_run {
            replaced.push_str(number);
        }
        is_in_run = is_decimal(c);
    }
    replaced
}

/// The hash of a token: the 64-bit XXH3 hash of its UTF-8 bytes, with the plan's seed as XXH3's seed.
///
/// Source: xxHash specification, "XXH3 Algorithm Overview".
pub fn token_hash(token: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(token.as_bytes(), seed)
}

/// Maximal runs of letters, digits and `_`, with the marks that stand in them. Every letter, digit or number of an unspaced
/// script is a token of its own, with the marks behind it.
///
/// A mark (general category M) that follows no token stands in none, and does not count.
///
/// Source: Unicode Technical Standard #18, annex C, `\w`; Unicode Standard Annex #29, rule WB4.
fn words(normalized: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    // What a mark, and what a letter would be appended to.
    let (mut is_open, mut is_word) = (false, false);
    for c in normalized.chars() {
        let counts = is_combining_mark(c) || c.is_alphanumeric() || c == '_';
        let joins = if is_combining_mark(c) { is_open } else { is_word && !is_unspaced(c) };
        match tokens.last_mut() {
            Some(token) if counts && joins => token.push(c),
            _ if counts && !is_combining_mark(c) => {
                tokens.push(c.to_string());
                (is_open, is_word) = (true, !is_unspaced(c));
            }
            _ => (is_open, is_word) = (false, false),
        }
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
    use crate::normal::is_optional;
    use crate::visible::is_invisible;
    use unicode_normalization::UnicodeNormalization;

    fn words_of(text: &str) -> Vec<String> {
        tokens(text, Tokenizer::Words)
    }

    #[test]
    fn words_are_runs_of_letters_digits_and_underscores() {
        assert_eq!(words_of("It's snake_case: N° 42!"), ["it", "s", "snake_case", "n", "42"]);
    }

    #[test]
    fn compatibility_forms_of_one_word_are_one_token() {
        assert_eq!(words_of("ﬁn ＡＢＣ Ⅷ ½ \u{212A}"), ["fin", "abc", "viii", "1", "2", "k"]);
        assert_eq!(words_of("cafe\u{301}"), words_of("caf\u{e9}"));
    }

    #[test]
    fn marks_stand_in_words() {
        assert_eq!(words_of("यह एक क्या है। നമസ്കാരം"), ["यह", "एक", "क्या", "है", "നമസ്കാരം"]);
        assert_eq!(words_of("ọkọ̀ ọkọ́"), ["ọkọ\u{300}", "ọkọ\u{301}"]);
        assert_eq!(words_of("x\u{301}y_\u{301}1\u{20e3}"), ["x\u{301}y_\u{301}1\u{20e3}"]);
        // A mark without a letter stands in no word, whether it counts as a letter or not.
        assert_eq!(words_of("\u{301}a \u{301}b .\u{93f}c"), ["a", "b", "c"]);
    }

    #[test]
    fn unspaced_scripts_give_one_token_per_character_with_marks() {
        assert_eq!(words_of("用Rust写の"), ["用", "rust", "写", "の"]);
        assert_eq!(words_of("กี่น้ำ"), ["กี่", "น\u{e49}\u{e4d}", "า"]);
        assert_eq!(words_of("ខ្មែរ 中\u{301}a\u{e48}中"), ["ខ្", "មែ", "រ", "中\u{301}", "a\u{e48}", "中"]);
        // Halfwidth KA and its voicing mark are composed by NFKC.
        assert_eq!(words_of("ｶﾞ"), ["ガ"]);
        // The baht sign lies in the Thai range, but is neither a letter nor a mark.
        assert_eq!(words_of("ก฿5"), ["ก", "5"]);
    }

    #[test]
    fn a_run_of_digits_is_one_token_if_digits_are_folded() {
        let of = |text, tokenizer| folded_tokens(text, tokenizer, &[Fold::Digits]);
        assert_eq!(
            of("took 35ms, x86_64 1,234.5 ½ １२३ 1\u{20e3}2", Tokenizer::Words),
            ["took", "0", "ms", "x", "0", "_", "0", "0", "0", "0", "0", "0", "0", "0"]
        );
        assert_eq!(of("a12 3", Tokenizer::Chars), ["a", "0", " ", "0"]);
        assert_eq!(of("12", Tokenizer::Whitespace), ["12"]);
    }

    #[test]
    fn invisible_characters_neither_split_words_nor_count() {
        assert_eq!(words_of("co\u{ad}ope\u{200b}rate \u{feff}\u{200e}x\u{fe0f}"), ["cooperate", "x"]);
        assert_eq!(words_of("e\u{ad}\u{301}"), words_of("\u{e9}"));
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

    /// Only texts of white space, invisible characters and optional writing therefore have no token.
    #[test]
    fn normalisation_turns_no_other_character_into_mere_white_space() {
        let counts = |c: char| !c.is_whitespace() && !is_invisible(c) && !is_optional(c);
        for c in ('\0'..=char::MAX).filter(|c| c.to_string().nfkd().any(counts)) {
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
