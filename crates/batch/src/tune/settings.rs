//! The method and the bands that a corpus needs.

use super::Tune;
use super::distribution::Distribution;
use super::forecast::{Forecast, WANTED, forecast, recommend, settings};
use super::survey::Survey;
use super::work::Rates;
use crate::error::Error;
use lookalike::{Measure, Options, Plan};
use serde::Serialize;

/// The similar pairs of a corpus, and forecasts for settings.
#[derive(Clone, Debug, Serialize)]
pub struct SettingForecasts {
    /// Pairs at or above the threshold, without copies.
    pub pairs: u64,
    /// The interval of the number of pairs, which holds for 19 of 20 samples. Both ends are equal if the sample is the corpus.
    pub pairs_between: [u64; 2],
    /// The share of the documents that have a similar document.
    pub with_partner: f64,
    /// Its interval, in the same sense (Wilson, 1927).
    pub with_partner_between: [f64; 2],
    /// Pairs with a Jaccard similarity from 0 to 0.1, and so on. Pairs that share no feature are left out.
    pub pairs_by_tenth: [u64; 10],
    /// The same threshold with other shingles, or with the given one only.
    pub shingles: Vec<ShingleSummary>,
    /// The settings.
    pub forecasts: Vec<Forecast>,
    /// The index of the recommended one.
    pub recommended: usize,
    /// The reason.
    pub reason: String,
}

/// The similar pairs of a corpus for one length of shingles.
#[derive(Clone, Debug, Serialize)]
pub struct ShingleSummary {
    /// Tokens per shingle.
    pub shingle: usize,
    /// Pairs at or above the threshold.
    pub pairs: u64,
    /// The share of the documents that have a similar document.
    pub with_partner: f64,
    /// How many tokens of a document of median length can be replaced, far from one another, so that it is still similar to the
    /// original. `None` if the measure is not the Jaccard similarity.
    pub changes: Option<u64>,
}

/// Tokens per shingle that are tried besides the default if none is given: for short and for long texts.
const SHINGLES: [usize; 2] = [3, 8];

impl SettingForecasts {
    /// Compares the sample. `scan` is the time of the first scan.
    pub(super) fn new(tune: &Tune, scan: f64, survey: &mut Survey<'_>) -> Result<Self, Error> {
        let Tune { options, name_setting, .. } = tune;
        let plan = survey.scanned.request.plan.clone();
        let mut plans = vec![plan.clone()];
        if options.shingle.is_none() && plan.measure() != Measure::WordJaccard {
            for shingle in SHINGLES {
                plans.push(Options { shingle: Some(shingle), ..options.clone() }.plan()?);
            }
            plans.sort_by_key(Plan::shingle);
        }
        let distributions = survey.compare(&plans)?;
        let here = plans.iter().position(|other| other.shingle() == plan.shingle()).unwrap_or(0);
        let distribution = &distributions[here];
        let (pairs, pairs_between) = pairs(survey, distribution);
        let sample = survey.sample.len();
        let share = distribution.with_partner() as f64 / (sample as f64).max(1.0);
        let whole = sample as u64 == survey.corpus.different;
        let rates = Rates::measure(survey, scan);
        let forecast = |plan: &Plan| forecast(plan, *name_setting, survey, distribution, &rates);
        let forecasts: Vec<Forecast> = settings(options)?.iter().map(forecast).collect();
        let (recommended, reason) = recommend(
            &forecasts,
            options.recall.unwrap_or(WANTED),
            survey.corpus.shingles,
            distribution.similar(),
        );
        Ok(SettingForecasts {
            pairs,
            pairs_between,
            with_partner: share,
            with_partner_between: if whole { [share; 2] } else { wilson(share, sample) },
            pairs_by_tenth: distribution.tenths().map(|pairs| scaled(survey, pairs)),
            shingles: plans
                .iter()
                .zip(&distributions)
                .map(|(plan, distribution)| shingle(plan, survey, distribution))
                .collect(),
            forecasts,
            recommended,
            reason,
        })
    }
}

fn shingle(plan: &Plan, survey: &Survey<'_>, distribution: &Distribution) -> ShingleSummary {
    let changes = (plan.measure() == Measure::Jaccard).then(|| changes(survey.corpus.median_tokens, plan));
    ShingleSummary {
        shingle: plan.shingle(),
        pairs: scaled(survey, distribution.similar()),
        with_partner: distribution.with_partner() as f64 / (survey.sample.len() as f64).max(1.0),
        changes,
    }
}

/// How many of so many tokens can be replaced. Each breaks at most as many shingles as it is in. If b of s different shingles
/// are broken, s - b of s + b are in common.
fn changes(tokens: u64, plan: &Plan) -> u64 {
    let shingles = (tokens + 1).saturating_sub(plan.shingle() as u64) as f64;
    let threshold = plan.threshold();
    // A billionth more, so that rounding does not lose the last one.
    (shingles * (1.0 - threshold) / (1.0 + threshold) / plan.shingle() as f64 * (1.0 + 1e-9)) as u64
}

/// Estimates the pairs of the corpus from the pairs of the sample.
pub(super) fn scaled(survey: &Survey<'_>, pairs: u64) -> u64 {
    (pairs as f64 * survey.scale()).round() as u64
}

/// How many pairs are similar, with the interval of this number.
fn pairs(survey: &Survey<'_>, distribution: &Distribution) -> (u64, [u64; 2]) {
    let (sample, documents) = (survey.sample.len() as f64, survey.corpus.different as f64);
    let pairs = distribution.similar() as f64 * survey.scale();
    // Documents are drawn without replacement, so a sample of the whole corpus is exact.
    let left = (1.0 - sample / documents.max(1.0)).max(0.0);
    let error = documents / 2.0 * distribution.deviation() / sample.max(1.0).sqrt() * left.sqrt();
    let least = distribution.similar() as f64 / 2.0;
    let between = [(pairs - 1.96 * error).max(least), pairs + 1.96 * error];
    (pairs.round() as u64, between.map(|pairs| pairs.round() as u64))
}

/// The interval that holds the true share in 19 of 20 samples.
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
fn wilson(share: f64, sample: usize) -> [f64; 2] {
    let (size, z) = ((sample as f64).max(1.0), 1.96_f64);
    let middle = share + z * z / (2.0 * size);
    let width = z * (share * (1.0 - share) / size + z * z / (4.0 * size * size)).sqrt();
    [middle - width, middle + width].map(|bound| (bound / (1.0 + z * z / size)).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_gives_the_published_interval() {
        let [low, high] = wilson(0.1, 100);
        assert!((low - 0.0552).abs() < 1e-3 && (high - 0.1744).abs() < 1e-3, "{low} {high}");
        assert_eq!(wilson(0.0, 1000)[0], 0.0);
    }

    #[test]
    fn one_change_needs_nine_times_the_shingle() {
        let plan = |shingle| Options { shingle: Some(shingle), ..Options::default() }.plan().unwrap();
        // At 0.8, n shingles of w words survive one change if n >= 9 w.
        assert_eq!((changes(48, &plan(5)), changes(49, &plan(5))), (0, 1));
        assert_eq!((changes(9, &plan(1)), changes(8, &plan(1)), changes(0, &plan(3))), (1, 0, 0));
    }
}
