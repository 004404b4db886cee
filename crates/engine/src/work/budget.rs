//! The memory budget of a run, and how it is divided.
//!
//! `Budget` says how many bytes of sketches and features may be held. Beyond that, the same code works on columns in
//! files:
//!
//! | data | on disk |
//! |---|---|
//! | sketches | Finished chunks are appended to a log, which becomes columns in input order (`documents/disk`) |
//! | buckets of each band | Columns. Bands are grouped in as many parts as memory needs |
//! | features | A log (`features/spilled`) |
//! | reasons | A column (`Reasons`) |
//! | uncovered words | A log (`uncovered`) |
//!
//! All of these are mapped. A `Column` is a slice in memory or in a file, so one code path serves both. Mapped data is
//! page cache, which the system can take back.
//!
//! Four numbers and a mark for each document stay in memory. A document that is similar to another has two more numbers
//! as a member of its cluster, and the pair that it was found in. `Decisions` keeps all clusters in one list. `Budget`
//! counts 84 bytes a document for this, and refuses a run that does not fit.
//!
//! # What memory holds
//!
//! | data | bytes |
//! |---|---|
//! | sketch of a document: 21 band keys, 128 signature bytes, content hash | 320 |
//! | its place, its number and the length of its text | about 14 |
//! | its group, with `--within` | 16 |
//! | its id, if a list needs it | the length of the id |
//! | each place in a bucket | 4 |
//! | each feature of scans 1 and 2, also of documents of an index | 8 |
//! | each worker | a chunk |
//! | the uncovered words of a removed document, for `--removed` | 44 on average, 1,000 at most |
//!
//! A million short texts took 410 bytes a document at the peak, without features. Text lengths have added four bytes
//! since.

use crate::error::Error;
use std::num::NonZeroU32;

/// The memory that every run takes: the program itself, the stacks of its threads, and memory that the allocator does not give back.
const OWN: u64 = 24 << 20;

/// The memory that a thread takes: a chunk, the tokens of its longest text, and its output.
const PER_THREAD: u64 = 12 << 20;

/// The memory for the names of few inputs.
const FEW_INPUTS: u64 = 1 << 20;

/// The least memory for documents. With less, each write to the disk would be too small to pay.
const LEAST: u64 = 32 << 20;

/// The most bytes of memory for a document when everything else is on disk, and all documents are similar to others. There are four numbers
/// for its original, its root and its cluster, two for a member of a cluster, and a mark. The pair that it was found in takes 24 bytes, and
/// as many again while it is found. One more number is needed while lost words are searched. Measured, with lists: 82 in one large
/// cluster, 44 in clusters of two (41 in stars), and 48 by `pairs`.
const RESIDENT: u64 = 84;

/// The memory for a pair while the list of pairs is made (measured).
const PAIR_BYTES: u64 = 47;

/// The number of pairs from which on a list is refused: it would take 9 GB of memory and 12 GB of disk.
pub const MOST_PAIRS: u64 = 200_000_000;

/// The least memory for a run on so many threads.
pub(crate) fn least_memory(threads: usize) -> u64 {
    OWN + PER_THREAD * threads as u64 + LEAST
}

/// The memory that documents may take, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    data: u64,
}

impl Budget {
    /// The budget of a process that may take `memory` bytes, or as many as it wants. Its inputs take `inputs` bytes before one is read.
    pub fn new(memory: Option<u64>, threads: usize, inputs: u64) -> Result<Self, Error> {
        let Some(memory) = memory else { return Ok(Self::unlimited()) };
        // Few inputs are part of `OWN`. The names of more inputs are held for the whole run.
        let inputs = inputs.saturating_sub(FEW_INPUTS);
        let own = OWN + PER_THREAD * threads as u64 + inputs;
        match memory.checked_sub(own) {
            Some(data) if data >= LEAST => Ok(Budget { data }),
            _ => Err(Error::TooLittleMemory { memory, threads, inputs, least: own + LEAST }),
        }
    }

    /// The same, with less for documents: the rest is for `bytes` that the run holds while it reads. The least memory for documents stays.
    pub(crate) fn without(self, bytes: u64) -> Self {
        Budget { data: self.data.saturating_sub(bytes).max(LEAST) }
    }

    /// The budget of a process that may take as much memory as it wants.
    pub(crate) fn unlimited() -> Self {
        Budget { data: u64::MAX >> 8 }
    }

    /// A budget with so many bytes for a table of anchors or windows.
    #[cfg(test)]
    pub(crate) fn of_tables(bytes: u64) -> Self {
        Budget { data: bytes + bytes / 3 }
    }

    /// The bytes of sketches that stay in memory. Grouping them takes a third as much, and features take the rest.
    pub fn sketches(self) -> u64 {
        self.data / 3
    }

    /// The bytes of features that may be kept from the first scan.
    pub(crate) fn kept_features(self) -> u64 {
        self.data / 4
    }

    /// The bytes of features that may be held for comparison, beside the documents.
    pub fn features(self, documents: Footprint) -> u64 {
        (self.data - self.data / 4).saturating_sub(documents.held())
    }

    /// The bytes of features that exact search may hold, beside the documents.
    pub fn exact(self, documents: Footprint) -> u64 {
        self.data.saturating_sub(documents.held())
    }

    /// The number of pairs from which on the run refuses to list them.
    pub fn most_pairs(self) -> u64 {
        MOST_PAIRS.min(self.data / 2 / PAIR_BYTES)
    }

    /// The bytes of a table of anchors or windows. The places of texts and of passages take the rest.
    pub(crate) fn tables(self) -> u64 {
        self.data - self.data / 4
    }

    /// The bytes of excerpts of removed documents that stay in memory. They are few, as much else is held at that time.
    pub fn excerpts(self) -> u64 {
        self.data / 32
    }

    /// The number of parts in which so many documents are grouped by keys, at 32 bytes a document.
    pub fn parts(self, documents: usize) -> u32 {
        self.parts_of_bytes(32 * documents as u64).get()
    }

    /// The number of parts in which so many bytes must be held, one part after the other.
    pub(crate) fn parts_of_bytes(self, bytes: u64) -> NonZeroU32 {
        let parts = bytes.div_ceil((self.data / 4).max(1));
        NonZeroU32::new(u32::try_from(parts).unwrap_or(u32::MAX)).unwrap_or(NonZeroU32::MIN)
    }

    /// The number of groupings of so many documents that are made at once, at most `most`. Fewer at once are better than more parts, as each part
    /// reads all keys.
    pub(crate) fn at_once(self, documents: usize, most: usize) -> usize {
        let each = 32 * documents.max(1) as u64;
        usize::try_from(self.data / 4 / each).unwrap_or(most).clamp(1, most.max(1))
    }

    /// Refuses more documents than memory has room for when everything else is on disk.
    pub fn check(self, documents: u64) -> Result<(), Error> {
        self.check_needed(documents, documents.saturating_mul(RESIDENT))
    }

    /// Refuses documents that memory has no room for together with so many bytes of features.
    pub(crate) fn check_held(self, documents: Footprint, features: u64) -> Result<(), Error> {
        self.check_needed(documents.documents, documents.held() + features)
    }

    fn check_needed(self, documents: u64, needed: u64) -> Result<(), Error> {
        match needed > self.data {
            true => Err(Error::TooManyForMemory { documents, needed, left: self.data }),
            false => Ok(()),
        }
    }
}

/// The memory that documents take.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// The number of documents.
    pub documents: u64,
    /// The bytes that they take now.
    pub bytes: u64,
}

/// Whether a run with the least memory has room for exact search, if it has so many documents and features. Their sketches take a third at
/// most.
pub(crate) fn exact_always_fits(documents: u64, features: u64) -> bool {
    exact_bytes(features) + documents.saturating_mul(RESIDENT) <= LEAST - LEAST / 3
}

/// The bytes of so many features, which exact search holds.
pub(crate) fn exact_bytes(features: u64) -> u64 {
    features.saturating_mul(8)
}

impl Footprint {
    /// The bytes that they take now, and those that decisions about them will take.
    fn held(self) -> u64 {
        self.bytes + self.documents * RESIDENT
    }
}

/// The error of a list with so many pairs, or more.
pub fn too_many_pairs(pairs: u64) -> Error {
    Error::TooManyPairs { pairs, for_memory: pairs < MOST_PAIRS }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_least_memory_is_enough_and_one_byte_less_is_refused_with_it() {
        for threads in [1, 2, 64] {
            let least = least_memory(threads);
            assert_eq!(Budget::new(Some(least), threads, 0).unwrap().data, LEAST);
            let refused = Budget::new(Some(least - 1), threads, 0).unwrap_err();
            assert!(matches!(refused, Error::TooLittleMemory { least: said, .. } if said == least));
        }
    }

    #[test]
    fn what_is_held_while_reading_is_taken_from_the_budget_as_far_as_documents_do_not_need_it() {
        let budget = Budget::new(Some(1 << 30), 2, 0).unwrap();
        assert_eq!(budget.without(1 << 28).data, budget.data - (1 << 28));
        assert_eq!(budget.without(1 << 40).data, LEAST);
    }

    #[test]
    fn names_of_many_inputs_are_taken_from_the_budget_and_those_of_few_are_not() {
        let data = |inputs| Budget::new(Some(1 << 30), 2, inputs).unwrap().data;
        assert_eq!(data(0), data(FEW_INPUTS));
        assert_eq!(data(0) - data(FEW_INPUTS + 1000), 1000);
    }

    proptest! {
        #[test]
        fn parts_are_as_few_as_a_quarter_of_the_memory_allows(data in LEAST..1 << 40, bytes in 0..1_u64 << 44) {
            let parts = u64::from(Budget { data }.parts_of_bytes(bytes).get());
            prop_assert!(parts * (data / 4) >= bytes);
            prop_assert!(parts == 1 || (parts - 1) * (data / 4) < bytes);
        }

        #[test]
        fn groupings_at_once_fit_into_a_quarter_of_the_memory(
            data in LEAST..1 << 40, documents in 0..1_usize << 36, most in 0..100_usize
        ) {
            let at_once = Budget { data }.at_once(documents, most);
            prop_assert!(at_once >= 1 && at_once <= most.max(1));
            prop_assert!(at_once == 1 || (at_once * 32 * documents) as u64 <= data / 4);
        }

        #[test]
        fn documents_that_are_refused_are_those_without_room(data in LEAST..1 << 40, documents in 0..1_u64 << 40) {
            let budget = Budget { data };
            prop_assert_eq!(budget.check(documents).is_ok(), documents * RESIDENT <= data);
            let footprint = Footprint { documents, bytes: 7 };
            // What features may take beside the documents is refused by no check.
            let features = budget.features(footprint);
            prop_assert!(features == 0 || budget.check_held(footprint, features).is_ok());
        }

        #[test]
        fn exact_search_that_always_fits_has_room_in_any_budget(
            data in LEAST..1 << 40, documents in 0..1_u64 << 20, features in 0..1_u64 << 24, sketches in 0.0..=1.0
        ) {
            let budget = Budget { data };
            let bytes = (budget.sketches() as f64 * sketches) as u64;
            let room = budget.exact(Footprint { documents, bytes });
            prop_assert!(!exact_always_fits(documents, features) || exact_bytes(features) <= room);
        }

        #[test]
        fn pairs_that_memory_has_no_room_for_are_refused_for_memory(data in LEAST..1 << 40) {
            let most = Budget { data }.most_pairs();
            prop_assert!(most == MOST_PAIRS || most * PAIR_BYTES <= data / 2);
            let Error::TooManyPairs { for_memory, .. } = too_many_pairs(most) else { panic!("another error") };
            prop_assert_eq!(for_memory, most < MOST_PAIRS);
        }
    }
}
