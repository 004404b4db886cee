use std::fmt;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use super::{ParquetFile, guard::guarded, source::SharedFile};
use crate::{Error, InputFile, Problem};

/// Decoded rows. All batches of a row group except the last one have the same number of rows.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) rows: Option<RecordBatch>,
    /// The reason why no rows follow, if this is not the end of the row group.
    pub(crate) broken: Option<Problem>,
}

/// A row group that is decoded from its start.
pub(crate) struct RowStream {
    /// `Err` if the row group cannot be decoded at all, and `None` after that was reported.
    reader: Option<Result<ParquetRecordBatchReader, String>>,
    source: SharedFile,
}

impl fmt::Debug for RowStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowStream").finish_non_exhaustive()
    }
}

impl RowStream {
    pub(crate) fn new(file: &ParquetFile, row_group: usize) -> RowStream {
        let (reader, source) = file.decode(row_group);
        RowStream { reader: Some(reader), source }
    }

    /// The next rows; `None` at the end.
    ///
    /// # Errors
    /// The errors of reading `file`, if it is remote.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Batch>, Error> {
        let broken = match &mut self.reader {
            None => return Ok(None),
            Some(Ok(reader)) => match guarded(|| reader.next()) {
                Ok(None) => return Ok(None),
                Ok(Some(Ok(rows))) => return Ok(Some(Batch { rows: Some(rows), broken: None })),
                Ok(Some(Err(error))) => error.to_string(),
                Err(message) => message,
            },
            Some(Err(message)) => std::mem::take(message),
        };
        if let Some(failure) = self.source.take_failure() {
            return Err(file.read_error(failure));
        }
        self.reader = None;
        Ok(Some(Batch { rows: None, broken: Some(Problem::BrokenRows { message: broken }) }))
    }
}
