use std::sync::Arc;

use arrow_schema::Fields as Columns;
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{
            ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
            ParquetRecordBatchReaderBuilder,
        },
    },
    file::metadata::RowGroupMetaData,
    schema::types::TypePtr,
};

use super::{
    group::GroupReader, guard::guarded, int96::in_microseconds, path, source::SharedFile, values::check_texts,
};
use crate::{
    Fields, InputFile, Problem,
    read::{scan::Scan, unopened::Unopened},
};

/// The rows of a chunk. With the usual few KiB of text in a row, a batch is about as large as a chunk of lines. Parquet can
/// only be cut between rows.
const BATCH_ROWS: u64 = 1024;

/// The maximum size of a batch in bytes, with all its columns. Longer rows make smaller batches, as each worker holds one.
const BATCH_BYTES: u64 = 64 << 20;

/// A Parquet file whose row groups can be decoded independently.
#[derive(Debug, Clone)]
pub(crate) struct ParquetFile {
    source: SharedFile,
    pub(crate) metadata: ArrowReaderMetadata,
    /// The columns of the wanted fields.
    wanted: ProjectionMask,
    parts: Parts,
    /// Whether the schema of Arrow that the writer noted, if it did, could be read.
    pub(crate) knows_arrow_schema: bool,
}

/// What is read of each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parts {
    /// The columns of the wanted fields.
    Wanted,
    /// The same, of rows whose other columns are readable as well.
    WantedOfWhole,
    /// All columns as the file has them, to be written again.
    Whole,
}

/// The decoders of a row group.
pub(super) struct Decoders {
    /// The wanted columns, as texts and numbers. Rows that are only written again are not decoded that far.
    pub(super) wanted: Option<ParquetRecordBatchReader>,
    /// Columns as the file has them: all, or those beside the wanted ones.
    pub(super) others: GroupReader,
    pub(super) batch_rows: usize,
}

impl ParquetFile {
    /// Opens a file, and reads its footer.
    ///
    /// # Errors
    /// [`Problem::NotParquet`] if there is no footer, and [`Problem::MissingColumn`] or [`Problem::ColumnType`] if there is no
    /// text.
    pub(crate) fn open(
        file: &InputFile,
        fields: &Fields,
        scan: Scan,
        whole_rows: bool,
    ) -> Result<ParquetFile, Unopened> {
        let (source, metadata, knows_arrow_schema) = contents(file)?;
        let wanted = wanted_columns(&metadata, fields, scan)?;
        let parts = match scan {
            Scan::Records | Scan::RecordsInOrder => Parts::Whole,
            _ if whole_rows => Parts::WantedOfWhole,
            _ => Parts::Wanted,
        };
        let opened = ParquetFile { source, metadata, wanted, parts, knows_arrow_schema };
        // A broken file may claim more rows than chunks can be numbered.
        let chunks =
            (0..opened.row_groups()).try_fold(0_u32, |sum, group| sum.checked_add(opened.chunks_in(group)));
        match chunks {
            Some(_) => Ok(opened),
            None => {
                let message = "its metadata claims too many rows".to_owned();
                Err(Problem::NotParquet { message }.into())
            }
        }
    }

    /// The columns of a file.
    ///
    /// # Errors
    /// [`Problem::NotParquet`] if the file has no footer.
    pub(crate) fn fields_of(file: &InputFile) -> Result<Columns, Unopened> {
        let (_, metadata, _) = contents(file)?;
        Ok(metadata.schema().fields().clone())
    }

    /// The schema, as the file has it.
    pub(crate) fn schema(&self) -> TypePtr {
        self.metadata.parquet_schema().root_schema_ptr()
    }

    pub(crate) fn row_groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// The number of chunks in a row group.
    pub(crate) fn chunks_in(&self, row_group: usize) -> u32 {
        let rows = self.metadata.metadata().row_group(row_group).num_rows().max(0) as u64;
        u32::try_from(rows.div_ceil(self.batch_rows(row_group))).unwrap_or(u32::MAX)
    }

    /// The number of rows in a batch of a row group. It is the same in every scan, and does not depend on the decoded columns.
    fn batch_rows(&self, row_group: usize) -> u64 {
        let group = self.metadata.metadata().row_group(row_group);
        let (rows, bytes) = (group.num_rows().max(0) as u64, group.total_byte_size().max(0) as u64);
        let of_row = bytes / rows.max(1);
        (BATCH_BYTES / of_row.max(1)).clamp(1, BATCH_ROWS)
    }

    /// The decoders of a row group, and the file that they read from.
    pub(super) fn decode(&self, row_group: usize) -> (Result<Decoders, String>, SharedFile) {
        let group = self.metadata.metadata().row_group(row_group);
        let columns = group.columns().iter().enumerate();
        let columns =
            columns.filter(|(leaf, _)| self.parts != Parts::Wanted || self.wanted.leaf_included(*leaf));
        let ranges = columns.filter_map(|(_, column)| {
            // A broken file may claim any offset.
            let first_page = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let start = u64::try_from(first_page).ok()?;
            Some(start..start.checked_add(u64::try_from(column.compressed_size()).ok()?)?)
        });
        let source = self.source.for_ranges(ranges.collect());
        let decoders = guarded(|| self.decoders(row_group, group, &source));
        (decoders.and_then(|decoders| decoders.map_err(|error| error.to_string())), source)
    }

    fn decoders(
        &self,
        row_group: usize,
        group: &RowGroupMetaData,
        source: &SharedFile,
    ) -> parquet::errors::Result<Decoders> {
        let batch_rows = self.batch_rows(row_group) as usize;
        let wanted = || {
            ParquetRecordBatchReaderBuilder::new_with_metadata(source.clone(), self.metadata.clone())
                .with_projection(self.wanted.clone())
                .with_row_groups(vec![row_group])
                .with_batch_size(batch_rows)
                .build()
        };
        let others = (0..group.num_columns()).filter(|&leaf| match self.parts {
            Parts::Wanted => false,
            Parts::WantedOfWhole => !self.wanted.leaf_included(leaf),
            Parts::Whole => true,
        });
        Ok(Decoders {
            wanted: (self.parts != Parts::Whole).then(wanted).transpose()?,
            others: GroupReader::open(source, group, others)?,
            batch_rows,
        })
    }
}

/// A file, its footer, and whether the schema of Arrow in it could be read.
fn contents(file: &InputFile) -> Result<(SharedFile, ArrowReaderMetadata, bool), Unopened> {
    let source = SharedFile::new(file.open()?, file.length());
    if file.length() == 0 {
        return Err(Problem::NotParquet { message: "the file is empty".to_owned() }.into());
    }
    let load = |options| {
        let metadata = guarded(|| ArrowReaderMetadata::load(&source, options));
        metadata.and_then(|metadata| metadata.map_err(|error| error.to_string()))
    };
    // A writer may have noted types that only it knows, such as integers of 128 bits. The file itself does without them.
    let metadata = load(ArrowReaderOptions::new()).map(|metadata| (metadata, true));
    let metadata = metadata.or_else(|_| {
        load(ArrowReaderOptions::new().with_skip_arrow_metadata(true)).map(|metadata| (metadata, false))
    });
    let metadata =
        metadata.map(|(metadata, is_known)| (with_instants(&metadata).unwrap_or(metadata), is_known));
    let (metadata, knows_arrow_schema) = metadata.map_err(|message| match source.take_failure() {
        Some(failure) => Unopened::Failed(file.read_error(failure)),
        None => Problem::NotParquet { message }.into(),
    })?;
    Ok((source, metadata, knows_arrow_schema))
}

/// The same with the types that [`in_microseconds`] gives.
fn with_instants(metadata: &ArrowReaderMetadata) -> Option<ArrowReaderMetadata> {
    let options = ArrowReaderOptions::new().with_schema(in_microseconds(metadata)?);
    guarded(|| ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)).ok()?.ok()
}

/// The columns of the wanted fields. Other columns of the same structs are left out.
fn wanted_columns(
    metadata: &ArrowReaderMetadata,
    fields: &Fields,
    scan: Scan,
) -> Result<ProjectionMask, Problem> {
    let columns = metadata.schema().fields();
    let texts = check_texts(columns, fields, scan)?;
    let others =
        [&fields.id, &fields.number].into_iter().flatten().chain(&fields.within).chain(&fields.stored);
    let others = others.filter_map(|field| path::find(columns, field).ok());
    let wanted: Vec<_> = texts.into_iter().chain(others).map(|path| path.names).collect();
    let schema = metadata.parquet_schema();
    let leaves = schema.columns().iter().enumerate().filter(|(_, leaf)| {
        let parts = leaf.path().parts();
        wanted.iter().any(|names| parts.len() >= names.len() && names.iter().zip(parts).all(|(a, b)| a == b))
    });
    let leaves: Vec<_> = leaves.map(|(leaf, _)| leaf).collect();
    Ok(ProjectionMask::leaves(schema, leaves))
}
