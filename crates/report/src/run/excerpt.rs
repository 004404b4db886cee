//! The text of an example: its differences, and as much text around them as fits.

use crate::marked::{MarkedText, TextPart};
use crate::numbers::several;
use crate::shown::Shown;
use std::fmt::{self, Write};

/// A marked text, or its start. Long stretches are cut in the middle, and a count of the omitted characters stands there.
pub(super) struct Excerpt<'a> {
    pub(super) marked: MarkedText<'a>,
    /// Characters of the whole text.
    pub(super) characters: u64,
}

/// Characters shown at either end of a long stretch that both texts have. They are enough to find it in the text.
const OF_EQUAL: usize = 160;

/// Characters shown at either end of a long stretch that only this text has. They are more, as readers look for the differences.
const OF_OWN: usize = 600;

/// The largest HTML of a text in bytes, so a page of 24 examples stays below 2 MB.
const BYTES: usize = 20_000;

/// Characters that are written between two checks of the size. A character takes 40 bytes at most.
const STEP: usize = 64;

/// The HTML written so far.
struct ExcerptHtml {
    html: String,
    /// Characters of the text that are shown or counted as omitted.
    characters: u64,
}

impl ExcerptHtml {
    fn is_full(&self) -> bool {
        self.html.len() >= BYTES
    }

    /// Writes as much of `text` as there is room for.
    fn text(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while !rest.is_empty() && !self.is_full() {
            let end = rest.char_indices().nth(STEP).map_or(rest.len(), |(end, _)| end);
            write!(self.html, "{}", Shown(&rest[..end]))?;
            self.characters += rest[..end].chars().count() as u64;
            rest = &rest[end..];
        }
        Ok(())
    }

    /// Writes both ends of `text`, `keep` characters each. A text that is not much longer is written whole.
    fn ends(&mut self, text: &str, keep: usize) -> fmt::Result {
        let count = text.chars().count();
        if count <= 2 * keep + keep / 2 {
            return self.text(text);
        }
        let at = |index: usize| text.char_indices().nth(index).map_or(text.len(), |(at, _)| at);
        let (head, tail) = (at(keep), at(count - keep));
        self.text(&text[..head])?;
        if !self.is_full() {
            let left_out = (count - 2 * keep) as u64;
            write!(self.html, "<span class=\"cut\">… {} …</span>", several(left_out, "more character"))?;
            self.characters += left_out;
            self.text(&text[tail..])?;
        }
        Ok(())
    }
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = ExcerptHtml { html: String::new(), characters: 0 };
        let mut is_open = false;
        for part in self.marked.parts() {
            if written.is_full() {
                break;
            }
            match part {
                TextPart::Starts(number) => self.marked.write_start(&mut written.html, number)?,
                TextPart::Own(text) => written.ends(text, OF_OWN)?,
                TextPart::Equal(text) => {
                    written.html.push_str("<mark>");
                    written.ends(text, OF_EQUAL)?;
                    written.html.push_str("</mark>");
                }
                TextPart::Ends => MarkedText::write_end(&mut written.html)?,
            }
            is_open = match part {
                TextPart::Starts(_) => true,
                TextPart::Ends => false,
                _ => is_open,
            };
        }
        if is_open {
            MarkedText::write_end(&mut written.html)?;
        }
        f.write_str(&written.html)?;
        match self.characters.saturating_sub(written.characters) {
            0 => Ok(()),
            left => write!(f, "<span class=\"cut\">… {}</span>", several(left, "more character")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marked::PassageSide;
    use lookalike::compare::Passages;
    use lookalike::{Plan, Sketcher};
    use proptest::prelude::*;

    fn excerpt(left: &str, right: &str, characters: u64) -> String {
        let plan = Plan::default();
        let mut sketcher = Sketcher::new(&plan);
        let passages = Passages::of(&sketcher.locate(left), &sketcher.locate(right), 5).passages;
        let marked =
            MarkedText { text: left, side: PassageSide::Left, passages: &passages, of: "x".to_owned() };
        Excerpt { marked, characters }.to_string()
    }

    #[test]
    fn a_long_equal_stretch_is_cut_in_its_middle() {
        let text: String = (0..500).map(|word| format!("word{word} ")).collect();
        let html = excerpt(&text, &format!("{text}!"), text.len() as u64);
        assert!(html.starts_with("<span class=\"passage t1\" id=\"xa1\">"), "{html}");
        assert!(html.contains("<mark>word0 ") && html.contains("word499</mark>"), "{html}");
        let left_out = text.trim_end().len() - 2 * OF_EQUAL;
        assert!(html.contains(&format!(
            "<span class=\"cut\">… {} more characters …</span>",
            crate::count(left_out as u64)
        )));
    }

    #[test]
    fn characters_behind_the_given_text_are_counted() {
        assert!(
            excerpt("a b", "c", 2_003).ends_with("a b<span class=\"cut\">… 2,000 more characters</span>")
        );
    }

    proptest! {
        #[test]
        fn any_text_gives_small_html_with_all_tags_closed(
            pieces in prop::collection::vec(prop::sample::select(vec!["\u{202e}\u{7}", "<&\">'", "one two three four five six ", "漢字かな", "x"]), 0..30),
            repeat in 1_usize..400,
        ) {
            let text: String = pieces.concat().repeat(repeat);
            let other = text.replace("three", "drei");
            let html = excerpt(&text, &other, text.chars().count() as u64);
            prop_assert!(html.len() < BYTES + 64 * 40 + 1_000, "{}", html.len());
            prop_assert_eq!(html.matches("<span").count(), html.matches("</span>").count());
            prop_assert_eq!(html.matches("<mark>").count(), html.matches("</mark>").count());
        }
    }
}
