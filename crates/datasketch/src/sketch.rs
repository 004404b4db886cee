//! A MinHash: its scheme, its seed and its values.

use super::error::Error;
use super::hashing::level;
use super::permutations::shared;
use super::scheme::scheme_name;
use super::sums::pairwise_sum;
use lookalike::sketch::{Minima, PermutationScheme, Permutations};
use std::borrow::Cow;
use std::sync::Arc;

/// The MinHash of a set. Copies share the values until one of them changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PermutedSketch {
    pub scheme: PermutationScheme,
    /// The seed of the permutations. Sketches that are only read may have one that numpy does not take.
    pub seed: i64,
    pub values: Arc<Minima>,
}

impl PermutedSketch {
    /// The sketch of an empty set.
    pub fn empty(scheme: PermutationScheme, seed: i64, num_perm: usize) -> Self {
        PermutedSketch { scheme, seed, values: Arc::new(Minima::empty(scheme, num_perm)) }
    }

    /// A sketch with these values.
    ///
    /// # Errors
    /// A value has more bits than the scheme.
    pub fn of_values(scheme: PermutationScheme, seed: i64, values: &[u64]) -> Result<Self, Error> {
        Ok(PermutedSketch { scheme, seed, values: Arc::new(minima_of(scheme, values)?) })
    }

    /// The permutations of scheme and seed, one a value.
    ///
    /// # Errors
    /// numpy does not take the seed.
    pub fn permutations(&self) -> Result<Arc<Permutations>, Error> {
        let seed = u32::try_from(self.seed).map_err(|_| Error::SeedOutOfRange)?;
        Ok(shared(self.scheme, self.values.len(), seed))
    }

    /// Replaces the values by as many others.
    ///
    /// # Errors
    /// There are more or fewer, or a value has more bits than the scheme.
    pub fn assign(&mut self, values: &[u64]) -> Result<(), Error> {
        let values = minima_of(self.scheme, values)?;
        if values.len() != self.values.len() {
            return Err(Error::OtherCount { needed: self.values.len(), given: values.len() });
        }
        self.values = Arc::new(values);
        Ok(())
    }

    /// Makes it the sketch of an empty set.
    pub fn clear(&mut self) {
        self.values = Arc::new(Minima::empty(self.scheme, self.values.len()));
    }

    /// Adds elements by their hashes, which are changed on the way.
    ///
    /// # Panics
    /// If the permutations have another width or number than the values.
    pub fn add(&mut self, permutations: &Permutations, hashes: &mut [u64]) {
        permutations.lower(level(), hashes, Arc::make_mut(&mut self.values));
    }

    /// Makes it the sketch of the union of both sets.
    ///
    /// # Errors
    /// The sketches were made in different ways.
    pub fn merge(&mut self, other: &PermutedSketch) -> Result<(), Error> {
        self.check(other, "merge")?;
        Arc::make_mut(&mut self.values).merge(&other.values);
        Ok(())
    }

    /// Estimates the Jaccard similarity of both sets: the share of equal values.
    ///
    /// # Errors
    /// The sketches were made in different ways.
    pub fn jaccard(&self, other: &PermutedSketch) -> Result<f64, Error> {
        self.check(other, "compare")?;
        Ok(self.values.agreeing(&other.values) as f64 / self.values.len() as f64)
    }

    fn check(&self, other: &PermutedSketch, verb: &'static str) -> Result<(), Error> {
        let differing = if self.scheme != other.scheme {
            "permutation schemes"
        } else if self.seed != other.seed {
            "seeds"
        } else if self.values.len() != other.values.len() {
            "numbers of permutation functions"
        } else {
            return Ok(());
        };
        Err(Error::Differing { verb, differing })
    }

    /// Estimates the number of elements.
    pub fn count(&self) -> f64 {
        let values = &self.values;
        let greatest =
            if matches!(**values, Minima::Wide(_)) { u64::MAX as f64 } else { f64::from(u32::MAX) };
        let shares: Vec<f64> = (0..values.len()).map(|place| values.at(place) as f64 / greatest).collect();
        values.len() as f64 / pairwise_sum(&shares) - 1.0
    }

    /// The values as little-endian bytes: 4 a value for `affine32`, 8 for the others.
    pub fn to_bytes(&self) -> Vec<u8> {
        match &*self.values {
            Minima::Narrow(values) if self.scheme == PermutationScheme::Affine32 => {
                values.iter().flat_map(|value| value.to_le_bytes()).collect()
            }
            Minima::Narrow(values) => {
                values.iter().flat_map(|&value| u64::from(value).to_le_bytes()).collect()
            }
            Minima::Wide(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        }
    }

    /// The values as words of 32 bits. A value of `affine64` is two words, the high one first.
    pub(crate) fn words(&self) -> Cow<'_, [u32]> {
        match &*self.values {
            Minima::Narrow(values) => Cow::Borrowed(values),
            Minima::Wide(values) => {
                Cow::Owned(values.iter().flat_map(|&value| [(value >> 32) as u32, value as u32]).collect())
            }
        }
    }
}

/// Values of a scheme.
fn minima_of(scheme: PermutationScheme, values: &[u64]) -> Result<Minima, Error> {
    if scheme == PermutationScheme::Affine64 {
        return Ok(Minima::Wide(values.into()));
    }
    let narrow: Option<Box<[u32]>> = values.iter().map(|&value| u32::try_from(value).ok()).collect();
    narrow.map(Minima::Narrow).ok_or(Error::ValueOutOfRange { scheme: scheme_name(scheme) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashing::element_hash;

    const SCHEMES: [PermutationScheme; 3] =
        [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy];

    fn sketch(scheme: PermutationScheme, elements: &[&str]) -> PermutedSketch {
        let mut sketch = PermutedSketch::empty(scheme, 1, 8);
        let permutations = sketch.permutations().unwrap();
        let hashes = elements.iter().map(|element| element_hash(scheme, element.as_bytes()));
        sketch.add(&permutations, &mut hashes.collect::<Vec<_>>());
        sketch
    }

    /// Those of `datasketch.MinHash(8)`, version 2.0.
    #[test]
    fn values_and_count_are_those_of_datasketch() {
        let sketch = sketch(PermutationScheme::Affine32, &["a", "b", "c"]);
        let values = [
            2_120_695_791,
            1_008_881_376,
            645_121_904,
            2_519_195_804,
            842_417_644,
            49_088_999,
            52_257_162,
            224_429_077,
        ];
        assert_eq!(PermutedSketch::of_values(PermutationScheme::Affine32, 1, &values).unwrap(), sketch);
        assert_eq!(sketch.count(), 3.604_574_413_878_739_7);
    }

    #[test]
    fn merge_equals_the_sketch_of_the_union() {
        for scheme in SCHEMES {
            let (mut a, b) = (sketch(scheme, &["a", "b"]), sketch(scheme, &["b", "c"]));
            let before = a.clone();
            a.merge(&b).unwrap();
            assert_eq!(a, sketch(scheme, &["a", "b", "c"]));
            assert_eq!(before, sketch(scheme, &["a", "b"]), "a copy does not change");
        }
    }

    #[test]
    fn similarity_is_the_share_of_equal_values() {
        let of = |values: &[u64]| PermutedSketch::of_values(PermutationScheme::Legacy, 1, values).unwrap();
        assert_eq!(of(&[1, 2, 3, 4]).jaccard(&of(&[1, 0, 3, 0])), Ok(0.5));
        assert_eq!(of(&[1]).jaccard(&of(&[2])), Ok(0.0));
    }

    #[test]
    fn sketches_of_other_parameters_are_not_compared() {
        let own = PermutedSketch::empty(PermutationScheme::Affine32, 1, 8);
        for (other, differing) in [
            (PermutedSketch::empty(PermutationScheme::Legacy, 1, 8), "permutation schemes"),
            (PermutedSketch::empty(PermutationScheme::Affine32, 2, 8), "seeds"),
            (PermutedSketch::empty(PermutationScheme::Affine32, 1, 9), "numbers of permutation functions"),
        ] {
            assert_eq!(own.jaccard(&other), Err(Error::Differing { verb: "compare", differing }));
            assert_eq!(own.clone().merge(&other), Err(Error::Differing { verb: "merge", differing }));
        }
    }

    #[test]
    fn bytes_hold_the_values_in_the_width_of_the_scheme() {
        let bytes = |scheme| PermutedSketch::of_values(scheme, 1, &[0x0102_0304]).unwrap().to_bytes();
        assert_eq!(bytes(PermutationScheme::Affine32), [4, 3, 2, 1]);
        assert_eq!(bytes(PermutationScheme::Affine64), [4, 3, 2, 1, 0, 0, 0, 0]);
        assert_eq!(bytes(PermutationScheme::Legacy), [4, 3, 2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn only_as_many_values_of_the_same_width_replace_others() {
        let mut sketch = sketch(PermutationScheme::Affine32, &["a"]);
        let before = sketch.clone();
        assert_eq!(sketch.assign(&[1, 2]), Err(Error::OtherCount { needed: 8, given: 2 }));
        assert_eq!(sketch.assign(&[1 << 32; 8]), Err(Error::ValueOutOfRange { scheme: "affine32" }));
        assert_eq!(sketch, before);
        sketch.assign(&[7; 8]).unwrap();
        assert_eq!(*sketch.values, Minima::Narrow([7; 8].into()));
        sketch.clear();
        assert_eq!(sketch, PermutedSketch::empty(PermutationScheme::Affine32, 1, 8));
    }

    #[test]
    fn a_seed_that_numpy_does_not_take_has_no_permutations() {
        for seed in [-1, 1 << 32] {
            let sketch = PermutedSketch::empty(PermutationScheme::Affine32, seed, 8);
            assert_eq!(sketch.permutations().unwrap_err(), Error::SeedOutOfRange);
        }
    }
}
