//! Buffered reading of an object in many small pieces. Most pieces lie shortly behind an earlier one.

use std::{
    io,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::{Bytes, BytesMut};

use super::object::Object;

/// The bytes of one request, as far as they are in one range: some pages of a column.
const WINDOW_BYTES: u64 = 2 << 20;

/// Keeps the last part of each range from which pieces are read. Clones share the parts.
#[derive(Debug, Clone)]
pub(crate) struct Windows(Arc<SharedParts>);

#[derive(Debug)]
struct SharedParts {
    object: Object,
    /// Ranges that are each read from start to end: the pages of a column.
    ranges: Vec<Range<u64>>,
    /// The parts in memory, with their positions.
    held: Mutex<Vec<(u64, Bytes)>>,
    /// The real error. Decoders return errors of their own instead.
    failure: Mutex<Option<io::Error>>,
}

impl Windows {
    pub(crate) fn of(object: &Object, ranges: Vec<Range<u64>>) -> Windows {
        let object = object.clone();
        Windows(Arc::new(SharedParts { object, ranges, held: Mutex::default(), failure: Mutex::default() }))
    }

    /// The bytes from `start` on. There are at least `length` of them, or all up to the end of the object.
    pub(crate) fn read(&self, start: u64, length: usize) -> io::Result<Bytes> {
        self.0.read(start, length as u64).map_err(|error| {
            let told = io::Error::other(error.to_string());
            *self.0.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            told
        })
    }

    /// The error of the last piece that could not be read; `None` if all were read.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.0.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl SharedParts {
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
        // Only the end of the file, with its footer, is outside all ranges. The bytes before it are wanted next.
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
        // One part for each range, and one for the end of the file.
        if held.len() > self.ranges.len() + 1 {
            held.remove(0);
        }
        Ok(bytes.slice((start - place) as usize..))
    }
}
