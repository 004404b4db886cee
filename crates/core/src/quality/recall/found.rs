//! The estimate of recall from the found pairs and their probabilities.

use super::Recall;
use crate::plan::probability::negative_binomial_quantile;

/// The probability on each side of an interval of 95 %.
const TAIL: f64 = 0.025;

impl Recall {
    /// Estimates recall from the found pairs: a pair that is found with probability `p` stands for `1 / p` pairs.
    ///
    /// `found` has that probability for each pair, with a number for the pair's cluster, in any order. `least` is the
    /// probability of the pairs that are hardest to find. `None` if nothing was found.
    ///
    /// The number of missed pairs is negative binomial, like the number of failures before the last of so many
    /// successes. The pairs of a cluster may be missed together, as each document takes part in many, or each for
    /// itself. The interval is the widest for any degree between. Its lower end allows for one more cluster than was
    /// found, made of the pairs that are hardest to find. There may be many such pairs if each is rarely found.
    ///
    /// Source: Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe", 1952.
    pub fn of_found(found: impl IntoIterator<Item = (u32, f64)>, least: f64) -> Option<Self> {
        let mut found: Vec<(u32, f64)> = found.into_iter().collect();
        if found.is_empty() {
            return None;
        }
        // Sorted, so the sums do not depend on the order of the input.
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let count = found.len() as f64;
        let least = found.iter().fold(least, |least, &(_, chance)| least.min(chance));
        let (mut missed, mut clusters) = (Missed::default(), 0.0);
        for cluster in found.chunk_by(|a, b| a.0 == b.0) {
            missed.add(cluster.iter().map(|&(_, chance)| (1.0, chance)));
            clusters += 1.0;
        }
        let recall = count / (count + missed.mean);
        let high = count / (count + missed.fewest());
        missed.add([(count / clusters, least)].into_iter());
        let low = count / (count + missed.most());
        Some(Recall { recall, low: low.min(recall), high: high.max(recall) })
    }
}

/// Smaller probabilities are raised to this one. Nothing is known about such pairs, and sums stay finite.
const LEAST_CHANCE: f64 = 1e-15;

/// The parameters of the distribution of the number of missed pairs.
#[derive(Default)]
struct Missed {
    mean: f64,
    /// The squares of the means of clusters.
    squares: f64,
    /// The variance if the pairs of a cluster are found or missed together.
    together: f64,
}

impl Missed {
    /// Adds a cluster: numbers of pairs, with their probabilities to be found.
    fn add(&mut self, pairs: impl Iterator<Item = (f64, f64)>) {
        let (mut mean, mut deviation) = (0.0, 0.0);
        for (count, chance) in pairs {
            let chance = chance.max(LEAST_CHANCE);
            let missed = (1.0 - chance).max(0.0);
            mean += count * missed / chance;
            deviation += count * missed.sqrt() / chance;
        }
        self.mean += mean;
        self.squares += mean * mean;
        self.together += deviation * deviation;
    }

    /// The numbers of pairs that may be missed together, from one to the size of clusters.
    fn group_sizes(&self) -> impl Iterator<Item = f64> {
        let largest = ((self.together - self.squares) / self.mean).max(1.0);
        let smaller =
            std::iter::successors(Some(1.0), |size| Some(2.0 * size)).take_while(move |&size| size < largest);
        smaller.chain([largest])
    }

    fn quantiles(&self, above: f64) -> impl Iterator<Item = f64> {
        let shape = self.mean * self.mean / self.squares;
        let of = move |size: f64| size * negative_binomial_quantile(self.mean / size, shape, above) as f64;
        let none_missed = self.mean <= 0.0;
        std::iter::once(self.mean)
            .filter(move |_| none_missed)
            .chain(self.group_sizes().filter(move |_| !none_missed).map(of))
    }

    fn most(&self) -> f64 {
        self.quantiles(TAIL).fold(0.0, f64::max)
    }

    fn fewest(&self) -> f64 {
        self.quantiles(1.0 - TAIL).fold(f64::INFINITY, f64::min)
    }
}
