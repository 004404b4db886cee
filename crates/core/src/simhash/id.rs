//! Which fingerprints may be compared?

use super::{Bits, Tie, Weighting};
use crate::error::Incompatible;
use crate::sketch::FeatureHash;

/// Everything that the bits of a fingerprint depend on, beside the text. Store it with fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FingerprintId {
    /// The id of the plan that cut the texts: tokens, shingle length, seed. The caller's to define.
    pub plan: u64,
    /// What the features are.
    pub feature_hash: FeatureHash,
    /// How many bits there are.
    pub bits: Bits,
    /// What becomes of ties.
    pub tie: Tie,
    /// How much features count.
    pub weighting: Weighting,
    /// The id of the table that says how much, if the rule needs one.
    pub table: Option<u64>,
}

impl FingerprintId {
    /// May fingerprints of the two be compared?
    ///
    /// # Errors
    /// [`Incompatible`] names the first field in which they differ.
    pub fn check_compatible(&self, other: &FingerprintId) -> Result<(), Incompatible> {
        let table = |id: &Self| id.table.map_or("none".to_owned(), hex);
        Incompatible::unless_equal("plan", hex(self.plan), hex(other.plan))?;
        Incompatible::unless_equal("feature hash", self.feature_hash.name(), other.feature_hash.name())?;
        Incompatible::unless_equal("bits", self.bits.count(), other.bits.count())?;
        Incompatible::unless_equal("tie", self.tie.name(), other.tie.name())?;
        Incompatible::unless_equal("weights", self.weighting.name(), other.weighting.name())?;
        Incompatible::unless_equal("table", table(self), table(other))
    }
}

fn hex(id: u64) -> String {
    format!("{id:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_field_that_differs_is_named() {
        let id = FingerprintId {
            plan: 1,
            feature_hash: FeatureHash::Xxh3,
            bits: Bits::B64,
            tie: Tie::Zero,
            weighting: Weighting::TfIdf,
            table: Some(0xabc),
        };
        assert_eq!(id.check_compatible(&id), Ok(()));
        for (other, message) in [
            (FingerprintId { plan: 2, ..id }, "plan: 0000000000000001 and 0000000000000002"),
            (FingerprintId { feature_hash: FeatureHash::Fnv1a64, ..id }, "feature hash: xxh3 and fnv1a64"),
            (FingerprintId { bits: Bits::B128, ..id }, "bits: 64 and 128"),
            (FingerprintId { tie: Tie::One, ..id }, "tie: zero and one"),
            (FingerprintId { weighting: Weighting::Set, ..id }, "weights: tf-idf and set"),
            (FingerprintId { table: None, ..id }, "table: 0000000000000abc and none"),
        ] {
            let error = id.check_compatible(&other).unwrap_err();
            assert_eq!(error.to_string(), format!("fingerprints differ in {message}"));
        }
    }
}
