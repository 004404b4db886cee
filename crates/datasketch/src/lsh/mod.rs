//! The index of a `MinHashLSH`: which signatures it takes, and the slots that it finds.

mod buckets;
mod pairs;
mod stored;

pub use pairs::CandidatePair;

use super::bands::{BandTables, Shape};
use super::error::Error;
use super::scheme::{scheme_name, words_of_value};
use super::sketch::PermutedSketch;
use lookalike::sketch::PermutationScheme;

/// Signatures of one scheme, seed and length in slots, and the tables that find them.
#[derive(Clone, Debug)]
pub struct Lsh {
    bands: usize,
    rows: usize,
    num_perm: usize,
    /// Of the first signature.
    made: Option<(PermutationScheme, i64)>,
    tables: Option<BandTables>,
}

/// The signatures of a slot, for another index.
pub struct SlotSignatures {
    shape: Shape,
    made: Option<(PermutationScheme, i64)>,
    signatures: Vec<Vec<u32>>,
}

impl Lsh {
    /// An empty index of signatures of `num_perm` values, which are cut into `bands` bands of `rows` values.
    ///
    /// # Panics
    /// Later, if `bands * rows` is above `num_perm`.
    pub fn new(bands: usize, rows: usize, num_perm: usize) -> Self {
        Lsh { bands, rows, num_perm, made: None, tables: None }
    }

    /// The number of bands.
    pub fn bands(&self) -> usize {
        self.bands
    }

    /// The scheme of the signatures, if there was one.
    pub fn scheme(&self) -> Option<PermutationScheme> {
        self.made.map(|(scheme, _)| scheme)
    }

    /// Whether a signature can be inserted or searched for.
    ///
    /// # Errors
    /// It has another length, scheme or seed.
    pub fn check(&self, sketch: &PermutedSketch) -> Result<(), Error> {
        let length = sketch.values.len();
        if length != self.num_perm {
            return Err(Error::OtherLength { needed: self.num_perm, length });
        }
        let Some((scheme, seed)) = self.made else { return Ok(()) };
        if scheme != sketch.scheme {
            let [own, other] = [scheme, sketch.scheme].map(scheme_name);
            return Err(Error::OtherScheme { holder: "index", own, other });
        }
        if seed != sketch.seed {
            return Err(Error::OtherSeed { own: seed, other: sketch.seed });
        }
        Ok(())
    }

    /// Inserts a signature under a slot, which may have signatures.
    ///
    /// # Errors
    /// Those of [`check`](Lsh::check).
    pub fn insert(&mut self, slot: u32, sketch: &PermutedSketch) -> Result<(), Error> {
        self.check(sketch)?;
        self.made.get_or_insert((sketch.scheme, sketch.seed));
        let shape = self.shape(sketch.scheme);
        self.tables.get_or_insert_with(|| BandTables::new(shape)).insert(slot, &sketch.words());
        Ok(())
    }

    /// The signatures of a slot. `None` if there never was a signature.
    pub fn signatures(&self, slot: u32) -> Option<SlotSignatures> {
        let tables = self.tables.as_ref()?;
        let entries = tables.entries(slot).into_iter();
        let signatures = entries.map(|entry| tables.of_entry(entry).to_vec()).collect();
        Some(SlotSignatures { shape: tables.shape, made: self.made, signatures })
    }

    /// Inserts signatures of an index of the same shape and scheme under a slot. Their seed is not compared.
    pub fn insert_signatures(&mut self, slot: u32, copied: &SlotSignatures) {
        self.made = self.made.or(copied.made);
        let tables = self.tables.get_or_insert_with(|| BandTables::new(copied.shape));
        copied.signatures.iter().for_each(|signature| tables.insert(slot, signature));
    }

    /// Removes all signatures of a slot.
    pub fn remove(&mut self, slot: u32) {
        if let Some(tables) = &mut self.tables {
            tables.remove(slot);
        }
    }

    /// The slots of signatures that share a band with `sketch`, in the order of insertion.
    ///
    /// `bands`: only the first ones are looked at, and not all. `least`: estimates reach it.
    ///
    /// # Errors
    /// Those of [`check`](Lsh::check).
    pub fn query(
        &self,
        sketch: &PermutedSketch,
        bands: Option<usize>,
        least: Option<f64>,
    ) -> Result<Vec<u32>, Error> {
        self.check(sketch)?;
        let Some(tables) = &self.tables else { return Ok(Vec::new()) };
        let (words, bands) = (sketch.words(), bands.unwrap_or(self.bands));
        Ok(match least {
            None => tables.query(&words, bands, |_| true),
            Some(least) => tables.query(&words, bands, |entry| tables.estimate(&words, entry) >= least),
        })
    }

    /// The slots with signatures, in the order of insertion.
    pub fn slots(&self) -> Vec<u32> {
        self.tables.as_ref().map_or_else(Vec::new, BandTables::in_order)
    }

    fn shape(&self, scheme: PermutationScheme) -> Shape {
        let words = words_of_value(scheme);
        Shape { bands: self.bands, rows: self.rows, num_perm: self.num_perm, words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(scheme: PermutationScheme, seed: i64, values: &[u64]) -> PermutedSketch {
        PermutedSketch::of_values(scheme, seed, values).unwrap()
    }

    #[test]
    fn signatures_made_in_other_ways_are_refused() {
        let mut lsh = Lsh::new(2, 2, 4);
        lsh.insert(0, &sketch(PermutationScheme::Affine32, 1, &[1, 2, 3, 4])).unwrap();
        let short = sketch(PermutationScheme::Affine32, 1, &[1, 2, 3]);
        let legacy = sketch(PermutationScheme::Legacy, 1, &[1, 2, 3, 4]);
        let seeded = sketch(PermutationScheme::Affine32, 2, &[1, 2, 3, 4]);
        for (other, error) in [
            (short, Error::OtherLength { needed: 4, length: 3 }),
            (legacy, Error::OtherScheme { holder: "index", own: "affine32", other: "legacy" }),
            (seeded, Error::OtherSeed { own: 1, other: 2 }),
        ] {
            assert_eq!(lsh.check(&other), Err(error.clone()));
            assert_eq!(lsh.insert(1, &other), Err(error.clone()));
            assert_eq!(lsh.query(&other, None, None), Err(error));
        }
        assert_eq!(lsh.slots(), [0]);
    }

    #[test]
    fn only_the_first_bands_are_looked_at_if_asked_for() {
        let mut lsh = Lsh::new(2, 2, 4);
        lsh.insert(0, &sketch(PermutationScheme::Affine64, 1, &[1, 2, 3, 4])).unwrap();
        let query = sketch(PermutationScheme::Affine64, 1, &[9, 9, 3, 4]);
        assert_eq!(lsh.query(&query, None, None), Ok(vec![0]));
        assert_eq!(lsh.query(&query, Some(1), None), Ok(vec![]));
        assert_eq!(lsh.query(&query, None, Some(0.5)), Ok(vec![0]));
        assert_eq!(lsh.query(&query, None, Some(0.6)), Ok(vec![]));
    }

    #[test]
    fn an_index_keeps_its_scheme_when_it_is_empty_again() {
        let mut lsh = Lsh::new(2, 2, 4);
        assert_eq!(lsh.scheme(), None);
        lsh.insert(3, &sketch(PermutationScheme::Legacy, 1, &[1, 2, 3, 4])).unwrap();
        lsh.remove(3);
        lsh.remove(77);
        assert_eq!((lsh.scheme(), lsh.slots()), (Some(PermutationScheme::Legacy), vec![]));
    }
}
