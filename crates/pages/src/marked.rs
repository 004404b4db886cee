//! A text as HTML, with the passages that it shares.

use crate::shown::Shown;
use lookalike::compare::{Equal, Passage};
use lookalike::text::Stretch;
use std::fmt;
use std::ops::Range;

/// Which text of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    fn of_passage(self, passage: &Passage) -> &Stretch {
        match self {
            Side::Left => &passage.left,
            Side::Right => &passage.right,
        }
    }

    fn of_equal(self, equal: &Equal) -> &Stretch {
        match self {
            Side::Left => &equal.left,
            Side::Right => &equal.right,
        }
    }

    /// How the anchors of this side and those of the other start.
    fn letters(self) -> (char, char) {
        match self {
            Side::Left => ('a', 'b'),
            Side::Right => ('b', 'a'),
        }
    }
}

/// There are so many tints, in turn.
const TINTS: usize = 6;

/// The tint of a passage.
pub(crate) fn tint(number: usize) -> usize {
    (number - 1) % TINTS + 1
}

/// The text of one side.
pub(crate) struct Marked<'a> {
    pub(crate) text: &'a str,
    pub(crate) side: Side,
    /// In the order of the left text, by which they are numbered.
    pub(crate) passages: &'a [Passage],
    /// What the anchors of these two texts start with, where a page has several.
    pub(crate) of: String,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    /// The passage of this number starts.
    Starts(usize),
    /// What the other side does not have here.
    Own(&'a str),
    /// What both have.
    Equal(&'a str),
    /// The passage ends.
    Ends,
}

impl<'a> Marked<'a> {
    /// The text in parts.
    pub(crate) fn parts(&self) -> Vec<Part<'a>> {
        let mut order: Vec<(usize, &Passage)> = (1..).zip(self.passages).collect();
        order.sort_by_key(|(_, passage)| self.side.of_passage(passage).bytes.start);
        let (mut parts, mut at) = (Vec::new(), 0);
        for (number, passage) in order {
            let start = self.side.of_passage(passage).bytes.start;
            parts.extend([Part::Own(&self.text[at..start]), Part::Starts(number)]);
            at = start;
            for equal in &passage.equal {
                let Range { start, end } = self.side.of_equal(equal).bytes;
                parts.extend([Part::Own(&self.text[at..start]), Part::Equal(&self.text[start..end])]);
                at = end;
            }
            parts.push(Part::Ends);
        }
        parts.push(Part::Own(&self.text[at..]));
        parts.retain(|part| *part != Part::Own(""));
        parts
    }

    /// The start of a passage: its number, which leads to the other side.
    pub(crate) fn write_start(&self, f: &mut impl fmt::Write, number: usize) -> fmt::Result {
        let ((here, there), of) = (self.side.letters(), &self.of);
        write!(
            f,
            "<span class=\"passage t{}\" id=\"{of}{here}{number}\"><a class=\"number\" href=\"#{of}{there}{number}\" \
             aria-label=\"Passage {number}; go to it in {}\">{number}</a>",
            tint(number),
            there.to_ascii_uppercase()
        )
    }

    /// The end of a passage.
    pub(crate) fn write_end(f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("<span class=\"end\" aria-hidden=\"true\">⟧</span></span>")
    }
}

impl fmt::Display for Marked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.parts() {
            match part {
                Part::Starts(number) => self.write_start(f, number)?,
                Part::Own(text) => write!(f, "{}", Shown(text))?,
                Part::Equal(text) => write!(f, "<mark>{}</mark>", Shown(text))?,
                Part::Ends => Self::write_end(f)?,
            }
        }
        Ok(())
    }
}
