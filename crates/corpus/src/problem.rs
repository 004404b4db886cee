use std::path::PathBuf;

/// The longest text that is read. NFKC makes at most eleven bytes of one (U+FDFA), tokenizers want half as much again,
/// and 32 bits count the sum.
pub(crate) const MAX_TEXT_BYTES: usize = 240 << 20;

/// Longer records are skipped while they are read, unless [`Inputs::skip_longer`](crate::Inputs::skip_longer) says otherwise: as
/// long as the longest text.
pub const DEFAULT_RECORD_BYTES: u64 = MAX_TEXT_BYTES as u64;

/// The longest record that can be asked for: a chunk ends with it, and 32 bits number the bytes of a chunk.
pub const MAX_RECORD_BYTES: u64 = 2 << 30;

/// The longest page that an encoded body may become: real ones have less, and a few bytes can say gigabytes.
pub(crate) const MAX_DECODED_BYTES: usize = 64 << 20;

/// A record that was skipped, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRecord {
    /// The line or row inside the chunk, counted from 0.
    pub line: u32,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The line is not JSON, or JSON with something after it.
    #[error("broken JSON: {message}")]
    BrokenJson {
        /// What the parser says.
        message: String,
    },
    /// The file changed since an earlier scan, and nothing is where the record was.
    #[error("it is not there any more")]
    Gone,
    /// The line is JSON, but not an object.
    #[error("expected a JSON object, found {found}")]
    NotAnObject {
        /// The kind of value that was found.
        found: &'static str,
    },
    /// The record lacks the text field.
    #[error("no field {field:?}; fields seen: {}", if seen.is_empty() { "none".to_owned() } else { seen.join(", ") })]
    MissingField {
        /// The field that was asked for.
        field: String,
        /// The fields of this record, the first few of them, in their order.
        seen: Vec<String>,
    },
    /// The name of the text field leads through a value that is not an object.
    #[error("no field {field:?}: {name:?} is {found}, not an object")]
    NoObjectOnPath {
        /// The field that was asked for.
        field: String,
        /// The first part of its name, which leads to that value.
        name: String,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// A table has no column for the text.
    #[error("no column {field:?}; columns seen: {seen}")]
    MissingColumn {
        /// The field that was asked for.
        field: String,
        /// The columns of the table, separated by commas.
        seen: String,
    },
    /// A column of a Parquet file cannot be read as the field that it was named for.
    #[error("column {field:?} has type {found}; name a column of texts")]
    ColumnType {
        /// The column.
        field: String,
        /// Its type.
        found: String,
    },
    /// A file is not a Parquet file, or is broken at its end, where Parquet keeps its table of contents.
    #[error("cannot read as Parquet: {message}")]
    NotParquet {
        /// What the decoder says.
        message: String,
    },
    /// The text field holds something else than text.
    #[error("field {field:?} is {found}, not text")]
    NotText {
        /// The field that was asked for.
        field: String,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// The record holds bytes that are not UTF-8.
    #[error("invalid UTF-8 at byte {byte} of the record")]
    InvalidUtf8 {
        /// Where in the record the first wrong byte is.
        byte: usize,
    },
    /// The text field of a table holds bytes that are not UTF-8.
    #[error("invalid UTF-8 at byte {byte} of field {field:?}")]
    InvalidUtf8Text {
        /// The field that was asked for.
        field: String,
        /// Where in the field the first wrong byte is.
        byte: usize,
    },
    /// The row of a table has not as many fields as the header.
    #[error("the row has {found} fields where the header has {expected}")]
    RowLength {
        /// How many fields the row has.
        found: usize,
        /// How many the header has.
        expected: usize,
    },
    /// The row of a table without a header has not as many fields as the first one.
    #[error("the row has {found} fields where the first one has {expected}")]
    UnevenRow {
        /// How many fields the row has.
        found: usize,
        /// How many the first one has.
        expected: usize,
    },
    /// The record of a list has no id where it needs one. Readers do not know that; whoever reads lists says it.
    #[error("no id in field {field:?}: it must hold a text or a number")]
    NoId {
        /// The field.
        field: String,
    },
    /// A link in a folder leads to nothing.
    #[error("the link leads to {}, which is not there", target.display())]
    DanglingLink {
        /// Where it leads.
        target: PathBuf,
    },
    /// A text file cannot be read, or a folder in another one.
    #[error("cannot read: {message}")]
    Unreadable {
        /// What the operating system says.
        message: String,
    },
    /// The rest of a compressed file cannot be decoded.
    #[error("the compressed stream is truncated or corrupt here: {message}")]
    BrokenStream {
        /// What the decoder says.
        message: String,
    },
    /// A quote in a table is not closed before the file ends.
    #[error("a quote that opens in this record is never closed; the rest of the file is not read: {}", match lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    })]
    OpenQuote {
        /// The lines from the record to the end of the file.
        lines: u64,
    },
    /// A quoted field of a table goes over line ends, and more of the field stands behind the quote that closes it.
    #[error(
        "a quote that opens in this record closes {lines} further on, in the middle of a field: what is between may be several records; \
         a quote that is text must be written twice, in a quoted field",
        lines = match lines {
            1 => "1 line".to_owned(),
            lines => format!("{lines} lines"),
        }
    )]
    JoinedRecords {
        /// The line ends in the record, but for its own.
        lines: u32,
    },
    /// A table whose header ends in a carriage return has a line feed outside quotes.
    #[error(
        "a line feed stands outside quotes, and the header ends in a carriage return: the record may be several; \
         end all lines of the file in the same way"
    )]
    MixedLineEnds,
    /// A JSON array, or an element of it, has no end.
    #[error(
        "the JSON array does not end: its file is cut off here, or a quote or a brace in this element is never closed"
    )]
    OpenArray,
    /// Something stands in a file behind its JSON array.
    #[error("something stands behind the end of the JSON array; the rest of the file is not read")]
    BehindArray,
    /// A comma stands behind the last element of a JSON array.
    #[error("broken JSON: a comma stands behind the last element of the array")]
    TrailingComma,
    /// Something stands in a WARC file where a record should start.
    #[error("no WARC record starts here; reading goes on at the next one")]
    NotWarc,
    /// The header of a WARC record does not end.
    #[error("the header of the WARC record has no end")]
    OpenHead,
    /// The header of a WARC record does not say how long the record is.
    #[error("{}", match found {
        Some(found) => format!("Content-Length of the WARC record is {found:?}, not a number"),
        None => "the WARC record has no Content-Length".to_owned(),
    })]
    NoLength {
        /// What stands there, if anything does.
        found: Option<String>,
    },
    /// The record is longer than those that are read.
    #[error("the record has {length} bytes, more than the limit of {}", size(*limit))]
    RecordTooLong {
        /// How many bytes it has; of a WARC record, how many its header says it has.
        length: u64,
        /// How many it may have.
        limit: u64,
    },
    /// The header of a table has no end where it should.
    #[error("the header does not end within 16 MiB, or a quote that opens in it is never closed")]
    OpenHeader,
    /// The file ends within a WARC record.
    #[error(
        "the WARC record has {found} of {expected} bytes: the file is truncated, or Content-Length is wrong"
    )]
    Truncated {
        /// How many bytes its header says it has.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// There is more where a WARC record should be over.
    #[error("the WARC record does not end after {length} bytes, as its Content-Length says")]
    WrongLength {
        /// How many bytes its header says it has.
        length: u64,
    },
    /// A response in a WARC file is not HTTP.
    #[error("the response is not HTTP, or its header has no end")]
    NotHttp,
    /// The body of a response is encoded as it cannot be.
    #[error("the body of the response cannot be decoded ({coding}): {message}")]
    BrokenBody {
        /// The encoding that its header names.
        coding: String,
        /// What the decoder says.
        message: String,
    },
    /// The body of a response is encoded in a way that is not known.
    #[error("the body of the response is encoded as {coding:?}; gzip, deflate, br and zstd can be read")]
    UnknownCoding {
        /// What its header names.
        coding: String,
    },
    /// The body of a response is longer than it looks.
    #[error("the body of the response has more than {} when it is decoded", size(*limit as u64))]
    DecodedTooLong {
        /// How many bytes it may have.
        limit: usize,
    },
    /// The text is too long to be compared.
    #[error("the text is longer than 240 MiB, the most that can be compared")]
    TooLong,
}

/// A limit, for people.
fn size(bytes: u64) -> String {
    match bytes % (1 << 20) {
        0 => format!("{} MiB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}

impl Problem {
    /// Is it a fault of the whole file, which gives no record, and not of one?
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            Problem::MissingColumn { .. }
                | Problem::ColumnType { .. }
                | Problem::NotParquet { .. }
                | Problem::OpenHeader
        )
    }

    /// Is the text missing because there is no field, or no column, of its name?
    pub fn is_missing_text(&self) -> bool {
        matches!(
            self,
            Problem::MissingField { .. } | Problem::NoObjectOnPath { .. } | Problem::MissingColumn { .. }
        )
    }
}
