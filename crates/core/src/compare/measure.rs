//! The measures of similarity, and the verifier that compares documents by them.
//!
//! Not for: choosing what to compare, which is done in `lsh` and `hamming`.

use crate::compare::verify::{Comparer, Overlap, SLACK, prefetch_start, sizes_reach};
use crate::simd::Level;
use crate::similarity::Similarity;

/// A measure of similarity, from 0 to 1. Greater is closer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Measure {
    /// |A ∩ B| / |A ∪ B| over shingles.
    #[default]
    Jaccard,
    /// |A ∩ B| / |A ∪ B| over single tokens, with any shingle length.
    WordJaccard,
    /// The cosine of the angle between the two vectors of weights: Σ aᵢ·bᵢ / (√Σ aᵢ² · √Σ bᵢ²).
    Cosine,
    /// |A ∩ B| / min(|A|, |B|): the share of the smaller set that is in the larger one.
    Containment,
}

impl Measure {
    /// Every measure, with its name in options and files.
    pub const ALL: [(&'static str, Measure); 4] = [
        ("jaccard", Measure::Jaccard),
        ("word-jaccard", Measure::WordJaccard),
        ("cosine", Measure::Cosine),
        ("containment", Measure::Containment),
    ];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The least Jaccard similarity of sets with this similarity. To find such pairs, MinHash must find that Jaccard
    /// similarity.
    ///
    /// For a cosine of s it is s², reached if one set contains the other (Shrivastava and Li, "In defense of MinHash
    /// over SimHash", 2014). Containment has no such bound. Its result is the Jaccard similarity of sets of equal size.
    pub fn least_jaccard(self, similarity: f64) -> f64 {
        match self {
            Measure::Jaccard | Measure::WordJaccard => similarity,
            Measure::Cosine => similarity * similarity,
            Measure::Containment => similarity / (2.0 - similarity),
        }
    }

    /// The cosine for a value of this measure, if the sets have equal size. Cosine and containment are then both |A ∩
    /// B| / |A|.
    /// |A ∩ B| / |A|.
    pub fn as_cosine(self, similarity: f64) -> f64 {
        match self {
            Measure::Jaccard | Measure::WordJaccard => 2.0 * similarity / (1.0 + similarity),
            Measure::Cosine | Measure::Containment => similarity,
        }
    }

    /// The fewest common features with which sets of `a` and `b` features can reach `threshold`. At least one.
    ///
    /// The result is never too large: products are reduced by a billionth, so rounding cannot add one.
    #[inline]
    pub(crate) fn least_common(self, threshold: f64, a: u32, b: u32) -> u32 {
        let least = match self {
            // J >= t exactly if |A ∩ B| >= t / (1 + t) * (|A| + |B|).
            Measure::Jaccard | Measure::WordJaccard => {
                threshold / (1.0 + threshold) * (f64::from(a) + f64::from(b))
            }
            Measure::Cosine => threshold * (f64::from(a) * f64::from(b)).sqrt(),
            Measure::Containment => threshold * f64::from(a.min(b)),
        } * SLACK;
        let floor = least as u32;
        (floor + u32::from(f64::from(floor) < least)).max(1)
    }

    /// Whether `similarity` reaches `threshold`.
    pub fn reaches(self, threshold: f64, similarity: Similarity) -> bool {
        // A cosine is a quotient of roots. A cosine equal to the threshold may therefore come out slightly lower.
        let slack = if self == Measure::Cosine { 1e-12 } else { 0.0 };
        similarity.value() >= threshold * (1.0 - slack)
    }

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
    /// The features, ascending if there are weights.
    pub features: &'a [u64],
    /// The weight of each feature. Empty if all weigh the same.
    pub weights: &'a [u32],
}

/// The cosine of two sets with weights. 0 if one of them is empty.
///
/// Exact up to the last division, as the sums are integers.
pub fn cosine(a: Set<'_>, b: Set<'_>) -> Similarity {
    let square = |set: Set<'_>| -> u128 { set.weights.iter().map(|&w| u128::from(w) * u128::from(w)).sum() };
    let (mut left, mut right, mut dot) = (0, 0, 0_u128);
    while left < a.features.len() && right < b.features.len() {
        let (x, y) = (a.features[left], b.features[right]);
        if x == y {
            dot += u128::from(a.weights[left]) * u128::from(b.weights[right]);
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
        if !left.weights.is_empty() {
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
    fn equal_weights_have_the_cosine_of_sets() {
        let (a, b): (Vec<u64>, Vec<u64>) = ((0..9).collect(), (3..20).collect());
        let weighted = |features| Set { features, weights: &[7; 17][..] };
        let with = cosine(Set { weights: &[7; 9], ..weighted(&a) }, weighted(&b));
        let overlap = Overlap { common: 6, left: 9, right: 17 };
        assert!((with.value() - Measure::Cosine.of(overlap).value()).abs() < 1e-15);
    }
}
