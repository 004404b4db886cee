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

#[cfg(test)]
mod tests {
    use super::*;

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
