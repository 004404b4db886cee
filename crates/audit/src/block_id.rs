//! The identity of a block of text.

use lookalike::hash::SplitMix64;
use std::fmt;
use std::str::FromStr;

/// A hash of a block's words, in order. Blocks with the same words have the same id, on any page and in any crawl.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub u64);

impl BlockId {
    /// The id of a block whose tokens have these hashes.
    pub(super) fn of(tokens: &[u64]) -> Self {
        Self::of_hashes(tokens.iter().copied())
    }

    pub(super) fn of_hashes(tokens: impl Iterator<Item = u64>) -> Self {
        BlockId(tokens.fold(0, |hash, token| SplitMix64(hash ^ token).next()))
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for BlockId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for BlockId {
    type Err = std::num::ParseIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        u64::from_str_radix(digits, 16).map(BlockId)
    }
}
