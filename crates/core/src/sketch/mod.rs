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
mod permuted;
mod shingles;
mod signature;
mod sketcher;

pub use crate::plan::{FeatureHash, Scheme};
pub use content::{ContentHash, Contents, originals};
pub use group::{DocumentGroups, Group};
pub use permuted::{Minima, PermutationScheme, Permutations};
pub use signature::Signature;
pub use sketcher::{Sketch, Sketcher, band_keys};
