//! The trees of a `MinHashLSHForest`: for each, all entries in the order of their values in it.

mod search;
mod stored;

pub use stored::StoredForest;

use super::error::Error;
use super::scheme::{scheme_name, stored_bytes, words_of_value};
use super::sketch::PermutedSketch;
use lookalike::sketch::PermutationScheme;
use std::collections::HashMap;

/// Signatures, numbered in the order in which they were added, and the trees that find them.
#[derive(Clone, Debug)]
pub struct LshForest {
    trees: usize,
    /// Values of a tree.
    depth: usize,
    made: Option<PermutationScheme>,
    /// The words of all entries, without values that belong to no tree.
    words: Vec<u32>,
    /// For each tree, the entries in the order of their values. Entries that were added since are missing.
    sorted: Vec<Vec<u32>>,
}

impl LshForest {
    /// An empty forest. Each tree has `depth` values of a signature. Both numbers are positive.
    pub fn new(trees: usize, depth: usize) -> Self {
        LshForest { trees, depth, made: None, words: Vec::new(), sorted: vec![Vec::new(); trees] }
    }

    /// The number of trees.
    pub fn trees(&self) -> usize {
        self.trees
    }

    /// The scheme of the signatures, if there is one.
    pub fn scheme(&self) -> Option<PermutationScheme> {
        self.made
    }

    /// Adds a signature. It is searchable later.
    ///
    /// # Errors
    /// It has another scheme, or not enough values.
    pub fn add(&mut self, sketch: &PermutedSketch) -> Result<(), Error> {
        self.check(sketch)?;
        self.made = Some(sketch.scheme);
        let size = self.size();
        self.words.extend_from_slice(&sketch.words()[..size]);
        Ok(())
    }

    fn check(&self, sketch: &PermutedSketch) -> Result<(), Error> {
        let (needed, length) = (self.trees * self.depth, sketch.values.len());
        if length < needed {
            return Err(Error::TooShort { needed, length });
        }
        match self.made {
            Some(scheme) if scheme != sketch.scheme => {
                let [own, other] = [scheme, sketch.scheme].map(scheme_name);
                Err(Error::OtherScheme { holder: "forest", own, other })
            }
            _ => Ok(()),
        }
    }

    /// The number of signatures.
    pub fn entries(&self) -> u32 {
        (self.words.len() / self.size()) as u32
    }

    /// The values of an entry, big-endian, tree after tree, as datasketch stores them.
    pub fn values(&self, entry: u32) -> Vec<u8> {
        self.bytes(self.of_entry(entry))
    }

    /// The bucket of an entry in each tree: the bytes of its values there.
    pub fn buckets_of_entry(&self, entry: u32) -> impl Iterator<Item = Vec<u8>> {
        (0..self.trees).map(move |tree| self.bytes(self.of_tree(self.of_entry(entry), tree)))
    }

    /// The buckets of a tree with their entries, both in the order in which entries were added.
    pub fn buckets(&self, tree: usize) -> Vec<(Vec<u8>, Vec<u32>)> {
        let mut buckets: Vec<(&[u32], Vec<u32>)> = Vec::new();
        let mut places = HashMap::new();
        for entry in 0..self.entries() {
            let words = self.of_tree(self.of_entry(entry), tree);
            let place = *places.entry(words).or_insert(buckets.len());
            if place == buckets.len() {
                buckets.push((words, Vec::new()));
            }
            buckets[place].1.push(entry);
        }
        buckets.into_iter().map(|(words, entries)| (self.bytes(words), entries)).collect()
    }

    fn bytes(&self, words: &[u32]) -> Vec<u8> {
        stored_bytes(self.made == Some(PermutationScheme::Legacy), words)
    }

    /// Words of a value.
    fn width(&self) -> usize {
        self.made.map_or(1, words_of_value)
    }

    /// Words of an entry.
    fn size(&self) -> usize {
        self.trees * self.depth * self.width()
    }

    fn of_entry(&self, entry: u32) -> &[u32] {
        &self.words[entry as usize * self.size()..][..self.size()]
    }

    /// The words of a tree.
    fn of_tree<'w>(&self, words: &'w [u32], tree: usize) -> &'w [u32] {
        let size = self.depth * self.width();
        &words[tree * size..][..size]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(scheme: PermutationScheme, values: &[u64]) -> PermutedSketch {
        PermutedSketch::of_values(scheme, 1, values).unwrap()
    }

    #[test]
    fn signatures_of_another_scheme_or_too_few_values_are_refused() {
        let mut forest = LshForest::new(2, 2);
        let short = sketch(PermutationScheme::Affine32, &[1, 2, 3]);
        assert_eq!(forest.add(&short), Err(Error::TooShort { needed: 4, length: 3 }));
        forest.add(&sketch(PermutationScheme::Affine32, &[1, 2, 3, 4, 5])).unwrap();
        let legacy = sketch(PermutationScheme::Legacy, &[1, 2, 3, 4]);
        let error = Error::OtherScheme { holder: "forest", own: "affine32", other: "legacy" };
        assert_eq!(forest.add(&legacy), Err(error.clone()));
        assert_eq!(forest.query(&legacy, 1), Err(error));
        assert_eq!((forest.entries(), forest.scheme()), (1, Some(PermutationScheme::Affine32)));
    }

    #[test]
    fn buckets_are_the_values_of_a_tree() {
        for (scheme, width) in [
            (PermutationScheme::Affine32, 4),
            (PermutationScheme::Affine64, 8),
            (PermutationScheme::Legacy, 8),
        ] {
            let mut forest = LshForest::new(2, 1);
            for values in [[1, 2, 3], [1, 4, 5], [6, 2, 7]] {
                forest.add(&sketch(scheme, &values)).unwrap();
            }
            let bytes = |value: u8| [vec![0; width - 1], vec![value]].concat();
            assert_eq!(forest.values(2), [bytes(6), bytes(2)].concat());
            assert!(forest.buckets_of_entry(1).eq([bytes(1), bytes(4)]));
            assert_eq!(forest.buckets(0), [(bytes(1), vec![0, 1]), (bytes(6), vec![2])]);
            assert_eq!(forest.buckets(1), [(bytes(2), vec![0, 2]), (bytes(4), vec![1])]);
        }
    }
}
