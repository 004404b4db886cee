use std::{
    fmt,
    io::{self, BufRead, Read},
    sync::Arc,
};

use super::{Boundary, Columns, columns::names_in};
use crate::{
    Error, Fields, Format, InputFile, Problem,
    formats::BYTE_ORDER_MARK,
    opened::is_of_reading,
    read::{chunk::Decoded, decode::decoder},
};

/// The first line of a table is looked for in pieces of this size.
const HEADER_BYTES: usize = 64 * 1024;

/// CSV and TSV are always read from their start: a line end tells nothing unless all quotes before it are known.
pub(crate) struct TableStream {
    decoder: Box<dyn Read + Send>,
    columns: Arc<Columns>,
    /// Decoded bytes that do not end with a record yet. They start with a record.
    carried: Vec<u8>,
    chunk_bytes: usize,
    ended: bool,
}

impl fmt::Debug for TableStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TableStream").field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl TableStream {
    /// Opens a table and reads its header; `None` if the file is empty.
    pub(crate) fn open(
        file: &InputFile,
        fields: &Fields,
        chunk_bytes: usize,
    ) -> Result<Option<TableStream>, Error> {
        let Some(Start { decoder, carried, first_line }) = Start::of(file)? else { return Ok(None) };
        let (delimiter, path) = (delimiter(file), &file.path);
        let columns = match &file.columns {
            None => Columns::new(carried[..first_line].to_owned(), delimiter, fields, path)?,
            Some(names) => {
                let mark = carried[..mark_length(&carried)].to_owned();
                Columns::named(names.to_vec(), mark, delimiter, fields, path)?
            }
        };
        Ok(Some(TableStream { decoder, columns: Arc::new(columns), carried, chunk_bytes, ended: false }))
    }

    /// The fields of the first line of a table; none if the file is empty.
    pub(crate) fn first_line_of(file: &InputFile) -> Result<Vec<String>, Error> {
        let start = Start::of(file)?;
        Ok(start.map_or(Vec::new(), |start| names_in(&start.carried[..start.first_line], delimiter(file))))
    }

    /// The columns of a table, without its records; `None` if the file is empty.
    pub(crate) fn columns_of(file: &InputFile, fields: &Fields) -> Result<Option<Arc<Columns>>, Error> {
        Ok(TableStream::open(file, fields, HEADER_BYTES)?.map(|stream| stream.columns))
    }

    pub(crate) fn columns(&self) -> &Arc<Columns> {
        &self.columns
    }

    /// The next records; `None` after the last. The first ones have the header before them.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Decoded>, Error> {
        if self.ended {
            return Ok(None);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        let (mut boundary, mut seen, mut end) = (Boundary::new(self.columns.delimiter), 0, None);
        let mut wanted = self.chunk_bytes.max(bytes.len() + 1);
        loop {
            let decoded = read_up_to(&mut *self.decoder, wanted, &mut bytes);
            let last;
            (last, seen) = boundary.last_end(&bytes, seen);
            end = last.or(end);
            match (decoded, end) {
                (Ok(true), _) => {
                    self.ended = true;
                    let mut broken = None;
                    if boundary.is_open(&bytes, seen) {
                        let record = bytes.split_off(end.unwrap_or(0));
                        broken = Some(Problem::OpenQuote { lines: record.lines().count() as u64 });
                    }
                    let any = !bytes.is_empty() || broken.is_some();
                    return Ok(any.then_some(Decoded { bytes, broken }));
                }
                (Ok(false), Some(end)) => {
                    self.carried = bytes.split_off(end);
                    return Ok(Some(Decoded { bytes, broken: None }));
                }
                (Ok(false), None) => wanted = bytes.len() * 2,
                (Err(source), _) if is_of_reading(&source) => return Err(file.read_error(source)),
                (Err(error), _) => {
                    self.ended = true;
                    bytes.truncate(end.unwrap_or(0));
                    let broken = Some(Problem::BrokenStream { message: error.to_string() });
                    return Ok(Some(Decoded { bytes, broken }));
                }
            }
        }
    }
}

/// The decoded start of a table.
struct Start {
    decoder: Box<dyn Read + Send>,
    carried: Vec<u8>,
    /// Where the first line ends, in `carried`.
    first_line: usize,
}

impl Start {
    /// `None` if the file is empty.
    fn of(file: &InputFile) -> Result<Option<Start>, Error> {
        let read_error = |source| file.read_error(source);
        let mut decoder = decoder(file.open()?.reader(), file.compression).map_err(read_error)?;
        let (mut carried, mut wanted) = (Vec::new(), HEADER_BYTES);
        let first_line = loop {
            let ended = read_up_to(&mut *decoder, wanted, &mut carried).map_err(read_error)?;
            let start = mark_length(&carried);
            match Boundary::first_end(delimiter(file), &carried[start..]) {
                Some(end) => break start + end,
                None if ended => break carried.len(),
                None => wanted *= 2,
            }
        };
        Ok((first_line > 0).then_some(Start { decoder, carried, first_line }))
    }
}

fn delimiter(file: &InputFile) -> u8 {
    if file.format == Format::Tsv { b'\t' } else { b',' }
}

/// How long the byte order mark is that `bytes` start with.
fn mark_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Reads until there are `length` bytes; returns whether there are no more.
fn read_up_to(source: &mut dyn Read, length: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let missing = length.saturating_sub(bytes.len()) as u64;
    Ok((source.take(missing).read_to_end(bytes)? as u64) < missing)
}
