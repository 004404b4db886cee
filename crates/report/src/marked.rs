//! A text as HTML, in which the passages that it shares with another text are marked.

use crate::shown::Shown;
use lookalike::compare::{Equal, Passage};
use lookalike::text::Stretch;
use std::fmt;
use std::ops::Range;

/// One of the two texts of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassageSide {
    Left,
    Right,
}

impl PassageSide {
    fn of_passage(self, passage: &Passage) -> &Stretch {
        match self {
            PassageSide::Left => &passage.left,
            PassageSide::Right => &passage.right,
        }
    }

    fn of_equal(self, equal: &Equal) -> &Stretch {
        match self {
            PassageSide::Left => &equal.left,
            PassageSide::Right => &equal.right,
        }
    }

    /// The first letter of anchors on this side, and on the other side.
    fn letters(self) -> (char, char) {
        match self {
            PassageSide::Left => ('a', 'b'),
            PassageSide::Right => ('b', 'a'),
        }
    }
}

/// The number of tints. Passages use them in turn.
const TINTS: usize = 6;

/// The tint of the passage with this number, from 1.
pub(crate) fn tint(number: usize) -> usize {
    (number - 1) % TINTS + 1
}

/// The text of one side, with its passages.
pub(crate) struct MarkedText<'a> {
    pub(crate) text: &'a str,
    pub(crate) side: PassageSide,
    /// The passages in the order of the left text. Their numbers follow that order.
    pub(crate) passages: &'a [Passage],
    /// A prefix for the anchors of these two texts, if a page shows several pairs.
    pub(crate) of: String,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextPart<'a> {
    /// The passage of this number starts.
    Starts(usize),
    /// Text that only this side has.
    Own(&'a str),
    /// Text that both sides have.
    Equal(&'a str),
    /// The passage ends.
    Ends,
}

impl<'a> MarkedText<'a> {
    /// The parts of the text, in order.
    pub(crate) fn parts(&self) -> Vec<TextPart<'a>> {
        let mut order: Vec<(usize, &Passage)> = (1..).zip(self.passages).collect();
        order.sort_by_key(|(_, passage)| self.side.of_passage(passage).bytes.start);
        let (mut parts, mut at) = (Vec::new(), 0);
        for (number, passage) in order {
            let start = self.side.of_passage(passage).bytes.start;
            parts.extend([TextPart::Own(&self.text[at..start]), TextPart::Starts(number)]);
            at = start;
            for equal in &passage.equal {
                let Range { start, end } = self.side.of_equal(equal).bytes;
                parts.extend([TextPart::Own(&self.text[at..start]), TextPart::Equal(&self.text[start..end])]);
                at = end;
            }
            parts.push(TextPart::Ends);
        }
        parts.push(TextPart::Own(&self.text[at..]));
        parts.retain(|part| *part != TextPart::Own(""));
        parts
    }

    /// Writes the start of a passage: its number, as a link to the same passage on the other side.
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

    /// Writes the end of a passage.
    pub(crate) fn write_end(f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str("<span class=\"end\" aria-hidden=\"true\">⟧</span></span>")
    }
}

impl fmt::Display for MarkedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.parts() {
            match part {
                TextPart::Starts(number) => self.write_start(f, number)?,
                TextPart::Own(text) => write!(f, "{}", Shown(text))?,
                TextPart::Equal(text) => write!(f, "<mark>{}</mark>", Shown(text))?,
                TextPart::Ends => Self::write_end(f)?,
            }
        }
        Ok(())
    }
}
