//! Texts in a form that is safe to show: no character in them has an effect on others.

use askama::filters::{Escaper, Html};
use lookalike::text::SECTION_SEPARATOR;
use std::fmt::{self, Display};

/// The name to show in place of `c`, if `c` has an effect on other text: control characters, which a terminal obeys, and characters
/// that reorder text. Line ends and tabs are not replaced. The separator of sections is shown as a pilcrow.
fn hidden(c: char) -> Option<String> {
    if c == SECTION_SEPARATOR {
        return Some("¶".to_owned());
    }
    let reorders =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}');
    let acts = c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    (acts || reorders).then(|| format!("U+{:04X}", c as u32))
}

/// `text` for terminals and titles. Control characters and characters that reorder text are replaced by their names, in `⟨` and `⟩`.
pub fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        match hidden(c) {
            Some(name) => visible.extend(["⟨", &name, "⟩"]),
            None => visible.push(c),
        }
    }
    visible
}

/// A text as HTML: markup is escaped, and control characters and characters that reorder text are replaced by their names.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t>(pub &'t str);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, c, name)) = rest.char_indices().find_map(|(at, c)| Some((at, c, hidden(c)?))) {
            Html.write_escaped_str(&mut *f, &rest[..at])?;
            write!(f, "<span class=\"hidden\">{name}</span>")?;
            rest = &rest[at + c.len_utf8()..];
        }
        Html.write_escaped_str(&mut *f, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    #[test]
    fn markup_is_escaped() {
        let shown = Shown("<script>alert('1')</script> & \"x\"").to_string();
        assert!(!shown.contains(['<', '>', '"', '\'']), "{shown}");
    }

    #[test]
    fn control_characters_are_replaced_by_their_names() {
        let shown = Shown("a\u{202e}b\u{1b}[31m\u{0}c\n\t").to_string();
        let span = |name| format!("<span class=\"hidden\">{name}</span>");
        assert_eq!(shown, format!("a{}b{}[31m{}c\n\t", span("U+202E"), span("U+001B"), span("U+0000")));
    }

    #[test]
    fn titles_and_terminals_show_the_names_of_control_characters() {
        assert_eq!(visible("a\u{1b}[0m\u{2066}b\tc\u{fdd0}d"), "a⟨U+001B⟩[0m⟨U+2066⟩b\tc⟨¶⟩d");
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn only_tags_of_lookalike_are_in_the_html(text in any::<String>()) {
            let shown = Shown(&text).to_string();
            let rest = shown.replace("<span class=\"hidden\">", "").replace("</span>", "");
            prop_assert!(!rest.contains(['<', '>', '"']));
            prop_assert!(shown.chars().all(|c| hidden(c).is_none()));
        }
    }
}
