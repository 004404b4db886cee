//! A set of band keys that are looked up, among the many keys of an index.

use rayon::prelude::*;

/// The first 40 bits of a band key as a number in little-endian bytes. The file of keys holds this of each key.
///
/// A document whose key starts with the same 40 bits is read, and its full keys are compared. Another key starts with the same bits by
/// chance, with probability 2⁻⁴⁰ for each band and pair of documents. When a million new documents are looked up among a billion in 21
/// bands, 19,100 documents are read in vain. For 10,000 new ones among a million it is 0.2.
pub(crate) type KeyStart = [u8; 5];

/// Bits of a key that are not in its start.
const REST: u32 = 24;

/// The start of `key`.
pub(crate) fn start_of(key: u64) -> KeyStart {
    let [a, b, c, d, e, ..] = (key >> REST).to_le_bytes();
    [a, b, c, d, e]
}

/// Keys of one band that are looked up.
#[derive(Debug)]
pub(crate) struct KeySet {
    /// A bit for each value of the first bits of a key, set if a key of the set starts with them.
    filter: Vec<u64>,
    shift: u32,
    /// Ascending.
    keys: Vec<u64>,
}

/// Bits of the filter for each key: at most one of 16 keys that are not in the set passes it.
const BITS: usize = 16;

/// The memory in bytes that it takes to look up one band key: the key, in a list that grows by doubling, and its bits in a filter.
pub const LOOKUP_KEY_BYTES: usize = 20;

impl KeySet {
    /// The set of these keys. They must be well mixed, as band keys are.
    pub(crate) fn new(mut keys: Vec<u64>) -> Self {
        keys.par_sort_unstable();
        keys.dedup();
        // At most as many bits as a start can tell apart.
        let bits = (keys.len() * BITS).max(64).next_power_of_two().min(1 << (64 - REST));
        let shift = 64 - bits.ilog2();
        let mut filter = vec![0; bits / 64];
        for &key in &keys {
            let bit = (key >> shift) as usize;
            filter[bit / 64] |= 1 << (bit % 64);
        }
        KeySet { filter, shift, keys }
    }

    /// Whether a key of the set starts like this.
    #[inline]
    pub(crate) fn has_start(&self, [a, b, c, d, e]: KeyStart) -> bool {
        let least = u64::from_le_bytes([0, 0, 0, a, b, c, d, e]);
        let bit = (least >> self.shift) as usize;
        self.filter[bit / 64] >> (bit % 64) & 1 == 1 && {
            let next = self.keys.get(self.keys.partition_point(|&key| key < least));
            next.is_some_and(|key| key >> REST == least >> REST)
        }
    }

    /// Whether `key` is in the set.
    pub(crate) fn has(&self, key: u64) -> bool {
        self.keys.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::hash::SplitMix64;

    #[test]
    fn a_set_has_its_keys_and_no_others() {
        let mut generator = SplitMix64(3);
        for size in [0, 1, 3, 1000] {
            let keys: Vec<u64> = (0..size).map(|_| generator.next()).collect();
            let set = KeySet::new(keys.repeat(2));
            assert!(keys.iter().all(|&key| set.has(key) && !set.has(key ^ 1)));
            assert!((0..1000).all(|_| !set.has(generator.next())));
        }
    }

    #[test]
    fn a_set_has_the_starts_of_its_keys_and_no_others() {
        let mut generator = SplitMix64(4);
        let ends = [0, u64::MAX, 0xff_ffff, u64::MAX << REST];
        for size in [0, 1, 3, 1000] {
            let keys: Vec<u64> = (0..size).map(|_| generator.next()).chain(ends).collect();
            let set = KeySet::new(keys.clone());
            for &key in &keys {
                assert!(set.has_start(start_of(key)));
                for bit in 0..64 {
                    let other = start_of(key ^ (1 << bit));
                    let expected = keys.iter().any(|&key| start_of(key) == other);
                    assert_eq!(set.has_start(other), expected, "{key:x}, bit {bit}");
                    assert!(bit >= REST || expected);
                }
            }
            assert!((0..1000).all(|_| !set.has_start(start_of(generator.next()))));
        }
        assert!(!KeySet::new(Vec::new()).has_start(start_of(0)));
    }
}
