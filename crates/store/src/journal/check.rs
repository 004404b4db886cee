//! Why a frame is bad, and whether a write that was not finished explains it.

use std::io;

use super::frame::{FrameHead, HEAD_BYTES};

/// A device writes a sector in full or not at all. Devices with larger sectors write several of these.
const SECTOR_BYTES: usize = 512;

/// Fewer bytes than these are no sign of an unwritten sector: damage to a few bytes could have zeroed them.
const TELLING_BYTES: usize = 8;

/// A frame that cannot be used.
#[derive(Debug)]
pub(super) struct BadFrame {
    /// The byte at which it starts.
    pub(super) at: u64,
    pub(super) fault: FrameFault,
}

/// The first check that a frame does not pass.
#[derive(Debug)]
pub(super) enum FrameFault {
    /// The system cannot read it.
    Unreadable(io::Error),
    /// The file, or the part that is read, ends within the frame.
    CutOff,
    /// The head has another magic, or fails its checksum.
    Head,
    /// The head is undamaged, but it does not continue the frame before.
    Chain,
    /// The payload fails the checksum in this head.
    Payload(FrameHead),
}

impl BadFrame {
    /// A description of the damage, or the error of a file that cannot be read.
    pub(super) fn what(self) -> Result<&'static str, io::Error> {
        match self.fault {
            FrameFault::Unreadable(error) => Err(error),
            FrameFault::CutOff => Ok("a frame is cut off"),
            FrameFault::Head => Ok("the head of a frame does not match its checksum"),
            FrameFault::Chain => Ok("a frame does not continue the frame before it"),
            FrameFault::Payload(_) => Ok("the payload of a frame does not match its checksum"),
        }
    }

    /// The bytes of the frame, as far as its head is known.
    pub(super) fn bytes(&self) -> u64 {
        let payload = match &self.fault {
            FrameFault::Payload(head) => head.length.into(),
            _ => 0,
        };
        HEAD_BYTES as u64 + payload
    }

    /// Whether an unfinished write explains this frame, whose bytes start `rest`.
    pub(super) fn looks_torn(&self, rest: &[u8]) -> bool {
        match &self.fault {
            FrameFault::CutOff => true,
            FrameFault::Head => is_partly_unwritten(self.at, &rest[..HEAD_BYTES.min(rest.len())]),
            FrameFault::Payload(head) => {
                let payload = rest.get(HEAD_BYTES..).unwrap_or_default();
                let payload = &payload[..payload.len().min(head.length as usize)];
                zero_sectors(self.at + HEAD_BYTES as u64, payload) > head.sparse
            }
            FrameFault::Chain | FrameFault::Unreadable(_) => false,
        }
    }
}

/// The number of bytes between `at` and the next sector, at most `length`.
fn to_next_sector(at: u64, length: usize) -> usize {
    let used = (at % SECTOR_BYTES as u64) as usize;
    ((SECTOR_BYTES - used) % SECTOR_BYTES).min(length)
}

/// Whether one of the two sectors that share the head at `at` was not written. A head has no zeros in its first bytes, and ends
/// with a checksum, so neither part is zero as written.
fn is_partly_unwritten(at: u64, head: &[u8]) -> bool {
    let (first, second) = head.split_at(to_next_sector(at, head.len()));
    [first, second].iter().any(|part| part.len() >= TELLING_BYTES && is_zero(part))
}

/// The sectors that start in a payload at `at`. The end of the head is in the sector before them.
fn sectors(at: u64, payload: &[u8]) -> impl Iterator<Item = &[u8]> {
    let first = to_next_sector(at, payload.len());
    payload[first..].chunks(SECTOR_BYTES).filter(|sector| sector.len() >= TELLING_BYTES)
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

fn zero_sectors(at: u64, payload: &[u8]) -> u32 {
    sectors(at, payload).filter(|sector| is_zero(sector)).count() as u32
}

/// The number of sectors of a payload at `at` that are zero, or that damage to a few bytes could zero.
pub(super) fn sparse_sectors(at: u64, payload: &[u8]) -> u32 {
    let is_sparse = |sector: &&[u8]| sector.iter().filter(|&&byte| byte != 0).count() < TELLING_BYTES;
    sectors(at, payload).filter(is_sparse).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_aligned_in_the_file_and_short_remains_are_left_out() {
        let lengths = |at, length| sectors(at, &vec![1; length]).map(<[u8]>::len).collect::<Vec<_>>();
        assert_eq!(lengths(0, 1024), [512, 512]);
        assert_eq!(lengths(1, 1024), [512]);
        assert_eq!(lengths(100, 1024), [512, 100]);
        assert_eq!(lengths(505, 1024), [512, 505]);
        assert_eq!(lengths(511, 8), [0; 0]);
        assert_eq!(lengths(511, 9), [8]);
        assert_eq!(lengths(3, 200), [0; 0]);
        assert_eq!(lengths(u64::MAX, 20), [19]);
    }

    #[test]
    fn few_bytes_that_are_not_zero_make_a_sparse_sector() {
        let mut payload = vec![0; 1536];
        payload[..8].fill(1);
        payload[512..519].fill(1);
        assert_eq!((zero_sectors(0, &payload), sparse_sectors(0, &payload)), (1, 2));
    }
}
