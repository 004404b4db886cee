//! The longest common subsequence of two sequences: its length, and the ratio that follows from it.
//!
//! Not for: showing which elements are in it, which is done in `passages`.

use crate::hash::fmix64;
use crate::similarity::Similarity;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The length of the longest common subsequence of two sequences, or bounds for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subsequence {
    /// The least length that it can have.
    pub at_least: usize,
    /// The greatest length that it can have.
    pub at_most: usize,
    /// The number of elements in both sequences.
    pub total: usize,
}

impl Subsequence {
    /// The longest common subsequence of `left` and `right`. If `go_on` returns false, the search stops and the result
    /// is a pair of bounds.
    ///
    /// The search works on bits, 64 elements of `left` at a time (Hyyrö, "Bit-parallel LCS-length computation
    /// revisited", 2004). It handles a word only where an element of `right` occurs or a carry arrives. It takes
    /// |left| · |right| / 64 steps in the worst case, and none for a common start or end. Different elements must have
    /// different hashes.
    pub fn of(left: &[u64], right: &[u64], go_on: impl FnMut() -> bool) -> Self {
        let total = left.len() + right.len();
        let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
        let (left, right) = (&left[start..], &right[start..]);
        let end = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        let (left, right) = (&left[..left.len() - end], &right[..right.len() - end]);
        let outside = start + end;

        let found = HeldSequence::new(left).compare(right, go_on);
        Subsequence { at_least: outside + found.at_least, at_most: outside + found.at_most, total }
    }

    /// Whether the exact length is known.
    pub fn is_known(self) -> bool {
        self.at_least == self.at_most
    }

    /// The least and the greatest possible value of 2·M/T, for M common elements and T elements in both sequences. 0
    /// for empty sequences.
    pub fn ratio(self) -> (Similarity, Similarity) {
        let ratio = |common: usize| Similarity::new(2.0 * common as f64 / self.total as f64);
        (ratio(self.at_least), ratio(self.at_most))
    }
}

/// A sequence that is compared with others, one after the other. It is prepared once.
///
/// ```
/// use lookalike::compare::HeldSequence;
///
/// let mut held = HeldSequence::new(&[1, 2, 3]);
/// assert_eq!(held.compare(&[1, 3], || true).at_least, 2);
/// assert_eq!(held.compare(&[3, 1], || true).at_least, 1);
/// ```
#[derive(Debug)]
pub struct HeldSequence<'l> {
    left: &'l [u64],
    occurrences: Occurrences,
    rows: SubsequenceBits,
}

impl<'l> HeldSequence<'l> {
    /// Prepares `left`.
    pub fn new(left: &'l [u64]) -> Self {
        HeldSequence {
            left,
            occurrences: Occurrences::of(left),
            rows: SubsequenceBits(vec![0; left.len().div_ceil(64)]),
        }
    }

    /// The longest common subsequence with `right`: see [`Subsequence::of`]. A common start or end takes steps here.
    pub fn compare(&mut self, right: &[u64], mut go_on: impl FnMut() -> bool) -> Subsequence {
        let total = self.left.len() + right.len();
        self.rows.0.fill(u64::MAX);
        for (done, element) in right.iter().enumerate() {
            if done % CHECK_EVERY == 0 && !go_on() {
                let at_least = self.rows.common();
                let at_most = (at_least + right.len() - done).min(shared(self.left, right));
                return Subsequence { at_least, at_most, total };
            }
            self.rows.read(self.occurrences.of_element(*element));
        }
        let common = self.rows.common();
        Subsequence { at_least: common, at_most: common, total }
    }
}

/// Elements between two calls of `go_on`: about a millisecond if the other side has a million elements.
const CHECK_EVERY: usize = 64;

/// The places of each element in a sequence, as bits in words of 64 places.
#[derive(Debug)]
struct Occurrences {
    /// Start and end of the element's words.
    ranges: HashMap<u64, (usize, usize), BuildHasherDefault<ElementHasher>>,
    words: Vec<(usize, u64)>,
}

impl Occurrences {
    fn of(sequence: &[u64]) -> Self {
        let mut places: Vec<(u64, usize)> = sequence.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let mut all = Occurrences { ranges: HashMap::default(), words: Vec::new() };
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

/// A hasher for elements, which are hashes or small numbers. The usual one takes longer than a step of the search.
#[derive(Clone, Copy, Debug, Default)]
struct ElementHasher(u64);

impl Hasher for ElementHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("elements are of 64 bits")
    }

    fn write_u64(&mut self, element: u64) {
        self.0 = fmix64(element);
    }
}

/// A bit for each place of the left sequence: 0 where the subsequence grows by one. The words form one number, lowest
/// first.
#[derive(Debug)]
struct SubsequenceBits(Vec<u64>);

impl SubsequenceBits {
    /// Processes the next element of the right sequence: `V = (V + (V & M)) | (V & !M)`, where M are its occurrences.
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

    /// Carries through words without occurrences. Returns whether the carry leaves the last of them.
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

/// The number of elements that both share, in any order.
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

    /// The dynamic-programming table of textbooks.
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
        fn the_length_equals_the_textbook_result(
            (left, right) in (1_u64..40).prop_flat_map(|size| (sequence(size, 300), sequence(size, 300)))
        ) {
            let found = Subsequence::of(&left, &right, || true);
            prop_assert_eq!(found.at_least, by_table(&left, &right));
            prop_assert!(found.is_known());
        }

        #[test]
        fn an_early_stop_gives_bounds(
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
    fn the_ratio_is_twice_the_common_part_by_the_total() {
        let of = |left: &[u64], right: &[u64]| Subsequence::of(left, right, || true).ratio().0.value();
        assert_eq!(of(&[1, 2, 3], &[1, 3]), 0.8);
        assert_eq!(of(&[1, 2], &[1, 2]), 1.0);
        assert_eq!(of(&[1], &[2]), 0.0);
        assert_eq!(of(&[], &[]), 0.0);
    }
}
