//! Which documents expire later than they were added to.

use super::NEVER;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Documents in a piece: 256 KiB of seconds.
const PIECE_DOCUMENTS: u64 = 1 << 16;

/// For each document whose expiry was extended the second at which it expires, and 0 for the others of a piece: no second comes before.
type Piece = Box<[u32]>;

/// The documents whose expiry was extended. Readers see an extension as soon as it is on the disk, also those that have an older snapshot.
#[derive(Debug, Default)]
pub(crate) struct Extended(RwLock<BTreeMap<u64, Piece>>);

impl Extended {
    /// The extensions of these documents, each with the second at which it expires.
    pub(crate) fn of(numbers: &[u64], seconds: &[u32]) -> Self {
        let extended = Extended::default();
        numbers.iter().zip(seconds).for_each(|(&number, &second)| extended.extend(number, second));
        extended
    }

    /// Lets a document expire at this second, unless it expires later anyway.
    pub(crate) fn extend(&self, number: u64, second: u32) {
        let mut pieces = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let piece = pieces
            .entry(number / PIECE_DOCUMENTS)
            .or_insert_with(|| vec![0; PIECE_DOCUMENTS as usize].into_boxed_slice());
        let at = &mut piece[(number % PIECE_DOCUMENTS) as usize];
        *at = second.max(*at);
    }

    /// The second at which the document expires that would expire at second `own`.
    pub(crate) fn expiry(&self, number: u64, own: u32) -> u32 {
        if own == NEVER {
            return NEVER;
        }
        let pieces = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let piece = pieces.get(&(number / PIECE_DOCUMENTS));
        own.max(piece.map_or(0, |piece| piece[(number % PIECE_DOCUMENTS) as usize]))
    }

    /// The extended documents, ascending, and the second at which each expires.
    pub(crate) fn entries(&self) -> Vec<(u64, u32)> {
        let pieces = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let of_piece = |(piece, seconds): (&u64, &Piece)| {
            (piece * PIECE_DOCUMENTS..).zip(seconds.to_vec()).filter(|&(_, second)| second > 0)
        };
        pieces.iter().flat_map(of_piece).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_document_expires_at_the_latest_of_its_seconds(
            extensions in prop::collection::vec((0..200_000_u64, 1..1000_u32), 0..50), base in prop::sample::select(vec![0, 1 << 40]),
        ) {
            let extended = Extended::default();
            let mut expected = BTreeMap::new();
            for &(number, second) in &extensions {
                extended.extend(base + number, second);
                let latest = expected.entry(base + number).or_insert(second);
                *latest = second.max(*latest);
            }
            let entries: Vec<(u64, u32)> = expected.iter().map(|(&number, &second)| (number, second)).collect();
            prop_assert_eq!(&extended.entries(), &entries);
            let (numbers, seconds): (Vec<u64>, Vec<u32>) = entries.into_iter().unzip();
            let read = Extended::of(&numbers, &seconds);
            for (number, second) in expected {
                prop_assert_eq!(read.expiry(number, 500), second.max(500));
                prop_assert_eq!(read.expiry(number, NEVER), NEVER);
            }
        }
    }
}
