//! Requests, as plain data. The code that runs them is in `verbs`.

use lookalike::Plan;
use lookalike_corpus::{AgainstFields, Delimiter, Inputs, Quoting};
use lookalike_engine::index::Index;
use lookalike_engine::request::{AgainstContainment, ClusterShape, Keep, Request};
use lookalike_html::Extract;
use lookalike_report::Details;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The part of a request that every verb has.
#[derive(Clone, Debug)]
pub struct Job {
    /// What is similar, how it is searched, and how texts are read.
    pub request: Request,
    /// Files, folders, globs or `-`.
    pub inputs: Vec<String>,
    /// Sources in memory. Their documents come after those of the files.
    pub held: Inputs,
    /// How many random documents are compared with all others, to measure the recall. 0 measures nothing.
    pub audit: u64,
    /// The field that holds the id.
    pub id_field: String,
    /// The delimiter of CSV and TSV. `None` is a comma in CSV and a tab in TSV.
    pub delimiter: Option<Delimiter>,
    /// How the fields of CSV and TSV are quoted.
    pub quoting: Quoting,
    /// The part of the text of HTML pages that is compared.
    pub extract: Extract,
    /// Whether records of archives that are about the crawl are documents too.
    pub all_records: bool,
    /// Worker threads.
    pub threads: usize,
    /// The file of the summary, as JSON.
    pub summary: Option<PathBuf>,
    /// The settings that repeat the run, which are written beside the summary.
    pub settings: Option<SettingsFile>,
    /// How many bytes of memory the process may take. The rest goes to disk. `None` holds everything.
    pub memory: Option<u64>,
    /// The limit of a record in bytes. Longer ones are skipped. `None` derives it from `memory`.
    pub max_record: Option<u64>,
    /// The folder for data that does not fit into memory. A run that continues finds it there. `None` is beside the output.
    pub temp_dir: Option<PathBuf>,
    /// Other files that are read, such as tables. No output may replace them.
    pub read: Vec<PathBuf>,
}

impl Job {
    /// On all processors, in as much memory as needed, with the fields `text` and `id`.
    pub fn new(inputs: Vec<String>, plan: Plan) -> Self {
        Job {
            request: Request::new(plan),
            inputs,
            held: Inputs::default(),
            audit: 0,
            id_field: "id".to_owned(),
            delimiter: None,
            quoting: Quoting::default(),
            extract: Extract::default(),
            all_records: false,
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

/// A file with the settings of a run. The caller makes its content, and the job writes it with the summary.
#[derive(Clone, Debug)]
pub struct SettingsFile {
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub content: String,
}

/// Keeps one document of each cluster.
#[derive(Clone, Debug)]
pub struct Dedup {
    /// The inputs, and what is similar.
    pub job: Job,
    /// Other documents to compare with. They are neither written nor removed.
    pub against: Against,
    /// Which documents are kept.
    pub keep: Keep,
    /// How clusters are made.
    pub clustering: ClusterShape,
    /// Remove a document only if at least this share of its features, from 0 to 1, is in the document that is kept for it. A
    /// cluster may then keep several.
    pub min_containment: Option<f64>,
    /// The file or folder of the kept documents. `None` writes none.
    pub output: Option<PathBuf>,
    /// Keep every document, with the decision in new fields.
    pub annotate: bool,
    /// The file of the list of removed documents.
    pub removed: Option<PathBuf>,
    /// The file of the list of clusters.
    pub clusters: Option<PathBuf>,
    /// The file of a report. The job makes the findings, and its caller writes the page: see
    /// [`Unpublished`](crate::Unpublished).
    pub report: Option<PathBuf>,
    /// Return the decisions with the summary, and these details of them. `None` returns no decisions.
    pub returned: Option<Details>,
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
            returned: None,
        }
    }
}

/// Lists every verified pair.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The inputs, and what is similar.
    pub job: Job,
    /// The list.
    pub output: ListOutput,
    /// The most pairs of a list. More are an error. `None` leaves this to the memory.
    pub limit: Option<u64>,
    /// The file of a report. The job makes the findings, and its caller writes the page: see
    /// [`Unpublished`](crate::Unpublished).
    pub report: Option<PathBuf>,
}

/// The place of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListOutput {
    /// Standard output, as JSONL.
    StandardOutput,
    /// A file.
    File(PathBuf),
    /// The result of the verb.
    Returned {
        /// Whether it has the ids of documents.
        ids: bool,
    },
}

impl ListOutput {
    /// A file, or else standard output.
    pub fn file_or_standard(path: Option<PathBuf>) -> Self {
        path.map_or(ListOutput::StandardOutput, ListOutput::File)
    }

    /// The path that a table is written to, where `-` is standard output. `None` if none is written.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            ListOutput::StandardOutput => Some(Path::new("-")),
            ListOutput::File(path) => Some(path),
            ListOutput::Returned { .. } => None,
        }
    }

    /// The file that is written.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        match self {
            ListOutput::File(path) => Some(path.clone()),
            ListOutput::StandardOutput | ListOutput::Returned { .. } => None,
        }
    }

    /// Does the result have the ids of documents?
    pub(crate) fn returns_ids(&self) -> bool {
        matches!(self, ListOutput::Returned { ids: true })
    }
}

/// Documents that the inputs are compared against; by default none.
#[derive(Clone, Debug, Default)]
pub struct Against {
    /// Files, folders or globs.
    pub inputs: Vec<String>,
    /// Sources in memory.
    pub held: Inputs,
    /// The fields of text and id in these files, where they differ from the inputs.
    pub fields: AgainstFields,
    /// An index instead of files. If it was opened to grow, the inputs are added when the outputs have their names.
    pub index: Option<Arc<Index>>,
    /// Remove a document also if it contains one of these, or is contained in one.
    pub containment: Option<AgainstContainment>,
}
