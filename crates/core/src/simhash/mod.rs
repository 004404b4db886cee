//! SimHash: fingerprints of 64 or 128 bits whose Hamming distance grows with the angle between two documents.
//!
//! Every feature votes on every bit with its weight: for the bit if the feature's own bit is set, and against it
//! otherwise. Bit `i` is set if `Σ w · (2 · bit_i − 1) > 0`. Two documents at an angle of θ differ in `θ / π` of their
//! bits on average. Equal documents differ in none, unrelated ones in half. Fingerprints are small and coarse: only a
//! tenth of the pairs with a cosine of 0.95 are within a distance of 3 in 64 bits. For documents of few features they
//! say little.
//!
//! Sources: Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002. Manku, Jain and Das
//! Sarma, "Detecting near-duplicates for web crawling", WWW 2007.
//!
//! Not for: cutting texts into features (`sketch`), or finding pairs of near fingerprints (`hamming`).

mod counts;
mod differing;
mod explained;
mod fingerprint;
mod fingerprinter;
mod fixed;
mod format;
mod frequencies;
mod hashes;
mod table;
mod terms;
mod weights;

pub use crate::plan::{Bits, SimHash, Tie, Weighting};
pub(crate) use counts::FeatureCounts;
pub use explained::{ExplainedFeature, ExplainedFingerprint};
pub use fingerprint::{Fingerprint, FingerprintParts};
pub use fingerprinter::Fingerprinter;
pub use frequencies::DocumentFrequencies;
pub use hashes::FeatureHashes;
pub use table::{Codes, FingerprintTable};
pub use weights::{FeatureLevels, Weights};

use crate::compare::measure::Set;
use crate::compare::verify::Overlap;
use crate::plan::probability::binomial_below;

impl SimHash {
    /// The probability that the fingerprints of two documents differ in at most [`SimHash::hamming`] bits. `cosine` is
    /// the cosine of their weights.
    ///
    /// It assumes documents of many features. The distance is then binomial, with a probability of θ / π for each bit.
    pub fn probability(self, cosine: f64) -> f64 {
        self.within(differing::of_angle(cosine))
    }

    /// The same probability for two sets with this overlap. It holds for few features as well.
    pub(crate) fn probability_of_sets(self, overlap: Overlap) -> f64 {
        self.within(differing::of_sets(overlap, self.tie))
    }

    /// The same probability for two documents with weights.
    ///
    /// `None` if they have too few features, or differ in too few, for the angle to decide.
    pub(crate) fn probability_of_weighted(self, left: Set<'_>, right: Set<'_>) -> Option<f64> {
        differing::of_weighted(left, right, self.tie).map(|differs| self.within(differs))
    }

    /// The probability that at most [`SimHash::hamming`] bits differ, if each differs with probability `differs`.
    fn within(self, differs: f64) -> f64 {
        binomial_below(self.bits.count(), differs, self.hamming + 1)
    }
}
