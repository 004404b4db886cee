//! The kinds of errors: they say what the user has to change.

use super::Error;
use lookalike_corpus::Error as CorpusError;
use lookalike_index::Error as IndexError;
use lookalike_store::Error as StoreError;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request is wrong for any inputs.
    Usage,
    /// The inputs cannot be read, cannot be compared, or changed during the run.
    Input,
    /// An output or a temporary file cannot be written.
    Output,
    /// The run needs more memory, disk or threads than it may take, or has more documents or features than can be numbered.
    Budget,
    /// The run was stopped.
    Interrupted,
    /// A file of Lookalike is damaged.
    Damaged,
}

impl Error {
    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Corpus(error) => of_corpus(error),
            Error::Store(error) => of_store(error),
            Error::Index(error) => of_index(error),
            Error::NoTempDir { .. } | Error::NoLevels | Error::Plan(_) => ErrorKind::Usage,
            Error::TooMany { .. }
            | Error::TooManyPairs { .. }
            | Error::TooManyForStars { .. }
            | Error::TooManyFeatures { .. }
            | Error::TooManyPartners { .. }
            | Error::TooMuchAgainst { .. }
            | Error::TooLittleMemory { .. }
            | Error::LongWindows { .. }
            | Error::TooManyForMemory { .. }
            | Error::TooMuchToHold { .. }
            | Error::TooMuchContainment { .. }
            | Error::DiskTooSmall { .. }
            | Error::Threads { .. } => ErrorKind::Budget,
            Error::Interrupted(_) => ErrorKind::Interrupted,
            Error::Strict { .. }
            | Error::Unusable { .. }
            | Error::NoDocument { .. }
            | Error::AlreadyAdded { .. }
            | Error::Changed { .. }
            | Error::EqualHashes
            | Error::NoGroup { .. }
            | Error::OtherFeatures
            | Error::Busy { .. } => ErrorKind::Input,
        }
    }
}

fn of_corpus(error: &CorpusError) -> ErrorKind {
    match error {
        CorpusError::Write { .. }
        | CorpusError::Spool { .. }
        | CorpusError::NoFolder { .. }
        | CorpusError::OutputIsInput { .. }
        | CorpusError::FormatChanged { .. }
        | CorpusError::TextToFile { .. }
        | CorpusError::NotToStandardOutput
        | CorpusError::ColumnsDiffer { .. }
        | CorpusError::LineEndsDiffer { .. }
        | CorpusError::AnnotatedText { .. }
        | CorpusError::EditedText { .. }
        | CorpusError::EditedFields { .. }
        | CorpusError::AnnotatedDelimiter { .. }
        | CorpusError::FieldExists { .. }
        | CorpusError::UnknownTable { .. } => ErrorKind::Output,
        _ => ErrorKind::Input,
    }
}

fn of_index(error: &IndexError) -> ErrorKind {
    match error {
        IndexError::UnsupportedPlan
        | IndexError::NeedsTexts
        | IndexError::NeedsFrequencies
        | IndexError::NeedsLevels
        | IndexError::LargeLevels { .. }
        | IndexError::LargeFrequencies { .. }
        | IndexError::WeightlessFrequencies { .. }
        | IndexError::OtherFrequencies => ErrorKind::Usage,
        IndexError::IndexExists { .. } | IndexError::FolderNotEmpty { .. } | IndexError::NoParent { .. } => {
            ErrorKind::Output
        }
        IndexError::TooManyLinked { .. } | IndexError::Thread { .. } => ErrorKind::Budget,
        IndexError::Interrupted => ErrorKind::Interrupted,
        IndexError::Damaged(_) => ErrorKind::Damaged,
        IndexError::OtherVersion(error) | IndexError::Store(error) => of_store(error),
        _ => ErrorKind::Input,
    }
}

fn of_store(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::Write { .. } => ErrorKind::Output,
        error if error.is_damage() => ErrorKind::Damaged,
        _ => ErrorKind::Input,
    }
}
