//! MinHash values as the Python library datasketch makes them, bit by bit.
//!
//! Position `i` holds the least value of permutation `i` over the hashes of a set. The parameters of the permutations are
//! drawn from numpy's generator. `affine32` and `affine64` mix each hash by MurmurHash3's finaliser, and then compute
//! `a * hash + b` modulo 2³² or 2⁶⁴, where `a` is odd. `legacy` computes `(a * hash + b) mod 2⁶⁴ mod (2⁶¹ - 1)`, and keeps
//! the low 32 bits. Hashes are made by the caller: datasketch takes the first 4 or 8 bytes of SHA-1.
//!
//! Not for: new sketches, which a [`Sketcher`](super::Sketcher) makes faster, and with less variance.

use crate::hash::mersenne::MersenneTwister;
use crate::hash::{fmix32, fmix64};
use crate::simd::Level;

/// 2⁶¹ - 1.
const MERSENNE_PRIME: u64 = (1 << 61) - 1;

/// A family of permutations of datasketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PermutationScheme {
    /// 32 bits: the default since datasketch 2.0.
    Affine32,
    /// 64 bits, for sets of 100 million elements.
    Affine64,
    /// The only scheme before datasketch 2.0.
    Legacy,
}

/// The permutations of a seed.
#[derive(Clone, Debug)]
pub struct Permutations {
    scheme: PermutationScheme,
    parameters: PermutationParameters,
}

/// Multipliers and increments.
#[derive(Clone, Debug)]
enum PermutationParameters {
    Narrow(Vec<u32>, Vec<u32>),
    Wide(Vec<u64>, Vec<u64>),
}

/// The least values so far, one a permutation. Those of `affine64` have 64 bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Minima {
    Narrow(Box<[u32]>),
    Wide(Box<[u64]>),
}

impl Permutations {
    /// `num_perm` permutations of `seed`.
    pub fn new(scheme: PermutationScheme, num_perm: usize, seed: u32) -> Self {
        let mut random = MersenneTwister::new(seed);
        let parameters = match scheme {
            PermutationScheme::Affine32 => {
                let multipliers = (0..num_perm).map(|_| random.next_u32() << 1 | 1).collect();
                PermutationParameters::Narrow(multipliers, (0..num_perm).map(|_| random.next_u32()).collect())
            }
            PermutationScheme::Affine64 => {
                let multipliers = (0..num_perm).map(|_| random.next_u64() << 1 | 1).collect();
                PermutationParameters::Wide(multipliers, (0..num_perm).map(|_| random.next_u64()).collect())
            }
            PermutationScheme::Legacy => {
                let mut pair = || (1 + random.up_to(MERSENNE_PRIME - 2), random.up_to(MERSENNE_PRIME - 1));
                let (multipliers, increments) = (0..num_perm).map(|_| pair()).unzip();
                PermutationParameters::Wide(multipliers, increments)
            }
        };
        Permutations { scheme, parameters }
    }

    /// The scheme.
    pub fn scheme(&self) -> PermutationScheme {
        self.scheme
    }

    /// The multipliers and the increments.
    pub fn parameters(&self) -> (Vec<u64>, Vec<u64>) {
        let widened = |numbers: &[u32]| numbers.iter().map(|&number| u64::from(number)).collect();
        match &self.parameters {
            PermutationParameters::Narrow(factors, terms) => (widened(factors), widened(terms)),
            PermutationParameters::Wide(factors, terms) => (factors.clone(), terms.clone()),
        }
    }

    /// Lowers `minima` to the values of `hashes`, which are changed on the way.
    ///
    /// # Panics
    /// If `minima` has another width or length than the permutations.
    pub fn lower(&self, level: Level, hashes: &mut [u64], minima: &mut Minima) {
        match (&self.parameters, minima) {
            (PermutationParameters::Narrow(factors, terms), Minima::Narrow(minima)) => {
                hashes.iter_mut().for_each(|hash| *hash = u64::from(fmix32(*hash as u32)));
                level.lower_narrow(hashes, factors, terms, minima);
            }
            (PermutationParameters::Wide(factors, terms), Minima::Wide(minima)) => {
                hashes.iter_mut().for_each(|hash| *hash = fmix64(*hash));
                level.lower_wide(hashes, factors, terms, minima);
            }
            (PermutationParameters::Wide(factors, terms), Minima::Narrow(minima)) => {
                assert_eq!(self.scheme, PermutationScheme::Legacy, "minima of 64 bits");
                level.lower_legacy(hashes, factors, terms, minima);
            }
            (PermutationParameters::Narrow(..), Minima::Wide(_)) => panic!("minima of 32 bits"),
        }
    }
}

impl Minima {
    /// The values of an empty set: all bits are set.
    pub fn empty(scheme: PermutationScheme, num_perm: usize) -> Self {
        match scheme {
            PermutationScheme::Affine64 => Minima::Wide(vec![u64::MAX; num_perm].into()),
            _ => Minima::Narrow(vec![u32::MAX; num_perm].into()),
        }
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "there is at least one; is_unset is the question to ask")]
    pub fn len(&self) -> usize {
        match self {
            Minima::Narrow(values) => values.len(),
            Minima::Wide(values) => values.len(),
        }
    }

    /// Whether they are the values of an empty set.
    pub fn is_unset(&self) -> bool {
        match self {
            Minima::Narrow(values) => values.iter().all(|&value| value == u32::MAX),
            Minima::Wide(values) => values.iter().all(|&value| value == u64::MAX),
        }
    }

    /// The value of a position.
    pub fn at(&self, position: usize) -> u64 {
        match self {
            Minima::Narrow(values) => u64::from(values[position]),
            Minima::Wide(values) => values[position],
        }
    }

    /// At how many positions both have the same value. 0 if one is narrow and the other is wide.
    pub fn agreeing(&self, other: &Minima) -> usize {
        match (self, other) {
            (Minima::Narrow(a), Minima::Narrow(b)) => a.iter().zip(b).filter(|(a, b)| a == b).count(),
            (Minima::Wide(a), Minima::Wide(b)) => a.iter().zip(b).filter(|(a, b)| a == b).count(),
            _ => 0,
        }
    }

    /// Makes these the values of the union of both sets. Nothing changes if one is narrow and the other is wide.
    pub fn merge(&mut self, other: &Minima) {
        match (self, other) {
            (Minima::Narrow(a), Minima::Narrow(b)) => {
                a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).min(*b))
            }
            (Minima::Wide(a), Minima::Wide(b)) => a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).min(*b)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// datasketch's values of the set {b"Hello"} for 4 permutations of seed 1. The first 8 bytes of its SHA-1 are
    /// f7ff9e8b 7bb2e09b.
    #[test]
    fn the_published_values_come_out() {
        let of = |scheme, hash: u64| {
            let mut minima = Minima::empty(scheme, 4);
            let permutations = Permutations::new(scheme, 4, 1);
            permutations.lower(Level::detect(), &mut [hash], &mut minima);
            (0..4).map(|position| minima.at(position)).collect::<Vec<_>>()
        };
        let hash = u64::from(u32::from_le_bytes([0xf7, 0xff, 0x9e, 0x8b]));
        let legacy = of(PermutationScheme::Legacy, hash);
        assert_eq!(legacy, [734_825_475, 960_773_806, 359_816_889, 342_714_745]);
        let affine = of(PermutationScheme::Affine32, hash);
        assert_eq!(affine, [3_231_258_861, 1_388_533_999, 831_950_533, 1_845_606_703]);
    }

    #[test]
    fn every_level_gives_the_same_values() {
        let hashes: Vec<u64> = (0..500_u64).map(|i| fmix64(i ^ 77)).collect();
        for scheme in [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy] {
            for num_perm in [1, 7, 16, 33, 128, 200] {
                let permutations = Permutations::new(scheme, num_perm, 9);
                let values = Level::available().into_iter().map(|level| {
                    let mut minima = Minima::empty(scheme, num_perm);
                    permutations.lower(level, &mut hashes.clone(), &mut minima);
                    minima
                });
                let values: Vec<Minima> = values.collect();
                assert!(values.windows(2).all(|two| two[0] == two[1]), "{scheme:?}, {num_perm}");
            }
        }
    }

    #[test]
    fn merged_minima_are_those_of_the_union() {
        let permutations = Permutations::new(PermutationScheme::Affine64, 32, 3);
        let of = |hashes: &[u64]| {
            let mut minima = Minima::empty(PermutationScheme::Affine64, 32);
            permutations.lower(Level::detect(), &mut hashes.to_vec(), &mut minima);
            minima
        };
        let mut merged = of(&[1, 2, 3]);
        merged.merge(&of(&[3, 4]));
        assert_eq!(merged, of(&[4, 3, 2, 1, 1]));
        assert_eq!(merged.agreeing(&of(&[1, 2, 3, 4])), 32);
        assert!(!merged.is_unset() && of(&[]).is_unset());
    }
}
