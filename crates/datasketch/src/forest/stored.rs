//! A forest as the pickles of a `MinHashLSHForest` hold it.

use super::LshForest;
use crate::error::Error;
use lookalike::sketch::PermutationScheme;

/// What a forest is made of again. The numbers of trees and of their values are known.
pub struct StoredForest<'a> {
    /// The scheme of the signatures.
    pub scheme: Option<PermutationScheme>,
    /// The words of all entries as little-endian bytes.
    pub words: &'a [u8],
    /// How many of the entries are searchable, from the first on.
    pub searchable: usize,
}

impl LshForest {
    /// The words of all entries as little-endian bytes.
    pub fn stored_words(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A forest of as many trees and values, with what was stored.
    ///
    /// # Errors
    /// The bytes are no whole entries.
    pub fn restored(&self, stored: &StoredForest<'_>) -> Result<Self, Error> {
        let mut forest = LshForest { made: stored.scheme, ..LshForest::new(self.trees, self.depth) };
        let (words, rest) = stored.words.as_chunks::<4>();
        if !rest.is_empty() || !words.len().is_multiple_of(forest.size()) {
            return Err(Error::DamagedForest);
        }
        forest.words = words.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let searchable = forest.entries().min(u32::try_from(stored.searchable).unwrap_or(u32::MAX));
        forest.sorted = (0..self.trees).map(|tree| forest.order(tree, searchable)).collect();
        Ok(forest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PermutedSketch;

    fn forest(scheme: PermutationScheme) -> LshForest {
        let mut forest = LshForest::new(2, 2);
        for values in [[1, 2, 3, 4], [1, 2, 0, 0], [9, 9, 3, 4], [1, 2, 3, 4]] {
            forest.add(&PermutedSketch::of_values(scheme, 1, &values).unwrap()).unwrap();
        }
        forest.make_searchable((0..2).map(|tree| forest.order(tree, 3)).collect());
        forest
    }

    #[test]
    fn a_restored_forest_has_the_entries_and_the_searchable_ones() {
        for scheme in [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy] {
            let forest = forest(scheme);
            let words = forest.stored_words();
            let stored =
                StoredForest { scheme: forest.scheme(), words: &words, searchable: forest.searchable() };
            let restored = LshForest::new(2, 2).restored(&stored).unwrap();
            assert_eq!((restored.entries(), restored.searchable(), restored.scheme()), (4, 3, Some(scheme)));
            assert_eq!(restored.stored_words(), words);
            assert_eq!(restored.sorted, forest.sorted);
            assert!((0..4).all(|entry| restored.values(entry) == forest.values(entry)));
        }
    }

    #[test]
    fn bytes_that_are_no_whole_entries_are_refused() {
        let words = forest(PermutationScheme::Affine64).stored_words();
        assert_eq!(words.len(), 4 * 32);
        for length in [1, 31, 33, 127] {
            let stored = StoredForest {
                scheme: Some(PermutationScheme::Affine64),
                words: &words[..length],
                searchable: 0,
            };
            assert_eq!(LshForest::new(2, 2).restored(&stored).unwrap_err(), Error::DamagedForest);
        }
    }
}
