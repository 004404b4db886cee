//! How similar the documents of a sample are to all others.

use lookalike::Measure;
use lookalike::compare::Overlap;

/// Cells of a similarity. The chance to be found is calculated for the middle of a cell, and is right to the third decimal for
/// all its pairs.
const CELLS: usize = 1000;

/// Pairs of a document of the sample and another document of the corpus, by Jaccard similarity. A pair of two documents of the
/// sample counts twice. Pairs that share no feature are not counted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distribution {
    measure: Measure,
    threshold: f64,
    /// In each cell the pairs below the threshold, and the pairs at or above it. A threshold may lie within a cell.
    cells: Vec<[u64; 2]>,
    /// For each document of the sample, how many documents are similar to it.
    similar: Vec<u64>,
    /// For each document of the sample, the cell of the document that is most similar to it.
    nearest: Vec<u32>,
    /// Different features of all documents that it was compared with.
    pub(crate) features: u64,
}

impl Distribution {
    /// Starts the distribution of a sample of so many documents.
    pub(crate) fn new(sample: usize, measure: Measure, threshold: f64) -> Self {
        Distribution {
            measure,
            threshold,
            cells: vec![[0; 2]; CELLS + 1],
            similar: vec![0; sample],
            nearest: vec![0; sample],
            features: 0,
        }
    }

    /// Adds the pair of document `query` of the sample and another document.
    pub(crate) fn add(&mut self, query: u32, overlap: Overlap) {
        let similar = self.measure.reaches(self.threshold, self.measure.of(overlap));
        // The Jaccard similarity of the sets, for any measure, because a search by MinHash depends on it.
        let cell = (overlap.jaccard().value() * CELLS as f64) as usize;
        self.cells[cell][usize::from(similar)] += 1;
        self.similar[query as usize] += u64::from(similar);
        let nearest = &mut self.nearest[query as usize];
        *nearest = (*nearest).max(cell as u32);
    }

    /// Adds the counts of another thread for the same sample.
    pub(crate) fn merge(&mut self, other: &Distribution) {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            cell[0] += more[0];
            cell[1] += more[1];
        }
        self.similar.iter_mut().zip(&other.similar).for_each(|(count, more)| *count += more);
        self.nearest.iter_mut().zip(&other.nearest).for_each(|(cell, other)| *cell = (*cell).max(*other));
        self.features += other.features;
    }

    /// How many pairs are similar, counted from the sample.
    pub(crate) fn similar(&self) -> u64 {
        self.similar.iter().sum()
    }

    /// How many documents of the sample have a similar document.
    pub(crate) fn with_partner(&self) -> usize {
        self.similar.iter().filter(|&&count| count > 0).count()
    }

    /// The standard deviation of the number of documents that are similar to one.
    pub(crate) fn deviation(&self) -> f64 {
        let size = self.similar.len() as f64;
        let mean = self.similar() as f64 / size;
        let squares: f64 = self.similar.iter().map(|&count| (count as f64 - mean).powi(2)).sum();
        if self.similar.len() < 2 { 0.0 } else { (squares / (size - 1.0)).sqrt() }
    }

    /// The sum of `weight` over all pairs, and over those that are similar.
    pub(crate) fn sum(&self, weight: impl Fn(f64) -> f64) -> (f64, f64) {
        let (mut all, mut similar) = (0.0, 0.0);
        for (cell, &[below, above]) in self.cells.iter().enumerate().filter(|(_, pairs)| **pairs != [0; 2]) {
            let weight = weight(middle(cell));
            all += weight * (below + above) as f64;
            similar += weight * above as f64;
        }
        (all, similar)
    }

    /// The mean of `weight` over the documents of the sample, by the similarity of their most similar document.
    pub(crate) fn mean_of_nearest(&self, weight: impl Fn(f64) -> f64) -> f64 {
        let of = |&cell: &u32| if cell == 0 { 0.0 } else { weight(middle(cell as usize)) };
        self.nearest.iter().map(of).sum::<f64>() / (self.nearest.len() as f64).max(1.0)
    }

    /// The pairs in each tenth of the similarity. Pairs of equal sets are in the last.
    pub(crate) fn tenths(&self) -> [u64; 10] {
        let mut tenths = [0; 10];
        for (cell, &[below, above]) in self.cells.iter().enumerate() {
            tenths[(cell * 10 / CELLS).min(9)] += below + above;
        }
        tenths
    }
}

/// The similarity in the middle of a cell.
fn middle(cell: usize) -> f64 {
    ((cell as f64 + 0.5) / CELLS as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::compare::Set;
    use lookalike::search::{ComparedFeatures, Counting, Queries};
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn a_sample_of_all_documents_counts_every_pair_twice(
            documents in vec(btree_set(0_u64..12, 0..10), 0..14),
            threshold in 0.05_f64..=1.0,
            (_, measure) in prop::sample::select(Measure::ALL.to_vec()),
        ) {
            let features: Vec<Vec<u64>> = documents.iter().map(|set| set.iter().copied().collect()).collect();
            let compared = |features: &Vec<u64>| ComparedFeatures::from(Set { features, weights: &[] });
            let queries = Queries::new(measure, features.iter().map(compared).collect());
            let mut distribution = Distribution::new(features.len(), measure, threshold);
            for (document, features) in (0..).zip(&features) {
                queries.overlaps(features, &mut Counting::default(), |query, overlap| {
                    if query != document {
                        distribution.add(query, overlap);
                    }
                });
            }
            let similarity = |a: &BTreeSet<u64>, b: &BTreeSet<u64>| {
                let common = a.intersection(b).count() as f64;
                let (left, right) = (a.len() as f64, b.len() as f64);
                match measure {
                    _ if common == 0.0 => 0.0,
                    Measure::Jaccard | Measure::WordJaccard => common / (left + right - common),
                    Measure::Cosine => common / (left * right).sqrt(),
                    Measure::Containment => common / left.min(right),
                }
            };
            let pairs: Vec<f64> = (0..documents.len())
                .flat_map(|b| (0..b).map(move |a| (a, b)))
                .map(|(a, b)| similarity(&documents[a], &documents[b]))
                .collect();
            let count = |least: f64| 2 * pairs.iter().filter(|&&similarity| similarity >= least).count() as u64;
            // Rounding may make a cosine a little too small.
            prop_assert_eq!(distribution.similar(), count(threshold * (1.0 - 1e-12)));
            prop_assert_eq!(distribution.tenths().iter().sum::<u64>(), count(f64::MIN_POSITIVE));
        }
    }

    fn overlap(common: u32, left: u32, right: u32) -> Overlap {
        Overlap { common, left, right }
    }

    #[test]
    fn a_pair_at_the_threshold_is_similar_and_one_below_is_not() {
        let mut distribution = Distribution::new(2, Measure::Jaccard, 0.8005);
        // 8,005 and 8,004 of 10,000: in the same cell.
        distribution.add(0, overlap(8005, 9002, 9003));
        distribution.add(0, overlap(8004, 9002, 9002));
        distribution.add(1, overlap(1, 10, 10));
        assert_eq!((distribution.similar(), distribution.with_partner()), (1, 1));
        assert_eq!(distribution.sum(|_| 1.0), (3.0, 1.0));
        assert_eq!(distribution.tenths(), [1, 0, 0, 0, 0, 0, 0, 0, 2, 0]);
    }

    #[test]
    fn what_threads_found_adds_up() {
        let pairs =
            [(0, overlap(3, 4, 5)), (1, overlap(9, 9, 9)), (2, overlap(1, 8, 2)), (1, overlap(5, 6, 7))];
        let of = |pairs: &[(u32, Overlap)]| {
            let mut distribution = Distribution::new(3, Measure::Containment, 0.5);
            pairs.iter().for_each(|&(query, overlap)| distribution.add(query, overlap));
            distribution
        };
        let mut merged = of(&pairs[3..]);
        merged.merge(&of(&pairs[..1]));
        merged.merge(&of(&pairs[1..3]));
        assert_eq!(merged, of(&pairs));
        assert_eq!(merged.tenths().iter().sum::<u64>(), 4);
    }
}
