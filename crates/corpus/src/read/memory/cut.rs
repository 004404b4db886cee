//! Cuts rows into chunks.

use std::ops::Range;

/// Bytes that a row counts for beside its texts, so that a chunk of empty texts ends too. JSON takes about as many.
const ROW_BYTES: u64 = 16;

/// The first rows, of about `chunk_bytes` together and at least one, and the bytes of their texts. `None` if there is no row.
pub(in crate::read) fn cut(
    rows: Range<usize>,
    chunk_bytes: u64,
    length: impl Fn(usize) -> u64,
) -> Option<(Range<usize>, u64)> {
    let (mut end, mut bytes) = (rows.start, 0);
    while end < rows.end {
        let more = length(end);
        let counted = bytes + more + ROW_BYTES * (end + 1 - rows.start) as u64;
        if counted > chunk_bytes && end > rows.start {
            break;
        }
        (bytes, end) = (bytes + more, end + 1);
    }
    (end > rows.start).then_some((rows.start..end, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_chunk_and_a_long_one_has_its_own() {
        let lengths = [10, 0, 0, 500, 30, 30, 0];
        let (mut next, mut parts) = (0, Vec::new());
        while let Some((rows, bytes)) = cut(next..lengths.len(), 100, |row| lengths[row]) {
            assert_eq!(bytes, lengths[rows.clone()].iter().sum::<u64>());
            next = rows.end;
            parts.push(rows);
        }
        assert_eq!(parts, [0..3, 3..4, 4..6, 6..7]);
        assert_eq!(cut(3..3, 100, |_| 0), None);
    }
}
