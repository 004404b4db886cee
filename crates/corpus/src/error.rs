use crate::{Interrupted, Problem};
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
    /// A file is an input and is compared against too, so that nothing of it would stay.
    #[error(
        "{input} is an input, and {against}, which the inputs are compared against, is the same file: nothing of it would stay; \
         leave it out of one of the two"
    )]
    AlsoInput {
        /// The name under which it is compared against.
        against: String,
        /// The name under which it is an input.
        input: String,
    },
    /// Records in memory have no file that kept ones could be copied from.
    #[error("{name}: records in memory are not written to a file; select the kept rows by their numbers")]
    InMemory {
        /// The name of the source.
        name: String,
    },
    /// No input was given.
    #[error("no input; give files, folders, quoted globs, or - for standard input")]
    NoInput,
    /// Standard input or a pipe, whose name tells no format, does not show by its content what it is.
    #[error(
        "{name} must be JSONL, a JSON array, Parquet, WARC or HTML; save it to a file that ends in {known} to read another format"
    )]
    Stream {
        /// What it is called.
        name: String,
        /// The known extensions, separated by spaces.
        known: String,
    },
    /// A Parquet file is, or is to be, compressed as a whole, so that it could not be read from its end.
    #[error("{path}: Parquet is compressed inside, not as a whole; use a plain .parquet file")]
    CompressedParquet {
        /// The file.
        path: PathBuf,
    },
    /// What can be read only once could not be put aside to be read again.
    #[error(
        "{name}: cannot copy it to {folder}, to be read again: {source}; set TMPDIR to a folder with room for it"
    )]
    Spool {
        /// What was to be copied.
        name: PathBuf,
        /// Where to.
        folder: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The operating system refused to read.
    #[error("{path}: cannot read: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// A file that is read as one text is not UTF-8.
    #[error(
        "{path}:{line}: invalid UTF-8 at byte {byte} of the line; convert the file to UTF-8, for example with iconv"
    )]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Where in the line the first wrong byte is.
        byte: usize,
    },
    /// A file cannot be read as one text, or as a table.
    #[error("{path}: {problem}")]
    BadText {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A file is not the one that was there when the inputs were resolved.
    #[error("{path}: the file changed while it was read; run again when nothing writes to it")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A list of ids is a list in JSON, of which no line is an object.
    #[error("{path}: a list in JSON, not one object a line; jq -c '.[]' FILE makes that of it")]
    JsonList {
        /// The file.
        path: PathBuf,
    },
    /// Rows that were read of a Parquet file cannot be put together.
    #[error("{path}: cannot read as Parquet: {message}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the decoder says.
        message: String,
    },
    /// The operating system refused to write.
    #[error("{path}: cannot write: {source}")]
    Write {
        /// The output.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// A name leads to the network, and this build has none.
    #[error("{name}: this build cannot read remote files; they need the feature remote")]
    WithoutRemote {
        /// The name.
        name: String,
    },
    /// A file is, or is to be, Parquet, and this build has none.
    #[error("{path}: this build cannot read Parquet; it needs the feature parquet, which is on by default")]
    WithoutParquet {
        /// The file.
        path: PathBuf,
    },
    /// A name that leads to the network is wrong.
    #[error("{name}: {problem}")]
    RemoteName {
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The folder of an output does not exist.
    #[error("{path}: there is no folder {folder}; create it first")]
    NoFolder {
        /// The output.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// An output would take the place of an input.
    #[error("{path}: the output is also an input; choose another place")]
    OutputIsInput {
        /// The output.
        path: PathBuf,
    },
    /// The name of the output asks for another format than that of the inputs.
    #[error("{out}: kept records stay in their format; end the name in {expected}")]
    FormatChanged {
        /// The output.
        out: PathBuf,
        /// The extensions that the name may have.
        expected: String,
    },
    /// Files that are a document each cannot be joined into one.
    #[error("{out}: text files and HTML pages are kept as files; give a folder as the output")]
    TextToFile {
        /// The output.
        out: PathBuf,
    },
    /// Standard output takes what can be joined, and read without a name.
    #[error(
        "only JSONL, JSON arrays, CSV, TSV or WARC can go to standard output; give a file or a folder as the output"
    )]
    NotToStandardOutput,
    /// Tables with different columns cannot be joined into one.
    #[error("{first} and {second} have different columns; give a folder as the output")]
    ColumnsDiffer {
        /// The first file.
        first: String,
        /// The file whose columns differ from those of the first.
        second: String,
    },
    /// Tables whose lines end differently cannot be joined into one.
    #[error(
        "{first} and {second} end their lines differently, by line feeds and by carriage returns; give a folder as the output"
    )]
    LineEndsDiffer {
        /// The first file.
        first: String,
        /// The file whose lines end otherwise.
        second: String,
    },
    /// Text files, pages and archives have no fields to add to.
    #[error(
        "{path}: only JSONL, JSON arrays, Parquet, CSV and TSV can be annotated; write the clusters to a file of their own instead"
    )]
    AnnotatedText {
        /// The file.
        path: PathBuf,
    },
    /// A record has a field of a name that is to be added.
    #[error(
        "{path}: there is already a field {field:?}; rename it, or write the clusters to a file of their own"
    )]
    FieldExists {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
    },
    /// The name of a table does not tell its format.
    #[error("{path}: unknown format; end the name in {known}")]
    UnknownTable {
        /// The output.
        path: PathBuf,
        /// The extensions that the name may have.
        known: String,
    },
}

impl Error {
    /// Was the run stopped while it waited for a server or a pipe?
    pub fn is_interrupt(&self) -> bool {
        match self {
            Error::Read { source, .. } | Error::Write { source, .. } | Error::Spool { source, .. } => {
                source.get_ref().is_some_and(|inner| inner.is::<Interrupted>())
            }
            _ => false,
        }
    }
}
