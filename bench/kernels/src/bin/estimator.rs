//! Measures the error of signatures of 128 values against the exact Jaccard similarity, over planted pairs of a corpus.
//!
//! ```text
//! estimator CORPUS.jsonl PLANTED.tsv SEEDS
//! ```
//! PLANTED names two documents in its first two columns. Tokens are cut at white space, shingles are word 5-grams. Each
//! pair is measured with SEEDS seeds. `theory` is the error of independent values, the root of the mean of J (1 - J) /
//! 128.

use lookalike::{Options, Scheme, Sketcher, Tokens};
use lookalike_kernels::documents;
use std::collections::HashMap;
use std::io;

/// The results for one pair and one seed.
struct Measured {
    jaccard: f64,
    estimate: f64,
    /// Distinct shingles of the larger document.
    shingles: usize,
}

/// The distinct values, ascending.
fn set(features: &[u64]) -> Vec<u64> {
    let mut set = features.to_vec();
    set.sort_unstable();
    set.dedup();
    set
}

fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let common = a.iter().filter(|feature| b.binary_search(feature).is_ok()).count();
    common as f64 / (a.len() + b.len() - common) as f64
}

fn measure(
    scheme: Scheme,
    seeds: u64,
    pairs: &[(&str, &str)],
) -> Result<Vec<Measured>, lookalike::PlanError> {
    let mut measured = Vec::with_capacity(pairs.len() * seeds as usize);
    for seed in 0..seeds {
        let plan = Options {
            scheme: Some(scheme),
            seed: Some(seed),
            num_perm: Some(128),
            tokens: Some(Tokens::Whitespace),
            ..Options::default()
        }
        .plan()?;
        let mut sketcher = Sketcher::new(&plan);
        for &(a, b) in pairs {
            let (a, b) = (set(sketcher.features(a)), set(sketcher.features(b)));
            let first = sketcher.signature(&a).to_vec();
            let equal = first.iter().zip(sketcher.signature(&b)).filter(|(x, y)| x == y).count();
            measured.push(Measured {
                jaccard: jaccard(&a, &b),
                estimate: equal as f64 / first.len() as f64,
                shingles: a.len().max(b.len()),
            });
        }
    }
    Ok(measured)
}

/// A bin of the table: its name, and whether a pair is in it.
type Bin = (&'static str, fn(&Measured) -> bool);

const BINS: [Bin; 11] = [
    ("all", |_| true),
    ("all but identical", |pair| pair.jaccard < 1.0),
    ("documents under 128 shingles", |pair| pair.shingles < 128),
    ("J 0.75–0.85", |pair| (0.75..0.85).contains(&pair.jaccard)),
    ("J under 0.2", |pair| pair.jaccard < 0.2),
    ("J 0.2–0.4", |pair| (0.2..0.4).contains(&pair.jaccard)),
    ("J 0.4–0.6", |pair| (0.4..0.6).contains(&pair.jaccard)),
    ("J 0.6–0.75", |pair| (0.6..0.75).contains(&pair.jaccard)),
    ("J 0.85–0.95", |pair| (0.85..0.95).contains(&pair.jaccard)),
    ("J 0.95–1", |pair| pair.jaccard >= 0.95 && pair.jaccard < 1.0),
    ("identical", |pair| pair.jaccard == 1.0),
];

fn main() -> io::Result<()> {
    let [_, corpus, planted, seeds] = std::env::args()
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| io::Error::other("usage: estimator CORPUS.jsonl PLANTED.tsv SEEDS"))?;
    let seeds: u64 = seeds.parse().map_err(io::Error::other)?;
    let documents = documents(&corpus)?;
    let texts: HashMap<&str, &str> = documents.iter().map(|d| (d.id.as_str(), d.text.as_str())).collect();
    let planted = std::fs::read_to_string(planted)?;
    let pairs: Vec<(&str, &str)> = planted
        .lines()
        .filter_map(|line| {
            let mut ids = line.split('\t').map(|id| texts.get(id).copied());
            ids.next().flatten().zip(ids.next().flatten())
        })
        .collect();
    println!("{} of {} planted pairs, {seeds} seeds", pairs.len(), planted.lines().count());

    let [bucketed, classic] =
        [Scheme::Bucketed, Scheme::Classic].map(|scheme| measure(scheme, seeds, &pairs));
    let (bucketed, classic) = (bucketed.map_err(io::Error::other)?, classic.map_err(io::Error::other)?);
    println!("| pairs | number | theory | bucketed RMSE | bias | classic RMSE | bias |");
    println!("|---|---|---|---|---|---|---|");
    for (name, holds) in BINS {
        let error = |measured: &[Measured]| {
            let errors: Vec<f64> =
                measured.iter().filter(|pair| holds(pair)).map(|pair| pair.estimate - pair.jaccard).collect();
            let count = errors.len() as f64;
            let square = errors.iter().map(|error| error * error).sum::<f64>() / count;
            format!("{:.4} | {:+.4}", square.sqrt(), errors.iter().sum::<f64>() / count)
        };
        let variances: Vec<f64> = bucketed
            .iter()
            .filter(|pair| holds(pair))
            .map(|pair| pair.jaccard * (1.0 - pair.jaccard) / 128.0)
            .collect();
        if variances.is_empty() {
            continue;
        }
        let number = variances.len() as u64 / seeds;
        let theory = (variances.iter().sum::<f64>() / variances.len() as f64).sqrt();
        println!("| {name} | {number} | {theory:.4} | {} | {} |", error(&bucketed), error(&classic));
    }
    Ok(())
}
