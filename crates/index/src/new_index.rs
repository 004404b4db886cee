//! What an index is made with, and stays.

use crate::error::Error;
use crate::keys::tables::Tables;
use lookalike::{DocumentFrequencies, Method, Plan, Weighting, Weights};
use std::sync::Arc;

/// Features of a table of document frequencies, at most: 200 MB, which Redis stores in one string, and a copy gets in one item.
const MOST_FEATURES: usize = 1 << 24;

/// Features with a level of their own, at most: they are in the plan of the index, which every copy reads.
const MOST_LEVELS: usize = 1 << 17;

/// What an index is made with, and stays.
#[derive(Clone, Debug)]
pub struct NewIndex {
    /// The plan by which documents are sketched and compared.
    pub plan: Plan,
    /// Whether the texts of documents are stored. Without them an index is a fraction of the size and cannot give them back, so its plan must compare
    /// sketches alone. A look-up of fingerprints takes two to three times as long.
    pub stores_texts: bool,
    /// The document frequencies of a plan with weights by TF-IDF. They do not change while the index grows: all of its fingerprints can be compared.
    pub frequencies: Option<Arc<DocumentFrequencies>>,
}

impl From<&Plan> for NewIndex {
    /// An index of `plan` that stores texts.
    fn from(plan: &Plan) -> Self {
        NewIndex { plan: plan.clone(), stores_texts: true, frequencies: None }
    }
}

impl PartialEq for NewIndex {
    fn eq(&self, other: &Self) -> bool {
        self.plan == other.plan && self.stores_texts == other.stores_texts && self.table() == other.table()
    }
}

impl NewIndex {
    /// What an index with these parts was made with.
    pub(crate) fn of(plan: &Plan, tables: &Tables, weights: &Weights) -> Self {
        let (stores_texts, frequencies) = (tables.stores_texts(), weights.frequencies().cloned());
        NewIndex { plan: plan.clone(), stores_texts, frequencies }
    }

    /// The id of the document frequencies.
    pub(crate) fn table(&self) -> Option<u64> {
        self.frequencies.as_ref().map(|table| table.id())
    }

    /// The weights of features. Refuses sketches or weights that an index does not store.
    pub(crate) fn check(&self) -> Result<Weights, Error> {
        let plan = &self.plan;
        if let Some(table) = self.frequencies.as_ref().filter(|table| table.len() > MOST_FEATURES) {
            return Err(Error::LargeFrequencies { features: table.len() });
        }
        if let Some(table) = self.frequencies.as_ref().filter(|table| table.is_weightless()) {
            return Err(Error::WeightlessFrequencies { documents: table.documents() });
        }
        if let Some(levels) = plan.levels().filter(|levels| levels.len() > MOST_LEVELS) {
            return Err(Error::LargeLevels { features: levels.len() });
        }
        let weights = match (&self.frequencies, plan.weighting()) {
            (Some(table), Weighting::TfIdf) if table.plan() == plan.feature_id() => {
                Weights::TfIdf(Arc::clone(table))
            }
            (None, Weighting::TfIdf) => return Err(Error::NeedsFrequencies),
            (None, _) => plan.weights().ok_or(Error::NeedsLevels)?,
            (Some(_), _) => return Err(Error::OtherFrequencies),
        };
        // Verified documents are compared as sets.
        let is_compared = plan.weighting() == Weighting::Set || plan.decides_by_distance();
        if plan.method() == Method::Exact || !is_compared {
            return Err(Error::UnsupportedPlan);
        }
        if !self.stores_texts && plan.verifies() { Err(Error::NeedsTexts) } else { Ok(weights) }
    }
}
