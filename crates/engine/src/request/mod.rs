//! Requests to the engine, as plain data.

pub(crate) mod plan_summary;

use lookalike::{DocumentFrequencies, Level, Plan};
use lookalike_corpus::{Fields, TextFields};
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

/// The plan of a run, and how texts are read.
#[derive(Clone, Debug)]
pub struct Request {
    /// The definition of similar documents, and the method of the search.
    pub plan: Plan,
    /// Up to which size the exact join replaces the plan's method: it misses nothing. The choice depends on the documents, and not on the
    /// machine.
    pub auto: Option<Affordable>,
    /// The fields that hold the text.
    pub text_fields: TextFields,
    /// The fields that an index stores beside the text.
    pub about: AboutFields,
    /// Only documents that have the same values in these fields are compared.
    pub within: Vec<String>,
    /// The instruction set.
    pub level: Level,
    /// Stop at the first bad record.
    pub strict: bool,
    /// The bytes of features that may be kept from the first scan of inputs that must be decoded. Other documents are read again if they are
    /// compared. The result is the same.
    pub features_bytes: u64,
    /// Texts in memory are searched in parts if the features of all candidates take more bytes than this, and more than the sketches of all
    /// documents. A part then has about as many bytes of features as the greater of the two. The result is the same.
    pub part_bytes: u64,
    /// Leave out the shingles that more than this share of the documents have. They are counted before the documents are sketched.
    pub drop_frequent: Option<f64>,
    /// The document frequencies for weights by TF-IDF, or for frequent shingles. They are counted in the inputs if there are none.
    pub frequencies: Option<Arc<DocumentFrequencies>>,
}

/// Bytes of features kept from the first scan of inputs that must be decoded. They are enough for 750 MB of English text, which is then not
/// read again, and few enough for a laptop.
const FEATURES_BYTES: u64 = 1 << 30;

/// Bytes of features in a part: enough that no time is lost, and little beside the memory of any Python.
const PART_BYTES: u64 = 96 << 20;

impl Request {
    /// The text alone is read of each record, as in every other scan of this request.
    pub fn fields_of_text(&self) -> Fields {
        Fields { null_texts: !self.strict, ..Fields::of_text(self.text_fields.clone()) }
    }

    /// A request with this plan. The text is in the field `text`, and the best instruction set of this machine is used.
    pub fn new(plan: Plan) -> Self {
        Request {
            plan,
            auto: None,
            text_fields: "text".into(),
            about: AboutFields::default(),
            within: Vec::new(),
            level: Level::detect(),
            strict: false,
            features_bytes: FEATURES_BYTES,
            part_bytes: PART_BYTES,
            drop_frequent: None,
            frequencies: None,
        }
    }
}

/// The fields that an index stores of a document beside its text. Documents may have none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AboutFields {
    /// The URL. It is stored if it is a whole one.
    pub url: String,
    /// The title.
    pub title: String,
    /// The priority as canonical document of a cluster: a number, possibly as text.
    pub priority: String,
    /// Metadata: any value.
    pub meta: String,
}

impl Default for AboutFields {
    fn default() -> Self {
        let [url, title, priority, meta] = ["url", "title", "priority", "meta"].map(str::to_owned);
        AboutFields { url, title, priority, meta }
    }
}

/// Which document of a cluster is kept.
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
    /// The first ones in input order, as many as this.
    Count(NonZeroU32),
    /// None: every member of a cluster is removed.
    None,
}

/// Why a text names no policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use first, last, longest, max:FIELD, min:FIELD, none, or a number from 1")]
pub struct UnknownKeep;

impl FromStr for Keep {
    type Err = UnknownKeep;

    fn from_str(text: &str) -> Result<Self, UnknownKeep> {
        match text.split_once(':') {
            Some(("max", field)) if !field.is_empty() => Ok(Keep::Max(field.to_owned())),
            Some(("min", field)) if !field.is_empty() => Ok(Keep::Min(field.to_owned())),
            None if text == "first" => Ok(Keep::First),
            None if text == "last" => Ok(Keep::Last),
            None if text == "longest" => Ok(Keep::Longest),
            None if text == "none" => Ok(Keep::None),
            _ => text.parse().map(Keep::Count).map_err(|_| UnknownKeep),
        }
    }
}

impl Keep {
    /// The field with the numbers that it ranks by.
    pub fn field(&self) -> Option<String> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field.clone()),
            Keep::First | Keep::Last | Keep::Longest | Keep::Count(_) | Keep::None => None,
        }
    }

    /// The property of a document that it ranks by, in words. It is part of the work folder's description: a stopped run goes on with any policy that
    /// ranks by the same.
    pub fn ranks_by(&self) -> &str {
        match self {
            Keep::First | Keep::Last | Keep::Count(_) | Keep::None => "the place",
            Keep::Longest => "the length",
            Keep::Max(field) | Keep::Min(field) => field,
        }
    }
}

/// How pairs make clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClusterShape {
    /// All documents that are connected by pairs, over any number of other documents.
    #[default]
    Union,
    /// A kept document, and documents that make a pair with it.
    Star,
    /// A document that the inputs are compared against, and documents of the inputs that make a pair with it. No document of the inputs is
    /// removed for another one.
    Against,
}

impl ClusterShape {
    /// Its name as an option.
    pub fn name(self) -> &'static str {
        match self {
            ClusterShape::Union => "union",
            ClusterShape::Star => "star",
            ClusterShape::Against => "against",
        }
    }
}

/// The least containment of one document in another for which a document is removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgainstContainment {
    /// The least share, from 0 to 1, of the shorter document's features that is in the other one.
    pub share: f64,
    /// The least number of features of the shorter document. With fewer, documents share them by chance.
    pub least_features: u32,
}

/// Up to which size the exact join is affordable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affordable {
    /// The most features of all documents: some 12 MB of English text by default. With more, the exact join takes up to two and a half times
    /// as long as MinHash (bench/results/2026-11-22-methods.md). Up to here the difference is a twentieth of a second.
    pub features: u64,
    /// The number of postings that it may visit in any case, some 2 to 20 ns each. Texts made of one template need more, and MinHash is often
    /// faster for them.
    pub visits: u64,
}

impl Default for Affordable {
    fn default() -> Self {
        Affordable { features: 1 << 21, visits: 20_000_000 }
    }
}
