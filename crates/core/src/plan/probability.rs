//! How likely counts of independent trials are, precise where that is very unlikely, too.
//!
//! Sums, products and quotients only, so that every machine gets the same bits: what is searched depends on them.

/// Counts that are so much less likely than the likeliest one are left out: less than any chance that is asked for.
const NEGLIGIBLE: f64 = 1e-60;

/// The probability that fewer than `least` of `trials` independent trials succeed, each with `chance`.
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
    // From the likeliest count to both sides, in units of its own probability: nothing underflows that matters.
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

/// The fewest successes that a negative binomial count with this mean exceeds with a probability of at most `above`: a Poisson count
/// whose own mean varies as a gamma distribution of `shape` does. The mean is above 0.
pub(crate) fn negative_binomial_quantile(mean: f64, shape: f64, above: f64) -> u64 {
    debug_assert!(mean.is_finite() && shape.is_finite(), "{mean} {shape}");
    // Of large counts that vary little the normal distribution tells enough, and fewer steps.
    if mean > NORMAL_FROM && shape > NORMAL_FROM {
        let deviation = (mean + mean * mean / shape).sqrt();
        let standard = if above < 0.5 { Z } else { -Z };
        debug_assert!((above.min(1.0 - above) - 0.025).abs() < 1e-12, "only these are asked for");
        return (mean + standard * deviation).max(0.0).ceil() as u64;
    }
    // The same shape of fewer, larger counts.
    let scale = (mean / MOST_STEPS).max(1.0);
    let mean = mean / scale;
    let ratio = mean / (shape + mean);
    let likeliest = (mean * (shape - 1.0) / shape).max(0.0).floor();
    let last = (mean + 40.0 * (mean + mean * mean / shape).sqrt() + 40.0).ceil();
    // From the likeliest count to both sides, as above: first everything, then up to the quantile.
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

/// Counts and shapes from which on a count is taken as normal.
const NORMAL_FROM: f64 = 1000.0;

/// Counts that are added up at most: one in 10,000 of a count is nothing where the shape is small.
const MOST_STEPS: f64 = 10_000.0;

/// Two-sided, 95 % of a normal distribution.
pub(crate) const Z: f64 = 1.959_964;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_known_distributions() {
        let of = |mean, shape, above| negative_binomial_quantile(mean, shape, above);
        // Poisson: tables say 8 and 1 for a mean of 4, and nothing for one that is 0 in 97.5 % of cases.
        assert_eq!([0.025, 0.975].map(|above| of(4.0, 1e9, above)), [8, 1]);
        assert_eq!([0.025, 0.026].map(|mean| of(mean, 1e9, 0.025)), [0, 1]);
        // Geometric, with a chance of 0.01: ln 0.025 / ln 0.99.
        assert_eq!(of(99.0, 1.0, 0.025), 367);
        // Four successes with a chance of 0.01: the gamma distribution says 868.
        assert!((860..875).contains(&of(4.0 * 99.0, 4.0, 0.025)));
        // Scaled, and normal.
        let scaled = of(1e6, 100.0, 0.025) as f64;
        assert!((scaled / 1e6 - 1.2053).abs() < 0.002, "{scaled}");
        assert!((of(1e6, 1e12, 0.025) as i64 - 1_001_961).abs() < 3);
        assert_eq!(of(1e6, 1e12, 0.975), 998_041);
    }

    /// The definition, for few trials.
    fn summed(trials: u32, chance: f64, least: u32) -> f64 {
        let term = |count: u32| {
            let ways: f64 = (0..count).map(|k| f64::from(trials - k) / f64::from(k + 1)).product();
            ways * chance.powi(count as i32) * (1.0 - chance).powi((trials - count) as i32)
        };
        (0..least.min(trials + 1)).map(term).sum()
    }

    #[test]
    fn it_is_the_sum_of_the_definition_however_small() {
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
        // The median of a symmetric distribution.
        assert!((binomial_below(4095, 0.5, 2048) - 0.5).abs() < 1e-12);
        assert_eq!((binomial_below(10, 1.0, 10), binomial_below(10, 0.0, 1)), (0.0, 1.0));
    }
}
