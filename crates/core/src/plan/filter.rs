//! The signature filter: drops candidates by their signatures alone, and states how many similar pairs this loses.

use crate::plan::Banding;
use crate::plan::probability::binomial_below;
use crate::similarity::Estimate;

/// The least number of signature values in which two candidates must agree, by eight bits of each value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignatureFilter {
    values: u32,
    least: u32,
    threshold: f64,
    /// The share of pairs lost at similarities from the threshold to 1, in equal steps. It is needed for every found
    /// pair.
    lost: [f64; STEPS + 1],
}

/// Steps of similarity, small compared with the standard error of signatures.
const STEPS: usize = 64;

/// The filter's share of the misses that the wanted recall allows: 1/50. A lower bound on equal values would cost
/// comparisons. At the defaults, the bound is 85 of 128 values, four standard errors below the threshold.
const SHARE: f64 = 0.02;

impl SignatureFilter {
    /// The filter of a plan, which may decide by estimates alone.
    pub(super) fn of_plan(
        estimates: bool,
        threshold: f64,
        num_perm: usize,
        banding: Banding,
        recall: f64,
    ) -> Self {
        match estimates {
            true => SignatureFilter::of_estimates(threshold, num_perm),
            false => SignatureFilter::new(threshold, num_perm, banding, recall),
        }
    }

    /// The filter for signatures of `num_perm` values, and pairs from a Jaccard similarity of `threshold`.
    ///
    /// At the threshold it loses at most 1/50 of the misses that `recall` allows, and no more than `banding` leaves of
    /// these. (Bands that do not reach `recall` leave nothing. The filter then uses its share all the same.)
    pub fn new(threshold: f64, num_perm: usize, banding: Banding, recall: f64) -> Self {
        let values = num_perm as u32;
        let share = SHARE * (1.0 - recall);
        let left = banding.probability(threshold) - recall;
        let allowed = if left >= 0.0 { share.min(left) } else { share };
        // The loss grows with the bound.
        let (mut least, mut beyond) = (0, values + 1);
        while least + 1 < beyond {
            let middle = least.midpoint(beyond);
            match binomial_below(values, agreement(threshold), middle) <= allowed {
                true => least = middle,
                false => beyond = middle,
            }
        }
        SignatureFilter::with_least(threshold, values, least)
    }

    /// The filter that passes candidates whose estimated similarity reaches `threshold`. It loses half of the pairs at the
    /// threshold.
    fn of_estimates(threshold: f64, num_perm: usize) -> Self {
        let values = num_perm as u32;
        SignatureFilter::with_least(threshold, values, Estimate::least_equal(threshold, values))
    }

    fn with_least(threshold: f64, values: u32, least: u32) -> Self {
        let similarity = |step: usize| threshold + (1.0 - threshold) * step as f64 / STEPS as f64;
        let lost = |step| binomial_below(values, agreement(similarity(step)), least);
        SignatureFilter { values, least, threshold, lost: std::array::from_fn(lost) }
    }

    /// Whether this number of equal values is enough.
    #[inline]
    pub fn passes(&self, equal: u32) -> bool {
        equal >= self.least
    }

    /// The probability that two documents of Jaccard similarity `jaccard` pass, if values are independent.
    ///
    /// Bucketed values vary less and pass more often. Above the threshold, the result is a lower bound of the formula,
    /// as the loss is convex there. That of estimates starts to be where half is lost, and is within 0.02 of the formula.
    pub fn probability(&self, jaccard: f64) -> f64 {
        if jaccard < self.threshold {
            return 1.0 - binomial_below(self.values, agreement(jaccard), self.least);
        }
        let place = (jaccard - self.threshold) / (1.0 - self.threshold).max(f64::MIN_POSITIVE) * STEPS as f64;
        let step = (place as usize).min(STEPS - 1);
        let part = (place - step as f64).min(1.0);
        1.0 - (self.lost[step] * (1.0 - part) + self.lost[step + 1] * part)
    }
}

/// The probability that eight bits of two values agree. They agree if the values do, and by chance in one of 256 other
/// cases.
fn agreement(jaccard: f64) -> f64 {
    jaccard + (1.0 - jaccard) / 256.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(threshold: f64, num_perm: usize, recall: f64) -> (SignatureFilter, f64) {
        let banding = Banding::for_recall(threshold, num_perm, recall);
        (SignatureFilter::new(threshold, num_perm, banding, recall), banding.probability(threshold))
    }

    #[test]
    fn the_default_bound_is_four_standard_errors_below_the_threshold() {
        let filter = of(0.8, 128, 0.995).0;
        assert!((84..=86).contains(&filter.least), "{filter:?}");
        assert_eq!(of(1.0, 128, 0.995).0.least, 128);
    }

    #[test]
    fn bands_and_filter_together_reach_the_wanted_recall() {
        for num_perm in [32, 64, 128, 256] {
            for threshold in [0.3, 0.5, 0.8, 0.9, 0.99, 0.999, 0.9999] {
                for recall in [0.5, 0.9, 0.995, 0.9999] {
                    let (filter, bands) = of(threshold, num_perm, recall);
                    let found = bands * filter.probability(threshold);
                    assert!(found >= recall - 1e-12, "{threshold} {num_perm} {recall}: {found}");
                }
            }
        }
    }

    #[test]
    fn the_probability_between_steps_is_a_lower_bound() {
        for (threshold, num_perm) in [(0.5, 64), (0.8, 128), (0.999, 32), (0.9, 256)] {
            let filter = of(threshold, num_perm, 0.995).0;
            for step in 0..=1000 {
                let jaccard = threshold + (1.0 - threshold) * f64::from(step) / 1000.0;
                let exact = 1.0 - binomial_below(num_perm as u32, agreement(jaccard), filter.least);
                let bound = filter.probability(jaccard);
                assert!(bound <= exact + 1e-12 && bound > exact - 1e-5, "{jaccard}: {bound} {exact}");
            }
        }
        assert_eq!(of(1.0, 128, 0.995).0.probability(1.0), 1.0);
    }

    #[test]
    fn estimates_lose_half_of_the_pairs_at_the_threshold_and_few_far_above() {
        for (threshold, num_perm) in [(0.5, 128), (0.8, 128), (0.8, 80), (0.9, 4096)] {
            let filter = SignatureFilter::of_estimates(threshold, num_perm);
            assert!((filter.probability(threshold) - 0.5).abs() < 0.09, "{threshold} {num_perm}");
            let error = (threshold * (1.0 - threshold) / num_perm as f64).sqrt();
            assert!(filter.probability(threshold + 3.0 * error) > 0.99, "{threshold} {num_perm}");
            assert!(filter.probability(threshold - 3.0 * error) < 0.01, "{threshold} {num_perm}");
            for step in 0..=1000 {
                let jaccard = threshold + (1.0 - threshold) * f64::from(step) / 1000.0;
                let exact = 1.0 - binomial_below(num_perm as u32, agreement(jaccard), filter.least);
                assert!(
                    (filter.probability(jaccard) - exact).abs() < 2e-2,
                    "{threshold} {num_perm} at {jaccard}"
                );
            }
        }
        let all = SignatureFilter::of_estimates(1.0, 128);
        assert!(all.passes(128) && !all.passes(127));
    }

    #[test]
    fn bands_that_lose_much_leave_the_filter_its_share() {
        let banding = Banding { bands: 9, rows: 13 };
        let filter = SignatureFilter::new(0.8, 128, banding, 0.995);
        assert!(filter.least > 80 && filter.probability(0.8) > 0.9999 - 1e-9, "{filter:?}");
    }

    #[test]
    fn a_plan_with_another_threshold_is_the_plan_that_such_options_give() {
        let options =
            crate::Options { bands: Some(42), rows: Some(3), num_perm: Some(126), ..Default::default() };
        let plan = options.plan().unwrap();
        let estimates = crate::Options { verify: Some(crate::Verification::Estimate), ..options.clone() };
        let (plan, by_estimate) = (plan, estimates.plan().unwrap());
        for threshold in [0.01, 0.3, 0.79, 0.8, 1.0] {
            let other = crate::Options { threshold: Some(threshold), ..options.clone() }.plan().unwrap();
            assert_eq!(plan.with_threshold(threshold).unwrap(), other);
            let other = crate::Options { threshold: Some(threshold), ..estimates.clone() }.plan().unwrap();
            assert_eq!(by_estimate.with_threshold(threshold).unwrap(), other);
            assert_eq!(other.id(), plan.id(), "the same sketches");
        }
        for none in [0.0, -1.0, 1.1, f64::NAN] {
            assert!(plan.with_threshold(none).is_err());
        }
    }
}
