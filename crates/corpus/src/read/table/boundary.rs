//! Finding the end of a CSV record without parsing it.

use memchr::{memchr, memchr2};

use super::{Dialect, split_line_end};

/// Finds line ends that end a record. Line ends inside quotes do not.
///
/// As in the parser, a quote opens a quoted field only at the start of a field: `5" disk` is a plain field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundary {
    dialect: Dialect,
    quoted: bool,
}

impl Boundary {
    /// A boundary at the start of a record.
    pub(crate) fn new(dialect: Dialect) -> Boundary {
        Boundary { dialect, quoted: false }
    }

    /// Whether a quote is open behind the bytes up to `seen`. If the last byte, at `seen`, is a quote, it closes the field.
    pub(crate) fn is_open(&self, bytes: &[u8], seen: usize) -> bool {
        self.quoted && bytes.get(seen) != Some(&b'"')
    }

    /// Whether a quoted field of the record contains a line end, and continues behind its closing quote. Such a quote may be
    /// text rather than the start of a quoted field, and may have joined several records.
    pub(crate) fn joins(dialect: Dialect, record: &[u8]) -> bool {
        let (record, _) = split_line_end(record);
        let mut boundary = Boundary::new(dialect);
        let (mut from, mut opened) = (0, 0);
        while let Some(quote) = memchr(b'"', &record[from..]).map(|found| from + found) {
            from = quote + 1;
            if !boundary.quoted {
                boundary.quoted = quote == 0 || boundary.starts_field(record[quote - 1]);
                opened = quote;
            } else if record.get(from) == Some(&b'"') {
                from += 1;
            } else {
                boundary.quoted = false;
                let goes_on = record.get(from).is_some_and(|&next| next != dialect.delimiter);
                if goes_on && record[opened..quote].contains(&dialect.line_end) {
                    return true;
                }
            }
        }
        false
    }

    /// The end of the record that starts with `bytes`, including its line end. `None` if `bytes` do not contain the end.
    pub(crate) fn first_end(dialect: Dialect, bytes: &[u8]) -> Option<usize> {
        Boundary::new(dialect).next_end(bytes, 0).0
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

    /// Finds the first end of a record in `bytes[from..]`, and the position at which to continue, as [`Boundary::last_end`].
    pub(crate) fn next_end(&mut self, bytes: &[u8], mut from: usize) -> (Option<usize>, usize) {
        loop {
            if self.quoted {
                let Some(quote) = memchr(b'"', &bytes[from..]).map(|found| from + found) else {
                    return (None, bytes.len());
                };
                match bytes.get(quote + 1) {
                    Some(b'"') => from = quote + 2,
                    Some(_) => (self.quoted, from) = (false, quote + 1),
                    // The next byte decides whether this quote closes the field.
                    None => return (None, quote),
                }
            } else {
                let Some(found) =
                    memchr2(b'"', self.dialect.line_end, &bytes[from..]).map(|found| from + found)
                else {
                    return (None, bytes.len());
                };
                if bytes[found] == self.dialect.line_end {
                    return (Some(found + 1), found + 1);
                }
                self.quoted = found == 0 || self.starts_field(bytes[found - 1]);
                from = found + 1;
            }
        }
    }

    fn starts_field(&self, before: u8) -> bool {
        before == self.dialect.delimiter || before == self.dialect.line_end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Dialect = Dialect { delimiter: b',', line_end: b'\n' };
    const TABS: Dialect = Dialect { delimiter: b'\t', line_end: b'\n' };
    const RETURNS: Dialect = Dialect { delimiter: b',', line_end: b'\r' };

    #[test]
    fn a_line_end_inside_quotes_does_not_end_the_record() {
        assert_eq!(Boundary::first_end(COMMAS, b"a,\"b\n\"\"c\n\"\nd\n"), Some(11));
        assert_eq!(Boundary::first_end(COMMAS, b"\"a\n"), None);
    }

    #[test]
    fn a_quote_inside_a_plain_field_is_only_a_character() {
        assert_eq!(Boundary::first_end(COMMAS, b"5\" disk,x\ny\n"), Some(10));
        assert_eq!(Boundary::first_end(TABS, b"a,\"b\n"), Some(5));
    }

    #[test]
    fn a_carriage_return_is_text_if_lines_end_in_another_byte() {
        assert_eq!(Boundary::first_end(COMMAS, b"a,x\r\"y\n"), Some(7));
        assert_eq!(Boundary::first_end(COMMAS, b"a,x\r\"y\nz\"\r\n"), Some(7));
        assert_eq!(Boundary::first_end(RETURNS, b"a,x\n\"y\rz"), Some(7));
        assert_eq!(Boundary::first_end(RETURNS, b"a,\"x\r\"\r"), Some(7));
    }

    #[test]
    fn a_quoted_field_with_line_ends_and_text_behind_it_joins_records() {
        for (joined, record) in [
            (true, "1,\"x\n2,y\n3,\"z\" end\n"),
            (true, "1,\"x\n2,\"z\n"),
            (true, "\"x\"\"\n\"z\n"),
            (false, "1,\"x\n2,\"\n"),
            (false, "1,\"x\n2,\"\r\n"),
            (false, "1,\"x\n2,\""),
            (false, "1,\"x\n\"\"2\"\"\n,\",y\n"),
            (false, "1,\"x\" z,\"\n\"\n"),
            (false, "5\" x,y\"\n"),
            (false, ""),
        ] {
            assert_eq!(Boundary::joins(COMMAS, record.as_bytes()), joined, "{record:?}");
        }
    }

    #[test]
    fn the_last_end_does_not_depend_on_how_the_bytes_are_cut() {
        let bytes = b"a,\"b\n\"\"\"\n\"x\"\"\ny\",5\"\nlast";
        for cut in 0..bytes.len() {
            let mut boundary = Boundary::new(COMMAS);
            let (first, seen) = boundary.last_end(&bytes[..cut], 0);
            let (second, _) = boundary.last_end(bytes, seen);
            assert_eq!(second.or(first), Some(bytes.len() - 4), "cut at {cut}");
        }
    }
}
