//! The hashes of elements, and how they lower values.

use lookalike::Level;
use lookalike::sketch::PermutationScheme;
use sha1::{Digest, Sha1};
use std::sync::OnceLock;

/// The fastest instructions of this machine.
pub(crate) fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(Level::detect)
}

/// The first bytes of the SHA-1 of an element as a little-endian number: 8 bytes for `affine64`, and 4 for the others.
pub fn element_hash(scheme: PermutationScheme, element: &[u8]) -> u64 {
    let digest = Sha1::digest(element);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    let hash = u64::from_le_bytes(first);
    if scheme == PermutationScheme::Affine64 { hash } else { hash & u64::from(u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SHA-1 of "Hello" starts with f7ff9e8b 7bb2e09b.
    #[test]
    fn a_hash_is_the_start_of_sha1() {
        assert_eq!(element_hash(PermutationScheme::Affine64, b"Hello"), 0x9be0_b27b_8b9e_fff7);
        assert_eq!(element_hash(PermutationScheme::Affine32, b"Hello"), 0x8b9e_fff7);
        assert_eq!(element_hash(PermutationScheme::Legacy, b"Hello"), 0x8b9e_fff7);
    }
}
