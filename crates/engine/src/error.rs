//! Why a run ends without a result.
//!
//! The texts name things, such as the memory limit. Whoever has flags, or fields of a form, says which of them to change.

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
    /// A record is bad, and the run was told to stop at the first.
    #[error("{place}: {problem}")]
    Strict {
        /// File and line.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file gives no record, for one reason, and no other input does.
    #[error("{file}: {problem}")]
    Unusable {
        /// The file; of several the first.
        file: String,
        /// What is wrong with it, or with its first record.
        problem: lookalike_corpus::Problem,
    },
    /// No record of the inputs can be used: outputs would be empty, and take the place of what was there.
    #[error("no record of the inputs can be used; the first, {place}: {problem}")]
    NoDocument {
        /// The first record.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No document has a field that documents are grouped by.
    #[error(
        "no document has the field {field:?}, and only documents with the same value in it would be compared"
    )]
    NoGroup {
        /// The field.
        field: String,
    },
    /// There are more documents than one run in memory can number.
    #[error("{documents} documents are more than the 4,294,967,295 that one run can hold")]
    TooMany {
        /// How many there are.
        documents: u64,
    },
    /// The list of pairs would be longer than anybody could use.
    #[error("the documents make {pairs} pairs or more{}", if *for_memory { ", more than the memory limit leaves room for" } else { "" })]
    TooManyPairs {
        /// How many pairs at least.
        pairs: u64,
        /// Would they be few enough with more memory?
        for_memory: bool,
    },
    /// There are more pairs than star clusters can be made of.
    #[error("the documents make {pairs} pairs or more, too many to make star clusters of")]
    TooManyForStars {
        /// How many pairs at least.
        pairs: u64,
    },
    /// An index cannot be used.
    #[error(transparent)]
    Index(IndexError),
    /// The same inputs are added twice, one time after the other.
    #[error(
        "{}: these inputs are what was added last, and have not changed since; nothing in them is new, and outputs are left as they are",
        folder.display()
    )]
    AlreadyAdded {
        /// The index.
        folder: PathBuf,
    },
    /// What is compared against has more features than can be numbered.
    #[error(
        "the documents that are compared against have {features} features, more than the 4,294,967,295 that can be looked for; \
         compare against them in parts"
    )]
    TooMuchAgainst {
        /// How many there are.
        features: u64,
    },
    /// The exact join would hold more features than it can number.
    #[error("{features} features are more than the 4,294,967,295 that exact search can hold")]
    TooManyFeatures {
        /// How many there are.
        features: u64,
    },
    /// An audit would have to hold more than anybody needs to measure the recall.
    #[error("the documents of the audit are similar to {partners} others or more; audit fewer documents")]
    TooManyPartners {
        /// How many at least.
        partners: u64,
    },
    /// A record is not what it was when it was first read.
    #[error("{place}: the record changed while the job ran: {problem}")]
    Changed {
        /// File and line.
        place: String,
        /// How it differs.
        problem: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start {threads} threads: {message}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        message: String,
    },
    /// Fingerprints cannot be searched as the plan wants it.
    #[error(transparent)]
    Distance(#[from] lookalike::TooFar),
    /// The table of weights was made for other features.
    #[error(
        "the document frequencies were made with other tokens, shingles, stop words, feature hash or seed; make them again with those of \
         this run"
    )]
    OtherFeatures,
    /// The weighting needs a table that was not given.
    #[error("weights by levels need the levels")]
    NoLevels,
    /// What the run put on disk cannot be written or read.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The memory that the run may take is less than it needs to do anything.
    #[error("the memory limit of {} is too small; with {threads} threads{} a run needs {} or more", megabytes(*memory), and_inputs(*inputs), megabytes(*least))]
    TooLittleMemory {
        /// What it may take.
        memory: u64,
        /// How many threads there are.
        threads: usize,
        /// What its inputs take before they are read, if they are many.
        inputs: u64,
        /// The least that will do.
        least: u64,
    },
    /// There are more documents than the memory suffices for, even if all that can be is on disk.
    #[error(
        "{documents} documents need {} of memory beside what is on disk, and the memory limit leaves {} for them", megabytes(*needed), megabytes(*left)
    )]
    TooManyForMemory {
        /// How many there are, or are likely to be.
        documents: u64,
        /// What they need.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// There are more features than the memory suffices for, where all must be held.
    #[error(
        "{what} holds {}, and the memory limit leaves {} for that", megabytes(*needed), megabytes(*left)
    )]
    TooMuchToHold {
        /// What must hold them.
        what: &'static str,
        /// What they need.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// What is compared against has more features than the memory suffices for, where all must be held.
    #[error(
        "the search for containment holds {}, and the memory limit leaves {} for that", megabytes(*needed), megabytes(*left)
    )]
    TooMuchContainment {
        /// What it needs.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// The disk is too small for what must go there.
    #[error("{}: some {} will be needed on this disk, and {} are free", folder.display(), megabytes(*needed), megabytes(*free))]
    DiskTooSmall {
        /// Where things are put.
        folder: PathBuf,
        /// What is needed.
        needed: u64,
        /// What there is.
        free: u64,
    },
    /// The folder for what does not fit into memory does not exist.
    #[error("{}: there is no such folder for temporary files", folder.display())]
    NoTempDir {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process does the same.
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
    /// May a run with the same request go on from what this one put on disk?
    pub fn leaves_work(&self) -> bool {
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

/// What inputs take before they are read, if they are many, as a part of a sentence.
fn and_inputs(inputs: u64) -> String {
    match inputs {
        0 => String::new(),
        inputs => format!(" and {} for names of inputs", megabytes(inputs)),
    }
}

/// Bytes, for people.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
