//! Lines of JSON as records.

pub(super) mod ranges;
pub(super) mod stream;

use memchr::{memchr, memchr_iter};

use crate::read::json::RecordParser;
use crate::{BadRecord, Place, Problem, Record};

/// Complete lines. Only the last line of a file may lack its line end.
#[derive(Debug)]
pub(crate) struct Lines<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) parser: RecordParser<'s>,
}

impl<'s> Lines<'s> {
    pub(super) fn count(&self) -> u32 {
        let unended = self.bytes.last().is_some_and(|&last| last != b'\n');
        memchr_iter(b'\n', self.bytes).count() as u32 + u32::from(unended)
    }

    /// Visits every record, and returns the number of lines.
    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        // Validating all lines at once is several times faster than one by one, and it nearly always suffices.
        let all = simdutf8::basic::from_utf8(self.bytes).ok();
        let mut place = Place { offset: 0, line: 0 };
        let mut start = 0;
        while start < self.bytes.len() {
            let end = self.line_end(start);
            let offset = u32::try_from(start).ok();
            place.offset = offset.unwrap_or_default();
            let line = match all {
                // The line starts more than 4 GiB into the chunk, so a place cannot hold its offset.
                _ if offset.is_none() => Err(Problem::TooLong),
                Some(text) => Ok(&text[start..end]),
                None => utf8(&self.bytes[start..end]),
            };
            match line {
                Ok(line) if is_blank(line) => {}
                Ok(line) => visit(self.parser.record(without_marks(line), line.len(), place)),
                Err(problem) => visit(Err(BadRecord { line: place.line, problem })),
            }
            place.line += 1;
            start = end;
        }
        place.line
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let line = utf8(self.raw(place).ok_or_else(|| bad(Problem::Gone))?).map_err(bad)?;
        self.parser.record(without_marks(line), line.len(), place)
    }

    pub(super) fn raw(&self, place: Place) -> Option<&'s [u8]> {
        let start = place.offset as usize;
        (start < self.bytes.len()).then(|| &self.bytes[start..self.line_end(start)])
    }

    fn line_end(&self, start: usize) -> usize {
        memchr(b'\n', &self.bytes[start..]).map_or(self.bytes.len(), |newline| start + newline + 1)
    }
}

/// Validates the bytes as UTF-8.
pub(super) fn utf8(line: &[u8]) -> Result<&str, Problem> {
    simdutf8::compat::from_utf8(line).map_err(|error| Problem::InvalidUtf8 { byte: error.valid_up_to() })
}

fn is_blank(line: &str) -> bool {
    without_marks(line).bytes().all(|byte| byte.is_ascii_whitespace())
}

/// Strips byte order marks from the start of the text. JSON never starts with one, so they have no meaning at the start of any
/// line.
pub(crate) fn without_marks(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
}
