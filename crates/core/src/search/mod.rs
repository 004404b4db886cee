//! The search for pairs: sketches of a corpus, candidates, and their comparison.
//!
//! Candidates share a MinHash band, have near SimHash fingerprints, or share rare features.
//!
//! [`Corpus`](crate::Corpus) does all of this for texts in memory. The parts in this module are for programs that keep
//! texts or sketches elsewhere.
//!
//! ```
//! use lookalike::Measure;
//! use lookalike::search::ExactJoin;
//!
//! let sets: [&[u64]; 3] = [&[1, 2, 3, 4], &[7, 8, 9], &[1, 2, 3, 5]];
//! let pairs = ExactJoin::new(sets.to_vec(), Measure::Jaccard, 0.5).pairs();
//! assert_eq!((pairs[0].a, pairs[0].b, pairs[0].score.to_string()), (0, 2, "0.600000".to_owned()));
//! ```

pub(crate) mod candidates;
pub(crate) mod centres;
pub(crate) mod copies;
pub(crate) mod exact;
pub(crate) mod executor;
pub(crate) mod families;
pub(crate) mod fingerprints;
pub(crate) mod hamming;
pub(crate) mod lsh;
pub(crate) mod pair_search;
pub(crate) mod parts;
pub(crate) mod queries;
pub(crate) mod sketches;

pub use crate::cluster::{Buckets, KeyShare};
pub use crate::plan::{Banding, SignatureFilter};
pub use crate::similarity::{Match, Score};
pub use candidates::{SearchedSketches, SketchedDocuments};
pub use centres::{CentreConditions, CentreRule, Centres, Taken};
pub use copies::with_copies;
pub use exact::{ExactJoin, GroupedSets, Prober};
pub use executor::{Executor, Sequential};
pub use families::{Families, FamilyJoin, PairCollector, Visited, WorkBlock};
pub use fingerprints::{HammingCandidates, PairVerifier};
pub use hamming::{
    Code, CodePart, HammingIndex, HammingJoin, HammingJoinError, HammingLayout, HammingPair, Neighbour, Task,
    Workspace,
};
pub use lsh::{BandCandidate, Join, MinHashIndex, SketchTable, SketchView, Tally};
pub use pair_search::{PairCandidates, PairSearch, PairSearchWorker};
pub use parts::{SearchPart, SearchParts};
pub use queries::{Counting, Queries};
pub use sketches::{ComparedFeatures, SketchBuilder, Sketches};
