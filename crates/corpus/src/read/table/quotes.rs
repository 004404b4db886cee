//! The quoted fields of a record, and signs that its quotes are text.

use std::iter;

use memchr::{memchr, memchr_iter};

use super::{Closing, Dialect, WantedColumns, split_line_end};
use crate::{Quoting, SuspectQuotes};

/// The places of the two quotes of a quoted field in its record.
struct QuotedField {
    opens: usize,
    closes: usize,
}

impl QuotedField {
    /// The quoted fields of a record without its line end.
    fn all(dialect: Dialect, record: &[u8]) -> impl Iterator<Item = QuotedField> {
        let mut from = if dialect.quoting.has_quotes() { 0 } else { record.len() };
        iter::from_fn(move || {
            loop {
                let opens = from + memchr(b'"', &record[from..])?;
                from = opens + 1;
                if opens > 0 && !dialect.starts_field(record[opens - 1]) {
                    continue;
                }
                let closes = match dialect.closing_quote(record, from) {
                    Closing::At(quote) => quote,
                    Closing::Unknown(seen) => (record.get(seen) == Some(&b'"')).then_some(seen)?,
                };
                from = closes + 1;
                return Some(QuotedField { opens, closes });
            }
        })
    }

    /// Whether text stands between the closing quote and the end of the field.
    fn goes_on(&self, dialect: Dialect, record: &[u8]) -> bool {
        record.get(self.closes + 1).is_some_and(|&next| next != dialect.delimiter)
    }
}

/// Whether a quoted field of the record contains a line end, and continues behind its closing quote. Such a quote may be
/// text rather than the start of a quoted field, and may have joined several records.
pub(super) fn joins(dialect: Dialect, record: &[u8]) -> bool {
    let (record, _) = split_line_end(record);
    QuotedField::all(dialect, record).any(|field| {
        field.goes_on(dialect, record) && record[field.opens..field.closes].contains(&dialect.line_end)
    })
}

/// Looks for signs in a good record that begins in `line` of its chunk and has so many `line_ends`, with that at its end. The caller who says
/// how fields are quoted needs none.
pub(super) fn look_for_signs(
    signs: &mut SuspectQuotes,
    columns: &WantedColumns,
    record: &[u8],
    line: u32,
    line_ends: u32,
) {
    let dialect = columns.dialect;
    if dialect.quoting != Quoting::Doubled {
        return;
    }
    let (content, end) = split_line_end(record);
    if line_ends > u32::from(!end.is_empty()) {
        signs.spanning += 1;
        let delimiters = columns.names.len() - 1;
        if delimiters > 0 && all_lines_have(delimiters, dialect, content) {
            signs.rows.add(line);
        }
    }
    let closes_in_its_middle = |field: QuotedField| {
        let text = &content[field.opens + 1..field.closes];
        text.ends_with(b"\\") && field.goes_on(dialect, content)
    };
    if memchr(b'\\', content).is_some() && QuotedField::all(dialect, content).any(closes_in_its_middle) {
        signs.escapes.add(line);
    }
}

/// Whether each line of `content` has so many delimiters.
fn all_lines_have(delimiters: usize, dialect: Dialect, content: &[u8]) -> bool {
    let mut start = 0;
    memchr_iter(dialect.line_end, content).chain([content.len()]).all(|end| {
        let line = &content[start..end];
        start = end + 1;
        memchr_iter(dialect.delimiter, line).take(delimiters + 1).count() == delimiters
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Dialect = Dialect { delimiter: b',', line_end: b'\n', quoting: Quoting::Doubled };

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
            assert_eq!(joins(COMMAS, record.as_bytes()), joined, "{record:?}");
        }
    }
}
