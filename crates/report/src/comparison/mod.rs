//! Two compared texts: as a page that shows them side by side, and as JSON.

mod compared;
mod figures;
mod json;

pub use compared::{ComparedTexts, NamedText};
pub use figures::{Figure, counted_tokens, figures};

use crate::marked::{MarkedText, PassageSide, tint};
use crate::numbers::count;
use crate::shown::Shown;
use askama::Template;
use figures::passage_units;
use lookalike::compare::{Passage, Passages, Subsequence};
use lookalike::{Comparison, Plan};
use std::ops::Range;

/// The contents of the page of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonPage<'a> {
    /// The names of the texts.
    pub names: [&'a str; 2],
    /// The texts.
    pub texts: [&'a str; 2],
    /// The number of tokens of each text.
    pub tokens: [usize; 2],
    /// The plan of the comparison.
    pub plan: &'a Plan,
    /// The measures.
    pub comparison: &'a Comparison,
    /// The longest common subsequence of both, or bounds for it.
    pub subsequence: Subsequence,
    /// The passages that both texts have.
    pub passages: &'a Passages,
}

#[derive(Template)]
#[template(path = "comparison.html")]
struct ComparisonHtml<'a> {
    names: [&'a str; 2],
    comparison: &'a Comparison,
    figures: Vec<Figure>,
    /// The sentence for a page without passages.
    no_passage: String,
    list: Vec<ListedPassage<'a>>,
    sides: [SideOfPage<'a>; 2],
}

/// A passage in the list above the texts.
struct ListedPassage<'a> {
    number: usize,
    tint: usize,
    size: String,
    left_chars: String,
    right_chars: String,
    excerpt: PassageStart<'a>,
}

struct SideOfPage<'a> {
    letter: &'static str,
    name: &'a str,
    marked: MarkedText<'a>,
}

impl ComparisonPage<'_> {
    /// The page as HTML, which needs no other file.
    pub fn to_html(&self) -> String {
        let ComparisonPage { names, texts, passages, .. } = *self;
        let listed = |(index, passage): (usize, &Passage)| ListedPassage {
            number: index + 1,
            tint: tint(index + 1),
            size: counted_tokens(self.plan, passage.tokens()),
            left_chars: dashed(&passage.left.chars),
            right_chars: dashed(&passage.right.chars),
            excerpt: PassageStart::of(&texts[0][passage.left.bytes.clone()]),
        };
        let side = |letter, side: PassageSide, index: usize| SideOfPage {
            letter,
            name: names[index],
            marked: MarkedText { text: texts[index], side, passages: &passages.passages, of: String::new() },
        };
        let page = ComparisonHtml {
            names,
            comparison: self.comparison,
            figures: figures(self),
            no_passage: no_passage(self.plan, passages.least),
            list: passages.passages.iter().enumerate().map(listed).collect(),
            sides: [side("a", PassageSide::Left, 0), side("b", PassageSide::Right, 1)],
        };
        page.render().expect("to write into a string cannot fail")
    }
}

/// The least that a passage needs. The texts may still share shorter runs of tokens, so the sentence does not deny that.
fn no_passage(plan: &Plan, least: usize) -> String {
    match least {
        0 => format!("None: one of the texts holds no {}.", passage_units(plan)),
        least => {
            let row = if least == 1 { "" } else { " in a row" };
            format!("None: to be shown, {}{row} must be the same in both.", counted_tokens(plan, least))
        }
    }
}

fn dashed(range: &Range<usize>) -> String {
    format!("{}–{}", count(range.start as u64), count(range.end as u64))
}

/// The start of a passage.
struct PassageStart<'a> {
    text: &'a str,
    goes_on: bool,
}

impl<'a> PassageStart<'a> {
    /// Enough to recognise the passage, on one line or two.
    const CHARACTERS: usize = 120;

    fn of(text: &'a str) -> Self {
        match text.char_indices().nth(Self::CHARACTERS) {
            Some((end, _)) => PassageStart { text: &text[..end], goes_on: true },
            None => PassageStart { text, goes_on: false },
        }
    }
}

impl std::fmt::Display for PassageStart<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", Shown(self.text), if self.goes_on { "…" } else { "" })
    }
}

#[cfg(test)]
mod tests;
