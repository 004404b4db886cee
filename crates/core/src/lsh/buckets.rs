//! Which documents share a key.

/// Groups of two or more documents that share a key, in ascending order of their first document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buckets {
    documents: Vec<u32>,
    ends: Vec<u32>,
}

/// Aimed-for pairs per partition: 16 KiB, so that sorting one stays in the first-level cache.
const PARTITION: usize = 1024;

impl Buckets {
    /// Groups `(key, document)` pairs by key. Keys must be well mixed; band keys are.
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
        let mut groups = Vec::new();
        for range in starts.windows(2) {
            let partition = &mut sorted[range[0]..range[1]];
            partition.sort_unstable();
            let mut at = range[0];
            for group in partition.chunk_by(|a, b| a.0 == b.0) {
                if group.len() > 1 {
                    groups.push((group[0].1, at, at + group.len()));
                }
                at += group.len();
            }
        }
        groups.sort_unstable();
        let mut buckets = Buckets::default();
        for (_, start, end) in groups {
            buckets.documents.extend(sorted[start..end].iter().map(|&(_, document)| document));
            buckets.ends.push(buckets.documents.len() as u32);
        }
        buckets
    }

    /// How many buckets there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no bucket?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bucket `index`: two or more documents, ascending.
    pub fn bucket(&self, index: usize) -> &[u32] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.documents[start..self.ends[index] as usize]
    }

    /// The buckets, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.bucket(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn groups_are_those_of_a_map() {
        let mut generator = crate::hash::SplitMix64(7);
        for size in [0, 1, 2, 100, 5_000] {
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
        }
    }
}
