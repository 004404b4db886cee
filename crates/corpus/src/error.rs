use crate::{Interrupted, Problem, inputs::TableKind};
use std::path::{Path, PathBuf};

/// The reason why the inputs cannot be read, or the outputs cannot be written, at all.
///
/// A single bad record is not an error: it is a [`BadRecord`](crate::BadRecord).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input is a link to nothing.
    #[error("{name}: a link to {target}, which does not exist")]
    MissingTarget {
        /// The input as it was given.
        name: String,
        /// The path that the link holds.
        target: PathBuf,
    },
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
    /// A glob is not valid.
    #[error("{pattern}: not a valid glob: {message}")]
    BadPattern {
        /// The glob as it was given.
        pattern: String,
        /// The message of the parser.
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
    /// The same file was given twice, so every document in it would be a duplicate.
    #[error("{first} and {second} are the same file; name it once")]
    Twice {
        /// The name under which it came first.
        first: String,
        /// The name under which it came again.
        second: String,
    },
    /// A source in memory has the name of another source or file, so documents of both would have the same places.
    #[error("two inputs are called {name}, and one of them is in memory; give it another name")]
    SameName {
        /// The name.
        name: String,
    },
    /// A file is both an input and compared against, so all its documents would be removed.
    #[error(
        "{input} is an input, and {against}, which the inputs are compared against, is the same file: none of its documents would be kept; \
         name it only once"
    )]
    AlsoInput {
        /// Its name among the files to compare against.
        against: String,
        /// Its name among the inputs.
        input: String,
    },
    /// Records in memory have no file that kept ones could be copied from.
    #[error("{name}: records in memory are not written to a file; select the kept rows by their numbers")]
    InMemory {
        /// The name of the source.
        name: String,
    },
    /// A text in memory cannot be read.
    #[error("{name}: {source}")]
    UnreadableText {
        /// The name of the source.
        name: String,
        /// The reason that its [`Texts`](crate::Texts) give.
        source: crate::UnreadableText,
    },
    /// No input was given.
    #[error("no input; give files, folders, quoted globs, or - for standard input")]
    NoInput,
    /// The format of standard input or a pipe is not known, neither from its name nor from its content.
    #[error(
        "{name} must be JSONL, a JSON array, Parquet, Arrow, WARC, ARC, tar or HTML; save it to a file that ends in {known} to read another format"
    )]
    Stream {
        /// The name of the stream.
        name: String,
        /// The known extensions, separated by spaces.
        known: String,
    },
    /// A file of Parquet or Arrow is, or would be, compressed as a whole. Such files are read from any place, so this does not work.
    #[error(
        "{path}: {format} is compressed inside, not as a whole; use a plain file, without another extension"
    )]
    CompressedInside {
        /// The name of the format.
        format: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A stream that can be read only once could not be copied to a temporary file.
    #[error(
        "{name}: cannot copy it to a temporary file in {folder}: {source}; set TMPDIR to a folder with room for it"
    )]
    Spool {
        /// The name of the stream.
        name: PathBuf,
        /// The folder of the temporary file.
        folder: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The operating system refused to read, or a server did.
    #[error("{path}: cannot read: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file that holds one text is not UTF-8.
    #[error(
        "{path}:{line}: invalid UTF-8 at byte {byte} of the line; convert the file to UTF-8, for example with iconv"
    )]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The byte of the line at which it stops being UTF-8.
        byte: usize,
    },
    /// A file cannot be read as one text, or as a table.
    #[error("{path}: {problem}")]
    BadText {
        /// The file.
        path: PathBuf,
        /// The problem of the file.
        problem: Problem,
    },
    /// A file has changed since the inputs were resolved.
    #[error("{path}: the file changed while it was read; run again when nothing writes to it")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A list of ids is a JSON array, where one object on each line is expected.
    #[error("{path}: a JSON array, not one object a line; convert it with jq -c '.[]' FILE")]
    JsonList {
        /// The file.
        path: PathBuf,
    },
    /// A folder is a table whose files cannot be read by themselves.
    #[error(
        "{path}: this is {name}; its log says which of its files count. Read it in Python, and pass {reads} to lookalike.dedup; \
         or name the files that you want"
    )]
    Table {
        /// The folder.
        path: PathBuf,
        /// The kind of the table.
        name: &'static str,
        /// What reads it.
        reads: &'static str,
    },
    /// A file has a format that is not read.
    #[error("{path}: this is {name}, which is not read; {remedy}")]
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// The format.
        name: &'static str,
        /// What to do with it.
        remedy: &'static str,
    },
    /// The kept rows of a Parquet file cannot be collected.
    #[error("{path}: cannot read as Parquet: {message}")]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The message of the decoder.
        message: String,
    },
    /// The operating system refused to write, or a server did.
    #[error("{path}: cannot write: {source}")]
    Write {
        /// The output.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A name leads to the network, and this build has no network.
    #[error(
        "{name}: this build of lookalike-corpus reads no files behind a network; its feature `remote` adds them"
    )]
    WithoutRemote {
        /// The name.
        name: String,
    },
    /// A file is, or would be, Parquet or Arrow, and this build cannot read them.
    #[error(
        "{path}: this build cannot read Parquet and Arrow; it needs the feature parquet, which is on by default"
    )]
    WithoutParquet {
        /// The file.
        path: PathBuf,
    },
    /// Two samples of one name would stand side by side in a tar archive, and would be one sample there.
    #[error(
        "{path}: two samples called {key:?} would be one there; write each archive to a file of its own, in a folder"
    )]
    SameKey {
        /// The output.
        path: PathBuf,
        /// The key of both.
        key: String,
    },
    /// A zip file, or a web archive in it, cannot be read.
    #[error("{path}: the zip file cannot be read: {message}")]
    BadZip {
        /// The file.
        path: PathBuf,
        /// The reason.
        message: String,
    },
    /// Rows of Arrow have a type that cannot be written again.
    #[error("{path}: its rows cannot be written again: {message}")]
    ArrowTypes {
        /// The file.
        path: PathBuf,
        /// The message of the writer.
        message: String,
    },
    /// A name that leads to the network is not valid.
    #[error("{name}: {problem}")]
    RemoteName {
        /// The name.
        name: String,
        /// The reason why it is not valid.
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
    /// The name of the output has the extension of another format than the inputs.
    #[error(
        "{out}: kept records stay in their format, {format}, and are not converted; end the name in {expected}"
    )]
    FormatChanged {
        /// The output.
        out: PathBuf,
        /// The format of the inputs.
        format: &'static str,
        /// The extensions that the name may have.
        expected: String,
    },
    /// Inputs of several formats cannot be joined into one file.
    #[error(
        "{out}: the inputs are {formats}, and each stays in its format; give a folder as the output, such as {}/",
        folder_for(out).display()
    )]
    FormatsDiffer {
        /// The output.
        out: PathBuf,
        /// The formats of the inputs, such as `JSONL and CSV`.
        formats: String,
    },
    /// The inputs are members of a tar archive and other files, or of several archives, whose members may have the same names.
    #[error(
        "{out}: a tar archive takes the files of one archive; give a folder as the output, such as {}/, or run each archive by itself",
        folder_for(out).display()
    )]
    NotOneTar {
        /// The output.
        out: PathBuf,
    },
    /// The name of the output has an unknown extension, so it may be meant as a file.
    #[error("{out}: the extension is unknown; end the name in {expected}, or in / if it is a folder")]
    UnknownExtension {
        /// The output.
        out: PathBuf,
        /// The extensions that the name may have.
        expected: String,
    },
    /// Files that are one document each cannot be joined into one file.
    #[error(
        "{out}: text files and HTML pages are kept as files; give a folder as the output, such as {}/",
        folder_for(out).display()
    )]
    TextToFile {
        /// The output.
        out: PathBuf,
    },
    /// Only formats that can be joined, and recognised without a name, can go to standard output.
    #[error(
        "only JSONL, JSON arrays, CSV, TSV, WARC, ARC or tar can go to standard output; give a file or a folder as the output"
    )]
    NotToStandardOutput,
    /// Tables with different columns cannot be joined into one.
    #[error("{first} and {second} have different columns; give a folder as the output")]
    ColumnsDiffer {
        /// The first file.
        first: String,
        /// The first file with other columns.
        second: String,
    },
    /// Tables with different line ends cannot be joined into one.
    #[error(
        "{first} and {second} end their lines differently, by line feeds and by carriage returns; give a folder as the output"
    )]
    LineEndsDiffer {
        /// The first file.
        first: String,
        /// The file with other line ends.
        second: String,
    },
    /// The text of a page is made of its HTML, and that of an archive's record of its headers and its body. Neither can take another text.
    #[error(
        "{path}: passages can be cut out of JSONL, JSON arrays, Parquet, Arrow, CSV, TSV and text files; list them \
         instead"
    )]
    EditedText {
        /// The file.
        path: PathBuf,
    },
    /// A text of several values has no place for another text.
    #[error("the text is read from {fields}, and passages can be cut out of a text that is one value")]
    EditedFields {
        /// The fields.
        fields: String,
    },
    /// Text files, pages and archives have no fields, so nothing can be added to them.
    #[error(
        "{path}: only JSONL, JSON arrays, Parquet, Arrow, CSV and TSV can be annotated; write the clusters to a file of their own instead"
    )]
    AnnotatedText {
        /// The file.
        path: PathBuf,
    },
    /// Fields of a table are never quoted, and its delimiter may be in the fields to add.
    #[error(
        "{path}: the added fields may hold the delimiter {delimiter:?}, and fields are never quoted; write the clusters to a file of their own \
         instead"
    )]
    AnnotatedDelimiter {
        /// The file.
        path: PathBuf,
        /// The delimiter.
        delimiter: char,
    },
    /// A record already has a field with the name of an added one.
    #[error(
        "{path}: there is already a field {field:?}; rename it, or write the clusters to a file of their own"
    )]
    FieldExists {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
    },
    /// The name of a table has no known extension.
    #[error("{path}: unknown format; end the name in {known}")]
    UnknownTable {
        /// The output.
        path: PathBuf,
        /// The extensions that the name may have.
        known: String,
    },
}

/// A folder that is called as the file, without its extensions.
fn folder_for(file: &Path) -> PathBuf {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match name.split('.').next() {
        Some(stem) if !stem.is_empty() => file.with_file_name(stem),
        _ => PathBuf::from("kept"),
    }
}

impl Error {
    /// The error for a folder that is a table.
    pub(crate) fn table(folder: &Path, kind: TableKind) -> Error {
        Error::Table { path: folder.to_owned(), name: kind.name, reads: kind.reads }
    }

    /// Whether the run was stopped while it waited for a server or a pipe.
    pub fn is_interrupt(&self) -> bool {
        match self {
            Error::Read { source, .. } | Error::Write { source, .. } | Error::Spool { source, .. } => {
                source.get_ref().is_some_and(|inner| inner.is::<Interrupted>())
            }
            _ => false,
        }
    }
}
