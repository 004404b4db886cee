//! What is asked for, as plain data. The code that does it is in `verbs`.

use lookalike::Plan;
use lookalike_corpus::Delimiter;
use lookalike_engine::index::Index;
use lookalike_engine::request::{AgainstContainment, ClusterShape, Keep, Request};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

/// What every job needs.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is similar, how it is searched, and how texts are read.
    pub request: Request,
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// How many random documents are compared with all others, to measure the recall; 0 for none.
    pub audit: u64,
    /// The field that holds the id.
    pub id_field: String,
    /// What separates the fields of CSV and TSV; `None` goes by the format.
    pub delimiter: Option<Delimiter>,
    /// Worker threads.
    pub threads: usize,
    /// Where the summary goes, as JSON.
    pub summary: Option<PathBuf>,
    /// What is written beside the summary, to repeat the run.
    pub settings: Option<SettingsFile>,
    /// How many bytes of memory the process may take; what does not fit goes to disk. `None` holds everything.
    pub memory: Option<u64>,
    /// Longer records are skipped, in bytes; `None` goes by `memory`.
    pub max_record: Option<u64>,
    /// Where what does not fit is put, and found again by a run that goes on; `None` is beside the output.
    pub temp_dir: Option<PathBuf>,
    /// Other files that are read, such as tables: no output takes their place.
    pub read: Vec<PathBuf>,
}

impl Job {
    /// By all processors and in as much memory as it takes; the fields are called `text` and `id`.
    pub fn new(inputs: Vec<String>, plan: Plan) -> Self {
        Job {
            request: Request::new(plan),
            inputs,
            audit: 0,
            id_field: "id".to_owned(),
            delimiter: None,
            threads: std::thread::available_parallelism().map_or(1, NonZero::get),
            summary: None,
            settings: None,
            memory: None,
            max_record: None,
            temp_dir: None,
            read: Vec::new(),
        }
    }
}

/// A file with the settings of a run. Its caller knows what they are called; the job writes it with the summary.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    /// Where it goes.
    pub path: PathBuf,
    /// What is in it.
    pub content: String,
}

/// Keeps one document of each cluster.
#[derive(Clone, Debug)]
pub struct Dedup {
    /// What to read and what is similar.
    pub job: Job,
    /// What else to compare with; nothing of it is written or removed.
    pub against: Against,
    /// Which documents stay.
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
    /// Where a report goes. The job makes the findings, and its caller writes the page: see [`Unpublished`](crate::Unpublished).
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
    /// What to read and what is similar.
    pub job: Job,
    /// Where the list goes; `None` is standard output, as JSONL.
    pub output: Option<PathBuf>,
    /// Where a report goes. The job makes the findings, and its caller writes the page: see [`Unpublished`](crate::Unpublished).
    pub report: Option<PathBuf>,
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
