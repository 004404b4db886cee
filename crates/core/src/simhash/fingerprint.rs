//! The fingerprint itself.

use super::Bits;
use crate::error::Incompatible;
use std::fmt;

/// A SimHash fingerprint; shown as 16 or 32 hexadecimal digits.
///
/// Two of them mean something to each other only if they were made in the same way: see
/// [`FingerprintId`](super::FingerprintId).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    value: u128,
    bits: Bits,
    empty: bool,
}

impl Fingerprint {
    pub(super) fn new(bits: Bits, value: u128) -> Self {
        Fingerprint { value, bits, empty: false }
    }

    pub(super) fn of_nothing(bits: Bits, value: u128) -> Self {
        Fingerprint { value, bits, empty: true }
    }

    /// The bits as a number; those of a fingerprint of 64 bits are the low ones.
    pub fn value(self) -> u128 {
        self.value
    }

    /// How many bits there are.
    pub fn bits(self) -> Bits {
        self.bits
    }

    /// Was there nothing to vote: no feature, or none with a weight? Every bit is then what a tie makes of it. Such
    /// documents are all equal, and must be left out of any search.
    pub fn is_empty(self) -> bool {
        self.empty
    }

    /// In how many bits the two differ; smaller is closer.
    ///
    /// # Errors
    /// [`Incompatible`] if they have different numbers of bits.
    pub fn distance(self, other: Fingerprint) -> Result<u32, Incompatible> {
        Incompatible::unless_equal("bits", self.bits.count(), other.bits.count())?;
        Ok((self.value ^ other.value).count_ones())
    }
}

/// A fingerprint of 64 bits that was stored as a number.
impl From<u64> for Fingerprint {
    fn from(value: u64) -> Self {
        Fingerprint::new(Bits::B64, u128::from(value))
    }
}

/// A fingerprint of 128 bits that was stored as a number.
impl From<u128> for Fingerprint {
    fn from(value: u128) -> Self {
        Fingerprint::new(Bits::B128, value)
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
    fn digits_are_as_many_as_the_bits_need() {
        assert_eq!(Fingerprint::from(0xadcf_u64).to_string(), "000000000000adcf");
        assert_eq!(Fingerprint::from(0xadcf_u128).to_string(), "0000000000000000000000000000adcf");
    }

    #[test]
    fn distance_counts_the_bits_that_differ() {
        let (a, b) = (Fingerprint::from(0xdead_beef_u64), Fingerprint::from(0xdead_bead_u64));
        assert_eq!(a.distance(b), Ok(2));
        assert_eq!(Fingerprint::from(u128::MAX).distance(Fingerprint::from(0_u128)), Ok(128));
        let error = a.distance(Fingerprint::from(0_u128)).unwrap_err();
        assert_eq!(error.to_string(), "fingerprints differ in bits: 64 and 128");
    }
}
