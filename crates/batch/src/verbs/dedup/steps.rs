//! The steps of `dedup` that depend on its options.

use crate::error::Error;
use crate::request::Dedup;
use lookalike::search::{SearchPart, Tally};
use lookalike::{Match, Method, Weights};
use lookalike_corpus::{Fields, Inputs};
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::clusters::{compare, star};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::Reasons;
use lookalike_engine::decisions::UncoveredText;
use lookalike_engine::documents::DocumentNames;
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::Scanned;
use lookalike_engine::documents::sketch;
use lookalike_engine::index::{Update, add, gather};
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::{ClusterShape, Keep};
use lookalike_engine::search::Contained;
use lookalike_engine::search::Monitoring;
use lookalike_engine::search::{Search, Sketched};
use lookalike_engine::work::Work;
use lookalike_index::unix_seconds;
use lookalike_report::Findings;
use lookalike_report::OutputContext;
use lookalike_report::{FoundSummary, LooseCluster, RemovalSummary};
use std::sync::Arc;

/// The pairs that were found, and the decisions.
pub(super) struct DecidedPairs {
    /// The pairs that make the clusters.
    pub(super) pairs: Vec<Match>,
    /// For every document, the first of all documents that pairs connect with it.
    pub(super) roots: Vec<u32>,
    pub(super) tally: Tally,
    pub(super) decisions: Decisions,
    /// Documents that are kept only because no similar one contains enough of them.
    pub(super) spared: u64,
}

impl Dedup {
    /// Sketches the documents, and puts documents of the index that may be similar before them.
    ///
    /// # Errors
    /// [`Error::NoNumber`] if `keep` needs numbers and no document has one.
    pub(super) fn sketch(
        &self,
        inputs: &Inputs,
        fields: &Fields,
        weights: &Weights,
        work: &Work,
        monitor: &Monitor,
        clock: &mut Clock,
    ) -> Result<Documents, Error> {
        let request = &self.job.request;
        let mut documents = sketch(request, inputs, fields, &self.keep, weights, work, monitor)?;
        let new = documents.len() as u64 - u64::from(documents.first_new);
        if let (Keep::Max(field) | Keep::Min(field), Some(without)) =
            (&self.keep, self.without_number(&documents))
            && without == new
            && new > 0
        {
            let seen = inputs.files().get(inputs.against()).and_then(|file| file.columns().ok());
            return Err(Error::NoNumber { field: field.clone(), seen: seen.unwrap_or_default() });
        }
        clock.lap("sketch");
        if let Some(index) = &self.against.index {
            let gathered = gather(index, &documents.sketches, unix_seconds(), monitor)?;
            documents.prepend(gathered, work)?;
            clock.lap("index");
        }
        Ok(documents)
    }

    /// How many documents have no number in the field of `keep`, if there is such a field.
    pub(super) fn without_number(&self, documents: &Documents) -> Option<u64> {
        let (Keep::Max(_) | Keep::Min(_)) = self.keep else { return None };
        let new = documents.first_new..documents.len() as u32;
        Some(new.filter(|&document| documents.rank(document).is_none()).count() as u64)
    }

    /// Finds the documents that are removed for containment.
    pub(super) fn contained(&self, sketched: Sketched<'_>, clock: &mut Clock) -> Result<Contained, Error> {
        let Some(containment) = self.against.containment else { return Ok(Contained::default()) };
        let contained = Contained::find(containment, sketched)?;
        clock.lap("contained");
        Ok(contained)
    }

    /// Verifies candidates, all or those of a part, makes clusters of them, and chooses what is kept.
    pub(super) fn decide(
        &self,
        search: &Search<'_>,
        part: Option<SearchPart<'_>>,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
    ) -> Result<DecidedPairs, Error> {
        let Sketched { scanned: Scanned { monitor, .. }, work, .. } = sketched;
        let options = star::StarOptions {
            keep: &self.keep,
            min_containment: self.min_containment,
            only_against: self.clustering == ClusterShape::Against,
        };
        let found = match self.clustering {
            ClusterShape::Union => compare::cluster(search, part, evidence, work, monitor)?,
            ClusterShape::Star | ClusterShape::Against => {
                star::cluster(options, search, evidence, work, monitor)?
            }
        };
        let mut decisions = Decisions::new(found.sets, self.clustering, evidence, &self.keep);
        let spared = match (self.min_containment, self.clustering) {
            (Some(least), ClusterShape::Union) => decisions.spare(&self.keep, least, evidence, monitor)?,
            _ => found.spared,
        };
        Ok(DecidedPairs { pairs: found.pairs, roots: found.roots, tally: found.tally, decisions, spared })
    }

    /// Are the reasons of all removed documents needed?
    pub(super) fn needs_reasons(&self) -> bool {
        let returned = self.returned.is_some_and(|details| details.reasons);
        self.annotate || self.removed.is_some() || self.report.is_some() || returned
    }

    /// Explains removed documents, as far as the outputs and the report need it.
    pub(super) fn explain(
        &self,
        decided: &DecidedPairs,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
    ) -> Result<(Reasons, UncoveredText), Error> {
        let all = self.needs_reasons();
        let reasons = Reasons::new(&decided.decisions, &decided.pairs, evidence, sketched.work, all)?;
        let returned = self.returned.is_some_and(|details| details.reasons);
        let uncovered_text = match self.removed.is_some() || returned {
            true => UncoveredText::read(sketched, evidence, &decided.decisions, &reasons)?,
            false => UncoveredText::default(),
        };
        Ok((reasons, uncovered_text))
    }

    /// Makes the findings of the report page, if one was asked for.
    pub(super) fn findings(
        &self,
        evidence: Evidence<'_>,
        method: Method,
        context: &OutputContext<'_>,
        links: &[Match],
        monitor: &Monitor,
    ) -> Result<Option<Findings>, Error> {
        if self.report.is_none() {
            return Ok(None);
        }
        let id = Some(self.job.id_field.clone());
        let shown = Fields { id, number: None, within: Vec::new(), ..self.job.fields() };
        Ok(Some(Findings::new(&shown, evidence, method, context, links, monitor)?))
    }

    /// Adds the documents to the index, if it grows.
    pub(super) fn update(
        &self,
        sketched: Sketched<'_>,
        decided: &DecidedPairs,
        clock: &mut Clock,
    ) -> Result<Option<Update>, Error> {
        let Some(index) = self.against.growing_index() else { return Ok(None) };
        let update = add(Arc::clone(index), sketched, &decided.roots)?;
        clock.lap("add");
        Ok(Some(update))
    }

    /// Counts the documents that are kept and removed.
    pub(super) fn removal(
        &self,
        decided: &DecidedPairs,
        names: &DocumentNames<'_>,
        reasons: &Reasons,
    ) -> RemovalSummary {
        let (documents, decisions) = (names.documents, &decided.decisions);
        let text = documents.amount(self.job.request.plan.shingle(), |document| !decisions.keeps(document));
        let new = documents.len() as u64 - u64::from(documents.first_new);
        let loosest = reasons.loosest.iter().map(|loose| LooseCluster::new(names, decisions, loose));
        RemovalSummary {
            clustering: self.clustering.name(),
            loose_clusters: reasons.loose,
            loosest: loosest.collect(),
            min_containment: self.min_containment,
            kept_for_content: self.min_containment.map(|_| decided.spared),
            kept: new - decisions.removed(),
            removed: decisions.removed(),
            removed_bytes: text.bytes,
            removed_words: text.tokens,
        }
    }
}

impl DecidedPairs {
    /// The decisions, as the outputs need them.
    pub(super) fn context<'a>(
        &'a self,
        names: &'a DocumentNames<'a>,
        reasons: &'a Reasons,
        uncovered_text: &'a UncoveredText,
    ) -> OutputContext<'a> {
        OutputContext { names, decisions: &self.decisions, reasons, uncovered_text }
    }

    /// Counts the pairs and the clusters that were found.
    pub(super) fn found(&self, monitoring: Monitoring) -> FoundSummary {
        let sizes = self.decisions.clusters().map(|cluster| cluster.members.len() as u64);
        FoundSummary {
            candidates: self.tally.candidates,
            reduction: FoundSummary::reduction_of(self.tally.candidates, self.roots.len() as u64),
            pairs: self.pairs.len() as u64,
            monitoring,
            clusters: self.decisions.len() as u64,
            largest_cluster: sizes.max().unwrap_or(0),
        }
    }
}
