//! Probabilities of counts of independent trials, precise for very small probabilities as well.
//!
//! Only sums, products and quotients are used. Every machine therefore gets the same bits, which the search depends on.

/// Counts are left out if they are less likely than the likeliest count by this factor. Every probability of interest
/// is larger.
const NEGLIGIBLE: f64 = 1e-60;

/// The probability that fewer than `least` of `trials` independent trials succeed, each with probability `chance`.
pub(crate) fn binomial_below(trials: u32, chance: f64, least: u32) -> f64 {
    if least == 0 {
        return 0.0;
    }
    if least > trials || chance <= 0.0 {
        return 1.0;
    }
    if chance >= 1.0 {
        return 0.0;
    }
    // Weights go from the likeliest count to both sides, relative to its probability. Only negligible weights
    // underflow.
    let odds = chance / (1.0 - chance);
    let likeliest = ((f64::from(trials + 1) * chance) as u32).min(trials);
    let (mut below, mut all) = (0.0, 0.0);
    let mut add = |count: u32, weight: f64| {
        all += weight;
        below += if count < least { weight } else { 0.0 };
    };
    let mut weight = 1.0;
    for count in (0..=likeliest).rev() {
        add(count, weight);
        weight *= f64::from(count) / f64::from(trials - count + 1) / odds;
        if weight < NEGLIGIBLE {
            break;
        }
    }
    let mut weight = 1.0;
    for count in likeliest + 1..=trials {
        weight *= f64::from(trials - count + 1) / f64::from(count) * odds;
        if weight < NEGLIGIBLE {
            break;
        }
        add(count, weight);
    }
    below / all
}

/// The smallest count that a negative binomial count with this mean exceeds with a probability of at most `above`.
///
/// Such a count is a Poisson count whose mean follows a gamma distribution of shape `shape`. The mean must be above 0.
pub(crate) fn negative_binomial_quantile(mean: f64, shape: f64, above: f64) -> u64 {
    debug_assert!(mean.is_finite() && shape.is_finite(), "{mean} {shape}");
    // For large counts that vary little, the normal distribution is close enough and takes fewer steps.
    if mean > NORMAL_FROM && shape > NORMAL_FROM {
        let deviation = (mean + mean * mean / shape).sqrt();
        let standard = if above < 0.5 { Z } else { -Z };
        debug_assert!((above.min(1.0 - above) - 0.025).abs() < 1e-12, "only these quantiles are supported");
        return (mean + standard * deviation).max(0.0).ceil() as u64;
    }
    // Large counts are scaled down, which keeps the shape.
    let scale = (mean / MOST_STEPS).max(1.0);
    let mean = mean / scale;
    let ratio = mean / (shape + mean);
    let likeliest = (mean * (shape - 1.0) / shape).max(0.0).floor();
    let last = (mean + 40.0 * (mean + mean * mean / shape).sqrt() + 40.0).ceil();
    // Weights go from the likeliest count to both sides, as above. The first pass sums all, the second stops at the
    // quantile.
    let up = |count: f64| (count + shape) / (count + 1.0) * ratio;
    let (mut first, mut first_weight, mut all) = (likeliest, 1.0, 1.0);
    while first > 0.0 && first_weight > NEGLIGIBLE {
        first -= 1.0;
        first_weight /= up(first);
        all += first_weight;
    }
    let (mut count, mut weight) = (likeliest, 1.0);
    while count < last && weight > NEGLIGIBLE {
        weight *= up(count);
        count += 1.0;
        all += weight;
    }
    let (mut count, mut weight) = (first, first_weight);
    let mut sum = weight;
    while sum < (1.0 - above) * all && count < last {
        weight *= up(count);
        count += 1.0;
        sum += weight;
    }
    (count * scale).round() as u64
}

/// Means and shapes from which a count is treated as normal.
const NORMAL_FROM: f64 = 1000.0;

/// The most counts that are summed up. For a small shape, an error of one in 10,000 does not matter.
const MOST_STEPS: f64 = 10_000.0;

/// The two-sided quantile of 95 % of the normal distribution.
pub(crate) const Z: f64 = 1.959_964;

/// The interval of a share of `count` independent trials, `z` standard errors on each side.
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
pub(crate) fn wilson(share: f64, count: f64, z: f64) -> (f64, f64) {
    let square = z * z / count;
    let middle = share + square / 2.0;
    let spread = z * (share * (1.0 - share) / count + square / count / 4.0).sqrt();
    (
        ((middle - spread) / (1.0 + square)).clamp(0.0, share),
        ((middle + spread) / (1.0 + square)).clamp(share, 1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_known_distributions() {
        let of = |mean, shape, above| negative_binomial_quantile(mean, shape, above);
        // Poisson: tables give 8 and 1 for a mean of 4, and 0 for a count that is 0 in 97.5 % of cases.
        assert_eq!([0.025, 0.975].map(|above| of(4.0, 1e9, above)), [8, 1]);
        assert_eq!([0.025, 0.026].map(|mean| of(mean, 1e9, 0.025)), [0, 1]);
        // Geometric, with a probability of 0.01: ln 0.025 / ln 0.99.
        assert_eq!(of(99.0, 1.0, 0.025), 367);
        // Four successes with a probability of 0.01: the gamma distribution gives 868.
        assert!((860..875).contains(&of(4.0 * 99.0, 4.0, 0.025)));
        // The scaled and the normal case.
        let scaled = of(1e6, 100.0, 0.025) as f64;
        assert!((scaled / 1e6 - 1.2053).abs() < 0.002, "{scaled}");
        assert!((of(1e6, 1e12, 0.025) as i64 - 1_001_961).abs() < 3);
        assert_eq!(of(1e6, 1e12, 0.975), 998_041);
    }

    /// The defining sum, for few trials.
    fn summed(trials: u32, chance: f64, least: u32) -> f64 {
        let term = |count: u32| {
            let ways: f64 = (0..count).map(|k| f64::from(trials - k) / f64::from(k + 1)).product();
            ways * chance.powi(count as i32) * (1.0 - chance).powi((trials - count) as i32)
        };
        (0..least.min(trials + 1)).map(term).sum()
    }

    #[test]
    fn it_equals_the_defining_sum_for_the_smallest_values() {
        for trials in [1, 2, 7, 32, 128] {
            for chance in [0.004, 0.2, 0.5, 0.8, 0.999] {
                for least in 0..=trials + 1 {
                    let (fast, slow) = (binomial_below(trials, chance, least), summed(trials, chance, least));
                    let near = (fast - slow).abs() <= 1e-11 * slow || slow < 1e-50;
                    assert!(near, "{least} of {trials} at {chance}: {fast} {slow}");
                }
            }
        }
    }

    #[test]
    fn thousands_of_trials_do_not_underflow() {
        // By the symmetry of the distribution.
        assert!((binomial_below(4095, 0.5, 2048) - 0.5).abs() < 1e-12);
        assert_eq!((binomial_below(10, 1.0, 10), binomial_below(10, 0.0, 1)), (0.0, 1.0));
    }
}
