//! Finding the start and end of WARC records, also in a damaged file.

use memchr::memmem;

use super::headers::{Head, is_blank, line_ends};
use crate::{
    Problem,
    formats::{WARC_MAGIC, starts_warc_record},
};

/// The maximum length of a head in bytes. Real heads have some hundred bytes.
const MAX_HEAD_BYTES: usize = 1 << 20;

/// The number of bytes behind a block that show whether the record ends: two line ends, and the start of the next record.
const BEHIND_BYTES: usize = 4 + WARC_MAGIC.len();

/// The result of reading at a position of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RecordAt {
    /// A record: the start and end of its block, and the end of the line ends behind it.
    Record { block: usize, end: usize, next: usize },
    /// A record that is too long to keep. Its block is skipped from `block` on.
    TooLong { block: usize, length: u64 },
    /// Anything else. The search for the next record starts at `resume`.
    Bad { problem: Problem, resume: usize },
    /// More bytes are needed to decide: this many.
    More(usize),
    /// The end of the file.
    End,
}

/// The position behind the line ends at `at`. Some files have more than two between records.
pub(super) fn behind_line_ends(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|&&byte| matches!(byte, b'\r' | b'\n')).count()
}

/// Reads at `start`, where a record should start. `ended` means that no bytes follow `bytes`. A block of more than `max_record`
/// bytes is too long.
pub(super) fn record_at(bytes: &[u8], start: usize, ended: bool, max_record: u64) -> RecordAt {
    let rest = &bytes[start..];
    if rest.len() < WARC_MAGIC.len() && !ended {
        return RecordAt::More(start + WARC_MAGIC.len());
    }
    if rest.is_empty() {
        return RecordAt::End;
    }
    if !rest.starts_with(WARC_MAGIC) {
        return RecordAt::Bad { problem: Problem::NotWarc, resume: start };
    }
    // Searching resumes behind the first bytes, so the same bad record is not found again.
    let bad = |problem| RecordAt::Bad { problem, resume: start + WARC_MAGIC.len() };
    let length = match head_in(&rest[..rest.len().min(MAX_HEAD_BYTES)]) {
        Reach::Complete(length) => length,
        Reach::Open if ended || rest.len() >= MAX_HEAD_BYTES => return bad(Problem::OpenHead),
        // This doubles the bytes, so a long head is scanned a few times rather than once for each piece that is read.
        Reach::Open => return RecordAt::More(start + 2 * rest.len()),
        Reach::Interrupted => return bad(Problem::OpenHead),
    };
    let block = start + length;
    let length = Head::new(&rest[..length]).field("Content-Length");
    let Some(length) = length.as_deref().and_then(|length| length.parse::<u64>().ok()) else {
        return bad(Problem::NoLength { found: length.map(String::from) });
    };
    if length > max_record {
        return RecordAt::TooLong { block, length };
    }
    let end = block + length as usize;
    if bytes.len() < end + BEHIND_BYTES && !ended {
        return RecordAt::More(end + BEHIND_BYTES);
    }
    if bytes.len() < end {
        return bad(Problem::Truncated { expected: length, found: (bytes.len() - block) as u64 });
    }
    let (lines, behind) = skip_line_ends(&bytes[end..]);
    // If the length includes line ends, or if line ends are missing, the record is still whole.
    match lines == 2 || behind.is_empty() || behind.starts_with(WARC_MAGIC) {
        true => RecordAt::Record { block, end, next: bytes.len() - behind.len() },
        false => bad(Problem::WrongLength { length }),
    }
}

/// The extent of a head.
enum Reach {
    /// It ends after this many bytes, including the blank line.
    Complete(usize),
    /// Another record starts in it, so the blank line is missing.
    Interrupted,
    /// It continues behind the last byte.
    Open,
}

/// Finds the end of the head at the start of `bytes`. No two heads share a line. Many starts without a blank line therefore
/// take no longer than any other bytes of the same length.
fn head_in(bytes: &[u8]) -> Reach {
    let mut start = 0;
    for end in line_ends(bytes) {
        let line = &bytes[start..end];
        if is_blank(line) {
            return Reach::Complete(end);
        }
        if start > 0 && starts_warc_record(line) {
            return Reach::Interrupted;
        }
        start = end;
    }
    Reach::Open
}

/// The position from `from` on at which a record may start. A line end must stand before it.
pub(super) fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let is_start = |at: &usize| *at > 0 && bytes[at - 1] == b'\n' && starts_warc_record(&bytes[*at..]);
    memmem::find_iter(&bytes[from..], WARC_MAGIC).map(|found| from + found).find(is_start)
}

/// Counts the line ends at the start of `bytes`, up to two. Also returns the bytes behind them.
fn skip_line_ends(bytes: &[u8]) -> (usize, &[u8]) {
    let mut rest = bytes;
    for lines in 0..2 {
        let line = rest.strip_prefix(b"\r").unwrap_or(rest);
        match line.strip_prefix(b"\n") {
            Some(next) => rest = next,
            None => return (lines, rest),
        }
    }
    (2, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DEFAULT_RECORD_BYTES;

    fn record_at(bytes: &[u8], at: usize, ended: bool) -> RecordAt {
        super::record_at(bytes, at, ended, DEFAULT_RECORD_BYTES)
    }

    const RECORD: &[u8] = b"WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";

    #[test]
    fn a_record_is_found_with_the_line_ends_behind_it() {
        let two = [b"\r\n", RECORD, RECORD].concat();
        let next = RECORD.len() + 2;
        assert_eq!(behind_line_ends(&two, 0), 2);
        assert_eq!(record_at(&two, 2, false), RecordAt::Record { block: next - 7, end: next - 4, next });
        assert!(matches!(record_at(&two, next, true), RecordAt::Record { .. }));
        assert_eq!(record_at(&two, two.len(), true), RecordAt::End);
    }

    #[test]
    fn more_bytes_are_requested_until_a_record_is_complete() {
        for length in 1..RECORD.len() + WARC_MAGIC.len() {
            let bytes = &[RECORD, RECORD].concat()[..length];
            assert!(matches!(record_at(bytes, 0, false), RecordAt::More(more) if more > length), "{length}");
        }
    }

    #[test]
    fn a_head_without_its_blank_line_ends_where_the_next_record_starts() {
        let bytes = [b"WARC/1.0\r\nX: y\r\n", RECORD].concat();
        assert_eq!(record_at(&bytes, 0, true), RecordAt::Bad { problem: Problem::OpenHead, resume: 5 });
        assert_eq!(next_start(&bytes, 5), Some(16));
        assert!(matches!(record_at(&bytes, 16, true), RecordAt::Record { .. }));
    }

    #[test]
    fn a_wrong_length_is_recognised_by_the_bytes_behind_the_record() {
        for length in ["2", "8", "9"] {
            let bytes = [RECORD, RECORD].concat();
            let text =
                String::from_utf8(bytes).unwrap().replacen("Length: 3", &format!("Length: {length}"), 1);
            let found = record_at(text.as_bytes(), 0, true);
            assert!(
                matches!(found, RecordAt::Bad { problem: Problem::WrongLength { .. }, resume: 5 }),
                "{length} {found:?}"
            );
            assert_eq!(next_start(text.as_bytes(), 5), Some(RECORD.len()));
        }
    }

    #[test]
    fn only_a_line_that_starts_with_a_version_may_be_a_record() {
        assert_eq!(next_start(b"WARC/1.0\r\nWARC/1.1", 0), Some(10));
        assert_eq!(next_start(b"xWARC/1.0 \nWARC/x.0 \nWARC/0.18", 0), Some(21));
        assert_eq!(next_start(b"\nWARC/", 0), None);
    }
}
