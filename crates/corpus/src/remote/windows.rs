//! An object from which a decoder takes many small pieces, each a little after one that it took before.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::{Bytes, BytesMut};

use super::object::Object;

/// What is asked for at once, as long as it is in one range: some pages of a column.
const WINDOW_BYTES: u64 = 2 << 20;

/// Keeps the last part of each range from which pieces are taken. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Windows(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    object: Object,
    /// What belongs together, and is read from its start to its end: the pages of a column.
    ranges: Vec<Range<u64>>,
    /// Where the bytes at hand are from, and these.
    held: Mutex<Vec<(u64, Bytes)>>,
    /// Decoders turn errors into their own; this one is the truth.
    failure: Mutex<Option<io::Error>>,
}

impl Windows {
    pub(crate) fn of(object: &Object, ranges: Vec<Range<u64>>) -> Windows {
        let object = object.clone();
        Windows(Arc::new(Shared { object, ranges, held: Mutex::default(), failure: Mutex::default() }))
    }

    /// The bytes from a place on, at least `length` of them, or those up to the end of the object.
    pub(crate) fn read(&self, start: u64, length: usize) -> io::Result<Bytes> {
        self.0.read(start, length as u64).map_err(|error| {
            let told = io::Error::other(error.to_string());
            *self.0.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            told
        })
    }

    /// Why the last piece could not be read; `None` if all could.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.0.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Shared {
    fn read(&self, start: u64, length: u64) -> io::Result<Bytes> {
        let end = start.saturating_add(length).min(self.object.length());
        if start >= end {
            return Ok(Bytes::new());
        }
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let from = |place: u64, bytes: &Bytes| (place..=place + bytes.len() as u64).contains(&start);
        let known = held.iter().position(|(place, bytes)| from(*place, bytes));
        let rest = match known {
            Some(index) => {
                let (place, bytes) = &held[index];
                let rest = bytes.slice((start - place) as usize..);
                if start + rest.len() as u64 >= end {
                    return Ok(rest);
                }
                held.swap_remove(index);
                rest
            }
            None => Bytes::new(),
        };
        let missing = start + rest.len() as u64;
        let range = self.ranges.iter().find(|range| range.contains(&missing));
        // Outside of all ranges is the end of the file, with its table of contents: what is before it is wanted next.
        let (before, limit) = match range {
            Some(range) => (missing, range.end),
            None => (missing.min(self.object.length().saturating_sub(WINDOW_BYTES)), self.object.length()),
        };
        let before = if rest.is_empty() { before } else { missing };
        let until = end.max((missing + WINDOW_BYTES).min(limit));
        let part = self.object.read_part(before..until)?;
        let mut bytes = BytesMut::with_capacity(rest.len() + part.len());
        bytes.extend_from_slice(&rest);
        bytes.extend_from_slice(&part);
        let (bytes, place) = (bytes.freeze(), before - rest.len() as u64);
        held.push((place, bytes.clone()));
        // One for each range, and one for the end of the file.
        if held.len() > self.ranges.len() + 1 {
            held.remove(0);
        }
        Ok(bytes.slice((start - place) as usize..))
    }
}
