//! The order of the entries in a tree, and the entries that a query finds by it.

use super::LshForest;
use crate::error::Error;
use crate::sketch::PermutedSketch;
use std::cmp::Reverse;
use std::collections::HashSet;

impl LshForest {
    /// The first `entries` in the order of a tree, for [`make_searchable`](LshForest::make_searchable).
    pub fn order(&self, tree: usize, entries: u32) -> Vec<u32> {
        let mut sorted: Vec<u32> = (0..entries).collect();
        // A stable sort: equal entries stay in the order in which they were added.
        sorted.sort_by_key(|&entry| self.of_tree(self.of_entry(entry), tree));
        sorted
    }

    /// Takes the orders of all trees. Nothing changes if more entries are searchable already.
    pub fn make_searchable(&mut self, orders: Vec<Vec<u32>>) {
        if self.searchable() <= orders.first().map_or(0, Vec::len) {
            self.sorted = orders;
        }
    }

    /// How many entries are searchable.
    pub fn searchable(&self) -> usize {
        self.sorted.first().map_or(0, Vec::len)
    }

    /// The buckets of a tree that are searchable, ascending.
    pub fn sorted_buckets(&self, tree: usize) -> Vec<Vec<u8>> {
        let of_entry = |&entry: &u32| self.of_tree(self.of_entry(entry), tree);
        let mut buckets: Vec<&[u32]> = self.sorted[tree].iter().map(of_entry).collect();
        buckets.dedup();
        buckets.into_iter().map(|words| self.bytes(words)).collect()
    }

    /// At most `k` entries with the longest common prefixes, by their estimates, greatest first.
    ///
    /// # Errors
    /// The sketch has another scheme, or not enough values.
    pub fn query(&self, sketch: &PermutedSketch, k: usize) -> Result<Vec<u32>, Error> {
        self.check(sketch)?;
        let words = sketch.words();
        let mut found = self.found(&words, k);
        found.sort_by_key(|&entry| (Reverse(self.equal(&words, entry)), entry));
        Ok(found)
    }

    /// The entries that datasketch returns: prefixes from the longest on, tree by tree, until `k` were found.
    fn found(&self, words: &[u32], k: usize) -> Vec<u32> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for depth in (1..=self.depth).rev() {
            for (tree, sorted) in self.sorted.iter().enumerate() {
                let size = depth * self.width();
                let wanted = &self.of_tree(words, tree)[..size];
                let prefix = |entry: u32| &self.of_tree(self.of_entry(entry), tree)[..size];
                let start = sorted.partition_point(|&entry| prefix(entry) < wanted);
                for &entry in sorted[start..].iter().take_while(|&&entry| prefix(entry) == wanted) {
                    if seen.insert(entry) {
                        found.push(entry);
                    }
                    if found.len() == k {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// At how many positions of trees the values are equal.
    fn equal(&self, words: &[u32], entry: u32) -> usize {
        let width = self.width();
        let own = self.of_entry(entry).chunks_exact(width);
        own.zip(words.chunks_exact(width)).filter(|(a, b)| a == b).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::sketch::PermutationScheme;

    fn sketch(values: &[u64]) -> PermutedSketch {
        PermutedSketch::of_values(PermutationScheme::Affine32, 1, values).unwrap()
    }

    fn make_searchable(forest: &mut LshForest, entries: u32) {
        let orders = (0..forest.trees()).map(|tree| forest.order(tree, entries)).collect();
        forest.make_searchable(orders);
    }

    #[test]
    fn only_searchable_entries_are_found_and_they_stay_so() {
        let mut forest = LshForest::new(2, 2);
        forest.add(&sketch(&[1, 2, 3, 4])).unwrap();
        assert_eq!((forest.searchable(), forest.query(&sketch(&[1, 2, 3, 4]), 5)), (0, Ok(vec![])));
        make_searchable(&mut forest, 1);
        forest.add(&sketch(&[1, 2, 3, 4])).unwrap();
        assert_eq!(forest.query(&sketch(&[1, 2, 3, 4]), 5), Ok(vec![0]));
        make_searchable(&mut forest, 2);
        make_searchable(&mut forest, 1);
        assert_eq!(
            forest.query(&sketch(&[1, 2, 3, 4]), 5),
            Ok(vec![0, 1]),
            "orders of fewer entries come too late"
        );
    }

    #[test]
    fn longer_prefixes_come_first_and_results_are_by_estimate() {
        let mut forest = LshForest::new(2, 2);
        // The first agrees in one tree, the second in one value of each, the third in nothing.
        for values in [[1, 2, 0, 0], [1, 0, 3, 0], [0, 2, 0, 4]] {
            forest.add(&sketch(&values)).unwrap();
        }
        make_searchable(&mut forest, 3);
        let query = sketch(&[1, 2, 3, 4]);
        assert_eq!(forest.query(&query, 1), Ok(vec![0]));
        assert_eq!(forest.query(&query, 9), Ok(vec![0, 1]));
        assert_eq!(forest.query(&sketch(&[1, 9, 3, 0]), 9), Ok(vec![1, 0]));
    }

    #[test]
    fn buckets_ascend() {
        let mut forest = LshForest::new(1, 2);
        for values in [[3, 1], [1, 256], [3, 1], [1, 2]] {
            forest.add(&sketch(&values)).unwrap();
        }
        make_searchable(&mut forest, 4);
        let buckets = [[1_u32, 2], [1, 256], [3, 1]].map(|values| values.map(u32::to_be_bytes).concat());
        assert_eq!(forest.sorted_buckets(0), buckets);
    }
}
