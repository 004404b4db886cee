//! What a setting is expected to find, and to cost.

use super::distribution::Distribution;
use super::survey::Survey;
use crate::choice::{MOST_FEATURES, NANOSECONDS};
use lookalike::{Comparer, Measure, Method, Options, Plan, PlanError, Scheme, Sketches, Weights};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// A way to search, and what is expected of it.
#[derive(Clone, Debug, Serialize)]
pub struct Forecast {
    /// `exact`, `minhash` or `simhash`.
    pub method: &'static str,
    /// Values per signature, by MinHash.
    pub num_perm: Option<usize>,
    /// Bands per signature, by MinHash.
    pub bands: Option<usize>,
    /// Values per band, by MinHash.
    pub rows: Option<usize>,
    /// Bits in which fingerprints may differ, by SimHash.
    pub hamming: Option<u32>,
    /// The probability that a pair of this Jaccard similarity is found: of 0.05, 0.1, and so on up to 1.
    pub s_curve: Vec<f64>,
    /// Share of the pairs at or above the threshold that are found; the chance of one at the threshold if the sample has
    /// none.
    pub recall: f64,
    /// Pairs that are looked at.
    pub candidates: u64,
    /// What the documents take beside the program itself.
    pub memory_bytes: u64,
    /// From the start to the last pair, all pairs compared, on this machine, as fast as it was a moment ago; roughly, and
    /// without writing. Texts of one template take the exact join longer, and SimHash too: their fingerprints crowd.
    pub seconds: f64,
    /// What it is on the command line.
    pub options: String,
    /// What it takes beside reading, in nanoseconds of a usual core: the same wherever it is worked out.
    #[serde(skip)]
    pub(super) cost: f64,
    #[serde(skip)]
    pub(super) chance_at_threshold: f64,
}

// What work takes, in nanoseconds, roughly (bench/results/2026-11-22-kernels.md): it puts settings in order, and a measurement
// would put them in another order every day.

/// For each band of a document's sketch: its key made, and grouped.
const BAND: f64 = 40.0;
/// For each value of a document's signature.
const VALUE: f64 = 8.0;
/// For the look at the signatures of two candidates.
const LOOK: f64 = 20.0;
/// For each shingle of two documents that are compared.
const SHINGLE: f64 = 1.5;

/// The recall at the threshold that is wanted where none is asked for: that of [`Options`].
pub(super) const WANTED: f64 = 0.995;

/// The settings that come into question for these options; the first one is exact.
///
/// By MinHash with as many rows as the wanted recall at the threshold allows, and with those of a recall of 0.95: they find
/// less, from far fewer candidates, and where most pairs are well above the threshold it is hardly less.
pub(super) fn settings(options: &Options) -> Result<Vec<Plan>, PlanError> {
    let plain = Options { num_perm: None, bands: None, rows: None, scheme: None, ..options.clone() };
    let mut plans = vec![Options { method: Some(Method::Exact), ..plain.clone() }.plan()?];
    let minhash = Options { method: Some(Method::MinHash), ..options.clone() };
    if options.bands.is_some() || options.rows.is_some() {
        plans.push(minhash.plan()?);
    } else {
        let wanted = options.recall.unwrap_or(WANTED);
        for num_perm in options.num_perm.map_or(vec![64, 128, 256], |num_perm| vec![num_perm]) {
            for recall in [wanted, wanted.min(0.95)] {
                let plan =
                    Options { num_perm: Some(num_perm), recall: Some(recall), ..minhash.clone() }.plan()?;
                let same = |other: &Plan| {
                    (other.num_perm(), other.banding(), other.method())
                        == (plan.num_perm(), plan.banding(), Method::MinHash)
                };
                if !plans.iter().any(same) {
                    plans.push(plan);
                }
            }
        }
    }
    plans.push(Options { method: Some(Method::SimHash), verify: Some(true), ..plain }.plan()?);
    Ok(plans)
}

/// How fast this machine is, and this corpus read, just now.
pub(super) struct Rates {
    /// Seconds of the scan that cut every document into shingles, by all threads.
    pub(super) scan: f64,
    pub(super) threads: f64,
    /// Seconds to compare two documents of the sample, one with itself.
    compare: f64,
}

/// Texts of the sample that speeds are measured on.
const TIMED: usize = 200;

impl Rates {
    pub(super) fn measure(survey: &Survey<'_>, scan: f64) -> Self {
        let job = survey.scanned.job;
        let sets = survey.sets(&job.plan, survey.texts.len().min(TIMED));
        let mut comparer = Comparer::with_level(job.level);
        let started = Instant::now();
        for set in &sets {
            comparer.hold(set);
            black_box(comparer.overlap(set));
        }
        let compare = started.elapsed().as_secs_f64() / (sets.len() as f64).max(1.0);
        Rates { scan, threads: job.threads as f64, compare }
    }

    /// Seconds that a document's sketch takes on one thread, beyond its features.
    fn sketch(&self, plan: &Plan, survey: &Survey<'_>) -> f64 {
        let texts = &survey.texts[..survey.texts.len().min(TIMED)];
        let Some(weights) = Weights::without_table(plan.weighting()) else { return 0.0 };
        let mut drafter = lookalike::Drafter::new(plan, weights, survey.scanned.job.level);
        let mut seconds = |sketches: bool| {
            let mut table = Sketches::new(plan);
            let started = Instant::now();
            for text in texts {
                match sketches {
                    true => black_box(drafter.draft(text, &mut table)),
                    false => black_box(drafter.compared(text)),
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

/// What is to be expected of `plan`, if the pairs are as `distribution` says.
pub(super) fn forecast(
    plan: &Plan,
    survey: &Survey<'_>,
    distribution: &Distribution,
    rates: &Rates,
) -> Forecast {
    let chance = |jaccard: f64| chance(plan, jaccard);
    let chance_at_threshold = chance(plan.measure().least_jaccard(plan.threshold()));
    let (_, found) = distribution.sum(chance);
    let alike = distribution.alike();
    let work = Work::of(plan, survey, distribution);
    let minhash = plan.method() == Method::MinHash;
    Forecast {
        method: plan.method().name(),
        num_perm: minhash.then(|| plan.num_perm()),
        bands: minhash.then(|| plan.banding().bands),
        rows: minhash.then(|| plan.banding().rows),
        hamming: plan.simhash().map(|simhash| simhash.hamming),
        s_curve: (1..=20).map(|step| chance(f64::from(step) / 20.0)).collect(),
        recall: if alike == 0 { chance_at_threshold } else { found / alike as f64 },
        candidates: work.candidates.round() as u64,
        memory_bytes: work.bytes.round() as u64,
        seconds: work.seconds(plan, survey, rates),
        options: options(plan),
        cost: work.nanoseconds(),
        chance_at_threshold,
    }
}

/// What a search has to do, for the whole corpus.
struct Work {
    documents: f64,
    /// Different shingles of a document, on average.
    shingles: f64,
    /// Shingles that the exact join goes through.
    joined: f64,
    /// Nanoseconds to make a sketch, and to group it.
    sketch: f64,
    candidates: f64,
    /// Of these, those whose shingles are compared.
    compared: f64,
    /// Documents that are compared with any other.
    involved: f64,
    bytes: f64,
}

impl Work {
    fn of(plan: &Plan, survey: &Survey<'_>, distribution: &Distribution) -> Self {
        let (documents, scale) = (survey.corpus.different as f64, survey.scale());
        let shingles = distribution.features as f64 / documents.max(1.0);
        let threshold = plan.measure().least_jaccard(plan.threshold());
        // Only those are compared whose sketches look alike: see `SketchTable::may_reach`.
        let least = match plan.method() {
            Method::Exact => threshold,
            Method::MinHash => {
                threshold - 4.0 * (threshold * (1.0 - threshold) / plan.num_perm() as f64).sqrt()
            }
            Method::SimHash => 0.0,
        };
        let is_compared = |jaccard: f64| if jaccard >= least { chance(plan, jaccard) } else { 0.0 };
        let compared = distribution.sum(is_compared).0 * scale;
        let involved = documents * distribution.mean_of_nearest(is_compared);
        let mut work = Work {
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
                // Every shingle; content hash, number and place.
                work.bytes = 8.0 * work.joined + 40.0 * documents;
            }
            Method::MinHash => {
                let (bands, values) = (plan.banding().bands as f64, plan.num_perm() as f64);
                work.sketch = BAND * bands + VALUE * values;
                work.candidates = distribution.sum(|jaccard| chance(plan, jaccard)).0 * scale;
                // Keys, and the places in their buckets; eight bits of each value; content hash and place.
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

    /// What it takes on one usual core, beside reading.
    fn nanoseconds(&self) -> f64 {
        self.documents * self.sketch
            + self.joined * NANOSECONDS as f64
            + self.candidates * LOOK
            + self.compared * 2.0 * self.shingles * SHINGLE
    }

    /// How long it takes here.
    fn seconds(&self, plan: &Plan, survey: &Survey<'_>, rates: &Rates) -> f64 {
        let by_threads = self.documents * rates.sketch(plan, survey)
            + self.joined * NANOSECONDS as f64 / 1e9
            + self.candidates * LOOK / 1e9
            + self.compared * rates.compare;
        // Who is compared is read again; the exact join reads everybody, unless there is room to keep what was read.
        let again =
            if plan.method() == Method::Exact { 0.0 } else { self.involved / self.documents.max(1.0) };
        rates.scan * (1.0 + again) + by_threads / rates.threads
    }
}

/// The probability that two documents of this Jaccard similarity become candidates; by SimHash for equally large sets.
fn chance(plan: &Plan, jaccard: f64) -> f64 {
    match (plan.simhash(), plan.method()) {
        (Some(simhash), _) => simhash.probability(Measure::Jaccard.as_cosine(jaccard)),
        (None, Method::Exact) => 1.0,
        (None, _) => plan.banding().probability(jaccard),
    }
}

fn options(plan: &Plan) -> String {
    match plan.method() {
        Method::Exact => "--method exact".to_owned(),
        Method::SimHash => "--method simhash --verify".to_owned(),
        Method::MinHash => {
            let (banding, num_perm) = (plan.banding(), plan.num_perm());
            let bands = format!("--num-perm {num_perm} --bands {} --rows {}", banding.bands, banding.rows);
            let default = plan.scheme() == Scheme::default();
            if default { bands } else { format!("{bands} --scheme {}", plan.scheme().name()) }
        }
    }
}

/// Alike pairs that the sample must have, so that the recall over them is known better than to a hundredth or so.
const ENOUGH_PAIRS: u64 = 200;

/// Which of `forecasts`, the first of which is exact, to take, and why. Depends on the documents only.
pub(super) fn recommend(
    forecasts: &[Forecast],
    wanted: f64,
    survey: &Survey<'_>,
    distribution: &Distribution,
) -> (usize, String) {
    let shingles = survey.corpus.shingles;
    let megabytes = (shingles * 8).div_ceil(1_000_000);
    if shingles <= MOST_FEATURES {
        let reason = format!(
            "exact search misses nothing, and of a corpus of this size costs {megabytes} MB and hardly any time"
        );
        return (0, reason);
    }
    let known = distribution.alike() >= ENOUGH_PAIRS;
    let suffices = |forecast: &Forecast| {
        let recall = if known { forecast.recall } else { forecast.chance_at_threshold };
        forecast.method == Method::MinHash.name() && recall >= wanted
    };
    let cheapest = (0..forecasts.len())
        .filter(|&index| suffices(&forecasts[index]))
        .min_by(|&a, &b| forecasts[a].cost.total_cmp(&forecasts[b].cost));
    match cheapest {
        Some(index) => {
            let recall = match known {
                true => format!("{wanted} or more of the pairs of this corpus"),
                false => format!("a pair at the threshold with a probability of {wanted} or more"),
            };
            (index, format!("of the settings that should find {recall}, this one takes the least work"))
        }
        None => (0, format!("no other setting is expected to find {wanted} of the pairs")),
    }
}
