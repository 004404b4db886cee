//! Bands and rows as datasketch chooses them: the least weighted sum of false positives and negatives.
//!
//! Sources: Zhu and others, "LSH Ensemble: internet-scale domain search", 2016, for containment, and datasketch 2.0.

use super::quadrature::integral;

/// The number of bands, and the values of a band.
type BandsAndRows = (usize, usize);

/// The weights of false positives and of false negatives.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ErrorWeights {
    pub positive: f64,
    pub negative: f64,
}

/// Bands and rows for pairs of a Jaccard similarity of `threshold`. (0, 0) if `num_perm` is 0.
pub fn bands_for_threshold(threshold: f64, num_perm: usize, weights: ErrorWeights) -> BandsAndRows {
    best(cuts(num_perm, num_perm), |cut| {
        let found = |similarity: f64| found(similarity, cut);
        let positive = integral(&found, 0.0, threshold);
        let negative = integral(&|similarity| 1.0 - found(similarity), threshold, 1.0);
        positive * weights.positive + negative * weights.negative
    })
}

/// Bands and rows for a containment of `threshold`, of at most `most_rows` rows.
///
/// `ratio` is the size of an indexed set, divided by that of the query.
pub fn bands_for_containment(
    threshold: f64,
    num_perm: usize,
    most_rows: usize,
    ratio: f64,
    weights: ErrorWeights,
) -> BandsAndRows {
    best(cuts(num_perm, most_rows), |cut| {
        let found = |containment: f64| found(containment / (1.0 + ratio - containment), cut);
        let positive = integral(&found, 0.0, if ratio >= threshold { threshold } else { ratio });
        let missed = |containment: f64| 1.0 - found(containment);
        let negative = if ratio >= 1.0 {
            integral(&missed, threshold, 1.0)
        } else if ratio >= threshold {
            integral(&missed, threshold, ratio)
        } else {
            0.0
        };
        positive * weights.positive + negative * weights.negative
    })
}

/// All bands and rows that `num_perm` values are enough for, in the order in which datasketch tries them.
fn cuts(num_perm: usize, most_rows: usize) -> impl Iterator<Item = BandsAndRows> {
    let rows = move |bands: usize| 1..=most_rows.min(num_perm / bands);
    (1..=num_perm).flat_map(move |bands| rows(bands).map(move |rows| (bands, rows)))
}

/// The probability that a pair shares a band. Written as in datasketch: rounding may decide between cuts.
fn found(similarity: f64, (bands, rows): BandsAndRows) -> f64 {
    1.0 - (1.0 - similarity.powf(rows as f64)).powf(bands as f64)
}

/// The best of these cuts. The first one of equals.
fn best(cuts: impl Iterator<Item = BandsAndRows>, error: impl Fn(BandsAndRows) -> f64) -> BandsAndRows {
    let (mut least, mut best) = (f64::INFINITY, (0, 0));
    for cut in cuts {
        let error = error(cut);
        if error < least {
            (least, best) = (error, cut);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const EQUAL: ErrorWeights = ErrorWeights { positive: 0.5, negative: 0.5 };

    /// Those of `datasketch.lsh._optimal_param`, version 2.0.
    #[test]
    fn bands_for_a_threshold_are_those_of_datasketch() {
        let misses = ErrorWeights { positive: 0.2, negative: 0.8 };
        let errors = ErrorWeights { positive: 0.8, negative: 0.2 };
        for (threshold, of_128, of_16) in [
            (0.2, [(28, 2), (56, 2), (42, 3)], (7, 1)),
            (0.5, [(25, 5), (30, 4), (18, 7)], (5, 3)),
            (0.8, [(9, 13), (12, 10), (7, 18)], (2, 8)),
            (0.9, [(5, 25), (7, 18), (4, 32)], (1, 15)),
        ] {
            let found = [EQUAL, misses, errors].map(|weights| bands_for_threshold(threshold, 128, weights));
            assert_eq!(found, of_128, "{threshold}");
            assert_eq!(bands_for_threshold(threshold, 16, EQUAL), of_16, "{threshold}");
        }
    }

    /// Those of `datasketch.lshensemble._optimal_param`, version 2.0.
    #[test]
    fn bands_for_a_containment_are_those_of_datasketch() {
        for (threshold, expected) in [
            (0.2, [(1, 8), (32, 2), (32, 2), (64, 1)]),
            (0.5, [(1, 8), (1, 8), (21, 3), (50, 1)]),
            (0.9, [(1, 8), (1, 8), (3, 8), (10, 6)]),
        ] {
            let found =
                [0.01, 0.5, 1.0, 20.0].map(|ratio| bands_for_containment(threshold, 64, 8, ratio, EQUAL));
            assert_eq!(found, expected, "{threshold}");
        }
    }

    /// The error of the chosen cut, by strips, is the least of all but for the error of the strips.
    #[test]
    fn no_other_cut_has_a_smaller_error() {
        const STRIPS: u32 = 2000;
        let middles = || (0..STRIPS).map(|strip| (f64::from(strip) + 0.5) / f64::from(STRIPS));
        for threshold in [0.1, 0.35, 0.6, 0.85] {
            let error = |cut| {
                let of = |similarity| {
                    let found = found(similarity, cut);
                    if similarity < threshold { found } else { 1.0 - found }
                };
                middles().map(of).sum::<f64>() / f64::from(STRIPS)
            };
            let chosen = error(bands_for_threshold(threshold, 24, EQUAL));
            for cut in cuts(24, 24) {
                assert!(chosen < error(cut) + 1e-3, "{threshold}, {cut:?}");
            }
        }
    }

    #[test]
    fn cuts_use_no_more_values_than_there_are() {
        assert_eq!(cuts(4, 2).collect::<Vec<_>>(), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1)]);
        assert_eq!(bands_for_threshold(0.5, 0, EQUAL), (0, 0));
    }

    #[test]
    fn the_first_of_equal_cuts_is_taken() {
        let none = ErrorWeights { positive: 0.0, negative: 0.0 };
        assert_eq!(bands_for_threshold(0.5, 16, none), (1, 1));
    }
}
