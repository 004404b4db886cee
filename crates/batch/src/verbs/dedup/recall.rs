//! The recall of `dedup`: estimated, and measured if an audit was asked for.

use super::steps::DecidedPairs;
use crate::error::Error;
use crate::request::Dedup;
use lookalike::Method;
use lookalike::quality::Recall;
use lookalike_engine::clock::Clock;
use lookalike_engine::clusters::Evidence;
use lookalike_engine::recall::{AuditedPairs, RecallAudit, audit};
use lookalike_engine::request::ClusterShape;
use lookalike_engine::search::{Search, Sketched};
use lookalike_report::RecallSummary;

impl Dedup {
    /// The recall of the search.
    pub(super) fn recall(
        &self,
        decided: &DecidedPairs,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
        method: Method,
        search: &Search<'_>,
        clock: &mut Clock,
    ) -> Result<RecallSummary, Error> {
        let audit = self.audit(decided, sketched, evidence, search, clock)?;
        Ok(RecallSummary::new(self.estimate(decided, evidence, method), audit))
    }

    /// The recall, estimated from the pairs that were found.
    fn estimate(&self, decided: &DecidedPairs, evidence: Evidence<'_>, method: Method) -> Option<Recall> {
        let recall = evidence.recall(method, &decided.pairs, |document| decided.roots[document as usize])?;
        // Pairs that were not needed were found too, and are not counted.
        Some(Recall { high: 1.0, ..recall })
    }

    /// The recall, measured on random documents.
    fn audit(
        &self,
        decided: &DecidedPairs,
        sketched: Sketched<'_>,
        evidence: Evidence<'_>,
        search: &Search<'_>,
        clock: &mut Clock,
    ) -> Result<Option<RecallAudit>, Error> {
        if self.job.audit == 0 {
            return Ok(None);
        }
        let root = |document: u32| decided.roots[document as usize];
        let is_found = |a, b| match self.clustering {
            ClusterShape::Union => root(a) == root(b),
            // Similar candidates are found, also those that stars put apart.
            ClusterShape::Star | ClusterShape::Against => {
                evidence.are_copies(a, b) || search.may_be_similar(a, b)
            }
        };
        let partners = partners_in_clusters(sketched.originals, root);
        let audit = audit(sketched, self.job.audit, AuditedPairs { is_found, partners })?;
        if audit.is_some() {
            clock.lap("audit");
        }
        Ok(audit)
    }
}

/// For each document, how many others are in its cluster.
fn partners_in_clusters(originals: &[u32], root: impl Fn(u32) -> u32) -> Vec<f64> {
    let root = |&original: &u32| root(original) as usize;
    let mut sizes = vec![0.0; originals.len()];
    originals.iter().for_each(|original| sizes[root(original)] += 1.0);
    originals.iter().map(|original| sizes[root(original)] - 1.0).collect()
}
