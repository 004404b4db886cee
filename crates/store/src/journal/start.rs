//! The start of a journal: the header of all files, and the chain value that the first frame continues.

use std::{fs::File, io::Read, path::Path};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{JournalEnd, frame::number};
use crate::{
    ContainerKind, Error,
    header::{HEADER_BYTES, check, header},
};

/// The length of the start in bytes.
pub(super) const START_BYTES: usize = HEADER_BYTES + 16;

/// The start of a journal, decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct JournalStart {
    /// The chain value that the first frame continues.
    pub(super) chain: u64,
    /// The seed of the checksums of heads in this file.
    pub(super) seed: u64,
}

impl JournalStart {
    /// Makes the start of a file, and its bytes.
    pub(super) fn new(kind: ContainerKind, owner: u64, chain: u64) -> (Self, [u8; START_BYTES]) {
        let mut bytes = [0; START_BYTES];
        bytes[..HEADER_BYTES].copy_from_slice(&header(kind, owner));
        bytes[32..40].copy_from_slice(&chain.to_le_bytes());
        let seed = seed_of(&bytes);
        bytes[40..].copy_from_slice(&seed.to_le_bytes());
        (JournalStart { chain, seed }, bytes)
    }

    /// Checks the start of the file at `path`, whose first bytes are `bytes`.
    pub(super) fn check(path: &Path, bytes: &[u8], kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        check(path, bytes, kind, Some(owner))?;
        let damaged = |what| Error::Damaged { path: path.to_owned(), at: HEADER_BYTES as u64, what };
        let bytes = bytes.get(..START_BYTES).ok_or_else(|| damaged("its start is cut off"))?;
        let start = JournalStart { chain: number(bytes, 32), seed: number(bytes, 40) };
        if start.seed == seed_of(bytes) {
            Ok(start)
        } else {
            Err(damaged("its chain value does not match its checksum"))
        }
    }

    /// The place of the first frame.
    pub(super) fn end(self) -> JournalEnd {
        JournalEnd { at: START_BYTES as u64, chain: self.chain }
    }
}

/// The seed binds the chain value to the header, because the checksum of the header (bytes 24 to 32) is its own seed.
fn seed_of(bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(&bytes[32..40], number(bytes, 24))
}

/// Reads the start of a file, or less if the file is shorter.
pub(super) fn read(path: &Path, file: &File) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(START_BYTES);
    file.take(START_BYTES as u64).read_to_end(&mut bytes).map_err(Error::read(path))?;
    Ok(bytes)
}
