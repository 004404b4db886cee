//! What the tables of a `MinHashLSH` hold, and what they refuse.

use super::bands::{BandTables, Shape, words};
use super::scheme_name;
use super::sketch_state::SketchParts;
use crate::error;
use lookalike::sketch::PermutationScheme;
use pyo3::prelude::*;

/// Signatures of one scheme, seed and length.
pub(super) struct LshState {
    pub(super) bands: usize,
    pub(super) rows: usize,
    pub(super) num_perm: usize,
    /// Of the first signature.
    pub(super) made: Option<(PermutationScheme, i64)>,
    pub(super) tables: Option<BandTables>,
}

impl LshState {
    /// # Errors
    /// `Incompatible`, a `ValueError`, for a signature of another length, scheme or seed.
    pub(super) fn check(&self, py: Python<'_>, snapshot: &SketchParts) -> PyResult<()> {
        let length = snapshot.values.len();
        if length != self.num_perm {
            let message =
                format!("expecting a MinHash of {} values, and this one has {length}", self.num_perm);
            return Err(error::incompatible(py, message));
        }
        let Some((scheme, seed)) = self.made else { return Ok(()) };
        if scheme != snapshot.scheme {
            let (own, other) = (scheme_name(scheme), scheme_name(snapshot.scheme));
            let message = format!("the MinHash has scheme {other:?}, and those of this index have {own:?}");
            return Err(error::incompatible(py, message));
        }
        if seed != snapshot.seed {
            let message =
                format!("the MinHash has seed {}, and those of this index have {seed}", snapshot.seed);
            return Err(error::incompatible(py, message));
        }
        Ok(())
    }

    /// The tables, made for signatures such as this one.
    pub(super) fn made_as(&mut self, snapshot: &SketchParts) -> &mut BandTables {
        self.made.get_or_insert((snapshot.scheme, snapshot.seed));
        let shape = self.shape(snapshot.scheme);
        self.tables.get_or_insert_with(|| BandTables::new(shape))
    }

    pub(super) fn shape(&self, scheme: PermutationScheme) -> Shape {
        let words = if scheme == PermutationScheme::Affine64 { 2 } else { 1 };
        Shape { bands: self.bands, rows: self.rows, num_perm: self.num_perm, words }
    }

    pub(super) fn query(
        &self,
        snapshot: &SketchParts,
        bands: Option<usize>,
        threshold: Option<f64>,
    ) -> Vec<u32> {
        let Some(tables) = &self.tables else { return Vec::new() };
        let (words, bands) = (words(&snapshot.values), bands.unwrap_or(self.bands));
        match threshold {
            None => tables.query(&words, bands, |_| true),
            Some(least) => tables.query(&words, bands, |entry| tables.estimate(&words, entry) >= least),
        }
    }

    /// Words as datasketch stores them: values of the width of the scheme, big-endian.
    pub(super) fn bytes(&self, words: &[u32]) -> Vec<u8> {
        let is_legacy = self.made.is_some_and(|(scheme, _)| scheme == PermutationScheme::Legacy);
        if is_legacy {
            return words.iter().flat_map(|&word| u64::from(word).to_be_bytes()).collect();
        }
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// The words of such bytes. `None` for others.
    pub(super) fn words(&self, bytes: &[u8]) -> Option<Vec<u32>> {
        let (scheme, _) = self.made?;
        let (groups, rest) = bytes.as_chunks::<4>();
        let words: Vec<u32> = groups.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
        let is_whole = rest.is_empty();
        if scheme != PermutationScheme::Legacy {
            let size = self.rows * self.shape(scheme).words;
            return (is_whole && words.len() == size).then_some(words);
        }
        let (pairs, _) = words.as_chunks::<2>();
        let is_band = is_whole && words.len() == 2 * self.rows && pairs.iter().all(|[high, _]| *high == 0);
        is_band.then(|| pairs.iter().map(|&[_, low]| low).collect())
    }
}
