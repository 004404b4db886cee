//! Which documents expire later than they were added to.

use super::NEVER;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{PoisonError, RwLock};

/// Documents in a piece: 256 KiB of seconds.
const PIECE_DOCUMENTS: u64 = 1 << 16;

/// For each document whose expiry was extended the second at which it expires, and 0 for the others of a piece: no second comes before.
type ExpiryPiece = Box<[u32]>;

/// Extensions of which the moment is known, at most. A snapshot that is older than so many extensions sees later ones too.
const RECENT: usize = 1 << 16;

/// The documents whose expiry was extended.
#[derive(Debug, Default)]
pub(crate) struct Extended(RwLock<ExtensionSets>);

#[derive(Debug, Default)]
struct ExtensionSets {
    pieces: BTreeMap<u64, ExpiryPiece>,
    /// For each recent extension, by document and sequence number, what the piece had before.
    recent: BTreeMap<(u64, u64), u32>,
    /// The same extensions in their order.
    order: VecDeque<(u64, u64)>,
}

impl Extended {
    /// The extensions of these documents, each with the second at which it expires.
    pub(crate) fn of(numbers: &[u64], seconds: &[u32]) -> Self {
        let extended = Extended::default();
        numbers.iter().zip(seconds).for_each(|(&number, &second)| extended.extend(number, second, None));
        extended
    }

    /// Lets a document expire at this second, unless it expires later anyway. `sequence` is the number of the extension, if snapshots from
    /// before may be in use.
    pub(crate) fn extend(&self, number: u64, second: u32, sequence: Option<u64>) {
        let mut sets = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let piece = sets
            .pieces
            .entry(number / PIECE_DOCUMENTS)
            .or_insert_with(|| vec![0; PIECE_DOCUMENTS as usize].into_boxed_slice());
        let at = &mut piece[(number % PIECE_DOCUMENTS) as usize];
        let before = std::mem::replace(at, second.max(*at));
        if let Some(sequence) = sequence {
            sets.recent.insert((number, sequence), before);
            sets.order.push_back((number, sequence));
            if sets.order.len() > RECENT
                && let Some(oldest) = sets.order.pop_front()
            {
                sets.recent.remove(&oldest);
            }
        }
    }

    /// The second at which the document expires that would expire at second `own`, with the extensions before the change with this sequence
    /// number.
    pub(crate) fn expiry_before(&self, number: u64, own: u32, sequence: u64) -> u32 {
        if own == NEVER {
            return NEVER;
        }
        let sets = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let piece = sets.pieces.get(&(number / PIECE_DOCUMENTS));
        let extended = piece.map_or(0, |piece| piece[(number % PIECE_DOCUMENTS) as usize]);
        if extended <= own {
            return own;
        }
        let later = sets.recent.range((number, sequence)..=(number, u64::MAX)).next();
        own.max(later.map_or(extended, |(_, &before)| before))
    }

    /// The second at which the document expires that would expire at second `own`.
    pub(crate) fn expiry(&self, number: u64, own: u32) -> u32 {
        self.expiry_before(number, own, u64::MAX)
    }

    /// The extended documents, ascending, and the second at which each expires.
    pub(crate) fn entries(&self) -> Vec<(u64, u32)> {
        let sets = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let of_piece = |(piece, seconds): (&u64, &ExpiryPiece)| {
            (piece * PIECE_DOCUMENTS..).zip(seconds.to_vec()).filter(|&(_, second)| second > 0)
        };
        sets.pieces.iter().flat_map(of_piece).collect()
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
                extended.extend(base + number, second, None);
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

    #[test]
    fn an_extension_is_seen_from_its_moment_on() {
        let extended = Extended::default();
        for (second, sequence) in [(20, 100), (15, 110), (30, 120)] {
            extended.extend(9, second, Some(sequence));
        }
        let seen = [100, 101, 110, 111, 120, 121, u64::MAX].map(|at| extended.expiry_before(9, 10, at));
        assert_eq!(seen, [10, 20, 20, 20, 20, 30, 30]);
        (0..RECENT as u64).for_each(|number| extended.extend(1000 + number, 7, Some(200 + number)));
        assert_eq!(extended.expiry_before(9, 10, 0), 30, "it is not known any more when it was extended");
    }
}
