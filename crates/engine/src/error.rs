//! Why a run ends without a result.
//!
//! The texts name things, such as the memory limit. A caller with flags, or with fields of a form, says which of them to change.

mod kind;

pub use kind::ErrorKind;

use lookalike_corpus::Interrupted;
use lookalike_index::Error as IndexError;
use std::path::PathBuf;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The inputs cannot be read or the outputs not written.
    #[error(transparent)]
    Corpus(lookalike_corpus::Error),
    /// A record is bad, and the request asks to stop at the first one.
    #[error("{place}: {problem}")]
    Strict {
        /// File and line.
        place: String,
        /// The problem.
        problem: String,
    },
    /// No input gives a record, and a file says why.
    #[error("{file}: {problem}")]
    Unusable {
        /// The file: the first of several.
        file: String,
        /// The problem of the file, or of its first record.
        problem: lookalike_corpus::Problem,
        /// Whether the file is only compared against.
        is_against: bool,
    },
    /// No record of the inputs can be used. The outputs would be empty, and replace others.
    #[error("no record of the inputs can be used; the first, {place}: {problem}")]
    NoDocument {
        /// The first record.
        place: String,
        /// The problem.
        problem: String,
    },
    /// No document has a field of `--within`.
    #[error(
        "no document has the field {field:?}, and only documents with the same value in it would be compared{}",
        fields_of_first(seen)
    )]
    NoGroup {
        /// The field.
        field: String,
        /// The fields of the first document, if they are known.
        seen: Vec<String>,
    },
    /// There are more documents than one run in memory can number.
    #[error("{} documents are more than the 4,294,967,295 that one run can hold", thousands(*documents))]
    TooMany {
        /// Their number.
        documents: u64,
    },
    /// The list of pairs would be too long to be useful, or to be held in memory.
    #[error("the documents make {} pairs or more{}", thousands(*pairs), if *for_memory { ", more than the memory limit leaves room for" } else { "" })]
    TooManyPairs {
        /// The number of pairs, at least.
        pairs: u64,
        /// Whether more memory would be enough.
        for_memory: bool,
    },
    /// There are more pairs than star clusters can be made of.
    #[error("the documents make {} pairs or more, too many to make star clusters of", thousands(*pairs))]
    TooManyForStars {
        /// The number of pairs, at least.
        pairs: u64,
    },
    /// An index cannot be used.
    #[error(transparent)]
    Index(IndexError),
    /// The inputs are the ones that were added last.
    #[error(
        "{}: these inputs were added to the index last, and have not changed since; the run adds and writes nothing",
        folder.display()
    )]
    AlreadyAdded {
        /// The index.
        folder: PathBuf,
    },
    /// The documents of `--against` have more features than can be numbered.
    #[error(
        "the documents that are compared against have {} features, more than the 4,294,967,295 that can be searched for; \
         compare against them in parts",
        thousands(*features)
    )]
    TooMuchAgainst {
        /// Their number.
        features: u64,
    },
    /// The exact join would hold more features than it can number.
    #[error("{} features are more than the 4,294,967,295 that exact search can hold", thousands(*features))]
    TooManyFeatures {
        /// Their number.
        features: u64,
    },
    /// An audit would have to hold more pairs than are needed to measure the recall.
    #[error("the documents of the audit are similar to {} others or more; audit fewer documents", thousands(*partners))]
    TooManyPartners {
        /// Their number, at least.
        partners: u64,
    },
    /// A record is not the same as when it was first read.
    #[error("{place}: the record changed while the job ran: {problem}")]
    Changed {
        /// File and line.
        place: String,
        /// How it differs.
        problem: String,
    },
    /// Different tokens have equal hashes, which a search with another seed does not have again.
    #[error("a text changed while it was read, or different passages have equal hashes")]
    EqualHashes,
    /// The worker threads could not be started.
    #[error("cannot start {}: {message}", several(*threads as u64, "thread"))]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The error of the system.
        message: String,
    },
    /// The table of weights was made for other features.
    #[error(
        "the document frequencies were made with other tokens, folds, shingles, stop words, feature hash or seed; make them again with those of \
         this run"
    )]
    OtherFeatures,
    /// The plan cannot leave out frequent shingles.
    #[error(transparent)]
    Plan(#[from] lookalike::PlanError),
    /// The weighting needs a table that the request does not have.
    #[error("weights by levels need the levels")]
    NoLevels,
    /// A file in the folder of the run, or of an index, cannot be read or written.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The memory limit is too small for any run.
    #[error("the memory limit of {} is too small; with {}{} a run needs {} or more", megabytes(*memory), several(*threads as u64, "thread"), and_inputs(*inputs), megabytes(*least))]
    TooLittleMemory {
        /// The memory limit.
        memory: u64,
        /// The number of threads.
        threads: usize,
        /// The bytes for the names of the inputs, if these are many.
        inputs: u64,
        /// The least memory limit for this run.
        least: u64,
    },
    /// The memory limit has no room for the windows of compressed inputs.
    #[error(
        "{name} was compressed with a long window: to read the inputs, a run needs {} for windows and {} or more in all, and the memory limit is {}",
        megabytes(*windows), megabytes(*least), megabytes(*memory)
    )]
    LongWindows {
        /// The input with the longest window.
        name: String,
        /// The bytes for the windows of the inputs that are read at once.
        windows: u64,
        /// The memory limit.
        memory: u64,
        /// The least memory limit for this run.
        least: u64,
    },
    /// There are too many documents for the memory limit, even with everything else on disk.
    #[error(
        "{} need {} of memory in addition to the disk, and the memory limit leaves {} for them", several(*documents, "document"), megabytes(*needed), megabytes(*left)
    )]
    TooManyForMemory {
        /// Their number, or an estimate of it.
        documents: u64,
        /// The bytes that they need.
        needed: u64,
        /// The bytes that there are.
        left: u64,
    },
    /// All features must be in memory, and the memory limit is too small for that.
    #[error(
        "{what} holds {}, and the memory limit leaves {} for that", megabytes(*needed), megabytes(*left)
    )]
    TooMuchToHold {
        /// The part of the run that holds them.
        what: &'static str,
        /// The bytes that they need.
        needed: u64,
        /// The bytes that there are.
        left: u64,
    },
    /// All features of the documents of `--against` must be in memory, and the memory limit is too small for that.
    #[error(
        "the search for containment holds {}, and the memory limit leaves {} for that", megabytes(*needed), megabytes(*left)
    )]
    TooMuchContainment {
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that there are.
        left: u64,
    },
    /// The disk has not enough room for the folder of the run.
    #[error("{}: the run needs about {} here, and {} are free", folder.display(), megabytes(*needed), megabytes(*free))]
    DiskTooSmall {
        /// The folder above it.
        folder: PathBuf,
        /// The bytes that are needed.
        needed: u64,
        /// The bytes that there are.
        free: u64,
    },
    /// The folder for temporary files does not exist.
    #[error("{}: {}", folder.display(), if folder.exists() {
        "this is a file, and temporary files need a folder"
    } else {
        "there is no such folder for temporary files"
    })]
    NoTempDir {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process is working on the same run.
    #[error("{}: another process works in this folder: the same run is going on", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The run was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Error {
    /// Whether the same run can go on later from its folder.
    pub(crate) fn leaves_work(&self) -> bool {
        matches!(self, Error::Interrupted(_) | Error::Store(_) | Error::Corpus(_))
    }
}

impl From<lookalike_corpus::Error> for Error {
    fn from(error: lookalike_corpus::Error) -> Self {
        if error.is_interrupt() { Error::Interrupted(Interrupted) } else { Error::Corpus(error) }
    }
}

impl From<IndexError> for Error {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Store(error) => Error::Store(error),
            IndexError::Interrupted => Error::Interrupted(Interrupted),
            error => Error::Index(error),
        }
    }
}

/// The bytes for the names of inputs, if these are many, as a part of a sentence.
fn and_inputs(inputs: u64) -> String {
    match inputs {
        0 => String::new(),
        inputs => format!(" and {} for names of inputs", megabytes(inputs)),
    }
}

/// The fields of the first document, as the end of a sentence.
fn fields_of_first(seen: &[String]) -> String {
    match seen.is_empty() {
        true => String::new(),
        false => format!("; the fields of the first document are {}", seen.join(", ")),
    }
}

/// "1 thread", "2 threads".
fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A number with commas at the thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

/// Bytes in words.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
