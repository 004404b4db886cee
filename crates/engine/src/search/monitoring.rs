//! What to watch from run to run: skew of buckets, and how fast pairs are compared.

use crate::search::Search;
use lookalike::search::Tally;
use serde::Serialize;

/// Figures that change before a pipeline becomes slow, or stops finding.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Monitoring {
    /// Candidate pairs that were compared feature by feature; the others were ruled out by signatures, or hung together already.
    pub compared: u64,
    /// How many of these in a second of the stage `verify`; `None` if none was compared.
    pub compared_per_second: Option<f64>,
    /// Documents in the largest bucket; of SimHash, in the largest group with one fingerprint. `None` where there are no
    /// buckets, as in exact search.
    pub largest_bucket: Option<u64>,
    /// How many buckets there are of which size, all bands together; sizes in powers of two, those of one document not among them.
    pub buckets: Vec<BucketSizes>,
}

/// Buckets of similar size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BucketSizes {
    /// The least number of documents.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    /// How many buckets have so many.
    pub buckets: u64,
    /// How many documents these hold; one counts in every band.
    pub documents: u64,
}

impl Monitoring {
    /// Of a search that did what `tally` says.
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

    /// Adds how fast that was, if `seconds` of the stage `verify` are known.
    pub fn timed(mut self, seconds: Option<f64>) -> Self {
        let seconds = seconds.filter(|&seconds| seconds > 0.0 && self.compared > 0);
        self.compared_per_second = seconds.map(|seconds| (self.compared as f64 / seconds).round());
        self
    }
}
