//! Reading an object from its start to its end.

use std::io::{self, Read};

use bytes::{Buf, Bytes};

use super::{object::Object, runtime::RunningRequest};

/// The first part is small, because often only the first line of a file is needed. Each further part is twice as long, up to a
/// length at which the time until the server answers is short against the transfer.
const FIRST_BYTES: u64 = 256 * 1024;
const MOST_BYTES: u64 = 8 << 20;

/// Reads an object part by part. While one part is decoded, the next one is requested.
#[derive(Debug)]
pub(crate) struct Sequence {
    object: Object,
    /// Bytes that have arrived, and are not read yet.
    here: Bytes,
    /// The part that is requested now.
    next: Option<RunningRequest<Bytes>>,
    /// Whether nothing was read yet.
    is_new: bool,
    /// The start and length of the part to request next.
    position: u64,
    length: u64,
}

impl Sequence {
    pub(crate) fn at(object: &Object, position: u64) -> Sequence {
        let length = FIRST_BYTES;
        Sequence { object: object.clone(), here: Bytes::new(), next: None, is_new: true, position, length }
    }

    /// Requests the next part; `None` at the end of the object.
    fn ask(&mut self) -> io::Result<Option<RunningRequest<Bytes>>> {
        let end = (self.position + self.length).min(self.object.length());
        if self.position >= end {
            return Ok(None);
        }
        let part = RunningRequest::start(self.object.part(self.position..end))?;
        self.position = end;
        self.length = (self.length * 2).min(MOST_BYTES);
        Ok(Some(part))
    }
}

impl Read for Sequence {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.here.is_empty() && !buffer.is_empty() {
            let part = match self.next.take() {
                Some(part) => part,
                None => match self.ask()? {
                    Some(part) => part,
                    None => return Ok(0),
                },
            };
            self.here = part.wait(self.object.name(), self.object.waiting())?;
            if !std::mem::take(&mut self.is_new) {
                self.next = self.ask()?;
            }
        }
        let length = buffer.len().min(self.here.len());
        self.here.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}
