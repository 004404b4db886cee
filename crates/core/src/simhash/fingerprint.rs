//! SimHash fingerprints as values that can be stored and compared.

use crate::error::Incompatible;
use crate::plan::{Bits, PlanId};
use std::fmt;

/// A SimHash fingerprint, with the id of the plan and weights that made it. Printed as 16 or 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    plan: PlanId,
    value: u128,
    bits: Bits,
    empty: bool,
}

impl Fingerprint {
    /// A stored fingerprint. `plan` is its [`Fingerprint::plan`]. 64 bits are the low bits of `value`.
    pub fn new(plan: PlanId, bits: Bits, value: u128) -> Self {
        Fingerprint { plan, value, bits, empty: false }
    }

    pub(super) fn of_nothing(plan: PlanId, bits: Bits, value: u128) -> Self {
        Fingerprint { plan, value, bits, empty: true }
    }

    /// The [`Plan::fingerprint_id`](crate::Plan::fingerprint_id) of the plan and the weights that made it.
    pub fn plan(self) -> PlanId {
        self.plan
    }

    /// The bits as a number. 64 bits are the low bits.
    pub fn value(self) -> u128 {
        self.value
    }

    /// The number of bits.
    pub fn bits(self) -> Bits {
        self.bits
    }

    /// Whether there was no vote, because there was no feature or none with a weight.
    ///
    /// Every bit then has the value of a tie. Such documents are all equal, and must be left out of any search.
    pub fn is_empty(self) -> bool {
        self.empty
    }

    /// The Hamming distance: the number of bits in which the two differ. Smaller is closer.
    ///
    /// # Errors
    /// [`Incompatible`] if different plans or weights made them.
    pub fn hamming(self, other: Fingerprint) -> Result<u32, Incompatible> {
        Incompatible::unless_equal("plan", self.plan, other.plan)?;
        Ok((self.value ^ other.value).count_ones())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0width$x}", self.value, width = self.bits.count() as usize / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_printed_in_full_width() {
        let of = |bits| Fingerprint::new(PlanId(1), bits, 0xadcf).to_string();
        assert_eq!(of(Bits::B64), "000000000000adcf");
        assert_eq!(of(Bits::B128), "0000000000000000000000000000adcf");
    }

    #[test]
    fn the_hamming_distance_counts_the_bits_that_differ() {
        let of = |value| Fingerprint::new(PlanId(1), Bits::B128, value);
        assert_eq!(of(0xdead_beef).hamming(of(0xdead_bead)), Ok(2));
        assert_eq!(of(u128::MAX).hamming(of(0)), Ok(128));
    }

    #[test]
    fn fingerprints_of_different_plans_are_not_compared() {
        let of = |plan| Fingerprint::new(PlanId(plan), Bits::B64, 7);
        assert_eq!(
            of(1).hamming(of(2)).unwrap_err().to_string(),
            "made in different ways: plan 0000000000000001 and plan 0000000000000002"
        );
    }
}
