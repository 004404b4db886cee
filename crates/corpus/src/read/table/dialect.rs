//! The dialect of a table: the separator of its fields, the end of its records, and its quotes.

use memchr::{memchr, memchr_iter, memchr2};

use super::RecordBoundary;
use crate::Quoting;

/// The bytes that separate the fields and records of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) delimiter: u8,
    /// The byte that ends a record: a line feed, possibly behind carriage returns, or a carriage return alone.
    pub(crate) line_end: u8,
    pub(crate) quoting: Quoting,
}

/// Where a quoted field closes.
pub(super) enum Closing {
    /// At this quote. A byte that is no quote stands behind it.
    At(usize),
    /// Behind the bytes, or at this quote if no bytes follow. With more bytes the search continues here.
    Unknown(usize),
}

impl Dialect {
    /// The dialect of a table that starts with `bytes`. All records end in the same way as the first one. `ended` means that no
    /// bytes follow. `None` if more bytes are needed to decide.
    pub(super) fn of(delimiter: u8, quoting: Quoting, bytes: &[u8], ended: bool) -> Option<Dialect> {
        let by = |line_end| Dialect { delimiter, line_end, quoting };
        let first_end = |line_end| RecordBoundary::first_end(by(line_end), bytes);
        let (feed, carriage_return) = (first_end(b'\n'), first_end(b'\r'));
        let Some(end) = carriage_return.filter(|&end| feed.is_none_or(|feed| end < feed)) else {
            return (feed.is_some() || ended).then(|| by(b'\n'));
        };
        // Some programs write two carriage returns before a line feed.
        match bytes[end..].iter().find(|&&byte| byte != b'\r') {
            Some(b'\n') => Some(by(b'\n')),
            None if !ended => None,
            _ => Some(by(b'\r')),
        }
    }

    /// Whether a field starts behind a byte.
    pub(super) fn starts_field(self, before: u8) -> bool {
        before == self.delimiter || before == self.line_end
    }

    /// Finds the quote that closes a quoted field, whose text continues at `from`.
    pub(super) fn closing_quote(self, bytes: &[u8], mut from: usize) -> Closing {
        loop {
            let rest = &bytes[from..];
            let found = match self.quoting {
                Quoting::Escaped => memchr2(b'"', b'\\', rest),
                _ => memchr(b'"', rest),
            };
            let Some(at) = found.map(|found| from + found) else { return Closing::Unknown(bytes.len()) };
            match (bytes[at], bytes.get(at + 1)) {
                (b'"', Some(b'"')) | (b'\\', Some(b'"' | b'\\')) => from = at + 2,
                (b'\\', Some(_)) => from = at + 1,
                (_, Some(_)) => return Closing::At(at),
                // The next byte decides what this one means.
                (_, None) => return Closing::Unknown(at),
            }
        }
    }

    /// Finds the first `wanted` byte, a delimiter or a line end, that no backslash escapes. If there is none, the error is the position at
    /// which the search continues with more bytes.
    pub(super) fn unescaped(self, wanted: u8, bytes: &[u8], mut from: usize) -> Result<usize, usize> {
        while let Some(found) = memchr2(b'\\', wanted, &bytes[from..]) {
            let at = from + found;
            if bytes[at] == wanted {
                return Ok(at);
            }
            // MySQL escapes the first character of a line end of two.
            let returns = match self.line_end {
                b'\n' => bytes[at + 1..].iter().take_while(|&&byte| byte == b'\r').count(),
                _ => 0,
            };
            from = match bytes.get(at + 1 + returns) {
                Some(&byte) if byte == self.line_end => at + 2 + returns,
                Some(_) => at + 2,
                // The next byte decides.
                None => return Err(at),
            };
        }
        Err(bytes.len())
    }

    /// The end of the field that starts at `start` of a record without its line end.
    pub(super) fn field_end(self, record: &[u8], start: usize) -> usize {
        let end = match self.quoting {
            Quoting::Backslashes => {
                return self.unescaped(self.delimiter, record, start).unwrap_or(record.len());
            }
            quoting if quoting.has_quotes() && record.get(start) == Some(&b'"') => {
                match self.closing_quote(record, start + 1) {
                    Closing::At(quote) | Closing::Unknown(quote) => record.len().min(quote + 1),
                }
            }
            _ => start,
        };
        memchr(self.delimiter, &record[end..]).map_or(record.len(), |delimiter| end + delimiter)
    }

    /// The number of line ends in `bytes`, including those inside quotes.
    pub(super) fn lines_in(self, bytes: &[u8]) -> u32 {
        memchr_iter(self.line_end, bytes).count() as u32
    }

    /// Whether the records of this table end in a carriage return, and `record` has a line feed outside quotes. The file then
    /// has both kinds of line ends, and the record may be several records.
    pub(super) fn mixes_line_ends(self, record: &[u8]) -> bool {
        let feeds = Dialect { line_end: b'\n', ..self };
        self.line_end == b'\r' && RecordBoundary::first_end(feeds, record).is_some()
    }
}

/// Splits a record into its content and its line end. A carriage return at the end of the file is a line end.
pub(crate) fn split_line_end(record: &[u8]) -> (&[u8], &[u8]) {
    let content = record.strip_suffix(b"\n").unwrap_or(record);
    let returns = content.iter().rev().take_while(|&&byte| byte == b'\r').count();
    record.split_at(content.len() - returns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_records_end_in_the_same_way_as_the_first_one() {
        for (bytes, line_end) in [
            ("a,b\n1,x\ry\n", Some(b'\n')),
            ("a,b\r\n1,x\ry\r\n", Some(b'\n')),
            ("a,b\r\r\n1,x\r\r\n", Some(b'\n')),
            ("a,\"b\rc\"\n", Some(b'\n')),
            ("a,b\r1,x\ny\r", Some(b'\r')),
            ("a,\"b\nc\"\r1,x\r", Some(b'\r')),
            // The next byte decides.
            ("a,b\r", None),
            ("a,b\r\r", None),
            ("a,b", None),
            ("a,\"b\r", None),
            ("", None),
        ] {
            let of = |ended| {
                Dialect::of(b',', Quoting::Doubled, bytes.as_bytes(), ended).map(|dialect| dialect.line_end)
            };
            assert_eq!(of(false), line_end, "{bytes:?}");
            let ended =
                line_end.unwrap_or(if bytes == "a,b\r" || bytes == "a,b\r\r" { b'\r' } else { b'\n' });
            assert_eq!(of(true), Some(ended), "{bytes:?}");
        }
    }

    #[test]
    fn carriage_returns_before_a_line_feed_are_part_of_the_line_end() {
        for (record, content) in
            [("a\n", "a"), ("a\r\n", "a"), ("a\rb\r\r\n", "a\rb"), ("a\r", "a"), ("a", "a")]
        {
            let (before, behind) = split_line_end(record.as_bytes());
            assert_eq!(before, content.as_bytes());
            assert_eq!([before, behind].concat(), record.as_bytes());
        }
    }
}
