//! The head of a frame, and its bytes.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::{JournalEnd, check::sparse_sectors};

/// The first bytes of every frame. No byte of a UTF-8 text is `f5`, so a search for it seldom stops in a payload of texts.
pub(super) const MAGIC: [u8; 4] = *b"\xf5frm";

/// The length of the head of a frame in bytes. The payload follows.
pub const HEAD_BYTES: usize = 52;

/// The start of the last field, which is the checksum of the fields before.
const CHAIN: usize = HEAD_BYTES - 8;

/// The head of a frame, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHead {
    /// The length of the payload in bytes.
    pub(super) length: u32,
    /// The number of sparse sectors in the payload.
    pub(super) sparse: u32,
    /// The sequence number of the first entry in the payload.
    pub(super) sequence: u64,
    /// The number of bytes that were on the disk when the frame was made.
    pub(super) durable: u64,
    /// The checksum of the payload.
    pub(super) payload: u64,
    /// The chain value of the frame before.
    pub(super) before: u64,
}

impl FrameHead {
    /// The head of a frame that continues `end`. `None` if the payload has 4 GiB or more.
    pub(super) fn of(end: JournalEnd, sequence: u64, durable: u64, payload: &[u8]) -> Option<Self> {
        Some(FrameHead {
            length: payload.len().try_into().ok()?,
            sparse: sparse_sectors(end.at + HEAD_BYTES as u64, payload),
            sequence,
            durable,
            payload: xxh3_64(payload),
            before: end.chain,
        })
    }

    /// The bytes of the head of a frame at `at` in a file with this seed, and the chain value of the frame.
    pub(super) fn encode(&self, seed: u64, at: u64) -> ([u8; HEAD_BYTES], u64) {
        let mut bytes = [0; HEAD_BYTES];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.length.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.sparse.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.durable.to_le_bytes());
        bytes[28..36].copy_from_slice(&self.payload.to_le_bytes());
        bytes[36..CHAIN].copy_from_slice(&self.before.to_le_bytes());
        let chain = chain_of(&bytes, seed, at);
        bytes[CHAIN..].copy_from_slice(&chain.to_le_bytes());
        (bytes, chain)
    }

    /// The head at the start of `bytes`, which are at `at` in a file with this seed, and the chain value of the frame. `None` if
    /// no undamaged head is there.
    pub(super) fn decode(bytes: &[u8], seed: u64, at: u64) -> Option<(Self, u64)> {
        let bytes = bytes.get(..HEAD_BYTES).filter(|bytes| bytes.starts_with(&MAGIC))?;
        let chain = number(bytes, CHAIN);
        (chain == chain_of(bytes, seed, at)).then(|| {
            let head = FrameHead {
                length: number(bytes, 4) as u32,
                sparse: number(bytes, 8) as u32,
                sequence: number(bytes, 12),
                durable: number(bytes, 20),
                payload: number(bytes, 28),
                before: number(bytes, 36),
            };
            (head, chain)
        })
    }
}

fn chain_of(bytes: &[u8], seed: u64, at: u64) -> u64 {
    xxh3_64_with_seed(&bytes[..CHAIN], seed.wrapping_add(at))
}

/// The number in the eight bytes at `at`.
pub(super) fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_decoded_at_its_place_in_its_file_and_nowhere_else() {
        let end = JournalEnd { at: 1000, chain: 9 };
        let head = FrameHead::of(end, u64::MAX, 48, b"payload").unwrap();
        let (bytes, chain) = head.encode(5, 1000);
        assert_eq!(FrameHead::decode(&bytes, 5, 1000), Some((head, chain)));
        assert_eq!(FrameHead::decode(&bytes, 5, 1001), None);
        assert_eq!(FrameHead::decode(&bytes, 6, 1000), None);
        assert_eq!(FrameHead::decode(&bytes[..HEAD_BYTES - 1], 5, 1000), None);
    }
}
