use std::io;

use super::boundary::{ElementBoundary, End};
use crate::{
    Error, InputFile, Problem,
    formats::{HEAD_BYTES, without_marks},
    read::{
        chunk::{content::Decoded, passed::Passed},
        decode::Decoding,
    },
};

/// The elements of a JSON array, decoded from its start. The meaning of a bracket or comma depends on all quotes before it, so
/// an array cannot be cut into ranges.
#[derive(Debug)]
pub(crate) struct ElementStream {
    decoding: Decoding,
    /// Decoded bytes that start with an element, and do not contain its end yet.
    carried: Vec<u8>,
    chunk_bytes: usize,
    max_record: u64,
    /// Whether the next element follows a comma.
    is_behind_comma: bool,
    ended: bool,
}

impl ElementStream {
    /// Opens an array, and skips its opening bracket.
    pub(crate) fn open(
        file: &InputFile,
        chunk_bytes: usize,
        max_record: u64,
    ) -> Result<ElementStream, Error> {
        let (mut decoding, mut carried) = (Decoding::open(file)?, Vec::new());
        let start = loop {
            let length = carried.len() + chunk_bytes;
            decoding.fill(&mut carried, length).map_err(|source| file.read_error(source))?;
            let array = without_marks(&carried).trim_ascii_start();
            // A byte order mark may be cut off here, so other bytes do not end this at once.
            if array.starts_with(b"[") || decoding.has_ended() || array.len() > HEAD_BYTES {
                break carried.len() - array.len() + usize::from(array.starts_with(b"["));
            }
            if array.is_empty() {
                carried.clear();
            }
        };
        carried.drain(..start);
        Ok(ElementStream { decoding, carried, chunk_bytes, max_record, is_behind_comma: false, ended: false })
    }

    /// The next elements; `None` at the end.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        self.decode().map_err(|source| file.read_error(source))
    }

    fn decode(&mut self) -> io::Result<Option<Decoded>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let mut boundary = ElementBoundary::default();
        let wanted = self.chunk_bytes.max(bytes.len() + 1);
        self.decoding.fill(&mut bytes, wanted)?;
        let (mut end, mut seen) = boundary.last_end(&bytes, 0);
        if self.decoding.has_ended() {
            return self.end(bytes, boundary, end).map(Some);
        }
        // An element that is longer than a chunk has a chunk of its own. The same number of bytes is read behind it whether it
        // is kept or skipped, so the chunks are the same.
        while end.is_none() && !self.decoding.has_ended() {
            if bytes.len() as u64 > self.max_record {
                return self.pass(bytes, boundary, seen).map(Some);
            }
            let wanted = bytes.len() + self.chunk_bytes;
            self.decoding.fill(&mut bytes, wanted)?;
            (end, seen) = boundary.next_end(&bytes, seen);
        }
        match end {
            Some(End::Comma(end)) => {
                self.carry(&mut bytes, end);
                Ok(Some(Decoded { bytes, passed: None, broken: None }))
            }
            end => self.end(bytes, boundary, end).map(Some),
        }
    }

    /// Moves the bytes behind a comma to the next chunk.
    fn carry(&mut self, bytes: &mut Vec<u8>, end: usize) {
        self.carried = bytes.split_off(end);
        self.is_behind_comma = true;
    }

    /// The last chunk. Elements up to `end` are known to be whole, and `boundary` has scanned all bytes.
    fn end(
        &mut self,
        mut bytes: Vec<u8>,
        boundary: ElementBoundary,
        end: Option<End>,
    ) -> io::Result<Decoded> {
        self.ended = true;
        let broken = match (end, self.decoding.broken()) {
            (Some(End::Array(end)), _) => {
                let behind = bytes.split_off(end);
                bytes.pop();
                let before = bytes.trim_ascii_end();
                let is_trailing = before.ends_with(b",") || (before.is_empty() && self.is_behind_comma);
                self.behind_array(behind)?.or(is_trailing.then_some(Problem::TrailingComma))
            }
            (_, Some(problem)) => {
                bytes.truncate(comma(end));
                Some(problem.clone())
            }
            (_, None) => {
                if !boundary.is_closed() {
                    bytes.truncate(comma(end));
                }
                Some(Problem::OpenArray)
            }
        };
        Ok(Decoded { bytes, passed: None, broken })
    }

    /// Skips the element that starts with `bytes`. `boundary` has scanned them up to `seen`.
    fn pass(
        &mut self,
        mut bytes: Vec<u8>,
        mut boundary: ElementBoundary,
        mut seen: usize,
    ) -> io::Result<Decoded> {
        let (mut length, mut end) = (0, None);
        while end.is_none() && !self.decoding.has_ended() {
            // Frees the memory of the bytes that were scanned.
            bytes = bytes.split_off(seen);
            length += seen as u64;
            seen = 0;
            let wanted = bytes.len() + self.chunk_bytes;
            self.decoding.fill(&mut bytes, wanted)?;
            (end, seen) = boundary.next_end(&bytes, seen);
        }
        let here = end.map_or(bytes.len(), End::of_element);
        let passed = Some(Passed { length: length + here as u64, lines: 1 });
        match end {
            Some(End::Comma(end)) => {
                self.carry(&mut bytes, end);
                Ok(Decoded { bytes: Vec::new(), passed, broken: None })
            }
            Some(End::Array(end)) => {
                self.ended = true;
                let broken = self.behind_array(bytes.split_off(end))?;
                Ok(Decoded { bytes: Vec::new(), passed, broken })
            }
            None => {
                self.ended = true;
                let broken = self.decoding.broken().cloned().unwrap_or(Problem::OpenArray);
                // If the stream is damaged or the element has no end, its length is not the problem to report.
                let is_whole = boundary.is_closed() && self.decoding.broken().is_none();
                Ok(Decoded { bytes: Vec::new(), passed: passed.filter(|_| is_whole), broken: Some(broken) })
            }
        }
    }

    /// Checks that nothing stands behind the array. `bytes` are the first bytes behind it.
    fn behind_array(&mut self, mut bytes: Vec<u8>) -> io::Result<Option<Problem>> {
        loop {
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Problem::BehindArray));
            }
            if self.decoding.has_ended() {
                return Ok(self.decoding.broken().cloned());
            }
            bytes.clear();
            self.decoding.fill(&mut bytes, self.chunk_bytes)?;
        }
    }
}

/// The position up to which the elements are known to be whole.
fn comma(end: Option<End>) -> usize {
    match end {
        Some(End::Comma(end)) => end,
        _ => 0,
    }
}
