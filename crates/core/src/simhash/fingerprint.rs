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

/// All that must be stored of a [`Fingerprint`].
///
/// ```
/// use lookalike::Fingerprint;
/// use lookalike::simhash::FingerprintParts;
/// # use lookalike::{Plan, Weights, simhash::Fingerprinter};
/// # let mut fingerprinter = Fingerprinter::new(&Plan::default(), &Weights::Set);
///
/// let fingerprint = fingerprinter.fingerprint(&[7, 8, 9]);
/// let FingerprintParts { plan, bits, value, is_empty } = fingerprint.into();
/// // Store the four, and read them again.
/// assert_eq!(Fingerprint::from(FingerprintParts { plan, bits, value, is_empty }), fingerprint);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FingerprintParts {
    /// See [`Fingerprint::plan`].
    pub plan: PlanId,
    /// See [`Fingerprint::bits`].
    pub bits: Bits,
    /// See [`Fingerprint::value`]. With 64 bits, the high bits are ignored.
    pub value: u128,
    /// See [`Fingerprint::is_empty`].
    pub is_empty: bool,
}

impl From<Fingerprint> for FingerprintParts {
    fn from(Fingerprint { plan, value, bits, empty }: Fingerprint) -> Self {
        FingerprintParts { plan, bits, value, is_empty: empty }
    }
}

impl From<FingerprintParts> for Fingerprint {
    fn from(FingerprintParts { plan, bits, value, is_empty }: FingerprintParts) -> Self {
        Fingerprint { plan, value: value & (u128::MAX >> (128 - bits.count())), bits, empty: is_empty }
    }
}

impl Fingerprint {
    pub(super) fn new(plan: PlanId, bits: Bits, value: u128) -> Self {
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
    fn stored_fingerprints_are_the_same_when_they_are_read() {
        for bits in [Bits::B64, Bits::B128] {
            for fingerprint in
                [Fingerprint::new(PlanId(3), bits, 0xadcf), Fingerprint::of_nothing(PlanId(3), bits, 0)]
            {
                let read = Fingerprint::from(FingerprintParts::from(fingerprint));
                assert_eq!(read, fingerprint);
                assert_eq!(read.is_empty(), fingerprint.is_empty());
            }
        }
    }

    #[test]
    fn only_64_bits_of_a_stored_fingerprint_of_64_bits_count() {
        let of = |value| {
            let parts = FingerprintParts { plan: PlanId(1), bits: Bits::B64, value, is_empty: false };
            Fingerprint::from(parts)
        };
        assert_eq!(of(7 | 1 << 64), of(7));
        assert_eq!(of(u128::MAX).hamming(of(u128::from(u64::MAX))), Ok(0));
        assert_eq!(of(u128::MAX).to_string(), "ffffffffffffffff");
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
