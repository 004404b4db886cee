//! The method of a run: the plan's, or the exact join where that is affordable.
//!
//! `Choice` takes exact search for few features, where it adds hardly any time. It takes MinHash for more, and where
//! the join would visit too many postings. The choice depends on the documents only, so every machine makes the same
//! one. `compare` counts no corpus, so its verdict names both searches.

use crate::documents::Documents;
use crate::request::Request;
use crate::work::{exact_always_fits, exact_bytes};
use lookalike::Method;

/// The method of a run, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The method.
    pub method: Method,
    /// Why it was chosen, or `None` if the request asked for it.
    pub reason: Option<String>,
}

/// Processor time of a whole run by MinHash for each feature, in nanoseconds (bench/results/2026-11-22-methods.md).
const MINHASH_NANOSECONDS: u64 = 30;

/// The time in nanoseconds that the exact join takes longer than MinHash for each feature, on one thread.
pub const NANOSECONDS: u64 = 36;

/// Postings that the exact join visits in the time that MinHash takes for a pair of a bucket. MinHash finds that the two met in an earlier
/// band, or that their signatures differ.
const VISITS_PER_PAIR: u64 = 4;

impl Choice {
    /// The method for these documents, by their number and that of their features: any memory and any threads make the same choice.
    pub fn new(request: &Request, documents: &Documents) -> Self {
        let method = request.plan.method();
        let Some(affordable) = request.auto else { return Choice { method, reason: None } };
        if request.plan.exactly().is_none() {
            return Choice { method, reason: Some("exact search does not support weights".to_owned()) };
        }
        let features = documents.features;
        let (method, size, more) = match features > affordable.features {
            true => (method, "large", ""),
            false => (Method::Exact, "small", " and may miss pairs"),
        };
        if method == Method::Exact && !exact_always_fits(documents.len() as u64, features) {
            let documents = rounded(documents.len() as u64, "document");
            let reason =
                format!("beside {documents}, a run with the least memory has no room for exact search");
            return Choice { method: request.plan.method(), reason: Some(reason) };
        }
        let reason = format!(
            "the corpus is {size} ({}): {}",
            rounded(features, "feature"),
            forecast(request, documents, more)
        );
        Choice { method, reason: Some(reason) }
    }

    /// Whether the exact join would visit so many postings that the plan's method may be faster.
    pub(crate) fn is_in_doubt(request: &Request, visits: u64) -> bool {
        request.auto.is_some_and(|affordable| visits > affordable.visits)
    }

    /// Takes the plan's method after all, if it has far fewer `pairs` to compare than the exact join has postings to visit.
    pub(crate) fn reconsider(&mut self, request: &Request, visits: u64, pairs: u64) {
        if visits / VISITS_PER_PAIR > pairs {
            let (visits, pairs) = (rounded(visits, "shared feature"), rounded(pairs, "pair"));
            let reason =
                format!("exact search would read {visits} of documents, and MinHash compares {pairs}");
            *self = Choice { method: request.plan.method(), reason: Some(reason) };
        }
    }
}

/// The time and the memory that either method is likely to take, with `more` about MinHash.
fn forecast(request: &Request, documents: &Documents, more: &str) -> String {
    let (features, plan) = (documents.features, &request.plan);
    if features * (MINHASH_NANOSECONDS + NANOSECONDS) < 5_000_000 {
        return "exact search takes less than 0.01 s of processor time".to_owned();
    }
    let seconds = |nanoseconds: u64| match (features * nanoseconds) as f64 / 1e9 {
        ..0.005 => "less than 0.01 s".to_owned(),
        seconds => format!("about {seconds:.2} s"),
    };
    let megabytes = |bytes: u64| match bytes {
        0..1_000_000 => "less than 1 MB".to_owned(),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    };
    let sketches = documents.len() as u64 * (8 * plan.banding().bands + plan.num_perm() + 24) as u64;
    format!(
        "exact search takes {} of processor time and {}; MinHash takes {} and {}{more}",
        seconds(MINHASH_NANOSECONDS + NANOSECONDS),
        megabytes(exact_bytes(documents.features)),
        seconds(MINHASH_NANOSECONDS),
        megabytes(sketches)
    )
}

/// A number of things in words, rounded to thousands or millions if it is large.
fn rounded(number: u64, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        0..1_000 => format!("{number} {what}s"),
        1_000..10_000 => format!("{},{:03} {what}s", number / 1000, number % 1000),
        10_000..1_000_000 => format!("{} thousand {what}s", number / 1000),
        _ => format!("{:.1} million {what}s", number as f64 / 1e6),
    }
}
