use std::io;

use super::boundary::{Boundary, End};
use crate::{
    Error, InputFile, Problem,
    formats::{HEAD_BYTES, without_marks},
    read::{
        chunk::{Decoded, Passed},
        decode::Decoding,
    },
};

/// A JSON array is always read from its start: a bracket or a comma tells nothing unless all quotes before it are known.
#[derive(Debug)]
pub(crate) struct ElementStream {
    decoding: Decoding,
    /// Decoded bytes in which no element ends yet. They start with an element.
    carried: Vec<u8>,
    chunk_bytes: usize,
    max_record: u64,
    /// Does the next element come behind a comma?
    is_behind_comma: bool,
    ended: bool,
}

impl ElementStream {
    /// Opens an array and passes over its bracket.
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
            if array.starts_with(b"[") || decoding.has_ended() || carried.len() > HEAD_BYTES {
                break carried.len() - array.len() + usize::from(array.starts_with(b"["));
            }
        };
        carried.drain(..start);
        Ok(ElementStream { decoding, carried, chunk_bytes, max_record, is_behind_comma: false, ended: false })
    }

    /// The next elements; `None` after the last.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        self.decode().map_err(|source| file.read_error(source))
    }

    fn decode(&mut self) -> io::Result<Option<Decoded>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let mut boundary = Boundary::default();
        let wanted = self.chunk_bytes.max(bytes.len() + 1);
        self.decoding.fill(&mut bytes, wanted)?;
        let (mut end, mut seen) = boundary.last_end(&bytes, 0);
        if self.decoding.has_ended() {
            return self.end(bytes, boundary, end).map(Some);
        }
        // An element that is longer than a chunk is one of its own, and as much is read behind it, whether it is held or passed over: chunks
        // are the same.
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

    /// Keeps what is behind a comma for the next chunk.
    fn carry(&mut self, bytes: &mut Vec<u8>, end: usize) {
        self.carried = bytes.split_off(end);
        self.is_behind_comma = true;
    }

    /// The last elements, of which those up to `end` are known to be whole; `boundary` has seen all bytes.
    fn end(&mut self, mut bytes: Vec<u8>, boundary: Boundary, end: Option<End>) -> io::Result<Decoded> {
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

    /// Passes over the element that starts with `bytes`, in which `boundary` has come to `seen`.
    fn pass(&mut self, mut bytes: Vec<u8>, mut boundary: Boundary, mut seen: usize) -> io::Result<Decoded> {
        let (mut length, mut end) = (0, None);
        while end.is_none() && !self.decoding.has_ended() {
            // The memory of what was looked at is given back.
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
                // Where the stream breaks or an element has no end, it is not its length that is wrong.
                let is_whole = boundary.is_closed() && self.decoding.broken().is_none();
                Ok(Decoded { bytes: Vec::new(), passed: passed.filter(|_| is_whole), broken: Some(broken) })
            }
        }
    }

    /// What is wrong behind the array, which `bytes` come behind: there must be nothing.
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

/// Where elements end that are known to be whole.
fn comma(end: Option<End>) -> usize {
    match end {
        Some(End::Comma(end)) => end,
        _ => 0,
    }
}
