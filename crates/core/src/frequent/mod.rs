//! Frequent features: those that more than a share of the documents have, such as the shingles of a banner. They do not count, neither
//! for the search nor for the similarity.
//!
//! [`FrequentFeatures`] is a part of a [`Plan`](crate::Plan). A [`FrequentCounter`] finds them in a corpus.

mod counter;

pub use counter::{FirstPass, FrequentCounter, FrequentCounts, SuspectCounter};

use crate::error::PlanError;

/// The least share. With less, almost every feature would have to be counted.
const LEAST_SHARE: f64 = 0.001;

/// Features that do not count, as more than a share of the documents had them.
#[derive(Clone, Debug, PartialEq)]
pub struct FrequentFeatures {
    share: f64,
    /// Ascending.
    features: Box<[u64]>,
    /// A bit for each value of some bits of a feature, at most one in sixteen set. A feature with an unset bit is not frequent.
    filter: Box<[u64]>,
}

impl FrequentFeatures {
    /// These features, which more than `share` of the documents had.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] unless the share is at least 0.001 and less than 1.
    pub fn new(share: f64, mut features: Vec<u64>) -> Result<Self, PlanError> {
        let share = checked_share(share)?;
        features.sort_unstable();
        features.dedup();
        let words = (features.len() * 16).next_power_of_two().max(64) / 64;
        let mut all = FrequentFeatures { share, features: features.into(), filter: vec![0; words].into() };
        for index in 0..all.features.len() {
            let (word, bit) = all.bit(all.features[index]);
            all.filter[word] |= bit;
        }
        Ok(all)
    }

    /// The share of the documents.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The features, ascending.
    pub fn features(&self) -> &[u64] {
        &self.features
    }

    /// Whether `feature` is frequent.
    #[inline]
    pub fn has(&self, feature: u64) -> bool {
        let (word, bit) = self.bit(feature);
        self.filter[word] & bit != 0 && self.features.binary_search(&feature).is_ok()
    }

    #[inline]
    fn bit(&self, feature: u64) -> (usize, u64) {
        let bits = self.filter.len() * 64;
        let place = (feature >> 32) as usize & (bits - 1);
        (place / 64, 1 << (place % 64))
    }
}

/// The share, if it can be used.
pub(crate) fn checked_share(share: f64) -> Result<f64, PlanError> {
    match (LEAST_SHARE..1.0).contains(&share) {
        true => Ok(share),
        false => Err(PlanError::out_of_range("drop_frequent", share, "at least 0.001 and less than 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;

    #[test]
    fn features_are_found_and_no_others() {
        let mut generator = SplitMix64(1);
        for count in [0, 1, 5, 300] {
            let given: Vec<u64> = (0..count).map(|_| generator.next()).collect();
            let frequent = FrequentFeatures::new(0.1, [given.clone(), given.clone()].concat()).unwrap();
            assert_eq!(frequent.features().len(), count);
            assert!(given.iter().all(|&feature| frequent.has(feature)));
            // The same filter bits, and another feature.
            assert!(given.iter().all(|&feature| !frequent.has(feature ^ 1)));
        }
    }
}
