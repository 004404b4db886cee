//! Maps whose keys are hashes already.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are hashes already, such as features or band keys.
pub type HashedMap<V> = HashMap<u64, V, BuildHasherDefault<HashedKey>>;

/// The hasher of keys that are hashes already: it gives the key.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashedKey(u64);

impl Hasher for HashedKey {
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
