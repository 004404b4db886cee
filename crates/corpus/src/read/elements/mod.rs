//! JSON arrays, whose elements are records.

mod boundary;
mod stream;

use std::{iter, ops::Range};

use self::boundary::ElementBoundary;
pub(super) use self::stream::ElementStream;
use super::{json::RecordParser, lines::utf8};
use crate::{BadRecord, Place, Problem, Record};

/// Complete elements, including the commas between them and the white space around them.
#[derive(Debug)]
pub(crate) struct Elements<'s> {
    pub(super) bytes: &'s [u8],
    pub(super) parser: RecordParser<'s>,
}

impl Elements<'_> {
    pub(super) fn count(&self) -> u32 {
        let (mut count, mut start) = (0, 0);
        while let Some(element) = self.next(start) {
            (count, start) = (count + 1, element.end + 1);
        }
        count
    }

    /// Visits every record, and returns the number of elements.
    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        let (mut line, mut start) = (0, 0);
        while let Some(element) = self.next(start) {
            start = element.end + 1;
            visit(match u32::try_from(element.start) {
                Ok(offset) => self.parse(element, Place { offset, line }),
                // The element starts more than 4 GiB into the chunk, so a place cannot hold its offset.
                Err(_) => Err(BadRecord { line, problem: Problem::TooLong }),
            });
            line += 1;
        }
        line
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let element = self.next(place.offset as usize);
        self.parse(element.ok_or(BadRecord { line: place.line, problem: Problem::Gone })?, place)
    }

    fn parse(&mut self, element: Range<usize>, place: Place) -> Result<Record<'_>, BadRecord> {
        let element = &self.bytes[element];
        match utf8(element) {
            Ok(text) => self.parser.record(text.trim_ascii(), text.len(), place),
            Err(problem) => Err(BadRecord { line: place.line, problem }),
        }
    }

    /// The element at `place`, without the white space around it.
    pub(super) fn raw(&self, place: Place) -> Option<&[u8]> {
        Some(self.bytes[self.next(place.offset as usize)?].trim_ascii())
    }

    fn next(&self, start: usize) -> Option<Range<usize>> {
        next(self.bytes, start)
    }
}

/// All elements that are valid UTF-8.
pub(super) fn texts(bytes: &[u8]) -> impl Iterator<Item = &str> {
    let all = iter::successors(next(bytes, 0), |element| next(bytes, element.end + 1));
    all.filter_map(|element| str::from_utf8(&bytes[element]).ok())
}

/// The element that starts at `start`, without the comma behind it. White space behind the last comma is not an element.
fn next(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = bytes.get(start..)?;
    match ElementBoundary::first_end(rest) {
        Some(end) => Some(start..start + end.of_element()),
        None => (!rest.trim_ascii().is_empty()).then_some(start..bytes.len()),
    }
}

#[cfg(test)]
mod tests;
