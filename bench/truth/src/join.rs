//! All pairs of sets with Jaccard similarity of at least a threshold, exactly.
//!
//! Prefix filter: order all shingles from rare to frequent; if J(x, y) >= t, the first n - ceil(t n) + 1 shingles of x
//! and of y have one in common. Only these are indexed and looked up. Documents that meet there are compared in full.
//! Source: Bayardo, Ma, Srikant, "Scaling up all pairs similarity search", 2007; Xiao et al., "PPJoin", 2008.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A threshold as an exact fraction: 0.8 is 4/5, which no binary floating-point number is.
#[derive(Clone, Copy)]
pub struct Threshold {
    numerator: u64,
}

const DENOMINATOR: u64 = 1_000_000;

impl Threshold {
    /// Reads a decimal of up to six places, above 0 and at most 1.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: f64 = text.parse().map_err(|e| format!("threshold {text}: {e}"))?;
        let numerator = (value * DENOMINATOR as f64).round() as u64;
        if numerator == 0 || numerator > DENOMINATOR {
            return Err(format!("threshold {text} is not above 0 and at most 1"));
        }
        Ok(Self { numerator })
    }

    fn met(self, shared: u32, union: u32) -> bool {
        u64::from(shared) * DENOMINATOR >= self.numerator * u64::from(union)
    }

    /// ceil(t n)
    fn of(self, n: u32) -> u32 {
        (u64::from(n) * self.numerator).div_ceil(DENOMINATOR) as u32
    }

    /// The least shared shingles with which sets of `n` and `m` reach the threshold: ceil(t (n + m) / (1 + t)).
    fn shared_needed(self, n: u32, m: u32) -> u32 {
        (self.numerator * u64::from(n + m)).div_ceil(DENOMINATOR + self.numerator) as u32
    }
}

/// Two documents by their place in the input, `a < b`, and the counts whose quotient is their similarity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    pub shared: u32,
    pub union: u32,
}

/// Sets of hashes, one after another in one allocation.
#[derive(Default)]
pub struct Sets {
    values: Vec<u64>,
    sizes: Vec<u32>,
}

impl Sets {
    pub fn push(&mut self, set: Vec<u64>) {
        self.sizes.push(set.len() as u32);
        self.values.extend(set);
    }
}

/// The keys are hashes already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("only u64 keys are used")
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A document for the join: its size, its place in the input, and its shingles that at least two documents have, as
/// ranks from rare to frequent. Other shingles meet none, and count only in `size` and `alone`.
struct Ranked {
    place: u32,
    size: u32,
    alone: u32,
    ranks: Vec<u32>,
}

impl Ranked {
    /// The shingles to index and to look up. Those that stand alone are the rarest: they fill the prefix first.
    fn prefix(&self, threshold: Threshold) -> &[u32] {
        let length = (self.size + 1 - threshold.of(self.size)).saturating_sub(self.alone);
        &self.ranks[..self.ranks.len().min(length as usize)]
    }
}

/// Replaces hashes by ranks in the order of document frequency; returns the documents by ascending size.
fn rank(sets: Sets) -> (Vec<Ranked>, usize) {
    let mut sorted = sets.values.clone();
    sorted.sort_unstable();
    let mut shared: Vec<(u32, u64)> = sorted
        .chunk_by(|a, b| a == b)
        .filter(|run| run.len() > 1)
        .map(|run| (run.len() as u32, run[0]))
        .collect();
    drop(sorted);
    shared.sort_unstable();
    let ranks: HashMap<u64, u32, BuildHasherDefault<AsIs>> =
        shared.iter().enumerate().map(|(rank, &(_, hash))| (hash, rank as u32)).collect();

    let mut documents = Vec::with_capacity(sets.sizes.len());
    let mut rest = sets.values.as_slice();
    for (place, &size) in sets.sizes.iter().enumerate() {
        let (set, after) = rest.split_at(size as usize);
        rest = after;
        let mut own: Vec<u32> = set.iter().filter_map(|hash| ranks.get(hash).copied()).collect();
        own.sort_unstable();
        documents.push(Ranked { place: place as u32, size, alone: size - own.len() as u32, ranks: own });
    }
    documents.sort_by_key(|document| document.size);
    (documents, shared.len())
}

/// The number of common elements of two ascending lists, or None as soon as it cannot reach `needed`.
fn common(a: &[u32], b: &[u32], needed: u32) -> Option<u32> {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        if count + ((a.len() - i).min(b.len() - j) as u32) < needed {
            return None;
        }
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                i += 1;
                j += 1;
            }
        }
    }
    (count >= needed).then_some(count)
}

fn pair(x: (u32, u32), y: (u32, u32), shared: u32) -> Pair {
    Pair { a: x.0.min(y.0), b: x.0.max(y.0), shared, union: x.1 + y.1 - shared }
}

/// All pairs at or above the threshold, sorted. Two threads.
pub fn join(sets: Sets, threshold: Threshold) -> Vec<Pair> {
    let (documents, ranks) = rank(sets);
    // Postings by rank, each in ascending size; `documents` is in this order, so indices into it ascend too.
    let mut postings: Vec<Vec<u32>> = vec![Vec::new(); ranks];
    for (index, document) in documents.iter().enumerate() {
        for &rank in document.prefix(threshold) {
            postings[rank as usize].push(index as u32);
        }
    }
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut pairs = Vec::new();
                let mut met_by = vec![u32::MAX; documents.len()];
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(y) = documents.get(index) else { break };
                    let smallest = threshold.of(y.size);
                    for &rank in y.prefix(threshold) {
                        let list = &postings[rank as usize];
                        let from = list.partition_point(|&x| documents[x as usize].size < smallest);
                        for &candidate in list[from..].iter().take_while(|&&x| (x as usize) < index) {
                            if std::mem::replace(&mut met_by[candidate as usize], index as u32)
                                == index as u32
                            {
                                continue;
                            }
                            let x = &documents[candidate as usize];
                            let needed = threshold.shared_needed(x.size, y.size);
                            if let Some(shared) = common(&x.ranks, &y.ranks, needed) {
                                pairs.push(pair((x.place, x.size), (y.place, y.size), shared));
                            }
                        }
                    }
                }
                found.lock().expect("no thread panics while it holds the lock").extend(pairs);
            });
        }
    });
    let mut pairs = found.into_inner().expect("both threads ended well");
    pairs.sort_unstable();
    pairs
}

/// The same by comparing every pair: the oracle's oracle.
pub fn brute(sets: &[Vec<u32>], threshold: Threshold) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (b, y) in sets.iter().enumerate() {
        for (a, x) in sets[..b].iter().enumerate() {
            let shared = common(x, y, 0).unwrap_or(0);
            let union = (x.len() + y.len()) as u32 - shared;
            if union > 0 && threshold.met(shared, union) {
                pairs.push(pair((a as u32, x.len() as u32), (b as u32, y.len() as u32), shared));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets that overlap a lot, made without a random-number crate.
    fn family() -> Vec<Vec<u32>> {
        let mut state = 7_u64;
        (0..300_u32)
            .map(|document| {
                let mut set: Vec<u32> = (document % 9 * 40..document % 9 * 40 + 50)
                    .filter_map(|value| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        match state >> 60 {
                            0 => None,
                            1 => Some(100_000 + (state >> 40) as u32),
                            _ => Some(value),
                        }
                    })
                    .collect();
                set.sort_unstable();
                set.dedup();
                set
            })
            .chain([vec![], vec![], vec![5], vec![5]])
            .collect()
    }

    #[test]
    fn join_equals_brute_force_at_any_threshold() {
        for text in ["0.3", "0.5", "0.7", "0.8", "0.95", "1"] {
            let threshold = Threshold::parse(text).expect("a good threshold");
            let mut sets = Sets::default();
            for set in family() {
                let mut hashes: Vec<u64> =
                    set.iter().map(|&v| u64::from(v).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
                hashes.sort_unstable();
                sets.push(hashes);
            }
            let expected = brute(&family(), threshold);
            assert!(!expected.is_empty());
            assert_eq!(join(sets, threshold), expected, "threshold {text}");
        }
    }

    #[test]
    fn four_fifths_is_met_exactly() {
        let threshold = Threshold::parse("0.8").expect("a good threshold");
        assert!(threshold.met(4, 5) && threshold.met(400, 500));
        assert!(!threshold.met(399, 500));
    }
}
