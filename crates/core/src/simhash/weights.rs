//! The weights of features, by which they vote in fingerprints and count in the cosine.

use super::DocumentFrequencies;
use super::counts::FeatureCounts;
use crate::error::PlanError;
use crate::hash::{GOLDEN_RATIO, fmix64};
use crate::plan::{Plan, PlanId, Weighting};
use std::sync::Arc;

/// The weight of each feature in a document, with the table that it needs.
#[derive(Clone, Debug)]
pub enum Weights {
    /// Every distinct feature weighs 1.
    Set,
    /// A feature weighs its number of occurrences (its *term frequency*, tf).
    Tf,
    /// `1 + log₂ tf`, in units of 1/128, rounded down.
    LogTf,
    /// `tf · ln(N / (df + 1))`, if the table counted `N` documents and the feature is in `df` of them.
    ///
    /// The logarithm is rounded to units of 2⁻²⁰, and is 0 where it is negative. A feature that is in all
    /// documents says nothing. A weight ends at 2³² - 1 such units: some 200 occurrences of a feature of one document in a billion. Negative votes on the bits of common features would draw all documents together.
    TfIdf(Arc<DocumentFrequencies>),
    /// The level of the feature in the table, for each occurrence.
    Levels(Arc<FeatureLevels>),
}

impl Weights {
    /// The weights for a weighting that needs no table. `None` for the others.
    pub fn without_table(weighting: Weighting) -> Option<Self> {
        match weighting {
            Weighting::Set => Some(Weights::Set),
            Weighting::Tf => Some(Weights::Tf),
            Weighting::LogTf => Some(Weights::LogTf),
            Weighting::TfIdf | Weighting::Levels => None,
        }
    }

    /// The weighting, without its table.
    pub fn weighting(&self) -> Weighting {
        match self {
            Weights::Set => Weighting::Set,
            Weights::Tf => Weighting::Tf,
            Weights::LogTf => Weighting::LogTf,
            Weights::TfIdf(_) => Weighting::TfIdf,
            Weights::Levels(_) => Weighting::Levels,
        }
    }

    /// The document frequencies, if it is by TF-IDF.
    pub fn frequencies(&self) -> Option<&Arc<DocumentFrequencies>> {
        if let Weights::TfIdf(table) = self { Some(table) } else { None }
    }

    /// The id of the table, if there is one.
    pub fn table(&self) -> Option<u64> {
        match self {
            Weights::Set | Weights::Tf | Weights::LogTf => None,
            Weights::TfIdf(frequencies) => Some(frequencies.id()),
            Weights::Levels(levels) => Some(levels.id()),
        }
    }
}

impl Plan {
    /// Names the fingerprint bits that this plan makes with `weights`. Equals [`Plan::id`] for SimHash without a table.
    pub fn fingerprint_id(&self, weights: &Weights) -> PlanId {
        self.fingerprint_id_of(weights.table())
    }
}

/// Given weights of features, from 1 to 5, and one weight for all other features.
#[derive(Clone, Debug)]
pub struct FeatureLevels {
    counts: FeatureCounts,
    others: u8,
}

impl FeatureLevels {
    /// Levels without any given feature. All features have the level `others`, from 0 (they do not count) to 5.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] if the level is above 5.
    pub fn new(others: u8) -> Result<Self, PlanError> {
        if others > MOST {
            return Err(PlanError::out_of_range("level", others, "from 0 to 5"));
        }
        Ok(FeatureLevels { counts: FeatureCounts::with_room_for(0), others })
    }

    /// Gives `feature` the level `level`, from 1 to 5.
    ///
    /// # Errors
    /// [`PlanError::OutOfRange`] if the level is out of this range.
    pub fn insert(&mut self, feature: u64, level: u8) -> Result<(), PlanError> {
        if !(1..=MOST).contains(&level) {
            return Err(PlanError::out_of_range("level", level, "from 1 to 5"));
        }
        // Never more than half full, as every feature of every document is looked up.
        self.counts.reserve(1);
        let slot = self.counts.slot(feature);
        *self.counts.at(slot) = u32::from(level);
        Ok(())
    }

    /// The level of `feature`.
    pub fn level(&self, feature: u64) -> u32 {
        match self.counts.count(feature) {
            0 => u32::from(self.others),
            level => level,
        }
    }

    /// Fills `levels` with the levels of `features`.
    pub(super) fn look_up(&self, features: &[u64], levels: &mut Vec<u32>) {
        self.counts.look_up(features, levels);
        let others = u32::from(self.others);
        // A level of 0 means that no level was given.
        levels.iter_mut().for_each(|level| *level = if *level == 0 { others } else { *level });
    }

    /// The level of all features that have no other.
    #[cfg(feature = "serde")]
    pub(crate) fn others(&self) -> u8 {
        self.others
    }

    /// The features that were given levels, with these, ascending.
    #[cfg(feature = "serde")]
    pub(crate) fn given(&self) -> Vec<(u64, u8)> {
        let mut given: Vec<(u64, u8)> =
            self.counts.iter().map(|(feature, level)| (feature, level as u8)).collect();
        given.sort_unstable();
        given
    }

    /// The number of features that were given a level.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether no feature was given a level.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names the content. Two tables with the same id give the same levels.
    pub fn id(&self) -> u64 {
        content_id(&[u64::from(self.others)], &self.counts)
    }
}

impl PartialEq for FeatureLevels {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

/// The highest level.
const MOST: u8 = 5;

/// A hash of features with their values, independent of their order.
pub(super) fn mixed_sum(entries: impl Iterator<Item = (u64, u64)>) -> u64 {
    // A sum does not depend on the order of a hash table. Each term is mixed, so that values cannot be exchanged.
    entries.fold(0_u64, |sum, (feature, value)| {
        sum.wrapping_add(fmix64(fmix64(feature).wrapping_add(value.wrapping_mul(GOLDEN_RATIO))))
    })
}

/// A hash of `header` and of all features with their counts, independent of their order.
pub(super) fn content_id(header: &[u64], counts: &FeatureCounts) -> u64 {
    let sum = mixed_sum(counts.iter().map(|(feature, count)| (feature, u64::from(count))));
    let all = header.iter().chain([counts.len() as u64, sum].iter()).copied().collect::<Vec<u64>>();
    all.iter().fold(0, |id, &field| fmix64(id.wrapping_mul(GOLDEN_RATIO) ^ field).wrapping_add(GOLDEN_RATIO))
}
