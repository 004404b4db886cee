//! Which documents were removed: a bit for each, where there are any.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Documents in a piece: 8 KiB of bits.
const PIECE_DOCUMENTS: u64 = 1 << 16;

type Piece = Box<[u64; PIECE_DOCUMENTS as usize / 64]>;

/// The removed documents. A removal is seen by everybody at once.
#[derive(Debug, Default)]
pub(crate) struct Removed {
    pieces: RwLock<BTreeMap<u64, Piece>>,
}

impl Removed {
    /// The set of these documents.
    pub(crate) fn of(numbers: &[u64]) -> Self {
        let removed = Removed::default();
        numbers.iter().for_each(|&number| removed.insert(number));
        removed
    }

    pub(crate) fn contains(&self, number: u64) -> bool {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        let (index, bit) = (number % PIECE_DOCUMENTS, number % 64);
        pieces
            .get(&(number / PIECE_DOCUMENTS))
            .is_some_and(|piece| piece[index as usize / 64] >> bit & 1 == 1)
    }

    pub(crate) fn insert(&self, number: u64) {
        let mut pieces = self.pieces.write().unwrap_or_else(PoisonError::into_inner);
        let piece = pieces
            .entry(number / PIECE_DOCUMENTS)
            .or_insert_with(|| Box::new([0; PIECE_DOCUMENTS as usize / 64]));
        piece[(number % PIECE_DOCUMENTS) as usize / 64] |= 1 << (number % 64);
    }

    /// The removed documents, ascending.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        let of_word = |(first, word): (u64, u64)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| first + bit)
        };
        let words = pieces.iter().flat_map(|(piece, words)| {
            let first = piece * PIECE_DOCUMENTS;
            (first..).step_by(64).zip(words.iter().copied())
        });
        words.flat_map(of_word).collect()
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
            let removed = Removed::of(&expected.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(removed.numbers(), expected.iter().copied().collect::<Vec<_>>());
            for number in numbers {
                prop_assert!(removed.contains(base + number));
                prop_assert_eq!(removed.contains(base + number + 1), expected.contains(&(base + number + 1)));
            }
        }
    }
}
