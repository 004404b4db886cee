//! SimHash: fingerprints of 64 or 128 bits whose Hamming distance grows with the angle between two documents.
//!
//! Every feature votes on every bit, for it where the feature's own bit is set and against it where not, with the
//! feature's weight: bit `i` is set if `Σ w · (2 · bit_i − 1) > 0`. Two documents at an angle of θ differ in `θ / π` of
//! their bits on average; equal ones in none, unrelated ones in half. Fingerprints are tiny, and blunt: a distance of 3
//! in 64 bits is met by only a tenth of the pairs whose cosine is 0.95. For documents of few features they say little.
//! Source: Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002; Manku, Jain and Das Sarma,
//! "Detecting near-duplicates for web crawling", WWW 2007.
//!
//! Not for: cutting texts into features (`sketch`), finding pairs of near fingerprints.

mod counts;
mod differing;
mod fingerprint;
mod fingerprinter;
mod fixed;
mod format;
mod frequencies;
mod table;
mod terms;
mod weights;

pub use crate::plan::{Bits, SimHash, Tie, Weighting};
pub use fingerprint::Fingerprint;
pub use fingerprinter::Fingerprinter;
pub use frequencies::DocumentFrequencies;
pub use table::{Codes, FingerprintTable};
pub use weights::{FeatureLevels, Weights};

use crate::compare::measure::Set;
use crate::compare::verify::Overlap;
use crate::plan::probability::binomial_below;

impl SimHash {
    /// The probability that the fingerprints of two documents of many features, whose weights have the cosine `cosine`, differ in no
    /// more than [`SimHash::hamming`] bits: that of a binomial distribution with θ / π.
    pub fn probability(self, cosine: f64) -> f64 {
        self.within(differing::of_angle(cosine))
    }

    /// The same for two sets that overlap so, however few their features are.
    pub fn probability_of_sets(self, overlap: Overlap) -> f64 {
        self.within(differing::of_sets(overlap, self.tie))
    }

    /// The same for two documents with weights; `None` where they have too few features for the angle to tell, or differ in too
    /// few.
    pub fn probability_of_weighted(self, left: Set<'_>, right: Set<'_>) -> Option<f64> {
        differing::of_weighted(left, right, self.tie).map(|differs| self.within(differs))
    }

    /// The probability that few enough bits differ, each of which does so often.
    fn within(self, differs: f64) -> f64 {
        binomial_below(self.bits.count(), differs, self.hamming + 1)
    }
}
