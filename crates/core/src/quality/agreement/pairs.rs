/// Two similar documents, in the order in which an account named them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The first document.
    pub a: u32,
    /// The second document.
    pub b: u32,
    /// Their similarity or distance. Lists may be long and have six decimals, for which 32 bits are enough.
    pub value: Option<f32>,
}

impl Pair {
    /// Equal for a pair and its reverse.
    pub(super) fn key(&self) -> (u32, u32) {
        (self.a.min(self.b), self.a.max(self.b))
    }
}

/// A set of pairs of different documents. (a, b) and (b, a) are the same pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSet {
    /// The pairs, in ascending order of their keys.
    pairs: Vec<Pair>,
    repeated: u64,
    with_itself: u64,
}

impl PairSet {
    /// The set of `pairs`. If a pair is repeated, in either direction, the first one counts. Pairs of a document with
    /// itself are left out.
    pub fn new(mut pairs: Vec<Pair>) -> Self {
        let listed = pairs.len();
        pairs.retain(|pair| pair.a != pair.b);
        let with_itself = (listed - pairs.len()) as u64;
        // The sort is stable, so the first one stays in front.
        pairs.sort_by_key(Pair::key);
        let before = pairs.len();
        pairs.dedup_by_key(|pair| pair.key());
        PairSet { repeated: (before - pairs.len()) as u64, with_itself, pairs }
    }

    /// The pairs, in ascending order of the lesser and then of the greater document.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The number of repeated pairs in the input.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The number of pairs of a document with itself in the input.
    pub fn with_itself(&self) -> u64 {
        self.with_itself
    }

    /// Whether the set has this pair, in either direction.
    pub fn contains(&self, a: u32, b: u32) -> bool {
        let key = (a.min(b), a.max(b));
        self.pairs.binary_search_by_key(&key, Pair::key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_pair_counts_once_as_first_named() {
        let pair = |a, b, value| Pair { a, b, value: Some(value) };
        let set = PairSet::new(vec![
            pair(7, 2, 0.9),
            pair(3, 3, 1.0),
            pair(2, 7, 0.8),
            pair(1, 9, 0.5),
            pair(7, 2, 0.7),
        ]);
        assert_eq!(set.pairs(), [pair(1, 9, 0.5), pair(7, 2, 0.9)]);
        assert_eq!((set.repeated(), set.with_itself()), (2, 1));
        assert!(set.contains(2, 7) && set.contains(7, 2) && !set.contains(3, 3) && !set.contains(1, 2));
    }
}
