//! The shingle and the threshold that make duplicates of a document and an edited copy of it.
//!
//! The model: each token of a text is changed independently, with a probability e. A shingle of k tokens survives with a
//! probability s = (1 - e)^k, and the two texts share s / (2 - s) of their shingles. The model ignores that few tokens make few
//! shingles, and that texts repeat themselves. Therefore documents of the corpus are also edited at random and measured.

use super::settings::scaled;
use super::survey::Survey;
use crate::error::Error;
use lookalike::compare::Comparer;
use lookalike::hash::SplitMix64;
use lookalike::{Options, Plan, Sketcher};
use rayon::prelude::*;
use serde::Serialize;

/// The thresholds of shingles for such edits.
#[derive(Clone, Debug, Serialize)]
pub struct Tolerance {
    /// The share of the tokens that may be changed.
    pub changed: f64,
    /// Edited copies that were measured, of documents in which this share is at least one token.
    pub copies: u64,
    /// The shingles that were tried, the longest first.
    pub shingles: Vec<Tolerable>,
    /// The index of the recommended one.
    pub recommended: usize,
    /// The reason.
    pub reason: String,
}

/// The threshold for edits with one length of shingles.
#[derive(Clone, Debug, Serialize)]
pub struct Tolerable {
    /// Tokens per shingle.
    pub shingle: usize,
    /// The Jaccard similarity of a text and its edited copy, by the model.
    pub expected: f64,
    /// The threshold: the similarity that the model expects, or that 95 % of the edited copies reach, if that is less.
    pub threshold: f64,
    /// Share of the edited copies that reach it; `None` if there are none.
    pub reached: Option<f64>,
    /// Pairs of the corpus at or above it.
    pub pairs: u64,
    /// The share of the documents that have a similar document.
    pub with_partner: f64,
}

/// Shingles that are tried if none is given.
const SHINGLES: [usize; 5] = [8, 5, 3, 2, 1];

/// The share of the edited copies that must reach the threshold.
const REACHED: f64 = 0.95;

/// Below this threshold, two documents that share half of their text are similar, such as pages with the menu of one site.
const LEAST_THRESHOLD: f64 = 0.5;

/// The fewest edited copies to measure. The 95 % are then accurate to one or two per cent.
const COPIES: usize = 500;

/// The most tokens of all copies of a document together, without the first copy: a tenth of a second for each shingle.
const COPIED_TOKENS: usize = 5_000_000;

impl Tolerance {
    pub(super) fn new(options: &Options, changed: f64, survey: &mut Survey<'_>) -> Result<Self, Error> {
        let lengths = options.shingle.map_or(SHINGLES.to_vec(), |shingle| vec![shingle]);
        let mut plans = Vec::with_capacity(lengths.len());
        let mut shingles = Vec::with_capacity(lengths.len());
        let mut copies = 0;
        for shingle in lengths {
            let options = Options { shingle: Some(shingle), ..options.clone() };
            let measured = edited(&options.plan()?, changed, survey)?;
            copies = measured.len() as u64;
            let expected = expected(shingle, changed);
            let threshold = threshold(expected, &measured);
            let reached = measured.iter().filter(|&&jaccard| jaccard >= threshold).count() as f64;
            plans.push(Options { threshold: Some(threshold), ..options }.plan()?);
            shingles.push(Tolerable {
                shingle,
                expected,
                threshold,
                reached: (copies > 0).then(|| reached / copies as f64),
                pairs: 0,
                with_partner: 0.0,
            });
        }
        let distributions = survey.compare(&plans)?;
        for (shingle, distribution) in shingles.iter_mut().zip(&distributions) {
            shingle.pairs = scaled(survey, distribution.similar());
            shingle.with_partner = distribution.with_partner() as f64 / (survey.sample.len() as f64).max(1.0);
        }
        let (recommended, reason) = recommend(&shingles);
        Ok(Tolerance { changed, copies, shingles, recommended, reason })
    }
}

fn recommend(shingles: &[Tolerable]) -> (usize, String) {
    if let [_] = shingles {
        return (0, "This is the shingle that was given.".to_owned());
    }
    match shingles.iter().position(|shingle| shingle.threshold >= LEAST_THRESHOLD) {
        Some(index) => {
            let reason = format!(
                "This is the longest shingle with a threshold of {LEAST_THRESHOLD} or more. Texts share long shingles by chance less often. \
                 Below {LEAST_THRESHOLD}, two texts differ in more shingles than they share."
            );
            (index, reason)
        }
        None => {
            let highest = |&a: &usize, &b: &usize| shingles[a].threshold.total_cmp(&shingles[b].threshold);
            let index = (0..shingles.len()).max_by(highest).unwrap_or(0);
            let reason =
                format!("No shingle has a threshold of {LEAST_THRESHOLD} or more. This one has the highest.");
            (index, reason)
        }
    }
}

/// The Jaccard similarity of shingles after this share of the tokens was changed.
fn expected(shingle: usize, changed: f64) -> f64 {
    let survives = (1.0 - changed).powi(shingle as i32);
    survives / (2.0 - survives)
}

/// The threshold, in hundredths: the expected similarity, or less if too few of the `measured` ones reach it.
fn threshold(expected: f64, measured: &[f64]) -> f64 {
    let mut measured = measured.to_vec();
    measured.sort_by(f64::total_cmp);
    let most_missed = ((1.0 - REACHED) * measured.len() as f64) as usize;
    let reached = measured.get(most_missed).copied().unwrap_or(1.0);
    // A billionth more, as the binary 0.57 is a little less than 0.57.
    ((expected.min(reached) * 100.0 * (1.0 + 1e-9)).floor() / 100.0).max(0.01)
}

/// The Jaccard similarity of documents of the sample and edited copies of them. This share of the tokens, rounded down, is
/// replaced by tokens that occur nowhere else. Documents in which no token would be replaced have no copy.
fn edited(plan: &Plan, changed: f64, survey: &Survey<'_>) -> Result<Vec<f64>, Error> {
    let level = survey.scanned.request.level;
    let changes = |tokens: usize| (tokens as f64 * changed * (1.0 + 1e-9)) as usize;
    let usable = survey.tokens().into_iter().filter(|&tokens| changes(tokens as usize) > 0).count();
    let each = if usable == 0 { 0 } else { COPIES.div_ceil(usable) };
    let state = || (Sketcher::with_level(plan, level), Comparer::with_level(level));
    let measure = |(sketcher, comparer): &mut (Sketcher, Comparer), (&document, text): (&u32, &String)| {
        let tokens = sketcher.token_hashes(text).to_vec();
        let changes = changes(tokens.len());
        if changes == 0 {
            return Ok(Vec::new());
        }
        let mut original = sketcher.features_of_edited(&tokens).to_vec();
        let distinct = comparer.distinct(&mut original);
        original.truncate(distinct);
        let mut random = SplitMix64(plan.seed() ^ u64::from(document).rotate_left(32));
        let mut copy = || {
            survey.scanned.monitor.interrupt.check()?;
            let mut edited = tokens.clone();
            let mut places: Vec<usize> = (0..tokens.len()).collect();
            for index in 0..changes {
                let other = index + (random.next() % (tokens.len() - index) as u64) as usize;
                places.swap(index, other);
                // Another token: no token of the text has the same 64 bits.
                edited[places[index]] = random.next();
            }
            let mut features = sketcher.features_of_edited(&edited).to_vec();
            let distinct = comparer.distinct(&mut features);
            comparer.hold(&original);
            Ok(comparer.overlap(&features[..distinct]).jaccard().value())
        };
        let each = each.min(COPIED_TOKENS / tokens.len()).max(1);
        (0..each).map(|_| copy()).collect::<Result<Vec<f64>, Error>>()
    };
    let copies = survey.sample.par_iter().zip(&survey.texts).map_init(state, measure);
    Ok(copies.collect::<Result<Vec<Vec<f64>>, Error>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_has_the_values_of_its_formula() {
        for (shingle, changed, similarity) in [
            (1, 0.05, 0.905),
            (2, 0.05, 0.82),
            (3, 0.05, 0.75),
            (5, 0.05, 0.63),
            (5, 0.1, 0.42),
            (3, 0.1, 0.57),
        ] {
            assert!((expected(shingle, changed) - similarity).abs() < 0.006, "{shingle} {changed}");
        }
    }

    #[test]
    fn the_threshold_lets_nineteen_of_twenty_copies_through() {
        let measured: Vec<f64> = (0..100).map(|copy| 0.4 + f64::from(copy) / 1000.0).collect();
        assert_eq!(threshold(0.63, &measured), 0.4);
        let low = threshold(0.63, &(0..100).map(|copy| 0.402 + f64::from(copy) / 100.0).collect::<Vec<_>>());
        assert_eq!(low, 0.45);
        assert_eq!(threshold(0.638, &[]), 0.63);
        assert_eq!(threshold(0.63, &[0.9]), 0.63);
    }
}
