use std::path::PathBuf;

/// The longest text that is read. NFKC makes at most eleven bytes of one (U+FDFA). Tokenizers want half as much again, and 32
/// bits count the sum.
pub(crate) const MAX_TEXT_BYTES: usize = 240 << 20;

/// The default limit of a record's length, which is also the longest text. Longer records are skipped while they are read.
/// [`Inputs::skip_longer`](crate::Inputs::skip_longer) changes the limit.
pub const DEFAULT_RECORD_BYTES: u64 = MAX_TEXT_BYTES as u64;

/// The greatest limit of a record's length. A chunk may end with such a record, and 32 bits number the bytes of a chunk.
pub const MAX_RECORD_BYTES: u64 = 2 << 30;

/// The longest page that an encoded body may decode to. Real pages are shorter, and a few bytes can encode gigabytes.
pub(crate) const MAX_DECODED_BYTES: usize = 64 << 20;

/// A record that was skipped: its place, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRecord {
    /// The line or row inside the chunk, counted from 0.
    pub line: u32,
    /// The reason why it was skipped.
    pub problem: Problem,
}

/// The reason why a record was skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The line is not JSON, or something stands behind its JSON value.
    #[error("broken JSON: {message}")]
    BrokenJson {
        /// The message of the parser.
        message: String,
    },
    /// The file changed since an earlier scan, and the record is not in its place.
    #[error("the record is no longer there")]
    Gone,
    /// The line is JSON, but not an object.
    #[error("expected a JSON object, found {found}")]
    NotAnObject {
        /// The kind of value that was found.
        found: &'static str,
    },
    /// The record lacks the text field.
    #[error("no field {field:?}; fields seen: {}", listed(seen))]
    MissingField {
        /// The name of the text field.
        field: String,
        /// The first few fields of this record, in their order.
        seen: Vec<String>,
    },
    /// The first part of the text field's name is the name of a value that is not an object.
    #[error("no field {field:?}: {name:?} is {found}, not an object")]
    NoObjectOnPath {
        /// The name of the text field.
        field: String,
        /// The first part of that name.
        name: String,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// The text field's name leads through a list, and the value there is none.
    #[error("no field {field:?}: {name:?} is {found}, not a list")]
    NoListOnPath {
        /// The name of the text field.
        field: String,
        /// The part of that name before the list.
        name: String,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// A table has no column with the name of the text field.
    #[error("no column {field:?}; columns seen: {}", listed(seen))]
    MissingColumn {
        /// The name of the text field.
        field: String,
        /// The columns of the table. The columns of a struct stand for the struct.
        seen: Vec<String>,
    },
    /// Several columns of a table have the name of a wanted field.
    #[error("{count} columns are called {field:?}; rename all but one")]
    RepeatedColumn {
        /// The name of the field.
        field: String,
        /// How many columns have this name.
        count: usize,
    },
    /// The column of the texts is a struct.
    #[error("column {field:?} is a struct, not text; {}", match texts.is_empty() {
        true => "it has no column of texts".to_owned(),
        false => format!("its columns of texts are {}", listed(texts)),
    })]
    StructColumn {
        /// The column.
        field: String,
        /// The columns of texts in it.
        texts: Vec<String>,
    },
    /// A column of a Parquet file has a type that is not usable for its field.
    #[error("column {field:?} has type {found}; name a column of texts")]
    ColumnType {
        /// The column.
        field: String,
        /// Its type.
        found: String,
    },
    /// A file is not a Parquet file, or its footer is broken.
    #[error("cannot read as Parquet: {message}")]
    NotParquet {
        /// The message of the decoder.
        message: String,
    },
    /// A table is in UTF-16, as its first bytes say. Spreadsheets write such "Unicode text".
    #[error("the table is in UTF-16; convert it with iconv -f UTF-16 -t UTF-8")]
    Utf16,
    /// A file is not Arrow, or it has no schema.
    #[error("cannot read as Arrow: {message}")]
    NotArrow {
        /// The message of the decoder.
        message: String,
    },
    /// The text field holds a value that is not a text.
    #[error("field {field:?} is {found}, not text")]
    NotText {
        /// The name of the text field.
        field: String,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// The text field holds an object.
    #[error("field {field:?} is an object, not text; its fields are {}", listed(seen))]
    ObjectNotText {
        /// The name of the text field.
        field: String,
        /// The first few fields of the object.
        seen: Vec<String>,
    },
    /// The record holds bytes that are not UTF-8.
    #[error("invalid UTF-8 at byte {byte} of the record")]
    InvalidUtf8 {
        /// The byte of the record at which it stops being UTF-8.
        byte: usize,
    },
    /// The text field of a table holds bytes that are not UTF-8.
    #[error("invalid UTF-8 at byte {byte} of field {field:?}")]
    InvalidUtf8Text {
        /// The name of the text field.
        field: String,
        /// The byte of the field at which it stops being UTF-8.
        byte: usize,
    },
    /// The row of a table has another number of fields than the header.
    #[error("the row has {}, and the header has {expected}", fields(*found))]
    RowLength {
        /// The number of fields in the row.
        found: usize,
        /// The number of fields in the header.
        expected: usize,
    },
    /// The row of a table without a header has another number of fields than the first row.
    #[error("the row has {}, and the first row has {expected}", fields(*found))]
    UnevenRow {
        /// The number of fields in the row.
        found: usize,
        /// The number of fields in the first row.
        expected: usize,
    },
    /// A record of a list has no id. Readers do not know which lists need ids, so the code that reads a list makes this
    /// problem.
    #[error("no id in field {field:?}: it must hold a text or a number")]
    NoId {
        /// The field.
        field: String,
    },
    /// The target of a link in a folder does not exist.
    #[error("the link leads to {}, which is not there", target.display())]
    DanglingLink {
        /// The path that the link holds.
        target: PathBuf,
    },
    /// A text file, or a folder within another one, cannot be read.
    #[error("cannot read: {message}")]
    Unreadable {
        /// The message of the operating system.
        message: String,
    },
    /// The rest of a compressed file cannot be decoded.
    #[error("the compressed data is damaged here, and the rest of the file is not read: {message}")]
    BrokenStream {
        /// The message of the decoder.
        message: String,
    },
    /// A compressed file ends too early.
    #[error("the file ends here, in the middle of its compressed data: it is cut off")]
    CutStream,
    /// A file of Zstandard was compressed with a dictionary that is elsewhere.
    #[error(
        "the rest of the file was compressed with a dictionary, which is not in the file: decompress it with zstd -d -D DICTIONARY"
    )]
    NoDictionary,
    /// A frame of Zstandard has a longer window than the first one, or than is read without asking for memory.
    #[error(
        "the rest of the file was compressed with too long a window: decompress it with zstd -d --long=31"
    )]
    LongWindow,
    /// Rows of a Parquet file cannot be decoded.
    #[error("these rows cannot be decoded, and the rest of their row group is not read: {message}")]
    BrokenRows {
        /// The message of the decoder.
        message: String,
    },
    /// A quote in a table is not closed before the end of the file.
    #[error("a quote that opens in this record is never closed; the rest of the file is not read: {}", match lines {
        1 => "1 line".to_owned(),
        lines => format!("{} lines", thousands(*lines)),
    })]
    OpenQuote {
        /// The lines from the record to the end of the file.
        lines: u64,
    },
    /// A table ends with a backslash that escapes nothing, or with an escaped line end.
    #[error("the file ends behind a backslash, in the middle of this record: it may be cut off")]
    OpenEscape,
    /// A quoted field of a table contains line ends, and text stands between the closing quote and the end of the field.
    #[error(
        "a quote that opens in this record closes {lines} further on, in the middle of a field: what is between may be several records; \
         a quote that is text must be written twice, in a quoted field",
        lines = match lines {
            1 => "1 line".to_owned(),
            lines => format!("{} lines", thousands((*lines).into())),
        }
    )]
    JoinedRecords {
        /// The number of line ends in the record, without the one at its end.
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
    /// Bytes stand in a WARC file where a record should start.
    #[error("no WARC record starts here; reading goes on at the next one")]
    NotWarc,
    /// Bytes stand in an ARC file where a record should start.
    #[error("no ARC record starts here; reading goes on at the next one")]
    NotArc,
    /// Bytes stand in a tar archive where a header should be.
    #[error("no member of a tar archive starts here; reading goes on at the next one")]
    NotTar,
    /// A tar archive ends within a member.
    #[error("the archive ends within {}: it is cut off", match &**name {
        "" => "the header of a member".to_owned(),
        name => format!("the member {name:?}"),
    })]
    CutMember {
        /// The name of the member, or an empty one if the archive ends in its header.
        name: String,
    },
    /// A member of a tar archive holds many records.
    #[error("the member {name:?} is a file of records: unpack the archive, and give its files")]
    RecordsInTar {
        /// The name of the member.
        name: String,
    },
    /// A sample of a tar archive has more than one text.
    #[error(
        "the sample has several texts: {}; --text-field names one of them by its extension, behind the first dot",
        listed(names)
    )]
    SeveralTexts {
        /// The names of their members.
        names: Vec<String>,
    },
    /// The header of a WARC record does not end.
    #[error("the header of the WARC record has no end")]
    OpenHead,
    /// The header of a WARC record does not say how long the record is.
    #[error("{}", match found {
        Some(found) => format!("Content-Length of the WARC record is {found:?}, not a number"),
        None => "the WARC record has no Content-Length".to_owned(),
    })]
    NoLength {
        /// The value of Content-Length, if there is one.
        found: Option<String>,
    },
    /// The record is longer than the limit.
    #[error("the record has {} bytes, more than the limit of {}", thousands(*length), size(*limit))]
    RecordTooLong {
        /// The length of the record in bytes. For a WARC record, the length that its header gives.
        length: u64,
        /// The greatest length in bytes.
        limit: u64,
    },
    /// The header of a table does not end within the limit.
    #[error("the header does not end within 16 MiB, or a quote that opens in it is never closed")]
    OpenHeader,
    /// The file ends within a WARC record.
    #[error(
        "the record has {} of {} bytes: the file is truncated, or the length in its head is wrong",
        thousands(*found),
        thousands(*expected)
    )]
    Truncated {
        /// The length in bytes that the header gives.
        expected: u64,
        /// The bytes that the file holds of it.
        found: u64,
    },
    /// Bytes stand where a WARC record should end.
    #[error("the record does not end after {} bytes, as its head says", thousands(*length))]
    WrongLength {
        /// The length in bytes that the header gives.
        length: u64,
    },
    /// A response in a WARC file is not HTTP.
    #[error("the response is not HTTP, or its header has no end")]
    NotHttp,
    /// The body of a response does not have the encoding that its header names.
    #[error("the body of the response cannot be decoded ({coding}): {message}")]
    BrokenBody {
        /// The encoding that the header names.
        coding: String,
        /// The message of the decoder.
        message: String,
    },
    /// The body of a response has an unknown encoding.
    #[error("the body of the response is encoded as {coding:?}; gzip, deflate, br and zstd can be read")]
    UnknownCoding {
        /// The encoding that the header names.
        coding: String,
    },
    /// The body of a response decodes to more bytes than the limit.
    #[error("the body of the response has more than {} when it is decoded", size(*limit as u64))]
    DecodedTooLong {
        /// The greatest length in bytes.
        limit: usize,
    },
    /// The text is too long to be compared.
    #[error("the text is longer than 240 MiB, the most that can be compared")]
    TooLong,
}

fn fields(number: usize) -> String {
    format!("{number} field{}", if number == 1 { "" } else { "s" })
}

/// The names that a list shows, and the characters of each.
const LISTED: (usize, usize) = (8, 40);

/// The first few names, and the number of the others.
fn listed(names: &[String]) -> String {
    let (most, longest) = LISTED;
    let short = |name: &String| match name.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let first: Vec<String> = names.iter().take(most).map(short).collect();
    match names.len() {
        0 => "none".to_owned(),
        all if all > most => format!("{}, … ({all} in all)", first.join(", ")),
        _ => first.join(", "),
    }
}

/// Formats a limit for people.
fn size(bytes: u64) -> String {
    match bytes % (1 << 20) {
        0 => format!("{} MiB", bytes >> 20),
        _ => format!("{} bytes", thousands(bytes)),
    }
}

/// A number with commas at the thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

impl Problem {
    /// Whether the problem concerns the whole file rather than one record. The file then gives no record.
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            Problem::MissingColumn { .. }
                | Problem::RepeatedColumn { .. }
                | Problem::ColumnType { .. }
                | Problem::StructColumn { .. }
                | Problem::NotParquet { .. }
                | Problem::NotArrow { .. }
                | Problem::Utf16
                | Problem::OpenHeader
        )
    }

    /// Whether the text is missing because no field or column has its name.
    pub fn is_missing_text(&self) -> bool {
        matches!(
            self,
            Problem::MissingField { .. }
                | Problem::NoObjectOnPath { .. }
                | Problem::NoListOnPath { .. }
                | Problem::MissingColumn { .. }
        )
    }
}
