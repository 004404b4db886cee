//! Is this key one of those that are looked for? Asked of every key of an index, of which few are.

use crate::work::Budget;
use rayon::prelude::*;

/// Keys that are looked for.
#[derive(Debug)]
pub(super) struct KeySet {
    /// A bit for each value of the first bits of a key: does one that is looked for start so?
    filter: Vec<u64>,
    shift: u32,
    /// Ascending.
    keys: Vec<u64>,
}

/// Bits of the filter for each key: of keys that are not looked for, one in 16 or fewer passes it.
const BITS: usize = 16;

/// Bytes that a key takes, at most: itself, and its bits.
const KEY_BYTES: usize = 12;

impl KeySet {
    /// In how many sets so many keys are looked for, one after the other.
    pub(super) fn parts(keys: usize, budget: Budget) -> u32 {
        budget.parts((keys * KEY_BYTES).div_ceil(32))
    }

    /// Keys must be well mixed; band keys are.
    pub(super) fn new(mut keys: Vec<u64>) -> Self {
        keys.par_sort_unstable();
        keys.dedup();
        let bits = (keys.len() * BITS).max(64).next_power_of_two();
        let shift = 64 - bits.ilog2();
        let mut filter = vec![0; bits / 64];
        for &key in &keys {
            let bit = (key >> shift) as usize;
            filter[bit / 64] |= 1 << (bit % 64);
        }
        KeySet { filter, shift, keys }
    }

    #[inline]
    pub(super) fn has(&self, key: u64) -> bool {
        let bit = (key >> self.shift) as usize;
        self.filter[bit / 64] >> (bit % 64) & 1 == 1 && self.keys.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::SplitMix64;

    #[test]
    fn it_has_the_keys_that_were_put_in_and_no_others() {
        let mut generator = SplitMix64(3);
        for size in [0, 1, 3, 1000] {
            let keys: Vec<u64> = (0..size).map(|_| generator.next()).collect();
            let set = KeySet::new(keys.repeat(2));
            assert!(keys.iter().all(|&key| set.has(key)));
            assert!(keys.iter().all(|&key| !set.has(key ^ 1)));
            assert!((0..1000).all(|_| !set.has(generator.next())));
        }
    }
}
