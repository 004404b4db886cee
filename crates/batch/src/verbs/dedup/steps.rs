//! The steps of `dedup` that depend on what was asked for.

use crate::error::Error;
use crate::findings::Findings;
use crate::outputs::OutputContext;
use crate::request::Dedup;
use crate::summary::Summary;
use crate::summary::against::AgainstSummary;
use lookalike::Match;
use lookalike::quality::Recall;
use lookalike::search::Tally;
use lookalike_corpus::Fields;
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::evidence::Evidence;
use lookalike_engine::clusters::{compare, star};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::scanned::Scanned;
use lookalike_engine::index::{Update, add, gather};
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::audit::{Audit, FoundPairs, audit};
use lookalike_engine::recall::estimated::Estimated;
use lookalike_engine::request::{ClusterShape, Keep};
use lookalike_engine::search::choice::Choice;
use lookalike_engine::search::contained::Contained;
use lookalike_engine::search::{Search, Sketched};
use lookalike_engine::work::Work;
use std::sync::Arc;

/// What was found, and what was decided.
pub(super) struct Decided {
    /// The pairs that clusters were made of.
    pub(super) pairs: Vec<Match>,
    /// The first document of all that pairs connect, for every document.
    roots: Vec<u32>,
    pub(super) tally: Tally,
    pub(super) decisions: Decisions,
    /// Documents that are kept only because those that are similar to them do not contain enough of them.
    spared: u64,
}

impl Dedup {
    /// Puts what an index has of these documents before them.
    pub(super) fn take_from_index(
        &self,
        documents: &mut Documents,
        work: &Work,
        monitor: &Monitor,
        clock: &mut Clock,
    ) -> Result<(), Error> {
        if let Some((index, new)) = self.against.index.as_ref().zip(documents.view()) {
            let gathered = gather(index, new, work.budget, monitor)?;
            documents.put_behind(gathered, work)?;
            clock.lap("index");
        }
        Ok(())
    }

    /// What goes for containment.
    pub(super) fn contained(&self, sketched: Sketched<'_>, clock: &mut Clock) -> Result<Contained, Error> {
        let Some(containment) = self.against.containment else { return Ok(Contained::default()) };
        let contained = Contained::find(containment, sketched)?;
        clock.lap("contained");
        Ok(contained)
    }

    /// Verifies candidates, makes clusters of them, and chooses what is kept.
    pub(super) fn decide(
        &self,
        search: &Search<'_>,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
    ) -> Result<Decided, Error> {
        let Sketched { scanned: Scanned { request, monitor, .. }, work, .. } = sketched;
        let options = star::StarOptions { keep: &self.keep, min_containment: self.min_containment };
        let found = match self.clustering {
            ClusterShape::Union => compare::cluster(search, evidence, work, monitor)?,
            ClusterShape::Star => star::cluster(request, options, search, evidence, work, monitor)?,
        };
        let mut decisions = Decisions::new(found.sets, evidence, &self.keep);
        let spared = match (self.min_containment, self.clustering) {
            (Some(least), ClusterShape::Union) => decisions.spare(&self.keep, least, evidence, monitor)?,
            _ => found.spared,
        };
        Ok(Decided { pairs: found.pairs, roots: found.roots, tally: found.tally, decisions, spared })
    }

    /// How much was found, by what was found.
    pub(super) fn recall(&self, decided: &Decided, estimated: Estimated<'_>) -> Option<Recall> {
        let recall = estimated.recall(&decided.pairs, |document| decided.roots[document as usize])?;
        Some(match self.clustering {
            // Pairs that are in one cluster by way of others were found, too, and are not counted.
            ClusterShape::Union => Recall { high: 1.0, ..recall },
            ClusterShape::Star => recall,
        })
    }

    /// How much was found, measured on random documents.
    pub(super) fn audit(
        &self,
        decided: &Decided,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
        estimated: Estimated<'_>,
        clock: &mut Clock,
    ) -> Result<Option<Audit>, Error> {
        let root = |document: u32| decided.roots[document as usize];
        let is_found = |a, b| match self.clustering {
            ClusterShape::Union => root(a) == root(b),
            ClusterShape::Star => {
                evidence.are_copies(a, b) || compare::score_of(&decided.pairs, evidence, a, b).is_some()
            }
        };
        let partners = match self.clustering {
            _ if self.job.audit == 0 => Vec::new(),
            ClusterShape::Union => partners_in_clusters(sketched.originals, root),
            ClusterShape::Star => estimated.partners(&decided.pairs),
        };
        let audit = audit(sketched, self.job.audit, FoundPairs { is_found, partners })?;
        if audit.is_some() {
            clock.lap("audit");
        }
        Ok(audit)
    }

    /// What there is to look at, if a report was asked for.
    pub(super) fn findings(
        &self,
        fields: &Fields,
        estimated: Estimated<'_>,
        context: &OutputContext<'_>,
        decided: &Decided,
        monitor: &Monitor,
        clock: &mut Clock,
    ) -> Result<Option<Findings>, Error> {
        if self.report.is_none() {
            return Ok(None);
        }
        let id = Some(self.job.id_field.clone());
        let shown = Fields { id, number: None, within: Vec::new(), ..fields.clone() };
        let findings = Findings::new(&shown, estimated, context, &decided.pairs, monitor)?;
        clock.lap("examples");
        Ok(Some(findings))
    }

    /// Adds the documents to the index, if it grows.
    pub(super) fn update(
        &self,
        scanned: Scanned<'_>,
        decided: &Decided,
        clock: &mut Clock,
    ) -> Result<Option<Update>, Error> {
        let Some(index) = self.against.growing_index() else { return Ok(None) };
        let update = add(Arc::clone(index), scanned, &decided.roots)?;
        clock.lap("add");
        Ok(Some(update))
    }

    /// What there is to tell of the documents, and of what is kept and removed.
    pub(super) fn summary(
        &self,
        sketched: Sketched<'_>,
        choice: Choice,
        contained: &Contained,
        decided: &Decided,
    ) -> Summary {
        let Decided { pairs, tally, decisions, spared, .. } = decided;
        let mut summary = Summary::of_search(&self.job, sketched, choice);
        let documents = sketched.scanned.documents;
        summary.against = AgainstSummary::new(&self.against, documents, decisions, contained);
        summary.candidates = tally.candidates;
        summary.pairs = pairs.len() as u64;
        summary.clustering = Some(self.clustering.name());
        summary.min_containment = self.min_containment;
        summary.kept_for_content = self.min_containment.map(|_| *spared);
        summary.clusters = decisions.len() as u64;
        let sizes = decisions.clusters().map(|cluster| cluster.members.len() as u64);
        summary.largest_cluster = sizes.max().unwrap_or(0);
        summary.removed = decisions.removed();
        let text = documents.amount(self.job.request.plan.shingle(), |document| !decisions.keeps(document));
        (summary.removed_bytes, summary.removed_words) = (text.bytes, text.tokens);
        summary.kept = summary.documents - summary.removed;
        summary
    }
}

/// How many others are in the cluster of each document.
fn partners_in_clusters(originals: &[u32], root: impl Fn(u32) -> u32) -> Vec<f64> {
    let root = |&original: &u32| root(original) as usize;
    let mut sizes = vec![0.0; originals.len()];
    originals.iter().for_each(|original| sizes[root(original)] += 1.0);
    originals.iter().map(|original| sizes[root(original)] - 1.0).collect()
}

/// How many documents have no number in the field to choose by, if there is one. Refuses to choose if none has.
pub(super) fn check_numbers(keep: &Keep, documents: &Documents) -> Result<Option<u64>, Error> {
    let (Keep::Max(field) | Keep::Min(field)) = keep else { return Ok(None) };
    let new = &documents.ranks[documents.first_new as usize..];
    let without = new.iter().filter(|rank| rank.is_nan()).count();
    match without == new.len() && without > 0 {
        true => Err(Error::NoNumber { field: field.clone() }),
        false => Ok(Some(without as u64)),
    }
}
