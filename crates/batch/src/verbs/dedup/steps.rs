//! The steps of `dedup` that depend on its options.

use crate::error::Error;
use crate::findings::Findings;
use crate::outputs::OutputContext;
use crate::request::Dedup;
use crate::summary::{FoundSummary, LooseCluster, RemovalSummary};
use lookalike::Match;
use lookalike::quality::Recall;
use lookalike::search::Tally;
use lookalike_corpus::Fields;
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::evidence::Evidence;
use lookalike_engine::clusters::{compare, star};
use lookalike_engine::decisions::Decisions;
use lookalike_engine::decisions::reasons::Reasons;
use lookalike_engine::documents::Documents;
use lookalike_engine::documents::names::Names;
use lookalike_engine::documents::scanned::Scanned;
use lookalike_engine::index::{Added, Gathered, Update};
use lookalike_engine::progress::Monitor;
use lookalike_engine::recall::audit::{Audit, FoundPairs, audit};
use lookalike_engine::recall::estimated::Estimated;
use lookalike_engine::request::{ClusterShape, Keep};
use lookalike_engine::search::contained::Contained;
use lookalike_engine::search::monitoring::Monitoring;
use lookalike_engine::search::{Search, Sketched};
use lookalike_engine::work::Work;
use std::sync::Arc;

/// The pairs that were found, and the decisions.
pub(super) struct Decided {
    /// The pairs that make the clusters.
    pub(super) pairs: Vec<Match>,
    /// For every document, the first of all documents that pairs connect with it.
    roots: Vec<u32>,
    pub(super) tally: Tally,
    pub(super) decisions: Decisions,
    /// Documents that are kept only because no similar one contains enough of them.
    spared: u64,
}

impl Dedup {
    /// Puts documents of the index that may be similar before these documents.
    pub(super) fn take_from_index(
        &self,
        documents: &mut Documents,
        work: &Work,
        monitor: &Monitor,
        clock: &mut Clock,
    ) -> Result<(), Error> {
        if let Some((index, new)) = self.against.index.as_ref().zip(documents.view()) {
            let gathered = Gathered::from(index, new, work.budget, monitor)?;
            documents.put_behind(gathered, work)?;
            clock.lap("index");
        }
        Ok(())
    }

    /// Finds the documents that are removed for containment.
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
        let wanted = star::Wanted { keep: &self.keep, min_containment: self.min_containment };
        let found = match self.clustering {
            ClusterShape::Union => compare::cluster(search, evidence, work, monitor)?,
            ClusterShape::Star => star::cluster(request, wanted, search, evidence, work, monitor)?,
        };
        let mut decisions = Decisions::new(found.sets, evidence, &self.keep);
        let spared = match (self.min_containment, self.clustering) {
            (Some(least), ClusterShape::Union) => decisions.spare(&self.keep, least, evidence, monitor)?,
            _ => found.spared,
        };
        Ok(Decided { pairs: found.pairs, roots: found.roots, tally: found.tally, decisions, spared })
    }

    /// The recall, estimated from the pairs that were found.
    pub(super) fn recall(&self, decided: &Decided, estimated: Estimated<'_>) -> Option<Recall> {
        let recall = estimated.recall(&decided.pairs, |document| decided.roots[document as usize])?;
        Some(match self.clustering {
            // Pairs whose cluster is connected by other pairs were found too, and are not counted.
            ClusterShape::Union => Recall { high: 1.0, ..recall },
            ClusterShape::Star => recall,
        })
    }

    /// The recall, measured on random documents.
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

    /// Makes the findings of the report page, if one was asked for.
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
        let update = Update::write(Arc::clone(index), Added { scanned, roots: &decided.roots })?;
        clock.lap("add");
        Ok(Some(update))
    }

    /// Counts the documents that are kept and removed.
    pub(super) fn removal(&self, decided: &Decided, names: &Names<'_>, reasons: &Reasons) -> RemovalSummary {
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

impl Decided {
    /// Counts the pairs and the clusters that were found.
    pub(super) fn found(&self, monitoring: Monitoring) -> FoundSummary {
        let sizes = self.decisions.clusters().map(|cluster| cluster.members.len() as u64);
        FoundSummary {
            candidates: self.tally.candidates,
            pairs: self.pairs.len() as u64,
            monitoring,
            clusters: self.decisions.len() as u64,
            largest_cluster: sizes.max().unwrap_or(0),
        }
    }
}

/// For each document, how many others are in its cluster.
fn partners_in_clusters(originals: &[u32], root: impl Fn(u32) -> u32) -> Vec<f64> {
    let root = |&original: &u32| root(original) as usize;
    let mut sizes = vec![0.0; originals.len()];
    originals.iter().for_each(|original| sizes[root(original)] += 1.0);
    originals.iter().map(|original| sizes[root(original)] - 1.0).collect()
}

/// Counts the documents without a number in the field of `keep`, if there is such a field. Fails if no document has a number.
pub(super) fn check_numbers(keep: &Keep, documents: &Documents) -> Result<Option<u64>, Error> {
    let (Keep::Max(field) | Keep::Min(field)) = keep else { return Ok(None) };
    let new = &documents.ranks[documents.first_new as usize..];
    let without = new.iter().filter(|rank| rank.is_nan()).count();
    match without == new.len() && without > 0 {
        true => Err(Error::NoNumber { field: field.clone() }),
        false => Ok(Some(without as u64)),
    }
}
