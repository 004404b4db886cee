//! Recall, measured: what random documents are alike to, and how much of that was found.

use crate::documents::Documents;
use crate::error::Error;
use crate::job::Job;
use crate::progress::Monitor;
use crate::sampled::{Partner, Scanned, choose};
use lookalike::{Found, Recall, UnionFind, Weights};
use lookalike_corpus::Inputs;
use serde::Serialize;

/// What an audit found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// Documents that were compared with all others.
    pub documents: u64,
    /// What they are alike to, document by document: a pair of two of them counts twice.
    pub partners: u64,
    /// How many of these the run found: listed, or put into one cluster.
    pub found: u64,
    /// The share; `None` if there are no pairs.
    pub recall: Option<f64>,
    /// Between which values the share among all pairs of the corpus lies, with a probability of 95 %.
    pub recall_interval: Option<[f64; 2]>,
}

/// Compares as many documents as the job asks for with all others; `is_found` tells whether the run has found a pair, the earlier one first.
pub(crate) fn audit(
    job: &Job,
    inputs: &Inputs,
    documents: &Documents,
    originals: &[u32],
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
    let is_everything = sampled.len() < count || scanned.with_features().count() == count;
    let partners = scanned.partners(&sampled, originals, job.plan.threshold(), weights)?;
    let mut copies = vec![0_u64; originals.len()];
    originals.iter().for_each(|&original| copies[original as usize] += 1);
    let mut sets = UnionFind::new(documents.len());
    partners.iter().for_each(|pair| sets.unite(pair.sampled, pair.original));
    let roots = sets.roots();
    let mut groups = vec![Found::default(); documents.len()];
    for &Partner { sampled, original } in &partners {
        let own = originals[sampled as usize];
        let group = &mut groups[roots[sampled as usize] as usize];
        // Copies of a partner are partners, too; the document itself is none. What is found of a text is found of its copies.
        let partners = copies[original as usize] - u64::from(own == original);
        let found = own == original || is_found(own.min(original), own.max(original));
        group.all += partners;
        group.found += if found { partners } else { 0 };
    }
    let (all, found) =
        groups.iter().fold((0, 0), |(all, found), group| (all + group.all, found + group.found));
    let recall = Recall::of_sample(&groups).map(|recall| match is_everything {
        true => Recall { low: recall.recall, high: recall.recall, ..recall },
        false => recall,
    });
    Ok(Some(Audit {
        documents: sampled.len() as u64,
        partners: all,
        found,
        recall: recall.map(|recall| recall.recall),
        recall_interval: recall.map(|recall| [recall.low, recall.high]),
    }))
}
