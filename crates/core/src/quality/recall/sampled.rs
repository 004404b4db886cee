//! The estimate of recall from a sample of documents, each compared with all others.

use super::Recall;
use crate::plan::probability::{Z, wilson};

/// The pairs of a document, and the found ones among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentPairs {
    /// Found pairs.
    pub found: u64,
    /// All pairs.
    pub all: u64,
}

impl Recall {
    /// Estimates recall from the pairs of sampled documents, some of which were found. `None` if these documents have
    /// no pairs.
    ///
    /// `spread` is the number of documents over which the pairs of such a sample are spread on average, as far as it is
    /// known (see [`Recall::spread`]).
    ///
    /// It is a ratio estimate, with a variance by linearisation, as documents are drawn independently and pairs depend
    /// on each other. The interval is Wilson's. Its number of trials is the number of independent pairs that would vary
    /// as much, at most the documents over which the pairs are spread. The quantile is from Student's distribution.
    ///
    /// Few documents prove little, and so do documents with all pairs found. The variance is therefore raised by half a
    /// document, and the share takes in half a missed and half a found document.
    ///
    /// Sources: Cochran, "Sampling techniques", 1977, chapter 6. Wilson, "Probable inference, the law of succession,
    /// and statistical inference", 1927.
    pub fn of_sample(sampled: &[DocumentPairs], spread: f64) -> Option<Self> {
        let sampled: Vec<&DocumentPairs> = sampled.iter().filter(|document| document.all > 0).collect();
        let all: u64 = sampled.iter().map(|document| document.all).sum();
        if all == 0 {
            return None;
        }
        let found: u64 = sampled.iter().map(|document| document.found).sum();
        let (count, total) = (sampled.len() as f64, all as f64);
        let recall = found as f64 / total;
        let residual =
            |document: &&DocumentPairs| (document.found as f64 - recall * document.all as f64).powi(2);
        let squares: f64 = sampled.iter().map(residual).sum();
        let mean = total / count;
        let variance = (squares + 0.5 * mean * mean) * count / (count - 1.0).max(0.5) / (total * total);
        let cautious = (found as f64 + 0.5 * mean) / (total + mean);
        let own = Self::spread(sampled.iter().map(|document| document.all as f64), 1.0);
        let effective = (cautious * (1.0 - cautious) / variance * (spread / own).min(1.0)).min(total);
        let (low, high) = wilson(recall, effective, student(own.min(spread)));
        Some(Recall { recall, low, high })
    }

    /// The number of documents over which the pairs of a sample are spread: this many of the same size would vary as
    /// much.
    ///
    /// The sample takes a `share` of all documents, and `pairs` are the numbers of pairs of all documents.
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

/// The two-sided quantile of 95 % of Student's distribution for a number of values: the first terms of its expansion.
///
/// Source: Fisher and Cornish, "The percentile points of distributions having known cumulants", 1960.
fn student(values: f64) -> f64 {
    let freedom = (values - 1.0).max(1.0);
    let cube = Z.powi(3);
    Z + (cube + Z) / (4.0 * freedom) + (5.0 * Z.powi(5) + 16.0 * cube + 3.0 * Z) / (96.0 * freedom * freedom)
}
