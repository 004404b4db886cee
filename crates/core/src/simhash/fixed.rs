//! Fractional weights in integers. They have the same bits on every machine, which no library's logarithm guarantees.

/// Binary digits of the fraction of [`log_weight`]. 1/128 is finer than the hundredths of other programs, and common
/// weights have few digits. Each digit costs a pass over the features.
const LOG_FRACTION: u32 = 7;

/// Binary digits of the fraction of [`idf`]. Sums of rounded weights then have the sign of sums of floats: of a million
/// documents with 400 features, three or so differ in a bit. A feature of one document in a billion may occur 200 times
/// in a text before its weight is too large for 32 bits.
const IDF_FRACTION: u32 = 20;

/// `ln 2 · 2³²`, rounded.
const LN_2: u128 = 2_977_044_472;

/// `log₂ number · 2³²`, rounded down. `number` is at least 1.
///
/// A number from 1 to 2 has a logarithm of at least 1/2 exactly if its square is at least 2. Each squaring therefore
/// gives a digit. The squares lose at most one in 2⁶³, so the result is exact unless the 33rd digit decides.
pub(super) fn log2(number: u64) -> u64 {
    let whole = number.ilog2();
    let mut scaled = number << (63 - whole);
    let mut digits = u64::from(whole);
    for _ in 0..32 {
        let square = (u128::from(scaled) * u128::from(scaled)) >> 63;
        let digit = (square >> 64) as u64;
        digits = digits << 1 | digit;
        scaled = (square >> digit) as u64;
    }
    digits
}

/// `(1 + log₂ count) · 128`, rounded down. `count` is at least 1.
pub(super) fn log_weight(count: u32) -> u32 {
    (1 << LOG_FRACTION) + (log2(u64::from(count)) >> (32 - LOG_FRACTION)) as u32
}

/// `ln(documents / (frequency + 1)) · 2²⁰`, rounded, or 0 if that is negative.
pub(super) fn idf(documents: u64, frequency: u32) -> u32 {
    let ratio = log2(documents.max(1)).saturating_sub(log2(u64::from(frequency) + 1));
    let half = 1 << (63 - IDF_FRACTION);
    ((u128::from(ratio) * LN_2 + half) >> (64 - IDF_FRACTION)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_agree_with_floats_within_a_digit() {
        for number in (1..5000).chain([u64::from(u32::MAX), 1 << 40, 12_345_678_901_234]) {
            let expected = (number as f64).log2() * 2_f64.powi(32);
            assert!((log2(number) as f64 - expected).abs() < 1.5, "{number}");
        }
        assert_eq!(log2(1 << 20), 20 << 32);
    }

    /// Tests every count at which the weight changes, and all small counts.
    #[test]
    fn logarithmic_weights_are_exact() {
        let steps = (1..32 * 128).map(|step| 2_f64.powf(f64::from(step) / 128.0) as u32);
        let around = steps.flat_map(|count| [count, count.saturating_add(1)]);
        for count in (1..5_000).chain(around) {
            assert_eq!(
                u64::from(log_weight(count)),
                lookalike_reference::simhash::log_weight(count),
                "{count}"
            );
        }
    }

    #[test]
    fn weights_of_known_counts() {
        assert_eq!([1, 2, 3, 4, 1024].map(log_weight), [128, 256, 330, 384, 11 * 128]);
        // ln(1000 / 1) = 6.9078, ln(1000 / 10) = 4.6052.
        assert_eq!([0, 9, 999, 1000].map(|frequency| idf(1000, frequency)), [7_243_306, 4_828_871, 0, 0]);
        assert_eq!(idf(0, 0), 0);
    }
}
