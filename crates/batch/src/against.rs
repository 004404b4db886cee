//! Documents that the inputs are compared against. They are neither written nor removed.
//!
//! They are read before the inputs, and so have the first numbers.

use crate::error::Error;
use crate::request::{Against, Dedup, Job};
use lookalike::Plan;
use lookalike_corpus::{AgainstFields, Inputs};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::documents::Documents;
use lookalike_engine::index::Index;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{ClusterShape, Keep};
use lookalike_engine::search::Contained;
use lookalike_report::AgainstSummary;
use std::path::Path;
use std::sync::Arc;

impl Against {
    /// Are there no documents to compare against?
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.held.files().is_empty() && self.index.is_none()
    }

    /// The index that the inputs are to be added to.
    pub(crate) fn growing_index(&self) -> Option<&Arc<Index>> {
        self.index.as_ref().filter(|index| index.is_to_grow())
    }

    /// What is said of these documents in a summary. `None` if the inputs were compared against nothing.
    pub(crate) fn summary(
        &self,
        documents: &Documents,
        decisions: &Decisions,
        contained: &Contained,
    ) -> Option<AgainstSummary> {
        let (containment, first_new) = (self.containment.as_ref(), u64::from(documents.first_new));
        (!self.is_empty()).then(|| AgainstSummary {
            documents: self.index.as_ref().map_or(first_new, |index| index.documents()),
            looked_at: self.index.as_ref().map(|_| first_new),
            removed: decisions.removed_for(|kept| !documents.is_new(kept)),
            share: containment.map(|containment| containment.share),
            contained: containment.map(|_| contained.len() as u64),
            least_features: containment.map(|containment| containment.least_features),
            short: containment.map(|_| contained.short()),
        })
    }

    /// The files of both; files of `--against` come before those of the `job`.
    pub(crate) fn resolve(&self, job: &Job, monitor: &Monitor) -> Result<Inputs, Error> {
        match self.inputs.iter().find(|argument| Index::is_at(Path::new(argument))) {
            Some(index) => Err(Error::AgainstIndex { path: index.into() }),
            None => {
                let mut inputs = job.resolve_against(&self.inputs, &self.held, monitor)?;
                inputs.name_against_fields(self.fields.clone());
                Ok(inputs)
            }
        }
    }

    /// Refuses options that need more than an index holds.
    pub(crate) fn check_index(&self, dedup: &Dedup) -> Result<(), Error> {
        let Some(index) = &self.index else { return Ok(()) };
        if *index.plan() != dedup.job.request.plan {
            return Err(Error::IndexOfOtherPlan { folder: index.folder().to_owned() });
        }
        let no_texts = "the run does not read the texts in it";
        let refused = [
            (
                dedup.keep != Keep::First,
                "another keep policy than first",
                "the first document of a cluster stays, and so do all that are in the index",
            ),
            (
                dedup.clustering == ClusterShape::Star,
                "star clusters",
                "a better centre would change what was decided before",
            ),
            (
                dedup.min_containment.is_some(),
                "a least containment",
                "only some documents of a cluster are taken from it",
            ),
            (
                !dedup.job.request.within.is_empty(),
                "groups to compare within",
                "it does not know the fields of its documents",
            ),
            (
                self.containment.is_some(),
                "a search for containment",
                "only what shares a band is taken from it",
            ),
            (
                self.fields != AgainstFields::default(),
                "fields of the text and the id",
                "it has the texts and the ids of its documents",
            ),
            (dedup.job.audit > 0, "an audit", no_texts),
            (dedup.report.is_some(), "a report page", no_texts),
        ];
        match refused.into_iter().find(|(is_asked, ..)| *is_asked) {
            Some((_, what, why)) => Err(Error::NotWithIndex { what, why }),
            None => Ok(()),
        }
    }

    /// Refuses containment if documents are not compared, or are compared by weights.
    pub(crate) fn check(&self, plan: &Plan) -> Result<(), Error> {
        match self.containment {
            Some(_) if !plan.verifies() => Err(Error::NoContainment),
            Some(_) if plan.compares_weights() => Err(Error::WeighedContainment),
            _ => Ok(()),
        }
    }
}

/// Refuses an index where the texts of files are read.
pub(crate) fn check_no_index(against: &Against) -> Result<(), Error> {
    match &against.index {
        Some(index) => Err(Error::AgainstIndex { path: index.folder().to_owned() }),
        None => Ok(()),
    }
}
