//! Reading frames one after the other.

use std::borrow::Cow;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    Journal, JournalEnd,
    check::{BadFrame, FrameFault},
    frame::{FrameHead, HEAD_BYTES},
};

/// The system is asked for this much at a time. A sparse map alone would read a page at a time. 4 MiB keep a disk busy, and are
/// little to read in vain.
const READ_AHEAD: u64 = 4 << 20;

/// A frame whose checksums match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<'j> {
    /// The byte at which the payload starts.
    pub at: u64,
    /// The sequence number of the first entry in the payload.
    pub sequence: u64,
    /// The payload, copied if the journal grows.
    pub payload: Cow<'j, [u8]>,
    chain: u64,
}

impl Frame<'_> {
    /// The end of the journal behind this frame.
    pub fn end(&self) -> JournalEnd {
        JournalEnd { at: self.at + self.payload.len() as u64, chain: self.chain }
    }
}

/// The frames of a part of a journal, up to the first bad one.
pub(super) struct Frames<'j> {
    journal: &'j Journal,
    /// The end of the last frame. `None` behind a bad frame.
    end: Option<JournalEnd>,
    to: u64,
    /// The system has been asked for the bytes before this one.
    asked: u64,
}

impl<'j> Frames<'j> {
    pub(super) fn new(journal: &'j Journal, from: JournalEnd, to: u64) -> Self {
        Frames { journal, end: Some(from), to, asked: from.at }
    }

    fn frame(&mut self, end: JournalEnd) -> Result<Frame<'j>, FrameFault> {
        let at = end.at.saturating_add(HEAD_BYTES as u64);
        let head = self.bytes(end.at, at)?;
        let (head, chain) = decode(self.journal, &head, end)?;
        let payload = self.bytes(at, at.saturating_add(u64::from(head.length)))?;
        if xxh3_64(&payload) != head.payload {
            return Err(FrameFault::Payload(head));
        }
        Ok(Frame { at, sequence: head.sequence, payload, chain })
    }

    fn bytes(&mut self, start: u64, end: u64) -> Result<Cow<'j, [u8]>, FrameFault> {
        if end > self.to {
            return Err(FrameFault::CutOff);
        }
        if end > self.asked {
            let ahead = end.saturating_add(READ_AHEAD).min(self.to);
            self.journal.expect(self.asked..ahead);
            self.asked = ahead;
        }
        match self.journal.bytes.read(start..end) {
            Ok(bytes) => bytes.ok_or(FrameFault::CutOff),
            Err(source) => Err(FrameFault::Unreadable(source)),
        }
    }
}

/// The head of the frame that continues `end`, and the chain value of the frame.
fn decode(journal: &Journal, head: &[u8], end: JournalEnd) -> Result<(FrameHead, u64), FrameFault> {
    let (head, chain) = FrameHead::decode(head, journal.start.seed, end.at).ok_or(FrameFault::Head)?;
    if head.before != end.chain {
        return Err(FrameFault::Chain);
    }
    Ok((head, chain))
}

/// See [`Journal::seek`].
pub(super) fn seek(
    journal: &Journal,
    from: JournalEnd,
    to: u64,
    sequence: u64,
) -> Result<JournalEnd, BadFrame> {
    let (mut found, mut end) = (from, from);
    while end.at < to {
        let at = end.at + HEAD_BYTES as u64;
        let read = || {
            let head = journal.bytes.read(end.at..at).map_err(FrameFault::Unreadable)?;
            decode(journal, &head.ok_or(FrameFault::CutOff)?, end)
        };
        let (head, chain) = read().map_err(|fault| BadFrame { at: end.at, fault })?;
        if head.sequence > sequence {
            break;
        }
        found = end;
        end = JournalEnd { at: at + u64::from(head.length), chain };
    }
    Ok(found)
}

impl<'j> Iterator for Frames<'j> {
    type Item = Result<Frame<'j>, BadFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        let end = self.end.take().filter(|end| end.at < self.to)?;
        Some(match self.frame(end) {
            Ok(frame) => {
                self.end = Some(frame.end());
                Ok(frame)
            }
            Err(fault) => Err(BadFrame { at: end.at, fault }),
        })
    }
}
