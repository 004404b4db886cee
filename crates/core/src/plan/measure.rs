//! The measures of similarity.
//!
//! Not for: comparing; that is `compare`.

use crate::similarity::{SLACK, Similarity};

/// What similarity means. Greater is closer, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Measure {
    /// |A ∩ B| / |A ∪ B| over shingles.
    #[default]
    Jaccard,
    /// The same over single tokens, whatever the shingle.
    WordJaccard,
    /// The cosine of the angle between the two vectors of weights: Σ aᵢ·bᵢ / (√Σ aᵢ² · √Σ bᵢ²).
    Cosine,
    /// |A ∩ B| / min(|A|, |B|): how much of the smaller the larger one holds.
    Containment,
}

impl Measure {
    /// Every measure, by the name that people give it.
    pub const ALL: [(&'static str, Measure); 4] = [
        ("jaccard", Measure::Jaccard),
        ("word-jaccard", Measure::WordJaccard),
        ("cosine", Measure::Cosine),
        ("containment", Measure::Containment),
    ];

    /// The name people give it.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The Jaccard similarity that sets of this similarity have at least: to find them, MinHash must find that.
    ///
    /// A cosine of s is met by the lowest Jaccard similarity, s², if one set holds the other (Shrivastava and Li, "In defense
    /// of MinHash over SimHash", 2014). Containment has no such bound; what it gives is that of sets of equal size.
    pub fn least_jaccard(self, similarity: f64) -> f64 {
        match self {
            Measure::Jaccard | Measure::WordJaccard => similarity,
            Measure::Cosine => similarity * similarity,
            Measure::Containment => similarity / (2.0 - similarity),
        }
    }

    /// The cosine that goes with a value of this measure, for sets of equal size: there cosine and containment are both
    /// |A ∩ B| / |A|.
    pub fn as_cosine(self, similarity: f64) -> f64 {
        match self {
            Measure::Jaccard | Measure::WordJaccard => 2.0 * similarity / (1.0 + similarity),
            Measure::Cosine | Measure::Containment => similarity,
        }
    }

    /// The fewest common features by which sets of `a` and `b` features can have a similarity of `threshold`; at least one.
    /// Never too many: products are taken a billionth less, so that rounding does not ask for one more.
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

    /// Does `similarity` reach `threshold`?
    pub fn reaches(self, threshold: f64, similarity: Similarity) -> bool {
        // A cosine is a quotient of roots, so that one that is the threshold may come out a little less.
        let slack = if self == Measure::Cosine { 1e-12 } else { 0.0 };
        similarity.value() >= threshold * (1.0 - slack)
    }
}
