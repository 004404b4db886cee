//! Sketches: MinHash signatures, whose positions agree with the probability of the Jaccard similarity.
//!
//! Two schemes over the same features. *Classic*: position `i` is the minimum of one hash function over the
//! set. *Bucketed* (default): every feature falls into one position a round, for four rounds; a position keeps
//! its smallest value, where an earlier round is smaller than a later one; positions left empty hold the
//! classic value. Both are unbiased, and independent of order and repetition; the bucketed one costs a
//! fraction and varies less.
//! Sources: Broder, "On the resemblance and containment of documents", 1997; Dahlgaard, Knudsen and Thorup,
//! "Fast Similarity Sketching", FOCS 2017 (here truncated to four rounds).
//!
//! Not for: finding pairs; that is `lsh`.
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
mod shingles;
mod signature;
mod sketcher;

pub use crate::plan::{FeatureHash, Scheme};
pub use content::{ContentHash, Contents, originals};
pub use group::{DocumentGroups, Group};
pub use signature::Signature;
pub(crate) use sketcher::band_keys;
pub use sketcher::{Sketch, Sketcher};
