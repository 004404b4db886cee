//! The bands of a signature, and the probability that they find a pair.

/// `bands` bands of `rows` values each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Banding {
    /// The number of bands. Two documents that agree in all values of a band become candidates.
    pub bands: usize,
    /// Values per band.
    pub rows: usize,
}

impl Banding {
    /// The banding with the most rows, and so the fewest candidates, that finds a pair at `threshold` with a
    /// probability of at least `recall`. One row if no banding does.
    pub fn for_recall(threshold: f64, num_perm: usize, recall: f64) -> Self {
        (1..=num_perm)
            .rev()
            .map(|rows| Banding { bands: num_perm / rows, rows })
            .find(|banding| banding.probability(threshold) >= recall)
            .unwrap_or(Banding { bands: num_perm, rows: 1 })
    }

    /// The probability that two documents of Jaccard similarity `jaccard` become candidates. It is `1 - (1 -
    /// jaccard^rows)^bands` for independent values.
    ///
    /// Source: Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", section 3.4.2.
    pub fn probability(self, jaccard: f64) -> f64 {
        1.0 - (1.0 - jaccard.powi(self.rows as i32)).powi(self.bands as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_s_curve_follows_the_formula() {
        let close = |banding: Banding, jaccard, expected: f64| {
            assert!((banding.probability(jaccard) - expected).abs() < 5e-4, "{banding:?} at {jaccard}");
        };
        close(Banding { bands: 20, rows: 5 }, 0.8, 0.99964);
        close(Banding { bands: 14, rows: 8 }, 0.8, 0.924);
        close(Banding { bands: 9, rows: 13 }, 0.8, 0.399);
    }

    #[test]
    fn the_most_rows_that_reach_the_recall_are_chosen() {
        for (threshold, rows) in [(0.5, 3), (0.7, 4), (0.8, 6), (0.9, 9)] {
            let banding = Banding::for_recall(threshold, 128, 0.995);
            assert_eq!(banding.rows, rows, "at {threshold}");
            assert!(banding.probability(threshold) >= 0.995);
            let steeper = Banding { bands: 128 / (rows + 1), rows: rows + 1 };
            assert!(steeper.probability(threshold) < 0.995);
        }
    }

    #[test]
    fn a_threshold_out_of_reach_gets_single_rows() {
        assert_eq!(Banding::for_recall(0.001, 128, 0.995), Banding { bands: 128, rows: 1 });
    }
}
