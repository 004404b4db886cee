//! Visible text: the removal of invisible characters.
//!
//! A character is *invisible* if it has the Unicode property Default_Ignorable_Code_Point. These are soft hyphen,
//! zero-width space, joiner and non-joiner, bidirectional marks, variation selectors, byte order mark, tags, Hangul
//! fillers and some more.
//!
//! Sources: Unicode 17.0, `DerivedCoreProperties.txt` and `emoji/emoji-data.txt`.

const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// The text without its invisible characters.
///
/// There is one exception: a U+200D that joins two emoji is kept.
///
/// It joins them if only invisible characters are between it and two others. The first of these must be
/// Extended_Pictographic or a skin tone, the second Extended_Pictographic. If there are several U+200D between the two,
/// one is kept.
pub fn visible(text: &str) -> String {
    let mut visible = String::new();
    // Whether there was a U+200D after the last visible character.
    let mut joiner = false;
    for c in text.chars() {
        if is_invisible(c) {
            joiner |= c == ZERO_WIDTH_JOINER;
            continue;
        }
        let before = visible.chars().last();
        if joiner && before.is_some_and(|b| is_pictographic(b) || is_skin_tone(b)) && is_pictographic(c) {
            visible.push(ZERO_WIDTH_JOINER);
        }
        visible.push(c);
        joiner = false;
    }
    visible
}

/// Whether the character has the property Default_Ignorable_Code_Point.
pub fn is_invisible(c: char) -> bool {
    is_in(&DEFAULT_IGNORABLE, c)
}

/// Whether the character has the property Extended_Pictographic.
pub fn is_pictographic(c: char) -> bool {
    is_in(&EXTENDED_PICTOGRAPHIC, c)
}

/// Whether the character changes the skin tone of the emoji before it (the property Emoji_Modifier).
fn is_skin_tone(c: char) -> bool {
    ('\u{1f3fb}'..='\u{1f3ff}').contains(&c)
}

fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}

/// First and last code point of every range with the property Default_Ignorable_Code_Point.
pub const DEFAULT_IGNORABLE: [(u32, u32); 17] = [
    // Soft hyphen
    (0x00AD, 0x00AD),
    // Combining grapheme joiner
    (0x034F, 0x034F),
    // Arabic letter mark
    (0x061C, 0x061C),
    // Hangul fillers
    (0x115F, 0x1160),
    // Khmer inherent vowels
    (0x17B4, 0x17B5),
    // Mongolian variation selectors and vowel separator
    (0x180B, 0x180F),
    // Zero-width space, non-joiner and joiner, and bidirectional marks
    (0x200B, 0x200F),
    // Bidirectional embeddings and overrides
    (0x202A, 0x202E),
    // Word joiner, invisible operators, bidirectional isolates, deprecated format characters
    (0x2060, 0x206F),
    // Hangul filler
    (0x3164, 0x3164),
    // Variation selectors
    (0xFE00, 0xFE0F),
    // Byte order mark
    (0xFEFF, 0xFEFF),
    // Halfwidth Hangul filler
    (0xFFA0, 0xFFA0),
    // Unassigned, reserved for invisible characters
    (0xFFF0, 0xFFF8),
    // Shorthand format controls
    (0x1BCA0, 0x1BCA3),
    // Musical beams, ties, slurs and phrases
    (0x1D173, 0x1D17A),
    // Tags, variation selectors, and code points reserved for more of these
    (0xE0000, 0xE0FFF),
];

/// First and last code point of every range with the property Extended_Pictographic.
#[rustfmt::skip]
pub const EXTENDED_PICTOGRAPHIC: [(u32, u32); 156] = [
    (0x00A9, 0x00A9), (0x00AE, 0x00AE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139,
    0x2139), (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328), (0x23CF, 0x23CF),
    (0x23E9, 0x23F3), (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0,
    0x25C0), (0x25FB, 0x25FE), (0x2600, 0x2604), (0x260E, 0x260E), (0x2611, 0x2611), (0x2614, 0x2615),
    (0x2618, 0x2618), (0x261D, 0x261D), (0x2620, 0x2620), (0x2622, 0x2623), (0x2626, 0x2626), (0x262A,
    0x262A), (0x262E, 0x262F), (0x2638, 0x263A), (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653),
    (0x265F, 0x2660), (0x2663, 0x2663), (0x2665, 0x2666), (0x2668, 0x2668), (0x267B, 0x267B), (0x267E,
    0x267F), (0x2692, 0x2697), (0x2699, 0x2699), (0x269B, 0x269C), (0x26A0, 0x26A1), (0x26A7, 0x26A7),
    (0x26AA, 0x26AB), (0x26B0, 0x26B1), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26C8, 0x26C8), (0x26CE,
    0x26CF), (0x26D1, 0x26D1), (0x26D3, 0x26D4), (0x26E9, 0x26EA), (0x26F0, 0x26F5), (0x26F7, 0x26FA),
    (0x26FD, 0x26FD), (0x2702, 0x2702), (0x2705, 0x2705), (0x2708, 0x270D), (0x270F, 0x270F), (0x2712,
    0x2712), (0x2714, 0x2714), (0x2716, 0x2716), (0x271D, 0x271D), (0x2721, 0x2721), (0x2728, 0x2728),
    (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274C, 0x274C), (0x274E, 0x274E), (0x2753,
    0x2755), (0x2757, 0x2757), (0x2763, 0x2764), (0x2795, 0x2797), (0x27A1, 0x27A1), (0x27B0, 0x27B0),
    (0x27BF, 0x27BF), (0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55,
    0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297), (0x3299, 0x3299), (0x1F004, 0x1F004),
    (0x1F02C, 0x1F02F), (0x1F094, 0x1F09F), (0x1F0AF, 0x1F0B0), (0x1F0C0, 0x1F0C0), (0x1F0CF, 0x1F0D0),
    (0x1F0F6, 0x1F0FF), (0x1F170, 0x1F171), (0x1F17E, 0x1F17F), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A),
    (0x1F1AE, 0x1F1E5), (0x1F201, 0x1F20F), (0x1F21A, 0x1F21A), (0x1F22F, 0x1F22F), (0x1F232, 0x1F23A),
    (0x1F23C, 0x1F23F), (0x1F249, 0x1F25F), (0x1F266, 0x1F321), (0x1F324, 0x1F393), (0x1F396, 0x1F397),
    (0x1F399, 0x1F39B), (0x1F39E, 0x1F3F0), (0x1F3F3, 0x1F3F5), (0x1F3F7, 0x1F3FA), (0x1F400, 0x1F4FD),
    (0x1F4FF, 0x1F53D), (0x1F549, 0x1F54E), (0x1F550, 0x1F567), (0x1F56F, 0x1F570), (0x1F573, 0x1F57A),
    (0x1F587, 0x1F587), (0x1F58A, 0x1F58D), (0x1F590, 0x1F590), (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A5),
    (0x1F5A8, 0x1F5A8), (0x1F5B1, 0x1F5B2), (0x1F5BC, 0x1F5BC), (0x1F5C2, 0x1F5C4), (0x1F5D1, 0x1F5D3),
    (0x1F5DC, 0x1F5DE), (0x1F5E1, 0x1F5E1), (0x1F5E3, 0x1F5E3), (0x1F5E8, 0x1F5E8), (0x1F5EF, 0x1F5EF),
    (0x1F5F3, 0x1F5F3), (0x1F5FA, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CB, 0x1F6D2), (0x1F6D5, 0x1F6E5),
    (0x1F6E9, 0x1F6E9), (0x1F6EB, 0x1F6F0), (0x1F6F3, 0x1F6FF), (0x1F7DA, 0x1F7FF), (0x1F80C, 0x1F80F),
    (0x1F848, 0x1F84F), (0x1F85A, 0x1F85F), (0x1F888, 0x1F88F), (0x1F8AE, 0x1F8AF), (0x1F8BC, 0x1F8BF),
    (0x1F8C2, 0x1F8CF), (0x1F8D9, 0x1F8FF), (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF),
    (0x1FA58, 0x1FA5F), (0x1FA6E, 0x1FAFF), (0x1FC00, 0x1FFFD),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::normalize;
    use icu_properties::CodePointSetData;
    use icu_properties::props::{DefaultIgnorableCodePoint, ExtendedPictographic};
    use unicode_normalization::char::decompose_canonical;

    #[test]
    fn invisible_characters_are_removed_everywhere() {
        assert_eq!(visible("\u{feff}co\u{ad}op\u{200b}er\u{200d}ate\u{200e}"), "cooperate");
        assert_eq!(visible("\u{ad}\u{200d}\u{3164}"), "");
    }

    #[test]
    fn one_joiner_stays_between_emoji() {
        assert_eq!(visible("👨\u{200d}👩\u{200d}👧"), "👨\u{200d}👩\u{200d}👧");
        assert_eq!(visible("👩🏽\u{200d}💻 ❤\u{fe0f}\u{200d}🔥"), "👩🏽\u{200d}💻 ❤\u{200d}🔥");
        assert_eq!(visible("👩\u{ad}\u{200d}\u{200d}\u{fe0f}👧"), "👩\u{200d}👧");
        assert_eq!(
            visible("\u{200d}👧a\u{200d}👧 👩\u{200d} \u{200d}👧 👩\u{200d}a 👩\u{200d}🏽 👩\u{200d}"),
            "👧a👧 👩 👧 👩a 👩🏽 👩"
        );
    }

    /// The result is therefore the same if invisible characters are removed before normalisation, after it, or both.
    #[test]
    fn normalisation_makes_no_character_invisible() {
        for c in ('\0'..=char::MAX).filter(|&c| !is_invisible(c)) {
            assert!(!normalize(&c.to_string()).contains(is_invisible), "{c:?}");
        }
        // Composed characters decompose again. Therefore no two characters compose to an invisible one.
        for c in ('\0'..=char::MAX).filter(|&c| is_invisible(c)) {
            decompose_canonical(c, |part| assert_eq!(part, c));
        }
    }

    /// Code points that Unicode 18.0 assigns to symbols that are no emoji. ICU has the properties of that version here.
    const NO_EMOJI_SINCE_18: [(u32, u32); 3] = [(0x1F1AE, 0x1F1AE), (0x1F7DA, 0x1F7DB), (0x1F7F1, 0x1F7FF)];

    #[test]
    fn the_properties_agree_with_icu() {
        let invisible = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let pictographic = CodePointSetData::new::<ExtendedPictographic>();
        for c in '\0'..=char::MAX {
            assert_eq!(is_invisible(c), invisible.contains(c), "{c:?}");
            let expected = pictographic.contains(c) || is_in(&NO_EMOJI_SINCE_18, c);
            assert_eq!(is_pictographic(c), expected, "{c:?}");
        }
    }
}
