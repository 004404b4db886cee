//! The end of a journal after a kill or a power cut.

use super::{
    Journal, JournalEnd,
    frame::{FrameHead, HEAD_BYTES, MAGIC},
    walk::Frames,
};
use crate::Error;
use std::borrow::Cow;

/// Bytes that are searched for the last head at a time. A frame of a batch has about a megabyte.
const SEARCHED_BYTES: u64 = 1 << 20;

/// The end of a journal, as [`Journal::recover`] found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The end of the last whole frame.
    pub end: JournalEnd,
    /// The number of bytes behind it, which [`JournalWriter::resume`](super::JournalWriter::resume) cuts off.
    pub cut: u64,
}

/// Finds the end of `journal`.
pub(super) fn recover(journal: &Journal, from: JournalEnd, durable: u64) -> Result<Recovered, Error> {
    let length = journal.length()?;
    if from.at < journal.start().at {
        return Err(journal.damaged(from.at, "no frame starts here"));
    }
    if length < from.at.max(durable) {
        return Err(journal.damaged(length, "the file ends before bytes that were on the disk"));
    }
    let mut end = from;
    for frame in Frames::new(journal, from, length) {
        match frame {
            Ok(frame) => end = frame.end(),
            Err(bad) => {
                let was_durable = bad.at < durable || is_durable_by_a_later_head(journal, bad.at, length)?;
                let frame = read(journal, bad.at, bad.at.saturating_add(bad.bytes()).min(length))?;
                if was_durable || !bad.looks_torn(&frame) {
                    return Err(journal.error(bad));
                }
            }
        }
    }
    Ok(Recovered { end, cut: length - end.at })
}

/// The bytes between `from` and `to`, or none if the file was cut meanwhile.
fn read(journal: &Journal, from: u64, to: u64) -> Result<Cow<'_, [u8]>, Error> {
    let bytes = journal.bytes.read(from..to).map_err(Error::read(&journal.path))?;
    Ok(bytes.unwrap_or_default())
}

/// Whether a head behind byte `at` says that more than `at` bytes were on the disk. Frames are searched for at every byte, because
/// the length of the frame at `at` is unknown if its head is bad.
fn is_durable_by_a_later_head(journal: &Journal, at: u64, length: u64) -> Result<bool, Error> {
    let mut start = at + 1;
    while start < length {
        let next = start.saturating_add(SEARCHED_BYTES);
        let bytes = read(journal, start, next.saturating_add(HEAD_BYTES as u64).min(length))?;
        let mut from = 0;
        while let Some(skipped) = bytes.get(from..).and_then(next_magic) {
            let place = start + (from + skipped) as u64;
            let head = FrameHead::decode(&bytes[from + skipped..], journal.start.seed, place);
            if head.is_some_and(|(head, _)| head.durable > at) {
                return Ok(true);
            }
            from += skipped + 1;
        }
        start = next;
    }
    Ok(false)
}

/// The number of bytes before the next magic.
fn next_magic(bytes: &[u8]) -> Option<usize> {
    bytes.windows(MAGIC.len()).position(|window| window == MAGIC)
}

/// Searches backwards for the head of the frame that ends at `end`. Heads are searched for at every byte, because a frame does not end with
/// its length.
pub(super) fn ends_with(journal: &Journal, end: JournalEnd) -> Result<bool, Error> {
    let start = journal.start();
    let mut to = end.at;
    while to > start.at {
        let from = to.saturating_sub(SEARCHED_BYTES).max(start.at);
        journal.expect(from..to);
        let bytes = journal.bytes(from..(to + HEAD_BYTES as u64).min(end.at))?;
        for at in (from..to).rev() {
            let bytes = &bytes[(at - from) as usize..];
            if bytes.starts_with(&MAGIC)
                && let Some((head, chain)) = FrameHead::decode(bytes, journal.start.seed, at)
                && at + HEAD_BYTES as u64 + u64::from(head.length) == end.at
            {
                return Ok(chain == end.chain);
            }
        }
        to = from;
    }
    Ok(start == end)
}
