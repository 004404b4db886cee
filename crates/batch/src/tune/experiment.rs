//! The pairs that each banding of one signature finds. Bands and rows are tried out: documents are sketched, and pairs that
//! share a band are counted.

use super::survey::Survey;
use crate::error::Error;
use lookalike::compare::Comparer;
use lookalike::search::{Banding, Counting, Queries};
use lookalike::{Plan, Sketcher};
use serde::Serialize;

/// The pairs that each banding finds.
#[derive(Clone, Debug, Serialize)]
pub struct Experiment {
    /// Values per signature.
    pub num_perm: usize,
    /// Pairs at or above the threshold, without copies.
    pub pairs: u64,
    /// The bandings, the fewest bands first.
    pub bandings: Vec<BandingResult>,
}

/// The pairs that a banding finds.
#[derive(Clone, Debug, Serialize)]
pub struct BandingResult {
    /// Bands per signature.
    pub bands: usize,
    /// Values per band.
    pub rows: usize,
    /// (1 / bands)^(1 / rows), near the steepest point of the curve. A pair of this similarity is found with a probability of
    /// about 0.64.
    pub threshold: f64,
    /// The share of similar pairs among the reported ones. It is 1, as every candidate was compared. `None` if there are none.
    pub precision: Option<f64>,
    /// The share of similar pairs among the candidates; `None` if there are none.
    pub candidate_precision: Option<f64>,
    /// The share of candidates among the similar pairs; `None` if there are none.
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall. 0 if one of them is 0 or unknown, and `None` if no pair is similar.
    pub f1: Option<f64>,
    /// Pairs that share a band.
    pub candidates: u64,
}

/// Values per band that are tried: the divisors of 100, without the extremes.
const ROWS: [usize; 5] = [20, 10, 5, 4, 2];

/// Counts of one thread, or of all.
#[derive(Clone, Default)]
struct ExperimentTally {
    similar: u64,
    /// For each banding, the candidates, and how many of them are similar.
    candidates: Vec<[u64; 2]>,
}

impl Experiment {
    /// Compares the sample with all documents, by features and by signatures. The banding of `plan` is tried too.
    pub(super) fn run(plan: &Plan, survey: &Survey<'_>) -> Result<Self, Error> {
        let num_perm = plan.num_perm();
        let mut bandings: Vec<Banding> = ROWS
            .into_iter()
            .filter(|&rows| rows <= num_perm)
            .map(|rows| Banding { bands: num_perm / rows, rows })
            .chain([plan.banding()])
            .collect();
        bandings.sort_by_key(|banding| (banding.bands, std::cmp::Reverse(banding.rows)));
        bandings.dedup();
        let tally = tally(plan, &bandings, survey)?;
        let scaled = |pairs: u64| (pairs as f64 * survey.scale()).round() as u64;
        let result = |(banding, &[candidates, similar]): (&Banding, &[u64; 2])| {
            let share = |of: u64| (of > 0).then(|| similar as f64 / of as f64);
            let recall = share(tally.similar);
            BandingResult {
                bands: banding.bands,
                rows: banding.rows,
                threshold: (1.0 / banding.bands as f64).powf(1.0 / banding.rows as f64),
                precision: (similar > 0).then_some(1.0),
                candidate_precision: share(candidates),
                recall,
                f1: recall.map(|recall| 2.0 * recall / (1.0 + recall)),
                candidates: scaled(candidates),
            }
        };
        let bandings = bandings.iter().zip(&tally.candidates).map(result).collect();
        Ok(Experiment { num_perm, pairs: scaled(tally.similar), bandings })
    }
}

fn tally(plan: &Plan, bandings: &[Banding], survey: &Survey<'_>) -> Result<ExperimentTally, Error> {
    let level = survey.scanned.request.level;
    let queries = Queries::new(plan.measure(), survey.sets(plan, survey.texts.len()));
    let mut sketcher = Sketcher::with_level(plan, level);
    let signatures: Vec<Vec<u32>> =
        survey.texts.iter().map(|text| sketcher.sketch(text).signature.to_vec()).collect();
    let fewest = bandings.iter().map(|banding| banding.rows).min().unwrap_or(0);
    let new = || ExperimentTally { similar: 0, candidates: vec![[0; 2]; bandings.len()] };
    let state = || {
        let worker = (Sketcher::with_level(plan, level), Comparer::with_level(level), Counting::default());
        (worker, vec![false; signatures.len()], vec![false; plan.num_perm()], new())
    };
    let states = survey.scanned.visit(
        "compare",
        |document| survey.population[document as usize],
        state,
        |((sketcher, comparer, counting), similar, equal, tally), document, text| {
            let sketch = sketcher.sketch(text);
            let mut features = sketch.features.to_vec();
            let distinct = comparer.distinct(&mut features);
            similar.fill(false);
            queries.overlaps(&features[..distinct], counting, |query, overlap| {
                similar[query as usize] =
                    plan.measure().reaches(plan.threshold(), plan.measure().of(overlap));
            });
            for (query, signature) in signatures.iter().enumerate() {
                if survey.sample[query] == document {
                    continue;
                }
                let is_similar = u64::from(similar[query]);
                tally.similar += is_similar;
                // Most pairs share fewer values than any band has rows.
                let common: u32 =
                    signature.iter().zip(sketch.signature).map(|(a, b)| u32::from(a == b)).sum();
                if (common as usize) < fewest {
                    continue;
                }
                let pairs = equal.iter_mut().zip(signature.iter().zip(sketch.signature));
                pairs.for_each(|(equal, (a, b))| *equal = a == b);
                for (banding, counts) in bandings.iter().zip(&mut tally.candidates) {
                    let mut bands = equal.chunks_exact(banding.rows).take(banding.bands);
                    if bands.any(|band| band.iter().all(|&equal| equal)) {
                        counts[0] += 1;
                        counts[1] += is_similar;
                    }
                }
            }
            Ok(())
        },
    )?;
    let mut all = new();
    for (.., tally) in states {
        all.similar += tally.similar;
        for (counts, more) in all.candidates.iter_mut().zip(tally.candidates) {
            counts[0] += more[0];
            counts[1] += more[1];
        }
    }
    Ok(all)
}
