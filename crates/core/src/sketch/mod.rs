//! Sketches: MinHash signatures, which agree in a position with a probability equal to the Jaccard similarity.
//!
//! There are two schemes over the same features. *Classic*: position `i` is the minimum of one hash function over the
//! set. *Bucketed* (default): every feature falls into one position in each of four rounds. A position keeps its
//! smallest value, and values of earlier rounds are smaller. Empty positions take the classic value. Both schemes are
//! unbiased, and independent of order and repetition. The bucketed one costs a fraction and varies less.
//!
//! Sources: Broder, "On the resemblance and containment of documents", 1997. Dahlgaard, Knudsen and Thorup, "Fast
//! Similarity Sketching", FOCS 2017 (here truncated to four rounds).
//!
//! Not for: finding pairs, which is done in `lsh`.
//!
//! ```
//! use lookalike::{Plan, Sketcher};
//!
//! let mut sketcher = Sketcher::new(&Plan::default());
//! let sketch = sketcher.sketch("It was the best of times, it was the worst of times");
//! assert_eq!((sketch.features.len(), sketch.signature.len(), sketch.keys.len()), (8, 128, 21));
//! ```

mod content;
mod group;
mod parameters;
mod shingles;
mod signature;
mod sketcher;

pub use content::{ContentHash, Contents, originals};
pub use group::{DocumentGroups, Group};
pub(crate) use parameters::{Parameters, ROUNDS, round_bin, round_value};
pub use shingles::FeatureHash;
pub use signature::Signature;
pub use sketcher::{Sketch, Sketcher};
pub(crate) use sketcher::{band_keys, stop_word_hashes};

/// The scheme by which signatures are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Scheme {
    /// Bucketed MinHash: truncated Fast Similarity Sketching.
    #[default]
    Bucketed,
    /// One hash function per position.
    Classic,
}

impl Scheme {
    /// Every scheme, with its name in options and files.
    pub const ALL: [(&'static str, Scheme); 2] =
        [("bucketed", Scheme::Bucketed), ("classic", Scheme::Classic)];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Bucketed => "bucketed",
            Scheme::Classic => "classic",
        }
    }
}
