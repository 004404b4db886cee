//! How much of two sequences is in the same order: the length of their longest common subsequence.
//!
//! Not for: showing which elements these are; that is `passages`.

use crate::similarity::Similarity;
use std::collections::HashMap;

/// What is known of the longest common subsequence of two sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subsequence {
    /// It has at least so many elements.
    pub at_least: usize,
    /// It has at most so many elements.
    pub at_most: usize,
    /// Elements of both sequences.
    pub total: usize,
}

impl Subsequence {
    /// Of `left` and `right`. `go_on` is asked now and then; when it says no, the rest stays unknown.
    ///
    /// By bits, 64 elements of `left` at a time (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004), and only where an
    /// element of `right` occurs or a carry arrives. That is |left| · |right| / 64 steps in the worst case, and none for a common
    /// start or end. Elements that differ have different hashes.
    pub fn of(left: &[u64], right: &[u64], mut go_on: impl FnMut() -> bool) -> Self {
        let total = left.len() + right.len();
        let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let (left, right) = (&left[start..], &right[start..]);
        let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
        let outside = start + end;

        let occurrences = Occurrences::of(left);
        let mut rows = Rows(vec![u64::MAX; left.len().div_ceil(64)]);
        for (done, element) in right.iter().enumerate() {
            if done % LOOK == 0 && !go_on() {
                let common = rows.common();
                let most = (common + right.len() - done).min(shared(left, right));
                return Subsequence { at_least: outside + common, at_most: outside + most, total };
            }
            rows.read(occurrences.of_element(*element));
        }
        let common = outside + rows.common();
        Subsequence { at_least: common, at_most: common, total }
    }

    /// Is the length known?
    pub fn is_known(self) -> bool {
        self.at_least == self.at_most
    }

    /// The least and the greatest value that 2·M/T can have: M elements in common, of T in both sequences; 0 for nothing.
    pub fn ratio(self) -> (Similarity, Similarity) {
        let ratio = |common: usize| Similarity::new(2.0 * common as f64 / self.total as f64);
        (ratio(self.at_least), ratio(self.at_most))
    }
}

/// Elements between two questions whether to go on: a millisecond or so for a million elements on the other side.
const LOOK: usize = 64;

/// Where each element of a sequence occurs: the words of 64 places that have it, and a bit for each place.
struct Occurrences {
    /// Start and end of the element's words.
    ranges: HashMap<u64, (usize, usize)>,
    words: Vec<(usize, u64)>,
}

impl Occurrences {
    fn of(sequence: &[u64]) -> Self {
        let mut places: Vec<(u64, usize)> = sequence.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let mut all = Occurrences { ranges: HashMap::new(), words: Vec::new() };
        for same in places.chunk_by(|a, b| a.0 == b.0) {
            let start = all.words.len();
            for word in same.chunk_by(|a, b| a.1 / 64 == b.1 / 64) {
                let bits = word.iter().fold(0, |bits, (_, place)| bits | 1 << (place % 64));
                all.words.push((word[0].1 / 64, bits));
            }
            all.ranges.insert(same[0].0, (start, all.words.len()));
        }
        all
    }

    fn of_element(&self, element: u64) -> &[(usize, u64)] {
        self.ranges.get(&element).map_or(&[], |&(start, end)| &self.words[start..end])
    }
}

/// A bit for each place of the left sequence; 0 where the subsequence grows by one. Read as one number, lowest word first.
struct Rows(Vec<u64>);

impl Rows {
    /// Takes in the next element of the right sequence: `V = (V + (V & M)) | (V & !M)`, where M are its occurrences.
    fn read(&mut self, occurrences: &[(usize, u64)]) {
        let (mut carry, mut next) = (false, 0);
        for &(word, bits) in occurrences {
            carry = self.carry(next..word, carry);
            let row = self.0[word];
            let (sum, over) = row.overflowing_add(row & bits);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            self.0[word] = sum | (row & !bits);
            carry = over | over_again;
            next = word + 1;
        }
        self.carry(next..self.0.len(), carry);
    }

    /// Takes a carry through words without occurrences, as far as it goes; is it still there behind them?
    fn carry(&mut self, words: std::ops::Range<usize>, carry: bool) -> bool {
        if !carry {
            return false;
        }
        for row in &mut self.0[words] {
            if *row != u64::MAX {
                *row |= *row + 1;
                return false;
            }
        }
        true
    }

    fn common(&self) -> usize {
        self.0.iter().map(|row| row.count_zeros() as usize).sum()
    }
}

/// How many elements the two share, in whatever order.
fn shared(left: &[u64], right: &[u64]) -> usize {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    left.iter().for_each(|&element| *counts.entry(element).or_default() += 1);
    let take = |element: &&u64| match counts.get_mut(element) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    right.iter().filter(take).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// The textbook's table.
    fn by_table(left: &[u64], right: &[u64]) -> usize {
        let mut row = vec![0; right.len() + 1];
        for a in left {
            let mut diagonal = 0;
            for (at, b) in right.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
                diagonal = above;
            }
        }
        row[right.len()]
    }

    fn sequence(alphabet: u64, length: usize) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(0..alphabet, 0..length)
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_length_is_that_of_the_table(
            (left, right) in (1_u64..40).prop_flat_map(|size| (sequence(size, 300), sequence(size, 300)))
        ) {
            let found = Subsequence::of(&left, &right, || true);
            prop_assert_eq!(found.at_least, by_table(&left, &right));
            prop_assert!(found.is_known());
        }

        #[test]
        fn whoever_stops_early_gets_bounds(
            (left, right) in (1_u64..9).prop_flat_map(|size| (sequence(size, 300), sequence(size, 300))),
            steps in 0..4,
        ) {
            let mut left_over = steps;
            let go_on = || { left_over -= 1; left_over >= 0 };
            let found = Subsequence::of(&left, &right, go_on);
            let length = by_table(&left, &right);
            prop_assert!(found.at_least <= length && length <= found.at_most, "{:?}", found);
        }
    }

    #[test]
    fn the_ratio_is_that_of_common_to_all() {
        let of = |left: &[u64], right: &[u64]| Subsequence::of(left, right, || true).ratio().0.value();
        assert_eq!(of(&[1, 2, 3], &[1, 3]), 0.8);
        assert_eq!(of(&[1, 2], &[1, 2]), 1.0);
        assert_eq!(of(&[1], &[2]), 0.0);
        assert_eq!(of(&[], &[]), 0.0);
    }
}
