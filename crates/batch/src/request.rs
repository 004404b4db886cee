//! What is asked for, as plain data. The verbs that do it are in `job`.

use crate::index::Index;
use lookalike::{DocumentFrequencies, FeatureLevels, Level, Plan};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

/// What every job needs.
#[derive(Clone, Debug)]
pub struct Job {
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// What is alike, and how it is searched.
    pub plan: Plan,
    /// Take the exact join instead of the plan's method where it is affordable: it misses nothing. That depends on the
    /// documents only, not on the machine.
    pub auto: Option<Affordable>,
    /// How many random documents are compared with all others, to measure the recall; 0 for none.
    pub audit: u64,
    /// The field that holds the text.
    pub text_field: String,
    /// The field that holds the id.
    pub id_field: String,
    /// Worker threads.
    pub threads: usize,
    /// The instruction set.
    pub level: Level,
    /// Stop at the first bad record.
    pub strict: bool,
    /// Where the summary goes, as JSON.
    pub summary: Option<PathBuf>,
    /// Bytes of features that may be kept from the first scan of inputs that must be decoded; other documents are read
    /// again if they are compared. The result is the same.
    pub features_bytes: u64,
    /// How many bytes of memory the process may take; what does not fit goes to disk. `None` holds everything.
    pub memory: Option<u64>,
    /// Longer records are skipped, in bytes; `None` goes by `memory`.
    pub max_record: Option<u64>,
    /// Where what does not fit is put, and found again by a run that goes on; `None` is beside the output.
    pub temp_dir: Option<PathBuf>,
    /// Other files that are read, such as tables: no output takes their place.
    pub read: Vec<PathBuf>,
    /// In how many documents features are, for weights by TF-IDF; counted in the inputs themselves if it is not given.
    pub frequencies: Option<Arc<DocumentFrequencies>>,
    /// The levels of features, for weights by levels.
    pub levels: Option<Arc<FeatureLevels>>,
}

/// Features kept from the first reading of inputs that must be decoded: enough for 750 MB of English text, which are then
/// not read again, and little enough for a laptop.
const FEATURES_BYTES: u64 = 1 << 30;

impl Job {
    /// By all processors and in as much memory as it takes; the fields are called `text` and `id`.
    pub fn new(inputs: Vec<String>, plan: Plan) -> Self {
        Job {
            inputs,
            plan,
            auto: None,
            audit: 0,
            text_field: "text".to_owned(),
            id_field: "id".to_owned(),
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            level: Level::detect(),
            strict: false,
            summary: None,
            features_bytes: FEATURES_BYTES,
            memory: None,
            max_record: None,
            temp_dir: None,
            read: Vec::new(),
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
}

impl Keep {
    /// The field that it chooses by.
    pub(crate) fn field(&self) -> Option<String> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field.clone()),
            Keep::First | Keep::Last | Keep::Longest => None,
        }
    }

    /// What of a document is needed to choose.
    pub(crate) fn ranks_by(&self) -> &str {
        match self {
            Keep::First | Keep::Last => "the place",
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

/// Keeps one document of each cluster.
#[derive(Clone, Debug)]
pub struct Dedup {
    /// What to read and what is alike.
    pub job: Job,
    /// What else to compare with; nothing of it is written or removed.
    pub against: Against,
    /// Which document stays.
    pub keep: Keep,
    /// What makes a cluster.
    pub clustering: ClusterShape,
    /// Remove only documents of whose features at least this share, from 0 to 1, is in the one that is kept for them. A
    /// cluster may then keep several.
    pub min_containment: Option<f64>,
    /// Where the kept documents go; `None` writes none.
    pub output: Option<PathBuf>,
    /// Keep every document, and say in new fields what would become of it.
    pub annotate: bool,
    /// Where the list of removed documents goes.
    pub removed: Option<PathBuf>,
    /// Where the list of clusters goes.
    pub clusters: Option<PathBuf>,
    /// Where a report goes. The job finds out what is in it, and its caller writes it: see [`Unpublished`](crate::Unpublished).
    pub report: Option<PathBuf>,
}

impl Dedup {
    /// Keeps the first of each cluster, and writes nothing.
    pub fn new(job: Job) -> Self {
        Dedup {
            job,
            against: Against::default(),
            keep: Keep::default(),
            clustering: ClusterShape::default(),
            min_containment: None,
            output: None,
            annotate: false,
            removed: None,
            clusters: None,
            report: None,
        }
    }
}

/// Lists every verified pair.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// What to read and what is alike.
    pub job: Job,
    /// Where the list goes; `None` is standard output, as JSONL.
    pub output: Option<PathBuf>,
}

/// What the inputs are compared against; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// Files, folders or globs.
    pub inputs: Vec<String>,
    /// An index, instead of them. If it was opened to be added to, the inputs are added when the outputs have their names.
    pub index: Option<Arc<Index>>,
    /// Remove a document also if it contains one of these, or is contained in one.
    pub containment: Option<AgainstContainment>,
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
