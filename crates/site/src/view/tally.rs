//! What all pairs of an audit amount to, counted in one pass.

use crate::audit::{Audit, Band, Class, Handled, Pair};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bars of the histogram. Each is five percent wide.
pub(super) const BARS: usize = 20;

/// Pairs that a list can show. A cluster of 10,000 equal pages has fifty million, and nobody reads them one by one.
pub(super) const MOST_LISTED: usize = 100_000;

/// A pair of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ListedPair {
    /// The headline, in steps of a millionth.
    pub(super) headline: u32,
    pub(super) matched: u32,
    /// Pairs with smaller numbers come first if all else is equal.
    pub(super) pages: Reverse<(u32, u32)>,
    pub(super) class: Class,
    pub(super) handled: Option<Handled>,
}

/// How often a few values occur. A list is faster than a map, and there may be millions of pairs.
#[derive(Clone, Debug)]
pub(super) struct ValueCounts<K>(Vec<(K, u64)>);

impl<K> Default for ValueCounts<K> {
    fn default() -> Self {
        ValueCounts(Vec::new())
    }
}

impl<K: Copy + Ord> ValueCounts<K> {
    fn add(&mut self, key: K) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => *count += 1,
            None => self.0.push((key, 1)),
        }
    }

    pub(super) fn of(&self, key: K) -> u64 {
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, count)| *count)
    }

    /// All values that occur, ascending.
    pub(super) fn sorted(&self) -> Vec<(K, u64)> {
        let mut sorted = self.0.clone();
        sorted.sort_by_key(|(key, _)| *key);
        sorted
    }
}

/// What all pairs amount to.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTally {
    pub(super) pairs: u64,
    pub(super) classes: ValueCounts<Class>,
    pub(super) bands: ValueCounts<Band>,
    pub(super) histogram: [u64; BARS],
    /// The pairs of each page.
    pub(super) of_page: Vec<u32>,
    /// The pairs with the highest headlines, the highest first.
    pub(super) listed: Vec<ListedPair>,
}

impl PairTally {
    pub(super) fn of(audit: &Audit) -> Self {
        let mut tally = PairTally { of_page: vec![0; audit.pages().len()], ..PairTally::default() };
        let mut best: BinaryHeap<Reverse<ListedPair>> = BinaryHeap::new();
        for pair in audit.pairs() {
            let listed = tally.count(audit, &pair);
            if best.len() < MOST_LISTED {
                best.push(Reverse(listed));
            } else if best.peek().is_some_and(|least| least.0 < listed) {
                best.pop();
                best.push(Reverse(listed));
            }
        }
        // Ascending in `Reverse`: the highest pair first.
        tally.listed = best.into_sorted_vec().into_iter().map(|pair| pair.0).collect();
        tally
    }

    fn count(&mut self, audit: &Audit, pair: &Pair) -> ListedPair {
        let handled = audit.handled(pair.a, pair.b);
        self.pairs += 1;
        self.classes.add(pair.class);
        self.bands.add(pair.band());
        self.histogram[((pair.headline() * BARS as f64) as usize).min(BARS - 1)] += 1;
        self.of_page[pair.a as usize] += 1;
        self.of_page[pair.b as usize] += 1;
        ListedPair {
            headline: (pair.headline() * 1e6).round() as u32,
            matched: pair.matched_words[0].max(pair.matched_words[1]),
            pages: Reverse((pair.a, pair.b)),
            class: pair.class,
            handled,
        }
    }
}
