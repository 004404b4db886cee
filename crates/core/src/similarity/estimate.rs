//! A similarity that was estimated from two signatures.

use super::Similarity;
use crate::plan::probability::{Z, wilson};
use std::fmt;

/// The Jaccard similarity of two documents, estimated from eight bits of each value of their signatures. Printed with
/// six decimals.
///
/// `equal` of `values` agree. Those of documents with a Jaccard similarity of `j` agree with a probability of `j + (1 -
/// j) / 256`, as different values have the same eight bits in one of 256 cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The values in which the signatures agree.
    pub equal: u32,
    /// The values of a signature.
    pub values: u32,
}

impl Estimate {
    /// The estimated similarity. Its standard error is `((1 - j) * (j + 1 / 255) / values)^(1/2)`: .035 at .8 with 128
    /// values.
    ///
    /// Source: Li and König, "b-Bit Minwise Hashing", 2010.
    pub fn similarity(self) -> Similarity {
        of_agreement(f64::from(self.equal) / f64::from(self.values.max(1)))
    }

    /// The interval of 95 %, Wilson's: the least and the greatest similarity.
    ///
    /// It holds for two given documents. Of pairs that a search chose by their estimates, those below the threshold
    /// were overestimated.
    pub fn interval(self) -> [Similarity; 2] {
        if self.values == 0 {
            return [Similarity::default(), Similarity::SAME];
        }
        let values = f64::from(self.values);
        let (low, high) = wilson((f64::from(self.equal) / values).min(1.0), values, Z);
        [of_agreement(low), of_agreement(high)]
    }

    /// The least number of equal values whose estimate reaches `threshold`.
    pub(crate) fn least_equal(threshold: f64, values: u32) -> u32 {
        (0..values)
            .find(|&equal| Estimate { equal, values }.similarity().value() >= threshold * super::SLACK)
            .unwrap_or(values)
    }
}

/// The similarity at which this share of values is expected to agree.
fn of_agreement(share: f64) -> Similarity {
    Similarity::new((256.0 * share - 1.0) / 255.0)
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.similarity().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(equal: u32, values: u32) -> (f64, f64, f64) {
        let estimate = Estimate { equal, values };
        let [low, high] = estimate.interval().map(Similarity::value);
        (estimate.similarity().value(), low, high)
    }

    #[test]
    fn an_estimate_is_the_similarity_at_which_so_many_values_agree() {
        for values in [8, 128, 4096] {
            assert_eq!((of(0, values).0, of(values, values).0), (0.0, 1.0));
            for equal in 0..=values {
                let (estimate, low, high) = of(equal, values);
                assert!(low <= estimate && estimate <= high, "{equal} of {values}");
                let agreement = estimate + (1.0 - estimate) / 256.0;
                let share = f64::from(equal) / f64::from(values);
                assert!((agreement - share.max(1.0 / 256.0)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        // At both ends, the share of values that agree is 1.96 standard errors from the expected one.
        for equal in 1..=128 {
            let (_, low, high) = of(equal, 128);
            for end in [low, high].into_iter().filter(|end| (0.001..0.999).contains(end)) {
                let expected = end + (1.0 - end) / 256.0;
                let error = (expected * (1.0 - expected) / 128.0).sqrt();
                let far = (f64::from(equal) / 128.0 - expected).abs() / error;
                assert!((far - 1.96).abs() < 1e-3, "{equal}: {end} is {far} standard errors away");
            }
        }
    }

    #[test]
    fn no_count_is_out_of_range() {
        // Stored ones may be wrong.
        for (equal, values) in [(0, 0), (9, 8), (u32::MAX, 1)] {
            let (estimate, low, high) = of(equal, values);
            assert!(
                (0.0..=1.0).contains(&low) && low <= high && high <= 1.0 && (0.0..=1.0).contains(&estimate)
            );
        }
    }

    #[test]
    fn the_least_equal_values_reach_the_threshold() {
        for values in [8, 128, 300] {
            assert_eq!(Estimate::least_equal(1.0, values), values);
            for equal in 1..=values {
                let threshold = of(equal, values).0;
                if threshold > 0.0 {
                    assert_eq!(Estimate::least_equal(threshold, values), equal, "{equal} of {values}");
                }
            }
        }
    }
}
