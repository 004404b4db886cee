//! Which documents were removed: a bit for each, where there are any.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{PoisonError, RwLock};

/// Documents in a piece: 8 KiB of bits.
const PIECE_DOCUMENTS: u64 = 1 << 16;

type RemovalPiece = Box<[u64; PIECE_DOCUMENTS as usize / 64]>;

/// Removals of which the moment is known, at most. A snapshot that is older than so many removals sees later ones too.
const RECENT: usize = 1 << 16;

/// The removed documents.
#[derive(Debug, Default)]
pub(crate) struct RemovedDocuments(RwLock<RemovalSets>);

#[derive(Debug, Default)]
struct RemovalSets {
    pieces: BTreeMap<u64, RemovalPiece>,
    /// The number of removed documents.
    count: u64,
    /// The sequence number of the removal of each document that was removed recently.
    recent: BTreeMap<u64, u64>,
    /// The same documents in the order of their removals.
    order: VecDeque<u64>,
}

impl RemovedDocuments {
    /// The set of these documents.
    pub(crate) fn of(numbers: &[u64]) -> Self {
        let removed = RemovedDocuments::default();
        numbers.iter().for_each(|&number| removed.insert(number, None));
        removed
    }

    fn read<T>(&self, read: impl FnOnce(&RemovalSets) -> T) -> T {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the document was removed.
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.read(|sets| sets.contains(number))
    }

    /// Whether the document was removed before the change with this sequence number.
    pub(crate) fn contains_before(&self, number: u64, sequence: u64) -> bool {
        self.read(|sets| sets.contains(number) && sets.recent.get(&number).is_none_or(|&at| at < sequence))
    }

    /// Removes a document. `sequence` is the number of the removal, if snapshots from before may be in use.
    pub(crate) fn insert(&self, number: u64, sequence: Option<u64>) {
        let mut sets = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let piece = sets
            .pieces
            .entry(number / PIECE_DOCUMENTS)
            .or_insert_with(|| Box::new([0; PIECE_DOCUMENTS as usize / 64]));
        let word = &mut piece[(number % PIECE_DOCUMENTS) as usize / 64];
        let is_new = *word >> (number % 64) & 1 == 0;
        *word |= 1 << (number % 64);
        sets.count += u64::from(is_new);
        if let Some(sequence) = sequence
            && !sets.recent.contains_key(&number)
        {
            sets.recent.insert(number, sequence);
            sets.order.push_back(number);
            if sets.order.len() > RECENT
                && let Some(oldest) = sets.order.pop_front()
            {
                sets.recent.remove(&oldest);
            }
        }
    }

    /// The number of removed documents.
    pub(crate) fn len(&self) -> u64 {
        self.read(|sets| sets.count)
    }

    /// The removed documents, ascending.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let of_word = |(first, word): (u64, u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
        };
        let words = |(piece, words): (&u64, &RemovalPiece)| {
            let first = piece * PIECE_DOCUMENTS;
            (first..).step_by(64).zip(words.to_vec())
        };
        self.read(|sets| sets.pieces.iter().flat_map(words).flat_map(of_word).collect())
    }
}

impl RemovalSets {
    fn contains(&self, number: u64) -> bool {
        let (index, bit) = (number % PIECE_DOCUMENTS, number % 64);
        let piece = self.pieces.get(&(number / PIECE_DOCUMENTS));
        piece.is_some_and(|piece| piece[index as usize / 64] >> bit & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn removed_documents_are_those_that_were_inserted(numbers in prop::collection::vec(0..200_000_u64, 0..50), base in prop::sample::select(vec![0, 1 << 40])) {
            let expected: BTreeSet<u64> = numbers.iter().map(|number| base + number).collect();
            let removed = RemovedDocuments::of(&expected.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(removed.len(), expected.len() as u64);
            prop_assert_eq!(removed.numbers(), expected.iter().copied().collect::<Vec<_>>());
            for number in numbers {
                prop_assert!(removed.contains(base + number));
                prop_assert_eq!(removed.contains(base + number + 1), expected.contains(&(base + number + 1)));
            }
        }
    }

    #[test]
    fn a_removal_is_seen_from_its_moment_on() {
        let removed = RemovedDocuments::of(&[7]);
        removed.insert(9, Some(100));
        removed.insert(9, Some(200));
        assert!(removed.contains(9) && removed.contains_before(7, 0));
        assert!(!removed.contains_before(9, 100) && removed.contains_before(9, 101));
        (0..RECENT as u64).for_each(|number| removed.insert(1000 + number, Some(300)));
        assert!(removed.contains_before(9, 0), "it is not known any more when it was removed");
    }
}
