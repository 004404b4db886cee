//! Is this key one of those that are looked for? Asked of every key of an index, of which few are.

use crate::work::Budget;
use rayon::prelude::*;

/// The first 40 bits of a band key as a number in little-endian bytes: what an index has of it to be looked through.
///
/// Who shares 40 bits with what is looked for is looked at, and has the whole keys. That somebody is looked at for nothing takes
/// 2⁻⁴⁰ for each band and each two documents: 19,100 of a billion documents when a million new ones are looked for in 21 bands, and
/// 0.2 of a million for 10,000.
pub(super) type KeyStart = [u8; 5];

/// Bits of a key that are not in its start.
const REST: u32 = 24;

/// The start of `key`.
pub(super) fn start_of(key: u64) -> KeyStart {
    let [a, b, c, d, e, ..] = (key >> REST).to_le_bytes();
    [a, b, c, d, e]
}

/// Keys of one band that are looked for.
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

/// Bytes that a key takes: itself in a list that grows by doubling, and its bits.
const KEY_BYTES: usize = 20;

impl KeySet {
    /// In how many sets so many keys are looked for, one after the other.
    pub(super) fn parts(keys: usize, budget: Budget) -> u32 {
        budget.parts((keys * KEY_BYTES).div_ceil(32))
    }

    /// Keys must be well mixed; band keys are.
    pub(super) fn new(mut keys: Vec<u64>) -> Self {
        keys.par_sort_unstable();
        keys.dedup();
        // No more bits than a start has; so many keys there are not.
        let bits = (keys.len() * BITS).max(64).next_power_of_two().min(1 << (64 - REST));
        let shift = 64 - bits.ilog2();
        let mut filter = vec![0; bits / 64];
        for &key in &keys {
            let bit = (key >> shift) as usize;
            filter[bit / 64] |= 1 << (bit % 64);
        }
        KeySet { filter, shift, keys }
    }

    /// May a key that starts so be one of them?
    #[inline]
    pub(super) fn may_have(&self, [a, b, c, d, e]: KeyStart) -> bool {
        let least = u64::from_le_bytes([0, 0, 0, a, b, c, d, e]);
        let bit = (least >> self.shift) as usize;
        self.filter[bit / 64] >> (bit % 64) & 1 == 1 && {
            let next = self.keys.get(self.keys.partition_point(|&key| key < least));
            next.is_some_and(|key| key >> REST == least >> REST)
        }
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.keys.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::hash::SplitMix64;

    #[test]
    fn it_has_the_keys_that_were_put_in_and_no_others() {
        let mut generator = SplitMix64(3);
        for size in [0, 1, 3, 1000] {
            let keys: Vec<u64> = (0..size).map(|_| generator.next()).collect();
            let set = KeySet::new(keys.repeat(2));
            assert!(keys.iter().all(|&key| set.has(key) && !set.has(key ^ 1)));
            assert!((0..1000).all(|_| !set.has(generator.next())));
        }
    }

    #[test]
    fn it_may_have_what_starts_as_one_of_its_keys_and_nothing_else() {
        let mut generator = SplitMix64(4);
        let ends = [0, u64::MAX, 0xff_ffff, u64::MAX << REST];
        for size in [0, 1, 3, 1000] {
            let keys: Vec<u64> = (0..size).map(|_| generator.next()).chain(ends).collect();
            let set = KeySet::new(keys.clone());
            for &key in &keys {
                assert!(set.may_have(start_of(key)));
                for bit in 0..64 {
                    let other = start_of(key ^ (1 << bit));
                    let expected = keys.iter().any(|&key| start_of(key) == other);
                    assert_eq!(set.may_have(other), expected, "{key:x}, bit {bit}");
                    assert!(bit >= REST || expected);
                }
            }
            assert!((0..1000).all(|_| !set.may_have(start_of(generator.next()))));
        }
        assert!(!KeySet::new(Vec::new()).may_have(start_of(0)));
    }
}
