//! MinHash values of the Python library datasketch: hashes of a set → one least value for each permutation.
//!
//! datasketch draws the constants of its permutations from numpy's `RandomState`, a Mersenne Twister MT19937.

/// The 32-bit numbers of MT19937 for a seed, as published by Matsumoto and Nishimura, 1998.
pub fn mersenne_twister(seed: u32) -> impl Iterator<Item = u32> {
    let mut state = vec![seed];
    for place in 1..624_u32 {
        let before = state[place as usize - 1];
        state.push(1_812_433_253_u32.wrapping_mul(before ^ before >> 30).wrapping_add(place));
    }
    // `state` grows by one number for each that is drawn.
    std::iter::from_fn(move || {
        let first = state.len() - 624;
        let joined = state[first] & 0x8000_0000 | state[first + 1] & 0x7fff_ffff;
        let twist = if joined % 2 == 1 { 0x9908_b0df } else { 0 };
        let mut number = state[first + 397] ^ joined >> 1 ^ twist;
        state.push(number);
        number ^= number >> 11;
        number ^= number << 7 & 0x9d2c_5680;
        number ^= number << 15 & 0xefc6_0000;
        Some(number ^ number >> 18)
    })
}

/// A scheme of datasketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// 32 bits; the default since datasketch 2.0.
    Affine32,
    /// 64 bits.
    Affine64,
    /// 32 bits; the only one before datasketch 2.0.
    Legacy,
}

/// The multiplier and the increment of each of `num_perm` permutations.
pub fn permutations(scheme: Scheme, num_perm: usize, seed: u32) -> Vec<(u64, u64)> {
    let mut numbers = mersenne_twister(seed);
    let mut narrow = move || u64::from(numbers.next().expect("the generator has no end"));
    if scheme == Scheme::Affine32 {
        let multipliers: Vec<u64> = (0..num_perm).map(|_| 2 * (narrow() % (1 << 31)) + 1).collect();
        return multipliers.into_iter().map(|multiplier| (multiplier, narrow())).collect();
    }
    let mut wide = || narrow() << 32 | narrow();
    if scheme == Scheme::Affine64 {
        let multipliers: Vec<u64> = (0..num_perm).map(|_| 2 * (wide() % (1 << 63)) + 1).collect();
        return multipliers.into_iter().map(|multiplier| (multiplier, wide())).collect();
    }
    // Numbers of 61 bits are drawn until one is in the range.
    let mut below = |end: u64| loop {
        let number = wide() % (1 << 61);
        if number < end {
            return number;
        }
    };
    (0..num_perm).map(|_| (1 + below(PRIME - 1), below(PRIME))).collect()
}

/// 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// The values of a set of hashes. Those of an empty set have all bits set.
pub fn values(scheme: Scheme, num_perm: usize, seed: u32, hashes: &[u64]) -> Vec<u64> {
    let empty = if scheme == Scheme::Affine64 { u64::MAX } else { u64::from(u32::MAX) };
    let least = |(multiplier, increment): (u64, u64)| {
        let of_hash = |&hash: &u64| match scheme {
            Scheme::Affine32 => {
                let product = (multiplier as u32).wrapping_mul(mix32(hash as u32));
                u64::from(product.wrapping_add(increment as u32))
            }
            Scheme::Affine64 => multiplier.wrapping_mul(mix64(hash)).wrapping_add(increment),
            Scheme::Legacy => multiplier.wrapping_mul(hash).wrapping_add(increment) % PRIME % (1 << 32),
        };
        hashes.iter().map(of_hash).min().unwrap_or(empty)
    };
    permutations(scheme, num_perm, seed).into_iter().map(least).collect()
}

/// The finaliser of MurmurHash3 for 32 bits.
pub fn mix32(mut hash: u32) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// The finaliser of MurmurHash3 for 64 bits.
pub fn mix64(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_number() {
        // The C++ standard, section rand.predef: the 10,000th number of the seed 5489.
        assert_eq!(mersenne_twister(5489).nth(9_999), Some(4_123_659_995));
    }

    #[test]
    fn the_values_of_a_test_of_datasketch_come_out() {
        // The first 4 bytes of the SHA-1 of "Hello", little-endian.
        let hash = u64::from(u32::from_le_bytes([0xf7, 0xff, 0x9e, 0x8b]));
        let legacy = values(Scheme::Legacy, 4, 1, &[hash]);
        assert_eq!(legacy, [734_825_475, 960_773_806, 359_816_889, 342_714_745]);
    }
}
