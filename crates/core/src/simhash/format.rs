//! The file format of document frequencies.
//!
//! Version 1. All numbers are little-endian.
//!
//! | at | bytes | what |
//! |---|---|---|
//! | 0 | 8 | `LKLKFREQ` in ASCII |
//! | 8 | 4 | format version: 1 |
//! | 12 | 4 | minimum: features in fewer documents were left out; 1 if none were |
//! | 16 | 8 | the plan that made the features, as the caller named it |
//! | 24 | 8 | number of documents |
//! | 32 | 8 | number of entries, `n` |
//! | 40 | 8 `n` | the features, ascending, each once |
//! | 40 + 8 `n` | 4 `n` | for each, in how many documents it is: from the minimum to the number of documents |
//! | 40 + 12 `n` | 8 | XXH3, 64 bits, seed 0, of all bytes before |
//!
//! The same table gives the same bytes, in whichever order it was counted.

use super::DocumentFrequencies;
use super::counts::FeatureCounts;
use crate::error::FrequenciesError;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 8] = *b"LKLKFREQ";

/// Raised when the meaning of the bytes changes.
const VERSION: u32 = 1;

/// Bytes before the first feature.
const HEADER: usize = 40;

/// Bytes after the last frequency.
const CHECKSUM: usize = 8;

impl DocumentFrequencies {
    /// The table as bytes, for storage.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut entries: Vec<(u64, u32)> = self.counts.iter().collect();
        entries.sort_unstable();
        let mut bytes = Vec::with_capacity(HEADER + 12 * entries.len() + CHECKSUM);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.minimum.to_le_bytes());
        bytes.extend(self.plan.to_le_bytes());
        bytes.extend(self.documents.to_le_bytes());
        bytes.extend((entries.len() as u64).to_le_bytes());
        bytes.extend(entries.iter().flat_map(|(feature, _)| feature.to_le_bytes()));
        bytes.extend(entries.iter().flat_map(|(_, frequency)| frequency.to_le_bytes()));
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// The table from its stored `bytes`.
    ///
    /// # Errors
    /// [`FrequenciesError`] if these are not the complete and unchanged bytes of a table, in the version of this program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FrequenciesError> {
        let length = |expected: u64| FrequenciesError::Length { expected, found: bytes.len() as u64 };
        if !bytes.starts_with(&MAGIC) {
            return Err(FrequenciesError::Magic);
        }
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(length((HEADER + CHECKSUM) as u64));
        };
        let (version, minimum) = (u32_at(header, 8), u32_at(header, 12));
        if version != VERSION {
            return Err(FrequenciesError::Version { found: version, known: VERSION });
        }
        let (plan, documents, count) = (u64_at(header, 16), u64_at(header, 24), u64_at(header, 32));
        let expected = count.saturating_mul(12).saturating_add((HEADER + CHECKSUM) as u64);
        if bytes.len() as u64 != expected {
            return Err(length(expected));
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        let (stored, computed) = (u64_at(checksum, 0), xxh3_64(content));
        if stored != computed {
            return Err(FrequenciesError::Checksum { stored, computed });
        }
        // The length is right, so the count fits in memory.
        let count = count as usize;
        let (features, frequencies) = rest.split_at(8 * count);
        let mut counts = FeatureCounts::with_room_for(count);
        let mut before = None;
        for entry in 0..count {
            let (feature, frequency) = (u64_at(features, 8 * entry), u32_at(frequencies, 4 * entry));
            let possible = frequency >= minimum.max(1) && u64::from(frequency) <= documents;
            if !possible || before.is_some_and(|before| feature <= before) {
                return Err(FrequenciesError::Entry { entry: entry as u64 });
            }
            before = Some(feature);
            let slot = counts.slot(feature);
            *counts.at(slot) = frequency;
        }
        Ok(DocumentFrequencies { counts, documents, plan, minimum: minimum.max(1), id: OnceLock::new() })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(four)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> DocumentFrequencies {
        let mut table = DocumentFrequencies::new(0x0123_4567_89ab_cdef);
        for distinct in [&[5, 1, u64::MAX][..], &[5, 0], &[], &[1, 5]] {
            table.push(distinct);
        }
        table
    }

    /// The bytes with a correct checksum.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        for table in [DocumentFrequencies::new(1), table(), table().pruned(2)] {
            let bytes = table.to_bytes();
            let back = DocumentFrequencies::from_bytes(&bytes).unwrap();
            assert_eq!((back.id(), back.to_bytes()), (table.id(), bytes));
        }
    }

    #[test]
    fn version_1_has_these_bytes() {
        let mut table = DocumentFrequencies::new(0x0a);
        table.push(&[0x0b]);
        let bytes = table.to_bytes();
        let numbers = [1_u64 << 32 | 1, 0x0a, 1, 1, 0x0b];
        let mut expected: Vec<u8> =
            MAGIC.into_iter().chain(numbers.into_iter().flat_map(u64::to_le_bytes)).collect();
        expected.extend([1, 0, 0, 0]);
        assert_eq!(bytes[..bytes.len() - CHECKSUM], expected);
    }

    #[test]
    fn damaged_tables_are_refused_with_the_reason() {
        let bytes = table().to_bytes();
        let error = |bytes: &[u8]| DocumentFrequencies::from_bytes(bytes).unwrap_err();
        for length in 0..bytes.len() {
            let expected = if length < 8 {
                FrequenciesError::Magic
            } else {
                let expected = if length < HEADER { 48 } else { bytes.len() as u64 };
                FrequenciesError::Length { expected, found: length as u64 }
            };
            assert_eq!(error(&bytes[..length]), expected);
        }
        let changed = |at: usize| {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            changed
        };
        assert_eq!(error(&changed(0)), FrequenciesError::Magic);
        assert_eq!(error(&changed(8)), FrequenciesError::Version { found: 0, known: 1 });
        assert!(matches!(error(&changed(32)), FrequenciesError::Length { .. }));
        assert!(matches!(error(&changed(39)), FrequenciesError::Length { .. }));
        for at in (12..32).chain(HEADER..bytes.len()) {
            assert!(matches!(error(&changed(at)), FrequenciesError::Checksum { .. }), "byte {at}");
        }
        // Features out of order, a frequency of zero, and one above the number of documents.
        let mut frequent = bytes.clone();
        frequent[HEADER + 32] = 5;
        assert_eq!(error(&sealed(changed(HEADER))), FrequenciesError::Entry { entry: 1 });
        assert_eq!(error(&sealed(changed(HEADER + 32))), FrequenciesError::Entry { entry: 0 });
        assert_eq!(error(&sealed(frequent)), FrequenciesError::Entry { entry: 0 });
    }
}
