//! Arrow IPC: files (also Feather 2) and streams. The rows of a record batch are decoded together and handed out in pieces.
//!
//! Source: Apache Arrow, "Columnar Format", chapters *IPC Streaming Format* and *IPC File Format*.

mod batches;
mod contents;
mod form;
mod stream;

use std::{io, sync::Arc};

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_schema::{Fields as Columns, SchemaRef};

use self::{batches::BatchAt, contents::ArrowContents};
pub(crate) use self::{form::ArrowForm, stream::ArrowRows};
use super::{BatchRows, guard::guarded, path, values::check_texts};
use crate::{
    Error, Fields, InputFile, Problem,
    opened::{Opened, is_of_reading},
    read::{Scan, unopened::Unopened},
};

/// The rows of a chunk, as for Parquet.
const CHUNK_ROWS: u64 = 1024;

/// The most bytes of the rows of a chunk.
const CHUNK_BYTES: u64 = 64 << 20;

/// A file or a stream of Arrow, whose record batches can be decoded independently.
#[derive(Debug, Clone)]
pub(crate) struct ArrowFile {
    source: Opened,
    pub(crate) schema: SchemaRef,
    pub(crate) form: ArrowForm,
    /// The compression of the buffers in the first record batch.
    pub(crate) compression: Option<CompressionType>,
    batches: Arc<[Result<BatchAt, String>]>,
    /// The reason why no batches follow, if that is not the end of the file.
    broken: Option<Problem>,
    parts: DecodedColumns,
    /// The greatest memory of a record batch.
    limit: u64,
}

/// The columns that are decoded.
#[derive(Debug, Clone)]
enum DecodedColumns {
    /// Those of the wanted fields, by their places in the schema.
    Wanted(Arc<[usize]>),
    /// The same, of rows whose other columns are readable as well.
    WantedOfWhole(Arc<[usize]>),
    /// All, to be written again.
    Whole,
}

impl ArrowFile {
    /// Opens a file, and finds its record batches.
    ///
    /// # Errors
    /// [`Problem::NotArrow`] if there is no schema, and [`Problem::MissingColumn`] or [`Problem::ColumnType`] if there is no text.
    pub(crate) fn open(
        file: &InputFile,
        fields: &Fields,
        scan: Scan,
        whole_rows: bool,
    ) -> Result<ArrowFile, Unopened> {
        let (source, contents) = contents(file)?;
        let wanted = wanted_columns(&contents.schema, fields, scan)?;
        let parts = match scan {
            Scan::Records | Scan::RecordsInOrder => DecodedColumns::Whole,
            _ if whole_rows => DecodedColumns::WantedOfWhole(wanted),
            _ => DecodedColumns::Wanted(wanted),
        };
        let ArrowContents { schema, form, compression, batches, broken } = contents;
        let batches = batches.into();
        let opened = ArrowFile { source, schema, form, compression, batches, broken, parts, limit: u64::MAX };
        let chunks =
            (0..opened.batches()).try_fold(0_u32, |sum, batch| sum.checked_add(opened.chunks_in(batch)));
        match chunks {
            Some(_) => Ok(opened),
            None => Err(not_arrow("its metadata claims too many rows")),
        }
    }

    /// Decodes no record batch that takes more memory.
    pub(crate) fn limit_batches(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// The columns of a file.
    ///
    /// # Errors
    /// [`Problem::NotArrow`] if the file has no schema.
    pub(crate) fn fields_of(file: &InputFile) -> Result<Columns, Unopened> {
        let (_, contents) = contents(file)?;
        Ok(contents.schema.fields().clone())
    }

    /// The number of record batches. A last one stands for the reason why none follow.
    pub(crate) fn batches(&self) -> usize {
        self.batches.len() + usize::from(self.broken.is_some())
    }

    /// The most rows of a record batch.
    pub(crate) fn most_rows(&self) -> u64 {
        self.batches.iter().flatten().map(|batch| batch.rows).max().unwrap_or(0)
    }

    /// The number of chunks in a record batch.
    pub(crate) fn chunks_in(&self, batch: usize) -> u32 {
        let Some(Ok(at)) = self.batches.get(batch) else { return 1 };
        u32::try_from(at.rows.div_ceil(at.chunk_rows())).unwrap_or(u32::MAX)
    }

    /// The memory of a record batch that is decoded. One that is too large takes none.
    pub(crate) fn memory_of(&self, batch: usize) -> u64 {
        let memory =
            self.batches.get(batch).and_then(|batch| Some(batch.as_ref().ok()?.memory(&self.source)));
        memory.filter(|&memory| memory <= self.limit).unwrap_or(0)
    }

    /// The columns that are read of a record batch. The first error is that of reading.
    fn decode(&self, batch: &BatchAt) -> io::Result<Result<RecordBatch, String>> {
        let columns = match &self.parts {
            DecodedColumns::Wanted(columns) => Some(&**columns),
            DecodedColumns::WantedOfWhole(_) | DecodedColumns::Whole => None,
        };
        let decoded = match guarded(|| batch.decode(&self.source, columns, self.limit)) {
            Ok(decoded) => decoded?,
            Err(message) => Err(message),
        };
        Ok(match &self.parts {
            DecodedColumns::WantedOfWhole(columns) => {
                decoded.and_then(|rows| rows.project(columns).map_err(|error| error.to_string()))
            }
            DecodedColumns::Wanted(_) | DecodedColumns::Whole => decoded,
        })
    }
}

impl DecodedColumns {
    fn of(&self, rows: RecordBatch) -> BatchRows {
        match self {
            DecodedColumns::Wanted(_) | DecodedColumns::WantedOfWhole(_) => BatchRows::Wanted(rows),
            DecodedColumns::Whole => BatchRows::WholeBatch(rows),
        }
    }
}

impl BatchAt {
    /// The number of rows in a chunk. It is the same in every scan.
    fn chunk_rows(&self) -> u64 {
        let of_row = self.at.body_bytes / self.rows.max(1);
        (CHUNK_BYTES / of_row.max(1)).clamp(1, CHUNK_ROWS)
    }
}

fn not_arrow(message: &str) -> Unopened {
    Problem::NotArrow { message: message.to_owned() }.into()
}

/// A file, and what its messages say.
fn contents(file: &InputFile) -> Result<(Opened, ArrowContents), Unopened> {
    let source = file.open()?;
    let found =
        guarded(|| ArrowContents::of(&source, file.length())).map_err(|message| not_arrow(&message))?;
    let contents = match found {
        Ok(contents) => contents.map_err(|message| not_arrow(&message))?,
        Err(error) if is_of_reading(&error) => return Err(Unopened::Failed(file.read_error(error))),
        Err(_) => return Err(Unopened::Failed(Error::Changed { path: file.path.clone() })),
    };
    Ok((source, contents))
}

/// The columns of the wanted fields, by their places. A struct is read with all its columns.
fn wanted_columns(schema: &SchemaRef, fields: &Fields, scan: Scan) -> Result<Arc<[usize]>, Problem> {
    let columns = schema.fields();
    let texts = check_texts(columns, fields, scan)?;
    let others =
        [&fields.id, &fields.number].into_iter().flatten().chain(&fields.within).chain(&fields.stored);
    let others = others.filter_map(|field| path::find(columns, field).ok());
    let names = texts.into_iter().chain(others).filter_map(|path| path.names.first().copied());
    let mut places: Vec<usize> = names.filter_map(|name| schema.index_of(name).ok()).collect();
    places.sort_unstable();
    places.dedup();
    Ok(places.into())
}
