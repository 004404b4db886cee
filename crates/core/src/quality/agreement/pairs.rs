/// Two documents that are said to be similar, in the order in which they were named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// How similar they are said to be: a similarity or a distance. 32 bits tell more than the six decimals that lists have,
    /// and a list may be long.
    pub value: Option<f32>,
}

impl Pair {
    /// The same for a pair and its reverse.
    pub(super) fn key(&self) -> (u32, u32) {
        (self.a.min(self.b), self.a.max(self.b))
    }
}

/// A set of pairs of different documents, in which (a, b) is the same as (b, a).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairSet {
    /// In ascending order of their keys.
    pairs: Vec<Pair>,
    repeated: u64,
    with_itself: u64,
}

impl PairSet {
    /// The set of `pairs`. Of a pair that comes again, either way round, the first one counts; a pair of a document with
    /// itself does not.
    pub fn new(mut pairs: Vec<Pair>) -> Self {
        let listed = pairs.len();
        pairs.retain(|pair| pair.a != pair.b);
        let with_itself = (listed - pairs.len()) as u64;
        // Stable, so that the first one stays the first.
        pairs.sort_by_key(Pair::key);
        let before = pairs.len();
        pairs.dedup_by_key(|pair| pair.key());
        PairSet { repeated: (before - pairs.len()) as u64, with_itself, pairs }
    }

    /// The pairs, in ascending order of the lesser and then of the greater document.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// How many pairs were given again.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// How many pairs of a document with itself were given.
    pub fn with_itself(&self) -> u64 {
        self.with_itself
    }

    /// Is it one of the pairs, either way round?
    pub fn contains(&self, a: u32, b: u32) -> bool {
        let key = (a.min(b), a.max(b));
        self.pairs.binary_search_by_key(&key, Pair::key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_counts_once_as_it_was_first_named() {
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
