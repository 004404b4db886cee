//! The operations on the bits of a code.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::hash::GOLDEN_RATIO;

/// A binary fingerprint: `u64` or `u128`.
pub trait Code:
    Copy
    + Debug
    + Default
    + Hash
    + Ord
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
{
    /// The number of bits in a code.
    const BITS: u32;

    /// The number of bits in which the two differ.
    fn distance(self, other: Self) -> u32;

    /// The code with only bit `index` set. Bit 0 is the lowest.
    fn bit(index: u32) -> Self;

    /// The code rotated to the left by `count` bits.
    fn rotated(self, count: u32) -> Self;

    /// The lowest 64 bits.
    fn low(self) -> u64;

    /// A number whose upper bits depend on all bits. It is equal for equal codes and rarely equal for others.
    fn mixed(self) -> u64;

    /// The top `count` bits as a number. `count` is at most 64.
    fn top(self, count: u32) -> u64 {
        if count == 0 { 0 } else { (self >> (Self::BITS - count)).low() }
    }

    /// The code with the lowest `count` bits set.
    fn ones(count: u32) -> Self {
        if count == 0 { Self::default() } else { !Self::default() >> (Self::BITS - count) }
    }
}

mod sealed {
    /// The trait is sealed, as layouts are designed for the two existing widths.
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

impl Code for u64 {
    const BITS: u32 = 64;

    #[inline(always)]
    fn distance(self, other: Self) -> u32 {
        (self ^ other).count_ones()
    }

    #[inline(always)]
    fn bit(index: u32) -> Self {
        1 << index
    }

    #[inline(always)]
    fn rotated(self, count: u32) -> Self {
        self.rotate_left(count)
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }

    #[inline(always)]
    fn mixed(self) -> u64 {
        // In a product, the upper half of a factor does not affect the lower bits. It is therefore folded onto the
        // lower half first.
        (self ^ (self >> 32)).wrapping_mul(GOLDEN_RATIO)
    }
}

impl Code for u128 {
    const BITS: u32 = 128;

    #[inline(always)]
    fn distance(self, other: Self) -> u32 {
        (self ^ other).count_ones()
    }

    #[inline(always)]
    fn bit(index: u32) -> Self {
        1 << index
    }

    #[inline(always)]
    fn rotated(self, count: u32) -> Self {
        self.rotate_left(count)
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn mixed(self) -> u64 {
        let (low, high) = (self as u64, (self >> 64) as u64);
        low.mixed() ^ high.mixed().rotate_left(29).wrapping_mul(GOLDEN_RATIO)
    }
}
