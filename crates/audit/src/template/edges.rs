//! The edges of a page, where its template stands: before and after the content.
//!
//! A label such as "Parameters:" is on many pages too, but between paragraphs. To remove it there would change how
//! similar two pages are, and would gain nothing. So the votes count at the edges only.

use std::ops::Range;

/// A block of a page that votes may remove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VotedBlock {
    /// Its words.
    pub(crate) words: u32,
    /// Whether enough clusters have it.
    pub(crate) is_common: bool,
}

/// The blocks between the edges of a page. Each edge is the one with the most common words less other words, so it
/// passes over the few other words of a title or a path, and ends where the content starts.
pub(crate) fn between_edges(blocks: &[VotedBlock]) -> Range<usize> {
    let start = edge(blocks.iter());
    let end = blocks.len() - edge(blocks.iter().rev());
    start..end.max(start)
}

/// The number of blocks of the edge at the start of `blocks`.
fn edge<'b>(blocks: impl Iterator<Item = &'b VotedBlock>) -> usize {
    let (mut edge, mut most, mut sum) = (0, 0, 0);
    for (place, block) in (1..).zip(blocks) {
        let words = i64::from(block.words);
        sum += if block.is_common { words } else { -words };
        if sum > most {
            (edge, most) = (place, sum);
        }
    }
    edge
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(words: &[i64]) -> Range<usize> {
        let block = |&words: &i64| VotedBlock { words: words.unsigned_abs() as u32, is_common: words > 0 };
        between_edges(&words.iter().map(block).collect::<Vec<_>>())
    }

    #[test]
    fn labels_between_paragraphs_are_not_at_an_edge() {
        assert_eq!(between(&[12, -50, 1, -50, 2, -50, 20]), 1..6);
        assert_eq!(between(&[-50, 1, -50]), 0..3);
        assert_eq!(between(&[10, -3, 30, -50, 8, -2, 9]), 3..4);
    }

    #[test]
    fn a_page_of_template_is_all_edge() {
        assert_eq!(between(&[9, 4]), 2..2);
        assert_eq!(between(&[13, -4, 9]), 3..3);
        assert_eq!(between(&[]), 0..0);
    }
}
