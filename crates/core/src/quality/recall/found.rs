//! How many pairs were missed, by those that were found and their chances.

use super::Recall;
use crate::plan::probability::negative_binomial_quantile;

/// On each side of an interval of 95 %.
const TAIL: f64 = 0.025;

impl Recall {
    /// The estimate from the pairs found: each stands for as many as its chance to be found says. `found` has that chance for each
    /// pair, together with a number for the cluster that the pair is in, in any order. `least` is the chance of those pairs that
    /// are the hardest to find. `None` if nothing was found.
    ///
    /// The pairs missed are a negative binomial count, as the number of failures before the last of so many successes. Those of a
    /// cluster may be missed together, as each document takes part in many, or each for itself: the interval is the widest for
    /// anything between. Its lower end allows for one cluster more than was found, of pairs that are the hardest to find: of
    /// such there may be many where each is seldom found.
    ///
    /// Source: Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe", 1952.
    pub fn of_found(found: impl IntoIterator<Item = (u32, f64)>, least: f64) -> Option<Self> {
        let mut found: Vec<(u32, f64)> = found.into_iter().collect();
        if found.is_empty() {
            return None;
        }
        // Sums of the same numbers in the same order, whatever order they came in.
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

/// Smaller chances are taken for this one: of such pairs nothing is known, and sums stay finite.
const SELDOMEST: f64 = 1e-15;

/// How many pairs were missed: what the distribution of that is made of.
#[derive(Default)]
struct Missed {
    mean: f64,
    /// The squares of the means of clusters.
    squares: f64,
    /// The variance, if the pairs of a cluster are found or missed together.
    together: f64,
}

impl Missed {
    /// Adds a cluster: numbers of pairs, and their chances to be found.
    fn add(&mut self, pairs: impl Iterator<Item = (f64, f64)>) {
        let (mut mean, mut deviation) = (0.0, 0.0);
        for (count, chance) in pairs {
            let chance = chance.max(SELDOMEST);
            let missed = (1.0 - chance).max(0.0);
            mean += count * missed / chance;
            deviation += count * missed.sqrt() / chance;
        }
        self.mean += mean;
        self.squares += mean * mean;
        self.together += deviation * deviation;
    }

    /// How many pairs may be missed together: from one to as many as clusters have.
    fn units(&self) -> impl Iterator<Item = f64> {
        let largest = ((self.together - self.squares) / self.mean).max(1.0);
        let smaller =
            std::iter::successors(Some(1.0), |unit| Some(2.0 * unit)).take_while(move |&unit| unit < largest);
        smaller.chain([largest])
    }

    fn quantiles(&self, above: f64) -> impl Iterator<Item = f64> {
        let shape = self.mean * self.mean / self.squares;
        let of = move |unit: f64| unit * negative_binomial_quantile(self.mean / unit, shape, above) as f64;
        let none_missed = self.mean <= 0.0;
        std::iter::once(self.mean)
            .filter(move |_| none_missed)
            .chain(self.units().filter(move |_| !none_missed).map(of))
    }

    fn most(&self) -> f64 {
        self.quantiles(TAIL).fold(0.0, f64::max)
    }

    fn fewest(&self) -> f64 {
        self.quantiles(1.0 - TAIL).fold(f64::INFINITY, f64::min)
    }
}
