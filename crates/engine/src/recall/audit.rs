//! Recall, measured: random documents are compared with all others, and the run should have found each similar pair.

use super::sampled::{Partner, choose};
use crate::error::Error;
use crate::search::Sketched;
use lookalike::quality::{DocumentPairs, Recall};
use serde::Serialize;

/// The result of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RecallAudit {
    /// Documents that were compared with all others.
    pub documents: u64,
    /// The documents that they are similar to, counted for each of them: a pair of two audited documents counts twice.
    pub partners: u64,
    /// The number of these that the run found: listed as a pair, or put into one cluster.
    pub found: u64,
    /// The share that was found, or `None` if there are no pairs.
    pub recall: Option<f64>,
    /// The 95 % confidence interval of the share among all pairs of the corpus.
    pub recall_interval: Option<[f64; 2]>,
}

/// The pairs that a run has found, for an audit.
pub struct AuditedPairs<F> {
    /// Whether it has found a pair. The earlier document comes first.
    pub is_found: F,
    /// The number of partners that it estimates for each document.
    pub partners: Vec<f64>,
}

/// Compares `count` random documents with all others.
pub fn audit(
    sketched: Sketched<'_>,
    count: u64,
    found_pairs: AuditedPairs<impl Fn(u32, u32) -> bool>,
) -> Result<Option<RecallAudit>, Error> {
    if count == 0 {
        return Ok(None);
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let Sketched { scanned, originals, weights, .. } = sketched;
    let plan = &scanned.request.plan;
    let sampled = choose(scanned.with_features(), count, plan.seed());
    let is_everything = sampled.len() < count || scanned.with_features().count() == count;
    let partners = scanned.partners(&sampled, originals, plan.threshold(), weights)?;
    let mut copies = vec![0_u64; originals.len()];
    originals.iter().for_each(|&original| copies[original as usize] += 1);
    // Partners are sorted by sampled document.
    let mut pairs: Vec<DocumentPairs> = Vec::new();
    for partners in partners.chunk_by(|a, b| a.sampled == b.sampled) {
        let mut of_document = DocumentPairs::default();
        for &Partner { sampled, original } in partners {
            let own = originals[sampled as usize];
            // Copies of a partner are partners too, but for the document itself. A pair that is found is found for all copies.
            let partners = copies[original as usize] - u64::from(own == original);
            let found = own == original || (found_pairs.is_found)(own.min(original), own.max(original));
            of_document.all += partners;
            of_document.found += if found { partners } else { 0 };
        }
        pairs.push(of_document);
    }
    let (all, found) =
        pairs.iter().fold((0, 0), |(all, found), pairs| (all + pairs.all, found + pairs.found));
    let with_features = scanned.with_features().count();
    let spread = Recall::spread(
        scanned.with_features().map(|document| found_pairs.partners[document as usize]),
        sampled.len() as f64 / with_features as f64,
    );
    let recall = Recall::of_sample(&pairs, spread).map(|recall| match is_everything {
        true => Recall { low: recall.recall, high: recall.recall, ..recall },
        false => recall,
    });
    Ok(Some(RecallAudit {
        documents: sampled.len() as u64,
        partners: all,
        found,
        recall: recall.map(|recall| recall.recall),
        recall_interval: recall.map(|recall| [recall.low, recall.high]),
    }))
}
