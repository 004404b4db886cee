//! Buckets: the documents that share a key.

use std::ops::{Deref, Range};

/// Groups of two or more documents that share a key, in ascending order of their first document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buckets<Numbers = Vec<u32>> {
    documents: Numbers,
    ends: Numbers,
}

/// A part of all keys.
#[derive(Clone, Copy, Debug)]
pub struct KeyShare {
    part: u32,
    parts: u32,
}

impl KeyShare {
    /// The whole of all keys.
    pub const ALL: KeyShare = KeyShare { part: 0, parts: 1 };

    /// Splits all keys into `parts` parts of about the same size.
    pub fn all(parts: u32) -> impl Iterator<Item = KeyShare> {
        (0..parts).map(move |part| KeyShare { part, parts })
    }

    /// The approximate number of `count` keys in this part, rounded up generously.
    pub(crate) fn of(self, count: usize) -> usize {
        if self.parts == 1 { count } else { count / self.parts as usize / 15 * 16 }
    }

    /// Whether `key` is in this part.
    pub fn has(self, key: u64) -> bool {
        // Uses neither the first bits, by which groups are made, nor the last bits, which filter single keys.
        (u64::from((key >> 16) as u32) * u64::from(self.parts)) >> 32 == u64::from(self.part)
    }
}

/// The intended number of pairs per partition: 64 KiB, which stay in the second-level cache.
const PARTITION: usize = 4096;

impl Buckets {
    /// Groups `(key, document)` pairs by key. Keys must be well mixed, as band keys are.
    pub fn group(pairs: &[(u64, u32)]) -> Self {
        let bits = (pairs.len() / PARTITION).max(1).ilog2();
        let partition = |key: u64| if bits == 0 { 0 } else { (key >> (64 - bits)) as usize };
        let mut starts = vec![0_usize; (1 << bits) + 1];
        for &(key, _) in pairs {
            starts[partition(key) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut sorted = vec![(0, 0); pairs.len()];
        let mut next = starts.clone();
        for &pair in pairs {
            let slot = &mut next[partition(pair.0)];
            sorted[*slot] = pair;
            *slot += 1;
        }
        let mut groups = GroupList::default();
        for range in starts.windows(2) {
            groups.add(&mut sorted[range[0]..range[1]]);
        }
        groups.in_order()
    }

    /// Joins the buckets of several shares.
    pub fn joined(shares: &[Buckets]) -> Self {
        let mut groups = GroupList::default();
        for buckets in shares {
            let mut start = groups.documents.len() as u32;
            groups.documents.extend_from_slice(&buckets.documents);
            for bucket in buckets.iter() {
                let end = start + bucket.len() as u32;
                groups.groups.push((bucket[0], start, end));
                start = end;
            }
        }
        groups.in_order()
    }

    /// The documents of all buckets, one bucket after the other, and the end of each bucket.
    pub fn into_parts(self) -> (Vec<u32>, Vec<u32>) {
        (self.documents, self.ends)
    }
}

impl<Numbers: Deref<Target = [u32]>> Buckets<Numbers> {
    /// Buckets from the result of [`Buckets::into_parts`], in any kind of memory.
    pub fn from_parts(documents: Numbers, ends: Numbers) -> Self {
        Buckets { documents, ends }
    }

    /// The number of buckets.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no buckets.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bucket `index`: two or more documents, ascending.
    pub fn bucket(&self, index: usize) -> &[u32] {
        &self.documents[self.range(index)]
    }

    /// The range of bucket `index` among the documents of all buckets.
    pub fn range(&self, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    /// The documents of all buckets, one bucket after the other.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// The buckets, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.bucket(index))
    }
}

/// The list of groups under construction.
#[derive(Default)]
struct GroupList {
    /// For each group its first document, and the start and end of its documents.
    groups: Vec<(u32, u32, u32)>,
    documents: Vec<u32>,
    seen: Vec<u8>,
}

impl GroupList {
    /// Adds the groups among `pairs`, which it reorders.
    ///
    /// Most keys occur once. Low bits of the key, in eight slots per pair, filter them out before the rest is sorted.
    fn add(&mut self, pairs: &mut [(u64, u32)]) {
        let mask = (pairs.len() * 8).next_power_of_two() - 1;
        self.seen.clear();
        self.seen.resize(mask + 1, 0);
        for &(key, _) in pairs.iter() {
            let seen = &mut self.seen[key as usize & mask];
            *seen = seen.saturating_add(1);
        }
        let mut shared = 0;
        for index in 0..pairs.len() {
            let pair = pairs[index];
            pairs[shared] = pair;
            shared += usize::from(self.seen[pair.0 as usize & mask] > 1);
        }
        let shared = &mut pairs[..shared];
        shared.sort_unstable();
        for group in shared.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let start = self.documents.len() as u32;
            self.documents.extend(group.iter().map(|&(_, document)| document));
            self.groups.push((group[0].1, start, self.documents.len() as u32));
        }
    }

    /// The buckets in the order of their first documents.
    fn in_order(mut self) -> Buckets {
        self.groups.sort_unstable();
        let mut buckets = Buckets {
            documents: Vec::with_capacity(self.documents.len()),
            ends: Vec::with_capacity(self.groups.len()),
        };
        for (_, start, end) in self.groups {
            buckets.documents.extend_from_slice(&self.documents[start as usize..end as usize]);
            buckets.ends.push(buckets.documents.len() as u32);
        }
        buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn groups_equal_the_groups_of_a_map() {
        let mut generator = crate::hash::SplitMix64(7);
        for size in [0, 1, 2, 100, 50_000] {
            let keys = size as u64 / 3 + 1;
            let pairs: Vec<(u64, u32)> =
                (0..size).map(|document| (crate::hash::fmix64(generator.next() % keys), document)).collect();
            let mut map: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            for &(key, document) in &pairs {
                map.entry(key).or_default().push(document);
            }
            let mut expected: Vec<Vec<u32>> = map.into_values().filter(|group| group.len() > 1).collect();
            expected.sort();
            let buckets = Buckets::group(&pairs);
            assert_eq!(buckets.iter().map(<[u32]>::to_vec).collect::<Vec<_>>(), expected);
            for parts in [1, 2, 7] {
                let grouped = |share: KeyShare| {
                    let pairs: Vec<_> = pairs.iter().copied().filter(|&(key, _)| share.has(key)).collect();
                    Buckets::group(&pairs)
                };
                let shares: Vec<Buckets> = KeyShare::all(parts).map(grouped).collect();
                assert_eq!(Buckets::joined(&shares), buckets, "{parts} parts");
            }
        }
    }
}
