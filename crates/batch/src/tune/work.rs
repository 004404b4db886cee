//! The work of a search, and its time.

use super::distribution::Distribution;
use super::survey::Survey;
use lookalike::compare::Comparer;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::{Measure, Method, Plan, Weights};
use lookalike_engine::search::NANOSECONDS;
use std::hint::black_box;
use std::time::Instant;

// Rough nanoseconds of each step (bench/results/2026-11-22-kernels.md). They decide the order of settings. Measured ones would
// decide differently from day to day.

/// To make and group the key of one band of a document.
const BAND: f64 = 40.0;
/// To make one value of a signature.
const VALUE: f64 = 8.0;
/// To compare the signatures of two candidates.
const LOOK: f64 = 20.0;
/// To compare one shingle of two documents.
const SHINGLE: f64 = 1.5;

/// The work of a search in the whole corpus.
pub(super) struct SearchWork {
    documents: f64,
    /// Different shingles of a document, on average.
    shingles: f64,
    /// Shingles that the exact join visits.
    joined: f64,
    /// Nanoseconds to make a sketch, and to group it.
    sketch: f64,
    /// Candidate pairs.
    pub(super) candidates: f64,
    /// The candidate pairs whose shingles are compared.
    compared: f64,
    /// Documents that are compared with another.
    involved: f64,
    /// Bytes of memory.
    pub(super) bytes: f64,
}

impl SearchWork {
    pub(super) fn of(plan: &Plan, survey: &Survey<'_>, distribution: &Distribution) -> Self {
        let (documents, scale) = (survey.corpus.different as f64, survey.scale());
        let shingles = distribution.features as f64 / documents.max(1.0);
        let threshold = plan.measure().least_jaccard(plan.threshold());
        // Pairs that share a band are compared only if their signatures agree in enough values.
        let least = if plan.method() == Method::Exact { threshold } else { 0.0 };
        let is_compared = |jaccard: f64| if jaccard >= least { chance(plan, jaccard) } else { 0.0 };
        let compared = distribution.sum(is_compared).0 * scale;
        let involved = documents * distribution.mean_of_nearest(is_compared);
        let mut work = SearchWork {
            documents,
            shingles,
            joined: 0.0,
            sketch: 0.0,
            candidates: compared,
            compared,
            involved,
            bytes: 0.0,
        };
        match plan.method() {
            Method::Exact => {
                work.joined = survey.corpus.shingles as f64;
                // Every shingle, content hash, number and place.
                work.bytes = 8.0 * work.joined + 40.0 * documents;
            }
            Method::MinHash => {
                let (bands, values) = (plan.banding().bands as f64, plan.num_perm() as f64);
                work.sketch = BAND * bands + VALUE * values;
                work.candidates = distribution.sum(|jaccard| plan.banding().probability(jaccard)).0 * scale;
                // Keys and their places in buckets, eight bits of each value, content hash and place.
                work.bytes = documents * (12.0 * bands + values + 32.0) + involved * shingles * 8.0;
            }
            Method::SimHash => {
                let pairs = documents * (documents - 1.0).max(0.0) / 2.0;
                let apart = (pairs - distribution.sum(|_| 1.0).0 * scale).max(0.0);
                work.sketch = shingles * SHINGLE;
                work.candidates += apart * chance(plan, 0.0);
                work.bytes = documents * 40.0 + involved * shingles * 8.0;
            }
        }
        work
    }

    /// Nanoseconds on one usual core, without reading.
    pub(super) fn nanoseconds(&self) -> f64 {
        self.documents * self.sketch
            + self.joined * NANOSECONDS as f64
            + self.candidates * LOOK
            + self.compared * 2.0 * self.shingles * SHINGLE
    }

    /// The time on this machine.
    pub(super) fn seconds(&self, plan: &Plan, survey: &Survey<'_>, rates: &Rates) -> f64 {
        let by_threads = self.documents * rates.sketch(plan, survey)
            + self.joined * NANOSECONDS as f64 / 1e9
            + self.candidates * LOOK / 1e9
            + self.compared * rates.compare;
        // Compared documents are read again. The exact join reads all documents again, unless their features fit into memory.
        let again =
            if plan.method() == Method::Exact { 0.0 } else { self.involved / self.documents.max(1.0) };
        rates.scan * (1.0 + again) + by_threads / rates.threads
    }
}

/// The speed of this machine, and of reading this corpus, as measured.
pub(super) struct Rates {
    /// Seconds of the scan that cuts every document into shingles, on all threads.
    scan: f64,
    threads: f64,
    /// Seconds to compare two documents of the sample, one with itself.
    compare: f64,
}

/// Texts of the sample that speeds are measured on.
const TIMED: usize = 200;

impl Rates {
    pub(super) fn measure(survey: &Survey<'_>, scan: f64) -> Self {
        let request = survey.scanned.request;
        let sets = survey.sets(&request.plan, survey.texts.len().min(TIMED));
        let mut comparer = Comparer::with_level(request.level);
        let started = Instant::now();
        for set in &sets {
            comparer.hold(set.set().features);
            black_box(comparer.overlap(set.set().features));
        }
        let compare = started.elapsed().as_secs_f64() / (sets.len() as f64).max(1.0);
        Rates { scan, threads: rayon::current_num_threads() as f64, compare }
    }

    /// Seconds that a document's sketch takes on one thread, beyond its features.
    fn sketch(&self, plan: &Plan, survey: &Survey<'_>) -> f64 {
        let texts = &survey.texts[..survey.texts.len().min(TIMED)];
        let Some(weights) = Weights::without_table(plan.weighting()) else { return 0.0 };
        let mut builder = SketchBuilder::new(plan, &weights, survey.scanned.request.level);
        let mut seconds = |sketches: bool| {
            let mut table = Sketches::new(plan);
            let started = Instant::now();
            for text in texts {
                match sketches {
                    true => black_box(builder.sketch_into(text, &mut table)),
                    false => black_box(builder.compared(text)),
                };
            }
            started.elapsed().as_secs_f64()
        };
        // The first round only warms up.
        seconds(true);
        let extra = seconds(true) - seconds(false);
        (extra / (texts.len() as f64).max(1.0)).max(0.0)
    }
}

/// The probability that two documents of this Jaccard similarity are compared. For SimHash their sets are assumed to be equally
/// large.
pub(super) fn chance(plan: &Plan, jaccard: f64) -> f64 {
    match (plan.simhash(), plan.method()) {
        (Some(simhash), _) => simhash.probability(Measure::Jaccard.as_cosine(jaccard)),
        (None, Method::Exact) => 1.0,
        (None, _) => plan.minhash_probability(jaccard),
    }
}
