use std::fmt;

use arrow::record_batch::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

use super::ParquetFile;
use crate::Problem;

/// Rows that were decoded, all but the last batch of a row group of the same size.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) rows: Option<RecordBatch>,
    /// Why there is nothing after these rows, if it is not the end of the row group.
    pub(crate) broken: Option<Problem>,
}

/// One row group, decoded from its start.
pub(crate) struct RowStream {
    /// `Err` until it is told that the row group cannot be decoded at all; then `None`.
    reader: Option<Result<ParquetRecordBatchReader, String>>,
}

impl fmt::Debug for RowStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowStream").finish_non_exhaustive()
    }
}

impl RowStream {
    pub(crate) fn new(file: &ParquetFile, row_group: usize) -> RowStream {
        RowStream { reader: Some(file.decode(row_group)) }
    }

    /// The next rows; `None` after the last.
    pub(crate) fn next(&mut self) -> Option<Batch> {
        let broken = match self.reader.as_mut()? {
            Ok(reader) => match reader.next()? {
                Ok(rows) => return Some(Batch { rows: Some(rows), broken: None }),
                Err(error) => error.to_string(),
            },
            Err(message) => std::mem::take(message),
        };
        self.reader = None;
        Some(Batch { rows: None, broken: Some(Problem::BrokenStream { message: broken }) })
    }
}
