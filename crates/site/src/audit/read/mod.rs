//! The words of all pages, as numbers. Blocks that many pages have are stored once.
//!
//! A word takes four bytes, and a block of a page eight. Texts are read in waves, so only those of one wave are in
//! memory.

mod site_text;
mod texts;

pub(super) use site_text::{SiteText, block_tokens};
pub(super) use texts::{Texts, range};

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are hashes already.
pub(super) type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<KeepHash>>;

/// A hasher for keys that are hashes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KeepHash(u64);

impl Hasher for KeepHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are of 64 bits")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
