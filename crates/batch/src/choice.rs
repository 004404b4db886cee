//! Which method a run takes: the plan's, or the exact join where that is affordable.

use crate::documents::Documents;
use crate::job::Job;
use lookalike::Method;
use lookalike_corpus::Inputs;

/// The method of a run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) method: Method,
    /// `None` if the method was asked for.
    pub(crate) reason: Option<String>,
}

/// Features of all documents up to which the exact join is taken: some 12 MB of English text. Beyond, it takes up to two and
/// a half times as long as MinHash (bench/results/2026-11-22-exact.md); up to here that is a twentieth of a second.
pub(crate) const MOST_FEATURES: u64 = 1 << 21;

/// What the exact join takes longer than MinHash for each feature, on one thread.
pub(crate) const NANOSECONDS: u64 = 36;

/// Bytes of plain text a feature stands for, at least: five letters and a space.
const FEATURE_BYTES: u64 = 6;

/// Postings that the exact join may visit, some 2 to 20 ns each: texts made of one template need more, and then MinHash is
/// faster.
const MOST_VISITS: u64 = 20_000_000;

/// Are the features of all documents likely to be needed? It is worth keeping them then; the result is the same.
pub(crate) fn keeps_features(job: &Job, inputs: &Inputs) -> bool {
    job.plan.method() == Method::Exact || job.auto && inputs.bytes() / FEATURE_BYTES <= MOST_FEATURES
}

impl Choice {
    /// The method for these documents, as far as it can be told from how many features they have.
    pub(crate) fn new(job: &Job, documents: &Documents) -> Self {
        let method = job.plan.method();
        if !job.auto {
            return Choice { method, reason: None };
        }
        let shingles = documents.features;
        if job.plan.exactly().is_none() {
            return Choice { method, reason: Some("exact search does not go by weights".to_owned()) };
        }
        let megabytes = (shingles * 8).div_ceil(1_000_000);
        if shingles > MOST_FEATURES {
            let seconds = (shingles * NANOSECONDS) as f64 / 1e9;
            let reason = format!(
                "exact search of {} shingles would take some {seconds:.1} s of processor time and {megabytes} MB more",
                millions(shingles)
            );
            return Choice { method, reason: Some(reason) };
        }
        let reason = format!("{} shingles take {megabytes} MB and no time", millions(shingles));
        Choice { method: Method::Exact, reason: Some(reason) }
    }

    /// The plan's method after all, if the exact join would have to visit so many postings.
    pub(crate) fn unless_visits(&mut self, job: &Job, visits: u64) {
        if job.auto && visits > MOST_VISITS {
            let reason = format!("exact search would look at {} shared shingles", millions(visits));
            *self = Choice { method: job.plan.method(), reason: Some(reason) };
        }
    }
}

fn millions(number: u64) -> String {
    if number < 1_000_000 { number.to_string() } else { format!("{:.1} million", number as f64 / 1e6) }
}
