//! Why an index cannot be used.

use crate::disk::files::MANIFEST_FILE;
use lookalike_store::Error as StoreError;
use std::path::PathBuf;

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no index.
    #[error("{}: there is no index here", folder.display())]
    NoIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// A new index was to be made where there is one.
    #[error("{}: there is an index already", folder.display())]
    IndexExists {
        /// The folder.
        folder: PathBuf,
    },
    /// A new index was to be made in a folder with other files.
    #[error("{}: {name} is in this folder; an index needs a folder that is new or empty", folder.display())]
    FolderNotEmpty {
        /// The folder.
        folder: PathBuf,
        /// The first file in it.
        name: String,
    },
    /// A folder has files of an index, and not the one that names them.
    #[error(
        "{}: {name} is in this folder, but {MANIFEST_FILE}, which names the files of an index, is missing; restore a backup of the \
         folder, or remove the folder if its documents are not needed",
        folder.display()
    )]
    NoManifest {
        /// The folder.
        folder: PathBuf,
        /// The first file of the index in it.
        name: String,
    },
    /// A file has a name that a file of the index may get, and is none.
    #[error("{}: {name} is in this folder, and is no file of the index; move it to another folder", folder.display())]
    ForeignFile {
        /// The folder.
        folder: PathBuf,
        /// The file.
        name: String,
    },
    /// The folder in which that of a new index would be does not exist.
    #[error("{}: there is no folder {}; make it first", folder.display(), parent.display())]
    NoParent {
        /// The folder of the new index.
        folder: PathBuf,
        /// The missing folder.
        parent: PathBuf,
    },
    /// Another process is adding to the index.
    #[error("{}: another process is adding to this index; wait until it is done, or stop it if it is a service", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// A writer was asked of an index that was opened with [`Index::open`](crate::Index::open).
    #[error("{}: this index was opened to be read only", folder.display())]
    ReadOnly {
        /// The folder.
        folder: PathBuf,
    },
    /// A writer was asked of an index that has given it away.
    #[error("{}: this index was opened for one writer, which was taken; open it again", folder.display())]
    HasWriter {
        /// The folder.
        folder: PathBuf,
    },
    /// Work on an index was asked of a reader whose writer is closed.
    #[error("the index was closed")]
    Closed,
    /// A commit was finished before the one that came before it, or after one that failed.
    #[error("a commit cannot be finished before the ones that came before it")]
    NotInOrder,
    /// A thread cannot be started.
    #[error("cannot start 1 thread: {message}")]
    Thread {
        /// The error of the system.
        message: String,
    },
    /// The thread in the background could not do its work.
    #[error("the newest documents could not be made a run: {failure}")]
    Background {
        /// The failure.
        failure: String,
    },
    /// A document was asked for that the index does not have.
    #[error("the index has no document {number}")]
    NoDocument {
        /// The number.
        number: u64,
    },
    /// A document was asked for that was removed or has expired, and whose text is not on the disk any more.
    #[error("document {number} was removed or has expired, and nothing is left of it")]
    Gone {
        /// The number.
        number: u64,
    },
    /// A file of the index has other bytes than were written.
    #[error("{0}; restore a backup, or make the index again from its documents")]
    Damaged(#[source] StoreError),
    /// The files of the index have another version.
    #[error("{0}; make the index again from its documents")]
    OtherVersion(#[source] StoreError),
    /// The plan of the index has fields or values that this program does not know.
    #[error("{}: made by lookalike {version}, which sketches or compares in a way that this one does not know; make the index again", path.display())]
    OtherProgram {
        /// The manifest of the index.
        path: PathBuf,
        /// The version of the program that made it.
        version: String,
    },
    /// An older program made the sketches of the index: the same texts have other sketches now.
    #[error(
        "{}: its sketches are of version {version}, and this program makes version {}, by which the same texts have other tokens; make \
         the index again from its documents",
        path.display(),
        lookalike::SKETCH_VERSION
    )]
    OlderSketches {
        /// The manifest of the index.
        path: PathBuf,
        /// The version of its sketches.
        version: u64,
    },
    /// A text was asked for, or is needed, and the index stores none.
    #[error("the index stores no texts")]
    NoTexts,
    /// An index without texts cannot have this plan.
    #[error(
        "an index without texts compares sketches alone: MinHash with verify estimate, or SimHash without verification"
    )]
    NeedsTexts,
    /// Weights by TF-IDF have no document frequencies.
    #[error(
        "an index with weights by TF-IDF needs a table of document frequencies, which does not change while it grows"
    )]
    NeedsFrequencies,
    /// Weights by levels have no levels.
    #[error("an index with weights by levels needs the levels, which do not change while it grows")]
    NeedsLevels,
    /// The levels take too much room in the plan.
    #[error("{features} levels are too many for an index, which takes up to 131,072")]
    LargeLevels {
        /// The number of features with a level.
        features: usize,
    },
    /// No feature has a weight by the document frequencies.
    #[error(
        "document frequencies that were counted in {documents} documents give no feature a weight: count more documents"
    )]
    WeightlessFrequencies {
        /// The number of documents.
        documents: u64,
    },
    /// The document frequencies take too much room in every copy of the index.
    #[error(
        "a table of {features} features is too large for an index, which takes up to 16,777,216: count a sample of the documents"
    )]
    LargeFrequencies {
        /// The number of features in the table.
        features: usize,
    },
    /// The document frequencies are not for the plan.
    #[error(
        "the table of document frequencies is for other weights, tokens, folds, shingles, stop words, feature hash or seed"
    )]
    OtherFrequencies,
    /// An index cannot have this plan.
    #[error("an index takes weights only by SimHash without verification, and is not searched exactly")]
    UnsupportedPlan,
    /// More documents are in clusters than can be numbered.
    #[error("{documents} documents are more than the 4,294,967,295 that one run can hold")]
    TooManyLinked {
        /// The number of these documents.
        documents: u64,
    },
    /// Changes were asked for that the log does not have: it has lost them because their documents are dead, or never had so many.
    #[error(
        "the index does not have its changes from number {sequence} on any more; begin with a backup of it"
    )]
    OldChanges {
        /// The number of the first change that was asked for.
        sequence: u64,
    },
    /// A copy of an index cannot make the changes of that index.
    #[error("the other index cannot be followed: {reason}")]
    NotFollowed {
        /// What is wrong.
        reason: &'static str,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// [`Progress::advance`](crate::Progress::advance) asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Whether a file of the index has other bytes than were written, or is gone.
    pub fn is_damage(&self) -> bool {
        match self {
            Error::Damaged(_) | Error::NoManifest { .. } | Error::NoIndex { .. } => true,
            Error::Store(StoreError::Read { source, .. }) => source.kind() == std::io::ErrorKind::NotFound,
            Error::Store(error) => error.is_damage(),
            _ => false,
        }
    }

    /// Says of damage, and of files of another version, that the index must be made again.
    pub(crate) fn of_index(self) -> Self {
        match self {
            Error::Store(error) if error.is_damage() => Error::Damaged(error),
            Error::Store(error @ StoreError::OtherVersion { .. }) => Error::OtherVersion(error),
            error => error,
        }
    }
}

/// Reports a file of another kind or another owner as damage: it was a file of this index once.
pub(crate) fn as_damage(error: StoreError) -> StoreError {
    match error {
        StoreError::OtherKind { path, .. } => {
            StoreError::Damaged { path, at: 0, what: "it does not start as it should" }
        }
        StoreError::OtherOwner { path, .. } => {
            StoreError::Damaged { path, at: 0, what: "it is of another index" }
        }
        error => error,
    }
}
