//! Finding the end of a CSV record without parsing it.

use memchr::{memchr, memchr2};

use super::{Closing, Dialect};
use crate::Quoting;

/// Finds line ends that end a record. Line ends inside quotes do not.
///
/// As in the parser, a quote opens a quoted field only at the start of a field: `5" disk` is a plain field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordBoundary {
    dialect: Dialect,
    quoted: bool,
}

impl RecordBoundary {
    /// A boundary at the start of a record.
    pub(crate) fn new(dialect: Dialect) -> RecordBoundary {
        RecordBoundary { dialect, quoted: false }
    }

    /// Whether a quote or an escape is open behind the bytes of a record up to `seen`, where the file ends. If the last byte, at `seen`, is
    /// a quote, it closes the field. A line end that does not end the record is part of an escape.
    pub(crate) fn is_open(&self, bytes: &[u8], seen: usize) -> bool {
        match self.dialect.quoting {
            Quoting::Backslashes => seen < bytes.len() || bytes.ends_with(&[self.dialect.line_end]),
            _ => self.quoted && bytes.get(seen) != Some(&b'"'),
        }
    }

    /// The end of the record that starts with `bytes`, including its line end. `None` if `bytes` do not contain the end.
    pub(crate) fn first_end(dialect: Dialect, bytes: &[u8]) -> Option<usize> {
        RecordBoundary::new(dialect).next_end(bytes, 0).0
    }

    /// Finds the last end of a record in `bytes[from..]`. `bytes` starts with a record, and was scanned up to `from`. Also
    /// returns the position at which to continue when there are more bytes.
    pub(crate) fn last_end(&mut self, bytes: &[u8], mut from: usize) -> (Option<usize>, usize) {
        let mut last = None;
        loop {
            match self.next_end(bytes, from) {
                (Some(end), _) => (last, from) = (Some(end), end),
                (None, seen) => return (last, seen),
            }
        }
    }

    /// Finds the first end of a record in `bytes[from..]`, and the position at which to continue, as [`RecordBoundary::last_end`].
    pub(crate) fn next_end(&mut self, bytes: &[u8], mut from: usize) -> (Option<usize>, usize) {
        let Dialect { line_end, quoting, .. } = self.dialect;
        match quoting {
            Quoting::None => {
                let end = memchr(line_end, &bytes[from..]).map(|found| from + found + 1);
                return (end, end.unwrap_or(bytes.len()));
            }
            Quoting::Backslashes => {
                return match self.dialect.unescaped(line_end, bytes, from) {
                    Ok(at) => (Some(at + 1), at + 1),
                    Err(seen) => (None, seen),
                };
            }
            Quoting::Doubled | Quoting::Escaped => {}
        }
        loop {
            if self.quoted {
                match self.dialect.closing_quote(bytes, from) {
                    Closing::At(quote) => (self.quoted, from) = (false, quote + 1),
                    Closing::Unknown(seen) => return (None, seen),
                }
            } else {
                let Some(found) = memchr2(b'"', line_end, &bytes[from..]).map(|found| from + found) else {
                    return (None, bytes.len());
                };
                if bytes[found] == line_end {
                    return (Some(found + 1), found + 1);
                }
                self.quoted = found == 0 || self.dialect.starts_field(bytes[found - 1]);
                from = found + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Dialect = Dialect { delimiter: b',', line_end: b'\n', quoting: Quoting::Doubled };
    const TABS: Dialect = Dialect { delimiter: b'\t', ..COMMAS };
    const RETURNS: Dialect = Dialect { line_end: b'\r', ..COMMAS };
    const ESCAPED: Dialect = Dialect { quoting: Quoting::Escaped, ..COMMAS };
    const UNQUOTED: Dialect = Dialect { quoting: Quoting::None, ..COMMAS };
    const BACKSLASHES: Dialect = Dialect { quoting: Quoting::Backslashes, ..COMMAS };

    #[test]
    fn a_line_end_inside_quotes_does_not_end_the_record() {
        assert_eq!(RecordBoundary::first_end(COMMAS, b"a,\"b\n\"\"c\n\"\nd\n"), Some(11));
        assert_eq!(RecordBoundary::first_end(COMMAS, b"\"a\n"), None);
    }

    #[test]
    fn a_quote_inside_a_plain_field_is_only_a_character() {
        assert_eq!(RecordBoundary::first_end(COMMAS, b"5\" disk,x\ny\n"), Some(10));
        assert_eq!(RecordBoundary::first_end(TABS, b"a,\"b\n"), Some(5));
    }

    #[test]
    fn a_carriage_return_is_text_if_lines_end_in_another_byte() {
        assert_eq!(RecordBoundary::first_end(COMMAS, b"a,x\r\"y\n"), Some(7));
        assert_eq!(RecordBoundary::first_end(COMMAS, b"a,x\r\"y\nz\"\r\n"), Some(7));
        assert_eq!(RecordBoundary::first_end(RETURNS, b"a,x\n\"y\rz"), Some(7));
        assert_eq!(RecordBoundary::first_end(RETURNS, b"a,\"x\r\"\r"), Some(7));
    }

    #[test]
    fn a_backslash_makes_a_quote_text_within_quotes() {
        assert_eq!(RecordBoundary::first_end(ESCAPED, b"a,\"b\\\"\nc\"\nd\n"), Some(10));
        assert_eq!(RecordBoundary::first_end(ESCAPED, b"a,\"b\\\\\"\nc\"\nd\n"), Some(8));
        assert_eq!(RecordBoundary::first_end(ESCAPED, b"a,\\\"b\nc\n"), Some(6));
        assert_eq!(RecordBoundary::first_end(COMMAS, b"a,\"b\\\"\nc\"\nd\n"), Some(7));
    }

    #[test]
    fn without_quotes_each_line_is_a_record() {
        assert_eq!(RecordBoundary::first_end(UNQUOTED, b"a,\"b\nc\"\n"), Some(5));
        assert_eq!(RecordBoundary::first_end(BACKSLASHES, b"a,\"b\nc\"\n"), Some(5));
    }

    #[test]
    fn a_line_end_behind_a_backslash_is_text() {
        assert_eq!(RecordBoundary::first_end(BACKSLASHES, b"a\\\n\\\\\nb\n"), Some(6));
        assert_eq!(RecordBoundary::first_end(UNQUOTED, b"a\\\nb\n"), Some(3));
        assert_eq!(RecordBoundary::first_end(BACKSLASHES, b"a\\\n"), None);
        assert_eq!(RecordBoundary::first_end(BACKSLASHES, b"a\\\r\r\nb\r\nc"), Some(8));
        assert_eq!(RecordBoundary::first_end(BACKSLASHES, b"a\\\rb\nc"), Some(5));
    }

    #[test]
    fn the_last_end_does_not_depend_on_how_the_bytes_are_cut() {
        for (dialect, bytes) in [
            (COMMAS, "a,\"b\n\"\"\"\n\"x\"\"\ny\",5\"\nlast"),
            (ESCAPED, "a,\"b\n\\\"\"\n\"x\\\\\\\"\ny\\\\\",5\"\nlast"),
            (UNQUOTED, "a,\"b\n\"\n\nlast"),
            (BACKSLASHES, "a,\\\r\n\\\\\n\\\n\\\\\\\n\\n\nlast"),
        ] {
            for cut in 0..bytes.len() {
                let mut boundary = RecordBoundary::new(dialect);
                let (first, seen) = boundary.last_end(&bytes.as_bytes()[..cut], 0);
                let (second, _) = boundary.last_end(bytes.as_bytes(), seen);
                assert_eq!(second.or(first), Some(bytes.len() - 4), "{bytes:?} cut at {cut}");
            }
        }
    }
}
