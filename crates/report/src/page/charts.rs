//! The data of the charts of a page.

use crate::findings::Scores;
use crate::run::{PairHistogram, SizeClass};
use lookalike_engine::search::{BucketSizes, Monitoring};
use lookalike_engine::{PlanSummary, SearchSummary};

/// Counts of pairs by similarity, in bins of 0.01, or by distance, in bins of one bit.
pub(super) fn histogram(plan: &PlanSummary, scores: &Scores) -> PairHistogram {
    match (scores, &plan.search) {
        (Scores::Similarities { bins, same }, _) => PairHistogram {
            measure: match plan.measure {
                Some(_) if plan.verify.is_some() => "Jaccard estimate".to_owned(),
                Some("jaccard" | "word-jaccard") => "Jaccard similarity".to_owned(),
                Some(measure) => format!("{measure} similarity"),
                None => "similarity".to_owned(),
            },
            from: 0.0,
            width: 1.0 / bins.len() as f64,
            counts: bins.clone(),
            same: *same,
            limit: plan.threshold.unwrap_or_default(),
        },
        (Scores::Distances(distances), search) => {
            let hamming = match search {
                SearchSummary::Fingerprints { hamming, .. } => *hamming,
                _ => 0,
            };
            let same = distances.first().copied().unwrap_or(0);
            let mut counts: Vec<u64> = distances.iter().skip(1).copied().collect();
            // A bin for each distance of similar documents, and one more.
            counts.resize(counts.len().max(hamming as usize + 1), 0);
            PairHistogram {
                measure: "distance in bits".to_owned(),
                from: 1.0,
                width: 1.0,
                counts,
                same,
                limit: f64::from(hamming),
            }
        }
    }
}

/// Buckets by size.
pub(super) fn sizes_of_buckets(monitoring: &Monitoring) -> Vec<SizeClass> {
    let largest = monitoring.largest_bucket.unwrap_or(u64::MAX);
    let class = |size: &BucketSizes| {
        let &BucketSizes { from, to, buckets, documents } = size;
        SizeClass { from, to: to.min(largest), groups: buckets, documents }
    };
    monitoring.buckets.iter().map(class).collect()
}
