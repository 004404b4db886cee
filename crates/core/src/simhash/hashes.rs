//! Hashes of features by a table, for fingerprints that must agree with a program whose hash function is not here.
//!
//! A feature stays the hash of its shingle by the plan, so it is counted and weighed as always. It votes by the bits that
//! the table has for it.

use super::weights::mixed_sum;
use super::{Fingerprint, FingerprintParts, Fingerprinter};
use crate::hash::{GOLDEN_RATIO, HashedMap, fmix64};
use crate::plan::PlanId;

/// The bits by which features vote, in place of their own.
#[derive(Clone, Debug, Default)]
pub struct FeatureHashes(HashedMap<u64>);

impl FeatureHashes {
    /// Lets `feature` vote by the bits of `hash`. Returns its hash until now, if it had one.
    pub fn insert(&mut self, feature: u64, hash: u64) -> Option<u64> {
        self.0.insert(feature, hash)
    }

    /// The hash of `feature`.
    pub(crate) fn hash(&self, feature: u64) -> Option<u64> {
        self.0.get(&feature).copied()
    }

    /// Names the fingerprint bits of a plan by this table. `plan` is the id of the plan, or [`Plan::fingerprint_id`].
    ///
    /// [`Plan::fingerprint_id`]: crate::Plan::fingerprint_id
    pub fn plan_id(&self, plan: PlanId) -> PlanId {
        plan.with_table(self.id())
    }

    /// Names the content. Two tables with the same id give the same hashes.
    pub fn id(&self) -> u64 {
        let sum = mixed_sum(self.0.iter().map(|(&feature, &hash)| (feature, hash)));
        fmix64(sum.wrapping_add((self.0.len() as u64).wrapping_mul(GOLDEN_RATIO)))
    }
}

impl Fingerprinter {
    /// The fingerprint of a document with these `features`, which vote by `hashes`. `None` if one of them has no hash.
    pub(crate) fn fingerprint_by(&mut self, features: &[u64], hashes: &FeatureHashes) -> Option<Fingerprint> {
        let mut weighed = Vec::new();
        self.weigh(features, &mut weighed);
        let (mut votes, mut weights) = (Vec::with_capacity(weighed.len()), Vec::with_capacity(weighed.len()));
        for (feature, weight) in weighed {
            votes.push(hashes.hash(feature)?);
            weights.push(weight);
        }
        let parts = FingerprintParts::from(self.weighted(&votes, &weights));
        Some(FingerprintParts { plan: hashes.plan_id(parts.plan), ..parts }.into())
    }
}
