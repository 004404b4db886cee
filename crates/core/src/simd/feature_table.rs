//! A set of features whose buckets are one cache line each, which one vector instruction compares at once.

/// A set of features, in buckets of eight. Only the first `counts[i]` slots of bucket `i` mean anything.
#[derive(Default)]
pub(crate) struct FeatureTable {
    buckets: Vec<FeatureBucket>,
    counts: Vec<u8>,
    overflow: Vec<u64>,
    shift: u32,
    len: u32,
}

/// A bucket of eight features, in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct FeatureBucket(pub(crate) [u64; 8]);

/// The instructions that search a bucket.
pub(crate) trait BucketSearch {
    /// A mask of the slots that hold `feature`. Unused slots may match as well.
    fn slots(bucket: &FeatureBucket, feature: u64) -> u8;
}

impl FeatureTable {
    /// Empties the table, and makes room for so many features.
    pub(crate) fn clear(&mut self, features: usize) {
        let buckets = (features / 3).next_power_of_two().max(2);
        if self.buckets.len() < buckets {
            self.buckets.resize(buckets, FeatureBucket::default());
        }
        self.counts.clear();
        self.counts.resize(buckets, 0);
        self.overflow.clear();
        self.shift = 64 - buckets.ilog2();
        self.len = 0;
    }

    /// Adds a feature that the table does not have.
    #[inline(always)]
    pub(crate) fn push(&mut self, feature: u64) {
        let index = (feature >> self.shift) as usize;
        let count = self.counts[index];
        match self.buckets[index].0.get_mut(count as usize) {
            Some(slot) => {
                *slot = feature;
                self.counts[index] = count + 1;
            }
            None => self.overflow.push(feature),
        }
        self.len += 1;
    }

    /// How many features it holds.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    #[inline(always)]
    fn contains<P: BucketSearch>(&self, feature: u64) -> bool {
        let index = (feature >> self.shift) as usize;
        let count = self.counts[index];
        let filled = ((1_u32 << count) - 1) as u8;
        if count == 8 && self.overflow.contains(&feature) {
            return true;
        }
        P::slots(&self.buckets[index], feature) & filled != 0
    }

    /// The implementation of [`Comparer::distinct`].
    #[inline(always)]
    pub(crate) fn distinct<P: BucketSearch>(&mut self, features: &mut [u64]) -> usize {
        self.clear(features.len());
        let mut count = 0;
        for index in 0..features.len() {
            let feature = features[index];
            if !self.contains::<P>(feature) {
                self.push(feature);
                features[count] = feature;
                count += 1;
            }
        }
        count
    }

    /// The number of `features` that the table holds.
    #[inline(always)]
    pub(crate) fn count_common<P: BucketSearch>(&self, features: &[u64]) -> usize {
        features.iter().map(|&feature| usize::from(self.contains::<P>(feature))).sum()
    }
}
