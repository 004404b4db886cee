use std::path::PathBuf;

/// Why the inputs cannot be read, or the outputs cannot be written, at all.
///
/// A single record that is wrong is not an error: it is a [`BadRecord`](crate::BadRecord).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input names nothing that exists.
    #[error("{name}: no such file or folder; check the path, or quote it if it is a glob")]
    Missing {
        /// The input as it was given.
        name: String,
    },
    /// A glob matches no file.
    #[error("{pattern}: no file matches; check the pattern, and quote it so that the shell leaves it alone")]
    NoMatch {
        /// The glob as it was given.
        pattern: String,
    },
    /// A glob cannot be understood.
    #[error("{pattern}: not a valid glob: {message}")]
    BadPattern {
        /// The glob as it was given.
        pattern: String,
        /// What is wrong with it.
        message: String,
    },
    /// A folder holds no file of a known format.
    #[error(
        "{path}: the folder holds no file that ends in {known}; name the files themselves to read others"
    )]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
        /// The known extensions, separated by spaces.
        known: String,
    },
    /// The same file was given twice, which would make every document in it a duplicate.
    #[error("{first} and {second} are the same file; name it once")]
    Twice {
        /// The name under which it came first.
        first: String,
        /// The name under which it came again.
        second: String,
    },
    /// No input was given.
    #[error("no input; give files, folders, quoted globs, or - for standard input")]
    NoInput,
    /// Standard input holds neither JSONL nor Parquet.
    #[error(
        "standard input must be JSONL or Parquet; save it to a file that ends in {known} to read another format"
    )]
    StandardInput {
        /// The known extensions, separated by spaces.
        known: String,
    },
    /// A Parquet file is compressed as a whole, so that it cannot be read from its end.
    #[error("{path}: a compressed Parquet file cannot be read in place; decompress it first")]
    CompressedParquet {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused to read.
    #[error("{path}: cannot read: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// A file is not the one that was there when the inputs were resolved.
    #[error("{path}: the file changed while it was read; run again when nothing writes to it")]
    Changed {
        /// The file.
        path: PathBuf,
    },
}
