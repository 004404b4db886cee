//! A text as HTML, with the passages that it shares.

use super::tint;
use crate::shown::Shown;
use lookalike::{Equal, Passage, Stretch};
use std::fmt;
use std::ops::Range;

/// Which text of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
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

/// The text of one side.
pub(super) struct Marked<'a> {
    pub(super) text: &'a str,
    pub(super) side: Side,
    /// In the order of the left text, by which they are numbered.
    pub(super) passages: &'a [Passage],
}

impl fmt::Display for Marked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut order: Vec<(usize, &Passage)> = (1..).zip(self.passages).collect();
        order.sort_by_key(|(_, passage)| self.side.of_passage(passage).bytes.start);
        let mut at = 0;
        for (number, passage) in order {
            let Range { start, end } = self.side.of_passage(passage).bytes;
            write!(f, "{}", Shown(&self.text[at..start]))?;
            self.passage(f, number, passage)?;
            at = end;
        }
        write!(f, "{}", Shown(&self.text[at..]))
    }
}

impl Marked<'_> {
    fn passage(&self, f: &mut fmt::Formatter<'_>, number: usize, passage: &Passage) -> fmt::Result {
        let (here, there) = self.side.letters();
        write!(
            f,
            "<span class=\"passage t{}\" id=\"{here}{number}\"><a class=\"number\" href=\"#{there}{number}\" \
             aria-label=\"Passage {number}; go to it in {}\">{number}</a>",
            tint(number),
            there.to_ascii_uppercase()
        )?;
        let mut at = self.side.of_passage(passage).bytes.start;
        for equal in &passage.equal {
            let Range { start, end } = self.side.of_equal(equal).bytes;
            write!(f, "{}<mark>{}</mark>", Shown(&self.text[at..start]), Shown(&self.text[start..end]))?;
            at = end;
        }
        write!(f, "<span class=\"end\" aria-hidden=\"true\">⟧</span></span>")
    }
}
