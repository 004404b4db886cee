//! Recall, measured: what random documents are alike to, and how much of that was found.

use crate::documents::Documents;
use crate::error::Error;
use crate::job::Job;
use crate::progress::Monitor;
use crate::sampled::{Scanned, choose};
use lookalike::{Found, Recall, UnionFind, Weights};
use lookalike_corpus::Inputs;
use serde::Serialize;

/// What an audit found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Documents that were compared with all others.
    pub documents: u64,
    /// The pairs at or above the threshold that they have; one of two sampled documents counts for both.
    pub pairs: u64,
    /// How many of these the run found: listed, or put into one cluster.
    pub found: u64,
    /// The share; `None` if there are no pairs.
    pub recall: Option<f64>,
    /// Between which values the share among all pairs of the corpus lies, with a probability of 95 %.
    pub recall_interval: Option<[f64; 2]>,
}

/// Compares as many documents as the job asks for with all others; `is_found` tells whether the run has found a pair.
pub(crate) fn audit(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    weights: Weights<'_>,
    monitor: &Monitor,
    is_found: impl Fn(u32, u32) -> bool,
) -> Result<Option<Audit>, Error> {
    if job.audit == 0 {
        return Ok(None);
    }
    let count = usize::try_from(job.audit).unwrap_or(usize::MAX);
    let scanned = Scanned { job, inputs, documents, monitor };
    let sampled = choose(scanned.with_features(), count, job.plan.seed());
    let partners = scanned.partners(&sampled, job.plan.threshold(), weights)?;
    let mut sets = UnionFind::new(documents.len());
    partners.iter().for_each(|pair| sets.unite(pair.sampled, pair.other));
    let roots = sets.roots();
    let mut groups = vec![Found::default(); documents.len()];
    for pair in &partners {
        let group = &mut groups[roots[pair.sampled as usize] as usize];
        group.all += 1;
        group.found += u64::from(is_found(pair.sampled.min(pair.other), pair.sampled.max(pair.other)));
    }
    let (pairs, found) = (partners.len() as u64, groups.iter().map(|group| group.found).sum());
    let everything = count >= documents.len();
    let recall = Recall::of_sample(&groups).map(|recall| match everything {
        true => Recall { low: recall.recall, high: recall.recall, ..recall },
        false => recall,
    });
    Ok(Some(Audit {
        documents: sampled.len() as u64,
        pairs,
        found,
        recall: recall.map(|recall| recall.recall),
        recall_interval: recall.map(|recall| [recall.low, recall.high]),
    }))
}
