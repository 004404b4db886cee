//! An object from its start to its end.

use std::io::{self, Read};

use bytes::{Buf, Bytes};

use super::{object::Object, runtime::Pending};

/// The first part is small, as often nobody wants more than the first line of a file; each other is twice as long, up to
/// what makes the time until a server answers small beside that of the transfer.
const FIRST_BYTES: u64 = 256 * 1024;
const MOST_BYTES: u64 = 8 << 20;

/// Reads an object part after part; while one is decoded the next is under way.
#[derive(Debug)]
pub(crate) struct Sequence {
    object: Object,
    /// What has come and was not read yet.
    here: Bytes,
    /// The part that is under way.
    next: Option<Pending<Bytes>>,
    /// Was nothing read yet?
    is_new: bool,
    /// Where the part after it starts, and how long it is to be.
    position: u64,
    length: u64,
}

impl Sequence {
    pub(crate) fn at(object: &Object, position: u64) -> Sequence {
        let length = FIRST_BYTES;
        Sequence { object: object.clone(), here: Bytes::new(), next: None, is_new: true, position, length }
    }

    /// Asks for the part after all that was asked for; `None` at the end of the object.
    fn ask(&mut self) -> io::Result<Option<Pending<Bytes>>> {
        let end = (self.position + self.length).min(self.object.length());
        if self.position >= end {
            return Ok(None);
        }
        let part = Pending::start(self.object.part(self.position..end))?;
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
