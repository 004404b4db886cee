//! What inputs are compared against: documents that are neither written nor removed, and for whose sake others are.
//!
//! They are read before the inputs, so that their numbers come first.

use crate::contained::Contained;
use crate::decide::Decisions;
use crate::documents::Documents;
use crate::error::Error;
use lookalike::Plan;
use lookalike_corpus::Inputs;
use serde::Serialize;
use std::path::Path;

/// What the inputs are compared against; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// Files, folders or globs.
    pub inputs: Vec<String>,
    /// Remove a document also if it contains one of these, or is contained in one.
    pub containment: Option<AgainstContainment>,
}

/// When one document contains another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstContainment {
    /// The share, from 0 to 1, of the features of the shorter one that is in the other, at least.
    pub share: f64,
    /// The features of the shorter one, at least. Whoever has fewer shares them by chance.
    pub least_features: u32,
}

/// The file by which a folder is known as an index.
const INDEX_FILE: &str = "index.lookalike";

impl Against {
    /// Is there anything to compare against?
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// The files of both, those that are compared against before the `inputs`.
    pub(crate) fn resolve(&self, inputs: &[String]) -> Result<Inputs, Error> {
        match self.inputs.iter().find(|argument| is_index(argument)) {
            Some(index) => Err(Error::AgainstIndex { path: index.into() }),
            None => Ok(Inputs::resolve_against(&self.inputs, inputs)?),
        }
    }

    /// Refuses containment where it is not known, or would not be by what is compared.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Error> {
        match self.containment {
            Some(_) if !plan.verifies() => Err(Error::NoContainment),
            Some(_) if plan.compares_weights() => Err(Error::WeighedContainment),
            _ => Ok(()),
        }
    }
}

/// The one place that tells an index from files of documents.
fn is_index(argument: &str) -> bool {
    Path::new(argument).join(INDEX_FILE).is_file()
}

/// What there is to tell of what the inputs were compared against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgainstSummary {
    /// Documents that the inputs were compared against.
    #[serde(rename = "against")]
    pub documents: u64,
    /// How many were removed for one of these.
    #[serde(rename = "removed_against")]
    pub removed: u64,
    /// The share of the shorter text that must be in the other, if that was asked for.
    #[serde(rename = "against_containment", skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// How many of the removed ones contain the other or are contained in it.
    #[serde(rename = "removed_contained", skip_serializing_if = "Option::is_none")]
    pub contained: Option<u64>,
    /// The fewest features that were looked for.
    #[serde(rename = "against_shingles", skip_serializing_if = "Option::is_none")]
    pub least_features: Option<u32>,
    /// How many of the documents that the inputs were compared against have fewer, and were not looked for in others.
    #[serde(rename = "against_short", skip_serializing_if = "Option::is_none")]
    pub short: Option<u64>,
}

impl AgainstSummary {
    /// `None` if the inputs were compared against nothing.
    pub(crate) fn new(
        against: &Against,
        documents: &Documents,
        decisions: &Decisions,
        contained: &Contained,
    ) -> Option<Self> {
        let containment = against.containment.as_ref();
        (!against.is_empty()).then(|| AgainstSummary {
            documents: u64::from(documents.first_new),
            removed: decisions.removed_for(|kept| !documents.is_new(kept)),
            share: containment.map(|containment| containment.share),
            contained: containment.map(|_| contained.len() as u64),
            least_features: containment.map(|containment| containment.least_features),
            short: containment.map(|_| contained.short()),
        })
    }
}
