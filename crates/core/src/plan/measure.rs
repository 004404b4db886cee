//! The measures of similarity.
//!
//! Not for: comparing, which is done in `compare`.

use crate::similarity::{SLACK, Similarity};

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
}
