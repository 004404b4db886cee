//! How many pairs were found, by documents that were compared with all others.

use super::Recall;
use crate::plan::probability::Z;

/// How many of the pairs of a document were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Pairs found.
    pub found: u64,
    /// All pairs.
    pub all: u64,
}

impl Recall {
    /// What was measured: of the pairs that each sampled document has, so many were found. `spread` is over how many documents
    /// the pairs of such a sample are spread on average, as far as that is known (see [`Recall::spread`]). `None` if the sampled
    /// documents have no pairs.
    ///
    /// A ratio estimate, its variance by linearisation: documents are drawn independently, however their pairs hang together. The
    /// interval is Wilson's for as many independent pairs as would vary as much, never more than documents that their pairs are
    /// spread over, with the quantile of Student's distribution. Documents are taken to vary by half a document more than they do, and
    /// the share to be that of half a document missed and half a document found besides: few documents, or documents of which all was
    /// found, prove little.
    ///
    /// Sources: Cochran, "Sampling techniques", 1977, chapter 6; Wilson, "Probable inference, the law of succession, and statistical
    /// inference", 1927.
    pub fn of_sample(sampled: &[Found], spread: f64) -> Option<Self> {
        let sampled: Vec<&Found> = sampled.iter().filter(|document| document.all > 0).collect();
        let all: u64 = sampled.iter().map(|document| document.all).sum();
        if all == 0 {
            return None;
        }
        let found: u64 = sampled.iter().map(|document| document.found).sum();
        let (count, total) = (sampled.len() as f64, all as f64);
        let recall = found as f64 / total;
        let residual = |document: &&Found| (document.found as f64 - recall * document.all as f64).powi(2);
        let squares: f64 = sampled.iter().map(residual).sum();
        let mean = total / count;
        let variance = (squares + 0.5 * mean * mean) * count / (count - 1.0).max(0.5) / (total * total);
        let cautious = (found as f64 + 0.5 * mean) / (total + mean);
        let own = Self::spread(sampled.iter().map(|document| document.all as f64), 1.0);
        let effective = (cautious * (1.0 - cautious) / variance * (spread / own).min(1.0)).min(total);
        let (low, high) = wilson(recall, effective, student(own.min(spread)));
        Some(Recall { recall, low, high })
    }

    /// Over how many documents the pairs of a sample of `share` of all documents are spread, if each of all documents has so many
    /// `pairs`: as many of the same size would vary as much.
    ///
    /// Source: Kish, "Survey sampling", 1965.
    pub fn spread(pairs: impl Iterator<Item = f64>, share: f64) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for pairs in pairs {
            sum += pairs;
            squares += pairs * pairs;
        }
        if squares > 0.0 { share * sum * sum / squares } else { f64::INFINITY }
    }
}

/// The quantile of Student's distribution, two-sided, 95 %, of so many values: the first terms of its expansion.
///
/// Source: Fisher and Cornish, "The percentile points of distributions having known cumulants", 1960.
fn student(values: f64) -> f64 {
    let freedom = (values - 1.0).max(1.0);
    let cube = Z.powi(3);
    Z + (cube + Z) / (4.0 * freedom) + (5.0 * Z.powi(5) + 16.0 * cube + 3.0 * Z) / (96.0 * freedom * freedom)
}

/// The interval of a share of `count` independent trials, `z` standard errors to each side.
fn wilson(share: f64, count: f64, z: f64) -> (f64, f64) {
    let square = z * z / count;
    let middle = share + square / 2.0;
    let spread = z * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
    (
        ((middle - spread) / (1.0 + square)).clamp(0.0, share),
        ((middle + spread) / (1.0 + square)).clamp(share, 1.0),
    )
}
