//! The expected recall and cost of a setting.

use super::distribution::Distribution;
use super::survey::Survey;
use super::work::{Rates, SearchWork, chance};
use lookalike::{Method, Options, Plan, PlanError, Verification};
use lookalike_engine::request::Affordable;
use serde::Serialize;

/// A setting of the search, and its expected recall and cost.
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
    /// The probability that a pair is found, at the Jaccard similarities 0.05, 0.1, and so on up to 1.
    pub s_curve: Vec<f64>,
    /// The same at the threshold.
    pub chance_at_threshold: f64,
    /// The share of the pairs at or above the threshold that is found. If the sample has no such pair, the chance of a pair at
    /// the threshold.
    pub recall: f64,
    /// The lower end of the recall: it holds for 19 of 20 samples if pairs are independent.
    pub recall_at_least: f64,
    /// Candidate pairs.
    pub candidates: u64,
    /// Memory for the documents, without the program itself.
    pub memory_bytes: u64,
    /// A rough estimate of the time from the start to the last pair on this machine, with all pairs compared and without
    /// writing. Texts of one template take the exact join longer. They take SimHash longer too, because many of their
    /// fingerprints are near each other.
    pub seconds: f64,
    /// Its options, in the words of [`Tune::name_setting`](super::Tune::name_setting).
    pub options: String,
    /// The work without reading, in nanoseconds of a usual core. It is the same on every machine.
    #[serde(skip)]
    pub(super) cost: f64,
}

/// The default recall at the threshold, as in [`Options`].
pub(super) const WANTED: f64 = 0.995;

/// The settings that these options allow. The first one is exact.
///
/// Settings by MinHash have as many rows as the wanted recall at the threshold allows, or as a recall of 0.95 allows. The
/// latter have far fewer candidates. They find hardly fewer pairs if most pairs are well above the threshold.
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
    plans.push(Options { method: Some(Method::SimHash), verify: Some(Verification::Exact), ..plain }.plan()?);
    Ok(plans)
}

/// The expected recall and cost of `plan`, with the name of the setting, for a corpus with this `distribution` of pairs.
pub(super) fn forecast(
    plan: &Plan,
    name: fn(&Plan) -> String,
    survey: &Survey<'_>,
    distribution: &Distribution,
    rates: &Rates,
) -> Forecast {
    let chance = |jaccard: f64| chance(plan, jaccard);
    let chance_at_threshold = chance(plan.measure().least_jaccard(plan.threshold()));
    let (_, found) = distribution.sum(chance);
    let (_, squares) = distribution.sum(|jaccard| chance(jaccard).powi(2));
    let similar = distribution.similar();
    let pairs = (similar as f64).max(1.0);
    let recall = if similar == 0 { chance_at_threshold } else { found / pairs };
    let error = (squares / pairs - recall * recall).max(0.0).sqrt() / pairs.sqrt();
    let work = SearchWork::of(plan, survey, distribution);
    let minhash = plan.method() == Method::MinHash;
    Forecast {
        method: plan.method().name(),
        num_perm: minhash.then(|| plan.num_perm()),
        bands: minhash.then(|| plan.banding().bands),
        rows: minhash.then(|| plan.banding().rows),
        hamming: plan.simhash().map(|simhash| simhash.hamming),
        s_curve: (1..=20).map(|step| chance(f64::from(step) / 20.0)).collect(),
        recall,
        recall_at_least: if similar == 0 { chance_at_threshold } else { (recall - 1.96 * error).max(0.0) },
        candidates: work.candidates.round() as u64,
        memory_bytes: work.bytes.round() as u64,
        seconds: work.seconds(plan, survey, rates),
        options: name(plan),
        cost: work.nanoseconds(),
        chance_at_threshold,
    }
}

/// Similar pairs that the sample must have. Fewer may all be of one kind, which is not typical of the corpus.
const ENOUGH_PAIRS: u64 = 200;

/// Recommends one of `forecasts`, with the reason, for a corpus of so many `shingles` whose sample has so many `similar` pairs.
/// The first forecast is exact. The result depends on the documents only.
pub(super) fn recommend(forecasts: &[Forecast], wanted: f64, shingles: u64, similar: u64) -> (usize, String) {
    let megabytes = (shingles * 8).div_ceil(1_000_000);
    if shingles <= Affordable::default().features {
        let reason = format!(
            "Exact search misses nothing. On a corpus of this size it needs {megabytes} MB and very little time."
        );
        return (0, reason);
    }
    let known = similar >= ENOUGH_PAIRS;
    let suffices = |forecast: &Forecast| {
        let recall = if known { forecast.recall_at_least } else { forecast.chance_at_threshold };
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
            (index, format!("It needs the least work of all settings that should find {recall}."))
        }
        None => (0, format!("No other setting is expected to find {wanted} of the pairs.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Scheme;

    /// For MinHash: the lower end of the recall of the sample, the recall at the threshold, and the cost.
    fn forecast((recall_at_least, chance_at_threshold, cost): (f64, f64, f64)) -> Forecast {
        Forecast {
            method: Method::MinHash.name(),
            num_perm: None,
            bands: None,
            rows: None,
            hamming: None,
            s_curve: Vec::new(),
            chance_at_threshold,
            recall: 1.0,
            recall_at_least,
            candidates: 0,
            memory_bytes: 0,
            seconds: 0.0,
            options: String::new(),
            cost,
        }
    }

    #[test]
    fn the_cheapest_that_suffices_is_taken_and_of_few_pairs_nothing_is_believed() {
        let exact = Forecast { method: Method::Exact.name(), ..forecast((1.0, 1.0, 0.0)) };
        let minhash = [(0.999, 0.999, 9.0), (0.996, 0.96, 5.0), (0.99, 0.95, 1.0)].map(forecast);
        let forecasts: Vec<Forecast> = [exact].into_iter().chain(minhash).collect();
        let take = |shingles, similar, wanted| recommend(&forecasts, wanted, shingles, similar).0;
        assert_eq!(take(Affordable::default().features, ENOUGH_PAIRS, 0.995), 0);
        assert_eq!(take(Affordable::default().features + 1, ENOUGH_PAIRS, 0.995), 2);
        assert_eq!(take(Affordable::default().features + 1, ENOUGH_PAIRS - 1, 0.995), 1);
        assert_eq!(take(Affordable::default().features + 1, ENOUGH_PAIRS, 0.9), 3);
        assert_eq!(take(Affordable::default().features + 1, ENOUGH_PAIRS, 0.9999), 0);
    }

    #[test]
    fn settings_are_those_of_the_options() {
        let all = settings(&Options::default()).unwrap();
        let is_exact = |plan: &Plan| plan.method() == Method::Exact;
        assert_eq!((all.len(), all.iter().position(is_exact)), (8, Some(0)));
        let bands = |plan: &Plan| (plan.num_perm(), plan.banding().bands, plan.banding().rows);
        assert!(all.iter().any(|plan| plan.method() == Method::MinHash && bands(plan) == (128, 21, 6)));
        let own = Options {
            num_perm: Some(100),
            rows: Some(5),
            scheme: Some(Scheme::Classic),
            ..Options::default()
        };
        let own = settings(&own).unwrap();
        assert_eq!((bands(&own[1]), own[1].scheme()), ((100, 20, 5), Scheme::Classic));
        assert_eq!((own.len(), own[2].method(), own[2].verifies()), (3, Method::SimHash, true));
    }
}
