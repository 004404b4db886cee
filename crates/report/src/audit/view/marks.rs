//! The parts of a page that its most similar pages have too.

use super::results::AuditResults;
use lookalike_audit::PagePair;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// Pairs whose passages are marked. Each costs a comparison of two texts.
pub(super) const MOST_COMPARED: usize = 10;

/// The marked bytes of blocks, by the places of the blocks in the page.
pub(super) type BlockMarks = BTreeMap<usize, Vec<Range<usize>>>;

/// The parts of the page with this number that the other pages of `pairs` have too.
pub(super) fn marks(results: &AuditResults, number: u32, pairs: &[PagePair]) -> io::Result<BlockMarks> {
    let mut marks = BlockMarks::new();
    for pair in &pairs[..pairs.len().min(MOST_COMPARED)] {
        let compared = results.audit.compare(&*results.site, pair.a, pair.b)?;
        let side = usize::from(pair.a != number);
        let equal = compared.passages.passages.iter().flat_map(|passage| &passage.equal);
        for stretch in equal.map(|equal| if side == 0 { &equal.left } else { &equal.right }) {
            add(&mut marks, &compared.texts[side].blocks, &stretch.bytes);
        }
    }
    marks.values_mut().for_each(|ranges| *ranges = united(std::mem::take(ranges)));
    Ok(marks)
}

/// Adds the parts of `bytes` that lie in blocks.
fn add(marks: &mut BlockMarks, blocks: &[(usize, Range<usize>)], bytes: &Range<usize>) {
    let first = blocks.partition_point(|(_, block)| block.end <= bytes.start);
    for (place, block) in blocks[first..].iter().take_while(|(_, block)| block.start < bytes.end) {
        let part = bytes.start.max(block.start) - block.start..bytes.end.min(block.end) - block.start;
        marks.entry(*place).or_default().push(part);
    }
}

/// Ranges that do not overlap, ascending.
fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut united: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match united.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => united.push(range),
        }
    }
    united
}

/// Places in characters of these places in bytes.
pub(super) fn in_characters(text: &str, ranges: &[Range<usize>]) -> Vec<[usize; 2]> {
    let (mut at, mut characters) = (0, 0);
    let mut place = |byte: usize| {
        characters += text[at..byte].chars().count();
        at = byte;
        characters
    };
    ranges.iter().map(|range| [place(range.start), place(range.end)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_blocks_united_and_counted_in_characters() {
        let mut marks = BlockMarks::new();
        let blocks = [(0, 0..4), (2, 5..10)];
        for bytes in [2..7, 6..9, 0..3] {
            add(&mut marks, &blocks, &bytes);
        }
        let ranges = marks.into_iter().flat_map(|(place, ranges)| {
            united(ranges).into_iter().map(move |range| (place, range.start, range.end))
        });
        assert_eq!(ranges.collect::<Vec<_>>(), [(0, 0, 4), (2, 0, 4)]);
        assert_eq!(in_characters("äöü ab", &[2..4, 6..8]), [[1, 2], [3, 5]]);
    }
}
