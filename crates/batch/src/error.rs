//! Errors of jobs.

use lookalike::MissingHash;
use lookalike_engine::ErrorKind;
use lookalike_report::{count, several};
use std::path::PathBuf;

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The inputs cannot be read or not be compared, or the outputs not be written.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// Options that contradict each other.
    #[error(transparent)]
    Plan(#[from] lookalike::PlanError),
    /// No document has a number in the field to choose by.
    #[error(
        "no document has a number in the field {field:?}, which decides the kept one{}",
        if seen.is_empty() { String::new() } else { format!("; the fields of the first document are {}", seen.join(", ")) }
    )]
    NoNumber {
        /// The field.
        field: String,
        /// The fields of the first document, if they are known.
        seen: Vec<String>,
    },
    /// The documents are not those that were decided about.
    #[error("the documents have changed since the call that decided about them; call it again")]
    OtherDocuments,
    /// There is no document to tune the search by.
    #[error("{inputs}: no documents, so there is nothing to tune the search by")]
    NoDocuments {
        /// The inputs, separated by commas.
        inputs: String,
    },
    /// Two outputs have the same path.
    #[error("{path}: two outputs have this name; give each a name of its own")]
    SameOutput {
        /// The path.
        path: PathBuf,
    },
    /// A list would replace an input.
    #[error("{path}: this output is also an input; give it another name")]
    OutputIsInput {
        /// The path.
        path: PathBuf,
    },
    /// The list of differences would be too long to use.
    #[error("the clusters make {} wrong or missing pairs", count(*pairs))]
    TooManyDifferences {
        /// How many pairs.
        pairs: u64,
    },
    /// There are more pairs than the caller wants.
    #[error("the documents make {} pairs or more, and the limit is {}", count(*pairs), count(*limit))]
    MorePairs {
        /// The number of pairs, at least.
        pairs: u64,
        /// The limit.
        limit: u64,
    },
    /// A file is no list of pairs or clusters.
    #[error("{file}: no list of pairs or clusters; columns seen: {seen}")]
    NoList {
        /// The file.
        file: String,
        /// Its columns, separated by commas.
        seen: String,
    },
    /// The first line of a list without a header seems to be a header.
    #[error(
        "{file}:1: {seen}: this line differs from all others; if it is a header, call the columns a and b, or id and cluster, or id and \
         kept_id; if it is a pair, add a header: a and b"
    )]
    FirstLine {
        /// The file.
        file: String,
        /// The line.
        seen: String,
    },
    /// The second column of a list without a header seems to hold clusters.
    #[error(
        "{file}: the second column has only {} different {}, and none of them looks like an id; add a header: id and cluster, or a and b",
        count(*values),
        if *values == 1 { "value" } else { "values" }
    )]
    SecondColumn {
        /// The file.
        file: String,
        /// How many different values it has.
        values: u64,
    },
    /// Two files of one list have different columns.
    #[error("{first} and {second} have different columns; a list has the same in all its files")]
    ListsDiffer {
        /// The first file.
        first: String,
        /// The file that differs.
        second: String,
    },
    /// The lists name more documents than `--documents` says.
    #[error("the lists name {}, more than the {} that were given", several(u64::from(*named), "document"), count(u64::from(*documents)))]
    FewerDocuments {
        /// The number that was given.
        documents: u32,
        /// The number that the lists name.
        named: u32,
    },
    /// The similar documents of a text were to be estimated.
    #[error("similar compares texts that it reads, and estimates nothing")]
    EstimatedQuery,
    /// Containment is unknown if documents are not compared.
    #[error("containment is known only if documents are compared; here their sketches decide alone")]
    NoContainment,
    /// No document is kept that could contain the removed ones.
    #[error("a least containment needs a kept document, and no document of a cluster is kept")]
    NothingKept,
    /// Containment is defined for sets, and the plan has weights.
    #[error("containment counts shingles of equal weight, and the plan has other weights")]
    WeighedContainment,
    /// An index is among several inputs of `--against`, or was not opened.
    #[error(
        "{path} is an index; give it alone, without other indexes, files, folders or globs, or add those to it"
    )]
    AgainstIndex {
        /// The folder.
        path: PathBuf,
    },
    /// The plan of the index is not the plan of the job.
    #[error("{}: the index has another plan, or other document frequencies, than this run", folder.display())]
    IndexOfOtherPlan {
        /// The folder.
        folder: PathBuf,
    },
    /// An option that needs more than an index holds.
    #[error("an index does not allow {what}: {why}")]
    NotWithIndex {
        /// The option, such as "star clusters".
        what: &'static str,
        /// The reason.
        why: &'static str,
    },
    /// The text to search for has no features.
    #[error(
        "the text to search for has no features: all its words are stop words, or all its features have no weight"
    )]
    EmptyQuery,
    /// No document has the id that was asked for.
    #[error("no document has the id {id:?}; the first ids are {seen}")]
    NoSuchId {
        /// The id.
        id: String,
        /// The first ids, separated by commas.
        seen: String,
    },
    /// No document that could be read has the id that was asked for. Others could not be read.
    #[error("no document that could be read has the id {id:?}; the first ids are {seen}")]
    NoSuchIdRead {
        /// The id.
        id: String,
        /// The first ids, separated by commas.
        seen: String,
        /// Records that were skipped.
        skipped: u64,
        /// The first of these: place and problem.
        first: String,
    },
    /// Several documents have the id that was asked for.
    #[error("{count} documents have the id {id:?}: {places}; give one of these places instead")]
    RepeatedId {
        /// The id.
        id: String,
        /// How many have it.
        count: usize,
        /// The places of the first ones, separated by commas.
        places: String,
    },
    /// The document that was asked for is a bad record.
    #[error("{place}: {problem}")]
    BadDocument {
        /// File and line.
        place: String,
        /// The problem.
        problem: String,
    },
    /// The table of feature hashes lacks a shingle of a document.
    #[error("{document}: {missing}; add a line for it, or leave the document out")]
    MissingHash {
        /// The document.
        document: String,
        /// The shingle.
        missing: MissingHash,
    },
    /// The search does not use the measure, so a sample of similar pairs does not show how many would be found.
    #[error(
        "only a search by the measure can be tuned: without weights, and by words only with shingles of one word"
    )]
    NotTuned,
}

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Engine(error) => error.kind(),
            Error::Plan(_)
            | Error::NoContainment
            | Error::WeighedContainment
            | Error::NothingKept
            | Error::NotWithIndex { .. }
            | Error::NotTuned
            | Error::FewerDocuments { .. } => ErrorKind::Usage,
            Error::SameOutput { .. } | Error::OutputIsInput { .. } => ErrorKind::Output,
            Error::TooManyDifferences { .. } | Error::MorePairs { .. } => ErrorKind::Budget,
            Error::NoNumber { .. }
            | Error::NoDocuments { .. }
            | Error::OtherDocuments
            | Error::NoList { .. }
            | Error::FirstLine { .. }
            | Error::SecondColumn { .. }
            | Error::ListsDiffer { .. }
            | Error::AgainstIndex { .. }
            | Error::IndexOfOtherPlan { .. }
            | Error::EmptyQuery
            | Error::EstimatedQuery
            | Error::NoSuchId { .. }
            | Error::NoSuchIdRead { .. }
            | Error::RepeatedId { .. }
            | Error::MissingHash { .. }
            | Error::BadDocument { .. } => ErrorKind::Input,
        }
    }

    /// The error of the engine, if it is one.
    pub fn of_engine(&self) -> Option<&lookalike_engine::Error> {
        match self {
            Error::Engine(error) => Some(error),
            _ => None,
        }
    }
}

impl From<lookalike_corpus::Interrupted> for Error {
    fn from(error: lookalike_corpus::Interrupted) -> Self {
        Error::Engine(error.into())
    }
}

impl From<lookalike_corpus::Error> for Error {
    fn from(error: lookalike_corpus::Error) -> Self {
        Error::Engine(error.into())
    }
}
