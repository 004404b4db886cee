//! What an index is made with, and stays.

use crate::error::Error;
use lookalike::{Method, Plan, Weighting, Weights};

/// What an index is made with, and stays.
#[derive(Clone, Debug, PartialEq)]
pub struct NewIndex {
    /// The plan by which documents are sketched and compared.
    pub plan: Plan,
    /// Whether the texts of documents are stored. Without them an index is a third of the size or less and cannot give them back, so its plan must compare
    /// fingerprints alone. A look-up of fingerprints takes two to three times as long.
    pub stores_texts: bool,
}

impl From<&Plan> for NewIndex {
    /// An index of `plan` that stores texts.
    fn from(plan: &Plan) -> Self {
        NewIndex { plan: plan.clone(), stores_texts: true }
    }
}

impl NewIndex {
    /// Refuses sketches or weights that an index does not store.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let plan = &self.plan;
        // Documents are compared as sets. Fingerprints may have weights that need no table.
        let is_weighed = match plan.verifies() {
            true => plan.weighting() == Weighting::Set,
            false => Weights::without_table(plan.weighting()).is_some(),
        };
        if plan.method() == Method::Exact || !is_weighed {
            return Err(Error::UnsupportedPlan);
        }
        if !self.stores_texts && plan.verifies() { Err(Error::NeedsTexts) } else { Ok(()) }
    }
}
