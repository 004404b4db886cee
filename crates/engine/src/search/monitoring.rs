//! Figures to watch from run to run: the sizes of buckets, and the speed of comparisons.

use crate::search::Search;
use lookalike::search::Tally;
use serde::Serialize;

/// Figures that change before a pipeline becomes slow, or stops finding.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Monitoring {
    /// Candidate pairs that were compared feature by feature. The others were in one cluster already, or were ruled out by signatures.
    pub compared: u64,
    /// The number of these in a second of the stage `verify`, or `None` if no pair was compared.
    pub compared_per_second: Option<f64>,
    /// Documents in the largest bucket. With SimHash, a bucket is a group with one fingerprint. `None` for exact search, which has no
    /// buckets.
    pub largest_bucket: Option<u64>,
    /// The number of buckets by size, over all bands. Sizes are grouped by powers of two. Buckets of one document are left out.
    pub buckets: Vec<BucketSizes>,
}

/// Buckets of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BucketSizes {
    /// The least number of documents.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    /// The number of buckets of these sizes.
    pub buckets: u64,
    /// The number of documents in them. A document counts in every band.
    pub documents: u64,
}

impl Monitoring {
    /// The figures of a search with this tally.
    pub fn new(search: &Search<'_>, tally: Tally) -> Self {
        let mut sizes: Vec<BucketSizes> = Vec::new();
        let mut largest = 0;
        search.for_each_bucket(|documents| {
            let class = documents.ilog2() as usize;
            while sizes.len() <= class {
                let from = 1 << sizes.len();
                sizes.push(BucketSizes { from, to: 2 * from - 1, buckets: 0, documents: 0 });
            }
            sizes[class].buckets += 1;
            sizes[class].documents += documents as u64;
            largest = largest.max(documents as u64);
        });
        sizes.retain(|class| class.buckets > 0);
        Monitoring {
            compared: tally.compared,
            compared_per_second: None,
            largest_bucket: search.has_buckets().then_some(largest),
            buckets: sizes,
        }
    }

    /// Adds the speed, if the `seconds` of the stage `verify` are known.
    pub fn timed(mut self, seconds: Option<f64>) -> Self {
        let seconds = seconds.filter(|&seconds| seconds > 0.0 && self.compared > 0);
        self.compared_per_second = seconds.map(|seconds| (self.compared as f64 / seconds).round());
        self
    }
}
