//! The measures of similarity, and the verifier that compares documents by them.
//!
//! Not for: choosing what to compare, which is done in `lsh` and `hamming`.

use crate::compare::verify::{Comparer, Overlap, prefetch_start, sizes_reach};
use crate::plan::Measure;
use crate::simd::Level;
use crate::similarity::Similarity;

impl Measure {
    /// The similarity of two sets with this overlap. The cosine assumes equal weights.
    pub fn of(self, overlap: Overlap) -> Similarity {
        match self {
            Measure::Jaccard | Measure::WordJaccard => overlap.jaccard(),
            Measure::Cosine => {
                let product = f64::from(overlap.left) * f64::from(overlap.right);
                Similarity::new(f64::from(overlap.common) / product.sqrt())
            }
            Measure::Containment => overlap.containment(),
        }
    }
}

/// The distinct features of a document, as a measure compares them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Set<'a> {
    /// The features. They ascend if this set, or the one that it is compared with, has weights.
    pub features: &'a [u64],
    /// The weight of each feature. Features behind the last weight weigh 1 each. Empty if all weigh the same.
    pub weights: &'a [u32],
}

impl Set<'_> {
    /// The weight of the feature at `index`.
    #[inline]
    pub(crate) fn weight(self, index: usize) -> u32 {
        self.weights.get(index).copied().unwrap_or(1)
    }
}

/// The cosine of two sets with weights. 0 if one of them is empty. In a set without weights each feature weighs 1.
///
/// Exact up to the last division, as the sums are integers.
pub fn cosine(a: Set<'_>, b: Set<'_>) -> Similarity {
    let square = |set: Set<'_>| -> u128 {
        (0..set.features.len()).map(|index| u128::from(set.weight(index)).pow(2)).sum()
    };
    let (mut left, mut right, mut dot) = (0, 0, 0_u128);
    while left < a.features.len() && right < b.features.len() {
        let (x, y) = (a.features[left], b.features[right]);
        if x == y {
            dot += u128::from(a.weight(left)) * u128::from(b.weight(right));
        }
        left += usize::from(x <= y);
        right += usize::from(y <= x);
    }
    Similarity::new(dot as f64 / (square(a) as f64 * square(b) as f64).sqrt())
}

/// Compares documents by a measure. Each thread has its own.
///
/// ```
/// use lookalike::{Level, Measure};
/// use lookalike::compare::{Set, Verifier};
///
/// let set = |features| Set { features, weights: &[] };
/// let mut verifier = Verifier::new(Level::detect(), Measure::Jaccard, 0.5);
/// let mut held = verifier.hold(set(&[1, 2, 3]));
/// assert_eq!(held.reaches(set(&[2, 3, 4])).unwrap().value(), 0.5);
/// assert_eq!(held.reaches(set(&[3, 4, 5])), None);
/// ```
pub struct Verifier {
    measure: Measure,
    threshold: f64,
    comparer: Comparer,
}

impl Verifier {
    /// A verifier of pairs whose similarity reaches `threshold`.
    pub fn new(level: Level, measure: Measure, threshold: f64) -> Self {
        Verifier { measure, threshold, comparer: Comparer::with_level(level) }
    }

    /// Holds `left` for comparison with other documents. It is prepared once, at the first comparison that needs this.
    pub fn hold<'v>(&'v mut self, left: Set<'v>) -> HeldSet<'v> {
        HeldSet { verifier: self, left, is_loaded: false }
    }

    /// The similarity of the two if it reaches the threshold.
    ///
    /// `is_loaded` says that the last call had the same `left`, which is then prepared already. [`HeldSet`] keeps this
    /// flag safely. This method is for searches that cannot borrow the verifier for so long.
    pub(crate) fn reaches(
        &mut self,
        left: Set<'_>,
        right: Set<'_>,
        is_loaded: &mut bool,
    ) -> Option<Similarity> {
        if self.is_jaccard() && !sizes_reach(left.features.len(), right.features.len(), self.threshold) {
            return None;
        }
        if !left.weights.is_empty() || !right.weights.is_empty() {
            return Some(cosine(left, right)).filter(|similarity| self.suffices(*similarity));
        }
        if !std::mem::replace(is_loaded, true) {
            prefetch_start(right.features);
            self.comparer.hold(left.features);
        }
        if self.is_jaccard() {
            return self.comparer.overlap_reaching(right.features, self.threshold).map(Overlap::jaccard);
        }
        let needed = self.measure.least_common(
            self.threshold,
            left.features.len() as u32,
            right.features.len() as u32,
        );
        let similarity = self.measure.of(self.comparer.overlap_of(right.features, needed as usize)?);
        self.suffices(similarity).then_some(similarity)
    }

    fn is_jaccard(&self) -> bool {
        matches!(self.measure, Measure::Jaccard | Measure::WordJaccard)
    }

    fn suffices(&self, similarity: Similarity) -> bool {
        self.measure.reaches(self.threshold, similarity)
    }
}

/// A document that is compared with others, one after the other. Made by [`Verifier::hold`].
pub struct HeldSet<'v> {
    verifier: &'v mut Verifier,
    left: Set<'v>,
    is_loaded: bool,
}

impl HeldSet<'_> {
    /// The similarity of the two documents if it reaches the threshold.
    pub fn reaches(&mut self, right: Set<'_>) -> Option<Similarity> {
        self.verifier.reaches(self.left, right, &mut self.is_loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of a well-known article, which prints the vectors of both texts: 我/喜欢/看/电视,不/喜欢/看/电影 and
    /// 我/不/喜欢/看/电视,也/不/喜欢/看/电影.
    #[test]
    fn the_cosine_of_term_frequencies_follows_the_formula() {
        let words: [u64; 7] = [1, 2, 3, 4, 5, 6, 7];
        let a = Set { features: &words[..6], weights: &[1, 2, 2, 1, 1, 1] };
        let b = Set { features: &words, weights: &[1, 2, 2, 1, 1, 2, 1] };
        let expected = 13.0 / (12.0_f64 * 16.0).sqrt();
        assert!((cosine(a, b).value() - expected).abs() < 1e-15);
        assert_eq!(cosine(a, b).to_string(), "0.938194");
        assert_eq!(cosine(a, a), Similarity::SAME);
        assert_eq!(cosine(a, Set::default()).value(), 0.0);
    }

    #[test]
    fn each_measure_is_its_formula() {
        let (a, b): (Vec<u64>, Vec<u64>) = ((0..8).collect(), (4..20).collect());
        for (measure, expected) in [
            (Measure::Jaccard, 4.0 / 20.0),
            (Measure::Cosine, 4.0 / 128_f64.sqrt()),
            (Measure::Containment, 4.0 / 8.0),
        ] {
            let set = |features| Set { features, weights: &[] };
            let find =
                |threshold| Verifier::new(Level::detect(), measure, threshold).hold(set(&a)).reaches(set(&b));
            assert!((find(expected).unwrap().value() - expected).abs() < 1e-15, "{}", measure.name());
            assert_eq!(find(expected + 1e-9), None, "{}", measure.name());
        }
    }

    #[test]
    fn any_two_sets_have_a_cosine() {
        let features = [1, 2, 3];
        let weights: [&[u32]; 5] = [&[], &[4], &[1, 1, 1], &[2, 3, 4], &[2, 3, 4, 5]];
        for left in weights {
            for right in weights {
                let (a, b) =
                    (Set { features: &features, weights: left }, Set { features: &features, weights: right });
                let of = |weights: &[u32], index: usize| f64::from(weights.get(index).copied().unwrap_or(1));
                let product =
                    |a: &[u32], b: &[u32]| -> f64 { (0..3).map(|index| of(a, index) * of(b, index)).sum() };
                let expected = product(left, right) / (product(left, left) * product(right, right)).sqrt();
                assert!((cosine(a, b).value() - expected).abs() < 1e-12, "{left:?} {right:?}");
                let mut verifier = Verifier::new(Level::detect(), Measure::Cosine, 0.1);
                let found = verifier.hold(a).reaches(b).unwrap();
                assert!((found.value() - expected).abs() < 1e-12, "{left:?} {right:?}");
                assert_eq!(verifier.hold(a).reaches(Set::default()), None);
                assert_eq!(verifier.hold(Set::default()).reaches(b), None);
            }
        }
    }

    #[test]
    fn equal_weights_have_the_cosine_of_sets() {
        let (a, b): (Vec<u64>, Vec<u64>) = ((0..9).collect(), (3..20).collect());
        let weighted = |features| Set { features, weights: &[7; 17][..] };
        let with = cosine(Set { weights: &[7; 9], ..weighted(&a) }, weighted(&b));
        let overlap = Overlap { common: 6, left: 9, right: 17 };
        assert!((with.value() - Measure::Cosine.of(overlap).value()).abs() < 1e-15);
    }
}
