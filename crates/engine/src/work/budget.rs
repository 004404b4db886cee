//! How much memory a run may take, and what of it goes where.

use crate::error::Error;
use std::num::NonZeroU32;

/// What the program takes whatever it does: itself, its threads' stacks, what the allocator holds back.
const OWN: u64 = 24 << 20;

/// What a thread works in: a chunk, the tokens of its longest text, what it writes.
const PER_THREAD: u64 = 12 << 20;

/// What inputs take that are few.
const FEW_INPUTS: u64 = 1 << 20;

/// Without so much, nothing can be done at a time that is worth the way to the disk.
const LEAST: u64 = 32 << 20;

/// What is held for each document when all that can be is on disk and all documents are similar to others, at the most: four numbers for
/// what it is a copy of, what it hangs together with and in which cluster, two as the member of one, a mark, the pair that it was found in (24
/// bytes, and as much again while it is found), and a number while lost words are looked for. Measured, with lists: 82 in one large cluster,
/// 44 in clusters of two (41 of stars), and 48 by `pairs`.
const RESIDENT: u64 = 84;

/// What a pair of a list takes while it is made (measured).
const PAIR_BYTES: u64 = 47;

/// From this many pairs on the list is refused: it would take 9 GB of memory and 12 GB of disk.
pub const MOST_PAIRS: u64 = 200_000_000;

/// The least memory that a run of so many threads is given.
pub fn least_memory(threads: usize) -> u64 {
    OWN + PER_THREAD * threads as u64 + LEAST
}

/// The memory that documents may take.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    data: u64,
}

impl Budget {
    /// For a process that may take so many bytes; as many as it wants, if that is `None`. Its inputs take `inputs`, before any is read.
    pub fn new(memory: Option<u64>, threads: usize, inputs: u64) -> Result<Self, Error> {
        let Some(memory) = memory else { return Ok(Self::unlimited()) };
        // Few inputs are part of what the program takes anyway; beyond that, many hold their memory for the whole run.
        let inputs = inputs.saturating_sub(FEW_INPUTS);
        let own = OWN + PER_THREAD * threads as u64 + inputs;
        match memory.checked_sub(own) {
            Some(data) if data >= LEAST => Ok(Budget { data }),
            _ => Err(Error::TooLittleMemory { memory, threads, inputs, least: own + LEAST }),
        }
    }

    /// For a process that may take what it wants.
    pub fn unlimited() -> Self {
        Budget { data: u64::MAX >> 8 }
    }

    /// Bytes of sketches that stay in memory. Grouping them takes a third of that again, and features take the rest.
    pub fn sketches(self) -> u64 {
        self.data / 3
    }

    /// Bytes of features that may be kept from the first scan.
    pub fn kept_features(self) -> u64 {
        self.data / 4
    }

    /// Bytes of features that may be held for comparison, beside what is held of the documents already.
    pub fn features(self, documents: Footprint) -> u64 {
        (self.data - self.data / 4).saturating_sub(documents.held())
    }

    /// From how many pairs on the run refuses to list them.
    pub fn most_pairs(self) -> u64 {
        MOST_PAIRS.min(self.data / 2 / PAIR_BYTES)
    }

    /// Bytes of what is lost with removed documents that stay in memory: little, as it comes when much is held already.
    pub fn excerpts(self) -> u64 {
        self.data / 32
    }

    /// In how many parts so many documents are grouped by keys, at 32 bytes a document.
    pub fn parts(self, documents: usize) -> u32 {
        self.parts_of_bytes(32 * documents as u64).get()
    }

    /// In how many parts so many bytes are held, one part after the other.
    pub fn parts_of_bytes(self, bytes: u64) -> NonZeroU32 {
        let parts = bytes.div_ceil((self.data / 4).max(1));
        NonZeroU32::new(u32::try_from(parts).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN)
    }

    /// How many of `most` groupings of so many documents are made at once. Fewer rather than in more parts: each part passes over all keys.
    pub fn at_once(self, documents: usize, most: usize) -> usize {
        let each = 32 * documents.max(1) as u64;
        usize::try_from(self.data / 4 / each).unwrap_or(most).clamp(1, most.max(1))
    }

    /// Refuses more documents than there is memory for, when all that can be is on disk.
    pub fn check(self, documents: u64) -> Result<(), Error> {
        self.check_needed(documents, documents.saturating_mul(RESIDENT))
    }

    /// Refuses documents that there is no memory for beside what is held of them already, and so many bytes of features.
    pub fn check_held(self, documents: Footprint, features: u64) -> Result<(), Error> {
        self.check_needed(documents.documents, documents.held() + features)
    }

    fn check_needed(self, documents: u64, needed: u64) -> Result<(), Error> {
        match needed > self.data {
            true => Err(Error::TooManyForMemory { documents, needed, left: self.data }),
            false => Ok(()),
        }
    }
}

/// What documents take that are known.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// How many there are.
    pub documents: u64,
    /// Bytes of memory.
    pub bytes: u64,
}

impl Footprint {
    /// What is held of the documents, and will be.
    fn held(self) -> u64 {
        self.bytes + self.documents * RESIDENT
    }
}

/// Refuses so many pairs, or more.
pub fn too_many_pairs(pairs: u64) -> Error {
    Error::TooManyPairs { pairs, for_memory: pairs < MOST_PAIRS }
}
