//! Lines of a compressed file, which must be decoded from its start.

use std::io;

use memchr::{memchr, memrchr};

use crate::read::{
    chunk::{content::Decoded, passed::Passed},
    decode::Decoding,
};
use crate::{Error, InputFile};

#[derive(Debug)]
pub(crate) struct LineStream {
    decoding: Decoding,
    /// The start of a line whose end is not decoded yet.
    carried: Vec<u8>,
    chunk_bytes: usize,
    max_record: u64,
    ended: bool,
}

impl LineStream {
    pub(crate) fn open(file: &InputFile, chunk_bytes: usize, max_record: u64) -> Result<LineStream, Error> {
        let (decoding, carried) = (Decoding::open(file)?, Vec::new());
        Ok(LineStream { decoding, carried, chunk_bytes, max_record, ended: false })
    }

    /// The next lines; `None` at the end. They have at least `chunk_bytes` bytes, except the last ones.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        self.decode().map_err(|source| file.read_error(source))
    }

    fn decode(&mut self) -> io::Result<Option<Decoded>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let wanted = self.chunk_bytes.max(bytes.len() + 1);
        self.decoding.fill(&mut bytes, wanted)?;
        let mut end = memrchr(b'\n', &bytes).map(|newline| newline + 1);
        // A line that is longer than a chunk has a chunk of its own. The same number of bytes is read behind it whether it is
        // kept or skipped, so the chunks are the same.
        while end.is_none() && !self.decoding.has_ended() {
            if bytes.len() as u64 > self.max_record {
                return self.pass(bytes).map(Some);
            }
            let searched = bytes.len();
            self.decoding.fill(&mut bytes, searched + self.chunk_bytes)?;
            end = memchr(b'\n', &bytes[searched..]).map(|newline| searched + newline + 1);
        }
        match end {
            Some(end) if !self.decoding.has_ended() => {
                self.carried = bytes.split_off(end);
                Ok(Some(Decoded { bytes, passed: None, broken: None }))
            }
            _ => Ok(self.end(bytes)),
        }
    }

    /// The last chunk of lines.
    fn end(&mut self, mut bytes: Vec<u8>) -> Option<Decoded> {
        self.ended = true;
        let broken = self.decoding.broken().cloned();
        if broken.is_some() {
            bytes.truncate(memrchr(b'\n', &bytes).map_or(0, |newline| newline + 1));
        }
        let any = !bytes.is_empty() || broken.is_some();
        any.then_some(Decoded { bytes, passed: None, broken })
    }

    /// Skips the line that starts with `bytes`.
    fn pass(&mut self, mut bytes: Vec<u8>) -> io::Result<Decoded> {
        let (mut length, mut end) = (0, None);
        while end.is_none() && !(self.decoding.has_ended() && bytes.is_empty()) {
            length += bytes.len() as u64;
            // Frees the memory of the bytes that were scanned.
            bytes = Vec::new();
            self.decoding.fill(&mut bytes, self.chunk_bytes)?;
            end = memchr(b'\n', &bytes).map(|newline| newline + 1);
        }
        if let Some(end) = end {
            self.carried = bytes.split_off(end);
            length += end as u64;
        }
        let broken = self.decoding.broken().filter(|_| end.is_none()).cloned();
        self.ended = end.is_none();
        // If the stream is damaged, the length of the line is not the problem to report.
        let passed = broken.is_none().then_some(Passed { length, lines: 1 });
        Ok(Decoded { bytes: Vec::new(), passed, broken })
    }
}
