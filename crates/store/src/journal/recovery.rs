//! The end of a journal after a kill or a power cut.

use super::{
    Journal, JournalEnd,
    frame::{FrameHead, HEAD_BYTES, MAGIC},
    walk::Frames,
};
use crate::Error;

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

/// Finds the end of `journal`, which is mapped as `file`.
pub(super) fn recover(
    journal: &Journal,
    file: &[u8],
    from: JournalEnd,
    durable: u64,
) -> Result<Recovered, Error> {
    let length = file.len() as u64;
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
                let was_durable = bad.at < durable || is_durable_by_a_later_head(journal, file, bad.at);
                if was_durable || !bad.looks_torn(file) {
                    return Err(journal.error(bad));
                }
            }
        }
    }
    Ok(Recovered { end, cut: length - end.at })
}

/// Whether a head behind byte `at` says that more than `at` bytes were on the disk. Frames are searched for at every byte, because
/// the length of the frame at `at` is unknown if its head is bad.
fn is_durable_by_a_later_head(journal: &Journal, file: &[u8], at: u64) -> bool {
    let mut from = at as usize + 1;
    while let Some(place) = file.get(from..).and_then(next_magic).map(|skipped| from + skipped) {
        let head = FrameHead::decode(&file[place..], journal.start.seed, place as u64);
        if head.is_some_and(|(head, _)| head.durable > at) {
            return true;
        }
        from = place + 1;
    }
    false
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
