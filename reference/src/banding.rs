//! Band keys of a signature, and the choice of bands and rows for a wanted recall.

use crate::shingles::{fmix64, polynomial};

/// A division of the first `bands · rows` positions of a signature into bands of `rows` consecutive positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Banding {
    /// Number of bands, at least 1.
    pub bands: usize,
    /// Positions in a band, at least 1.
    pub rows: usize,
}

/// The probability that two documents of the given Jaccard similarity share a band: `1 - (1 - s^r)^b`.
///
/// Powers are repeated multiplications, so every machine computes the same bits.
///
/// Source: Leskovec, Rajaraman & Ullman, "Mining of massive datasets", §3.4.2.
pub fn candidate_probability(similarity: f64, banding: Banding) -> f64 {
    let band_agrees = power(similarity, banding.rows);
    1.0 - power(1.0 - band_agrees, banding.bands)
}

/// The banding with the most rows that finds pairs at the threshold with at least the wanted recall.
///
/// There are `num_perm` positions. For each number of rows, as many bands as fit are taken. If no number of rows
/// suffices, the result has one row, with which most pairs are found.
///
/// # Panics
/// If `num_perm` is 0.
pub fn choose_banding(threshold: f64, num_perm: usize, recall: f64) -> Banding {
    assert!(num_perm > 0, "a signature has at least one position");
    (1..=num_perm)
        .rev()
        .map(|rows| Banding { bands: num_perm / rows, rows })
        .find(|&banding| candidate_probability(threshold, banding) >= recall)
        .unwrap_or(Banding { bands: num_perm, rows: 1 })
}

/// The key of every band, in order.
///
/// Two bands have the same key if their number and their values are the same. Otherwise their keys differ, but for a
/// chance of about 2^-64.
///
/// # Panics
/// If the signature has fewer than `bands · rows` positions, or `rows` is 0.
pub fn band_keys(signature: &[u32], banding: Banding) -> Vec<u64> {
    let Banding { bands, rows } = banding;
    assert!(rows > 0, "a band has at least one row");
    assert!(bands * rows <= signature.len(), "{bands} bands of {rows} rows exceed {}", signature.len());
    (0..bands)
        .map(|band| {
            let values: Vec<u64> = (0..rows).map(|j| u64::from(signature[band * rows + j])).collect();
            let offset = (band as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            fmix64(polynomial(&values).wrapping_add(offset))
        })
        .collect()
}

/// `base` multiplied `exponent` times.
fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The S-curves that Lookalike's notes on algorithms tabulate, to their last printed digit.
    #[test]
    fn s_curves_of_known_configurations() {
        for (bands, rows, similarity, expected, digits) in [
            (20, 5, 0.3, 0.0475, 4),
            (20, 5, 0.5, 0.470, 3),
            (20, 5, 0.8, 0.99964, 5),
            (25, 4, 0.5, 0.801, 3),
            (9, 13, 0.8, 0.399, 3),
            (8, 16, 0.8, 0.204, 3),
            (14, 8, 0.8, 0.924, 3),
            (450, 20, 0.8, 0.9946, 4),
            (21, 6, 0.5, 0.282, 3),
            (21, 6, 0.8, 0.9983, 4),
            (32, 8, 0.8, 0.9972, 4),
        ] {
            let found = candidate_probability(similarity, Banding { bands, rows });
            assert!((found - expected).abs() <= 0.5 * 10_f64.powi(-digits), "{bands}×{rows}: {found}");
        }
    }

    #[test]
    fn chosen_bandings() {
        let chosen = |threshold, num_perm, recall| {
            let Banding { bands, rows } = choose_banding(threshold, num_perm, recall);
            (bands, rows)
        };
        assert_eq!(chosen(0.8, 128, 0.995), (21, 6));
        assert_eq!(chosen(0.8, 256, 0.995), (32, 8));
        // Identical documents agree in the longest band. If no banding suffices, one row is chosen.
        assert_eq!(chosen(1.0, 128, 0.995), (1, 128));
        assert_eq!(chosen(0.01, 64, 0.995), (64, 1));
        assert_eq!(chosen(0.8, 1, 0.5), (1, 1));
    }

    #[test]
    fn a_band_key_depends_on_its_values_their_order_and_its_number() {
        let banding = Banding { bands: 2, rows: 2 };
        let keys = band_keys(&[1, 2, 1, 2], banding);
        assert_eq!(keys[0], fmix64(polynomial(&[1, 2]).wrapping_add(0x9E37_79B9_7F4A_7C15)));
        assert_ne!(keys[0], keys[1]);
        assert_ne!(keys[0], band_keys(&[2, 1, 1, 2], banding)[0]);
        assert_eq!(keys[1], band_keys(&[9, 9, 1, 2], banding)[1]);
    }

    #[test]
    fn positions_beyond_the_last_band_are_left_out() {
        let banding = Banding { bands: 1, rows: 2 };
        assert_eq!(band_keys(&[1, 2, 3], banding), band_keys(&[1, 2, 4], banding));
    }
}
