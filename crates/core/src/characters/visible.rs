//! Removal of invisible characters from a text.
//!
//! A character is invisible if it has the Unicode property Default_Ignorable_Code_Point. These are soft hyphen,
//! zero-width space, joiner and non-joiner, bidirectional marks, variation selectors, byte order mark, tags, Hangul
//! fillers and some more.
//!
//! A run of invisible characters is removed, with one exception. Where U+200D joins two emoji, one U+200D is left of
//! the run. It joins them if the character before the run is Extended_Pictographic or a skin tone (U+1F3FB to U+1F3FF), and
//! the character after it is Extended_Pictographic.

use super::unicode::{is_invisible, is_pictographic};

/// The zero width joiner, which makes one emoji of two.
pub(crate) const JOINER: char = '\u{200d}';

/// The characters of `text` that are not removed.
pub(crate) fn visible(text: &str) -> impl Iterator<Item = char> {
    let mut rest = text.chars();
    std::iter::from_fn(move || {
        loop {
            let from = rest.as_str();
            let c = rest.next()?;
            if !is_invisible(c) {
                return Some(c);
            }
            let (run, after) = from.split_at(invisible_run(from).len());
            rest = after.chars();
            if joins_emoji(&text[..text.len() - from.len()], run, after) {
                return Some(JOINER);
            }
        }
    })
}

/// The run of invisible characters at the start of `text`.
pub(crate) fn invisible_run(text: &str) -> &str {
    text.find(|c| !is_invisible(c)).map_or(text, |end| &text[..end])
}

/// Whether one U+200D is left of `run`, the invisible characters between `before` and `after`.
pub(crate) fn joins_emoji(before: &str, run: &str, after: &str) -> bool {
    let is_skin_tone = |c| matches!(c, '\u{1f3fb}'..='\u{1f3ff}');
    run.contains(JOINER)
        && before.ends_with(|c| is_pictographic(c) || is_skin_tone(c))
        && after.starts_with(is_pictographic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, Spans};
    use lookalike_reference::visible;

    fn left(text: &str) -> String {
        super::visible(text).collect()
    }

    #[test]
    fn invisible_characters_are_removed() {
        assert_eq!(left("\u{feff}co\u{ad}op\u{200b}\u{200c}er\u{200d}ate\u{200e}"), "cooperate");
        assert_eq!(left("\u{ad}\u{200d}\u{3164}"), "");
    }

    #[test]
    fn one_joiner_is_left_between_emoji() {
        assert_eq!(left("👩\u{200d}👧"), "👩\u{200d}👧");
        assert_eq!(left("👩🏽\u{200d}💻"), "👩🏽\u{200d}💻");
        assert_eq!(left("❤\u{fe0f}\u{200d}🔥"), "❤\u{200d}🔥");
        assert_eq!(left("👩\u{ad}\u{200d}\u{200d}\u{fe0f}👧"), "👩\u{200d}👧");
        assert_eq!(
            left("👩\u{ad}👧 👩\u{200d} \u{200d}👧 a\u{200d}👧 👩\u{200d}a 👩\u{200d}🏽"),
            "👩👧 👩 👧 a👧 👩a 👩🏽"
        );
    }

    #[test]
    fn common_invisible_characters_are_handled_without_normalising_the_text() {
        for text in [
            "co\u{ad}operate\u{ad}",
            "\u{feff}\u{645}\u{6cc}\u{200c}\u{62e}",
            "中\u{200b}文 👩\u{200d}👧❤\u{fe0f}",
            "ΑΣ\u{ad}Α \u{200e}ﬁ\u{ad}e",
        ] {
            for level in Level::available() {
                assert!(level.split_words(text, &mut Spans::default()), "{text:?} on {}", level.name());
            }
        }
    }

    #[test]
    fn the_properties_agree_with_the_reference() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_invisible(c), visible::is_invisible(c), "{c:?}");
            assert_eq!(is_pictographic(c), visible::is_pictographic(c), "{c:?}");
        }
    }
}
