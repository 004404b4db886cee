use std::{io, sync::Arc};

use super::{Dialect, RecordBoundary, WantedColumns, columns::names_in};
use crate::{
    DEFAULT_RECORD_BYTES, Delimiter, Error, Fields, Format, InputFile, Problem, Quoting,
    formats::without_marks,
    read::{
        chunk::{content::Decoded, passed::Passed},
        decode::Decoding,
        unopened::Unopened,
    },
};

/// The number of bytes that are read at first to find the end of the first line of a table.
const HEADER_BYTES: usize = 64 * 1024;

/// The maximum length of a header in bytes. Real headers have some hundred bytes. The limit bounds the memory for a file whose first quote
/// is never closed.
const MAX_HEADER_BYTES: usize = 16 << 20;

/// The records of a table, decoded from its start. The meaning of a line end depends on all quotes before it, so a table cannot
/// be cut into ranges.
#[derive(Debug)]
pub(crate) struct TableStream {
    decoding: Decoding,
    columns: Arc<WantedColumns>,
    /// Decoded bytes that start with a record, and do not contain its end yet.
    carried: Vec<u8>,
    chunk_bytes: usize,
    max_record: u64,
    ended: bool,
}

impl TableStream {
    /// Opens a table, and reads its header. `None` if the file is empty.
    pub(crate) fn open(
        file: &InputFile,
        fields: &Fields,
        chunk_bytes: usize,
        max_record: u64,
    ) -> Result<Option<TableStream>, Unopened> {
        let Some(Start { decoding, carried, dialect, first_line }) = Start::of(file)? else {
            return Ok(None);
        };
        let columns = match &file.columns {
            None => WantedColumns::new(carried[..first_line].to_owned(), dialect, fields)?,
            Some(names) => {
                let mark = carried[..marks_length(&carried)].to_owned();
                WantedColumns::named(names.to_vec(), mark, dialect, fields)?
            }
        };
        let columns = Arc::new(columns);
        Ok(Some(TableStream { decoding, columns, carried, chunk_bytes, max_record, ended: false }))
    }

    /// The fields in the first line of a table. There are none if the file is empty.
    pub(crate) fn first_line_of(file: &InputFile) -> Result<Vec<String>, Unopened> {
        let start = Start::of(file)?;
        Ok(start.map_or(Vec::new(), |start| names_in(&start.carried[..start.first_line], start.dialect)))
    }

    /// The columns of a table, without reading its records. `None` if the file is empty, or is skipped when its records are
    /// read.
    pub(crate) fn columns_of(file: &InputFile, fields: &Fields) -> Result<Option<Arc<WantedColumns>>, Error> {
        match TableStream::open(file, fields, HEADER_BYTES, DEFAULT_RECORD_BYTES) {
            Ok(stream) => Ok(stream.map(|stream| stream.columns)),
            Err(Unopened::Unusable(_)) => Ok(None),
            Err(Unopened::Failed(error)) => Err(error),
        }
    }

    pub(crate) fn columns(&self) -> &Arc<WantedColumns> {
        &self.columns
    }

    /// The next records; `None` at the end. The header stands before the first record.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        self.decode().map_err(|source| file.read_error(source))
    }

    fn decode(&mut self) -> io::Result<Option<Decoded>> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let mut boundary = RecordBoundary::new(self.columns.dialect);
        let wanted = self.chunk_bytes.max(bytes.len() + 1);
        self.decoding.fill(&mut bytes, wanted)?;
        let (mut end, mut seen) = boundary.last_end(&bytes, 0);
        // A record that is longer than a chunk has a chunk of its own. The same number of bytes is read behind it whether it is
        // kept or skipped, so the chunks are the same.
        while end.is_none() && !self.decoding.has_ended() {
            if bytes.len() as u64 > self.max_record {
                return self.pass(bytes, boundary, seen).map(Some);
            }
            let wanted = bytes.len() + self.chunk_bytes;
            self.decoding.fill(&mut bytes, wanted)?;
            (end, seen) = boundary.next_end(&bytes, seen);
        }
        match end {
            Some(end) if !self.decoding.has_ended() => {
                self.carried = bytes.split_off(end);
                Ok(Some(Decoded { bytes, passed: None, broken: None }))
            }
            _ => Ok(self.end(bytes, end.unwrap_or(0))),
        }
    }

    /// The last chunk. Records up to `end` are known to be whole.
    fn end(&mut self, mut bytes: Vec<u8>, end: usize) -> Option<Decoded> {
        self.ended = true;
        let dialect = self.columns.dialect;
        let mut boundary = RecordBoundary::new(dialect);
        let (last, seen) = boundary.last_end(&bytes[end..], 0);
        let end = end + last.unwrap_or(0);
        let mut broken = self.decoding.broken().cloned();
        if broken.is_some() {
            bytes.truncate(end);
        } else if boundary.is_open(&bytes[end..], seen - last.unwrap_or(0)) {
            let record = bytes.split_off(end);
            let unended = !record.ends_with(&[dialect.line_end]);
            broken = Some(open_record(dialect, dialect.lines_in(&record) + u32::from(unended)));
        }
        let any = !bytes.is_empty() || broken.is_some();
        any.then_some(Decoded { bytes, passed: None, broken })
    }

    /// Skips the record that starts with `bytes`. `boundary` has scanned them up to `seen`.
    fn pass(
        &mut self,
        mut bytes: Vec<u8>,
        mut boundary: RecordBoundary,
        mut seen: usize,
    ) -> io::Result<Decoded> {
        let dialect = self.columns.dialect;
        let (mut length, mut lines, mut end) = (0, 0, None);
        while end.is_none() && !self.decoding.has_ended() {
            // Frees the memory of the scanned bytes except the last one, which decides whether a field starts behind it.
            let held = bytes.split_off(seen.saturating_sub(1));
            (length, lines) = (length + bytes.len() as u64, lines + dialect.lines_in(&bytes));
            seen -= bytes.len();
            bytes = held;
            let wanted = bytes.len() + self.chunk_bytes;
            self.decoding.fill(&mut bytes, wanted)?;
            (end, seen) = boundary.next_end(&bytes, seen);
        }
        self.ended = end.is_none();
        if let Some(end) = end {
            self.carried = bytes.split_off(end);
        }
        let unended = !bytes.ends_with(&[dialect.line_end]);
        (length, lines) =
            (length + bytes.len() as u64, lines + dialect.lines_in(&bytes) + u32::from(unended));
        let broken = match self.decoding.broken() {
            _ if !self.ended => None,
            None if boundary.is_open(&bytes, seen) => Some(open_record(dialect, lines)),
            broken => broken.cloned(),
        };
        // If the stream is damaged, the length of the record is not the problem to report.
        let passed = broken.is_none().then_some(Passed { length, lines });
        Ok(Decoded { bytes: Vec::new(), passed, broken })
    }
}

/// The decoded start of a table.
struct Start {
    decoding: Decoding,
    carried: Vec<u8>,
    dialect: Dialect,
    /// The end of the first line in `carried`.
    first_line: usize,
}

impl Start {
    /// Reads the start of a table. `None` if the file is empty.
    fn of(file: &InputFile) -> Result<Option<Start>, Unopened> {
        let mut decoding = Decoding::open(file)?;
        let usual = if file.format == Format::Tsv { Delimiter::TAB } else { Delimiter::COMMA };
        let delimiter = file.delimiter.unwrap_or(usual).byte();
        let (mut carried, mut wanted) = (Vec::new(), HEADER_BYTES);
        loop {
            decoding.fill(&mut carried, wanted).map_err(|source| file.read_error(source))?;
            if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = carried[..] {
                return Err(Problem::Utf16.into());
            }
            let start = marks_length(&carried);
            let table = &carried[start..];
            if let Some(dialect) = Dialect::of(delimiter, file.quoting, table, decoding.has_ended()) {
                let mut boundary = RecordBoundary::new(dialect);
                let first_line = match (boundary.next_end(table, 0), decoding.broken()) {
                    ((Some(end), _), _) => start + end,
                    (_, Some(problem)) => return Err(problem.clone().into()),
                    ((None, seen), None) if boundary.is_open(table, seen) => {
                        return Err(Problem::OpenHeader.into());
                    }
                    (_, None) => carried.len(),
                };
                return Ok((first_line > 0).then_some(Start { decoding, carried, dialect, first_line }));
            }
            if wanted >= MAX_HEADER_BYTES {
                return Err(Problem::OpenHeader.into());
            }
            wanted *= 2;
        }
    }
}

/// The problem of a record whose quote is never closed, so that it spans all `lines` to the end of the file, or that ends in an escape.
fn open_record(dialect: Dialect, lines: u32) -> Problem {
    match dialect.quoting {
        Quoting::Backslashes => Problem::OpenEscape,
        _ => Problem::OpenQuote { lines: lines.into() },
    }
}

/// The length of the byte order marks at the start of `bytes`.
fn marks_length(bytes: &[u8]) -> usize {
    bytes.len() - without_marks(bytes).len()
}
