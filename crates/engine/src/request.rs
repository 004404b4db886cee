//! What the engine is asked for, as plain data.

use lookalike::{DocumentFrequencies, FeatureLevels, Level, Plan};
use std::num::NonZeroU32;
use std::sync::Arc;

/// What is similar, how it is searched, and how texts are read.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is similar, and how it is searched.
    pub plan: Plan,
    /// Take the exact join instead of the plan's method where it is affordable: it misses nothing. That depends on the
    /// documents only, not on the machine.
    pub auto: Option<Affordable>,
    /// The field that holds the text.
    pub text_field: String,
    /// Only documents that have the same values in these fields are compared.
    pub within: Vec<String>,
    /// The instruction set.
    pub level: Level,
    /// Stop at the first bad record.
    pub strict: bool,
    /// Bytes of features that may be kept from the first scan of inputs that must be decoded; other documents are read
    /// again if they are compared. The result is the same.
    pub features_bytes: u64,
    /// In how many documents features are, for weights by TF-IDF; counted in the inputs themselves if it is not given.
    pub frequencies: Option<Arc<DocumentFrequencies>>,
    /// The levels of features, for weights by levels.
    pub levels: Option<Arc<FeatureLevels>>,
}

/// Features kept from the first reading of inputs that must be decoded: enough for 750 MB of English text, which are then
/// not read again, and little enough for a laptop.
const FEATURES_BYTES: u64 = 1 << 30;

impl Request {
    /// By the best instructions of this machine; the text is in the field `text`.
    pub fn new(plan: Plan) -> Self {
        Request {
            plan,
            auto: None,
            text_field: "text".to_owned(),
            within: Vec::new(),
            level: Level::detect(),
            strict: false,
            features_bytes: FEATURES_BYTES,
            frequencies: None,
            levels: None,
        }
    }
}

/// Which document of a cluster stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The first in input order.
    #[default]
    First,
    /// The last in input order.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the greatest number in this field.
    Max(String),
    /// The one with the least number in this field.
    Min(String),
    /// The first so many in input order.
    Count(NonZeroU32),
    /// None: every member of a cluster is removed.
    None,
}

impl Keep {
    /// The field that it chooses by.
    pub fn field(&self) -> Option<String> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field.clone()),
            Keep::First | Keep::Last | Keep::Longest | Keep::Count(_) | Keep::None => None,
        }
    }

    /// What of a document is needed to choose.
    pub fn ranks_by(&self) -> &str {
        match self {
            Keep::First | Keep::Last | Keep::Count(_) | Keep::None => "the place",
            Keep::Longest => "the length",
            Keep::Max(field) | Keep::Min(field) => field,
        }
    }
}

/// What makes a cluster of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterShape {
    /// Whatever hangs together by pairs, through however many documents.
    #[default]
    Union,
    /// A kept document and those that make a pair with it.
    Star,
}

impl ClusterShape {
    /// The name people give it.
    pub fn name(self) -> &'static str {
        match self {
            ClusterShape::Union => "union",
            ClusterShape::Star => "star",
        }
    }
}

/// When one document contains another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstContainment {
    /// The share, from 0 to 1, of the features of the shorter one that is in the other, at least.
    pub share: f64,
    /// The features of the shorter one, at least. Whoever has fewer shares them by chance.
    pub least_features: u32,
}

/// What may be affordable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affordable {
    /// Features of all documents up to which the exact join is taken: some 12 MB of English text. Beyond, it takes up to two and
    /// a half times as long as MinHash (bench/results/2026-11-22-methods.md); up to here that is a twentieth of a second.
    pub features: u64,
    /// Postings that it may visit in any case, some 2 to 20 ns each. Texts made of one template need more, and then MinHash is
    /// often faster.
    pub visits: u64,
}

impl Default for Affordable {
    fn default() -> Self {
        Affordable { features: 1 << 21, visits: 20_000_000 }
    }
}
