use std::fmt;

use arrow_array::RecordBatch;
use parquet::errors::{ParquetError, Result as Decoded};

use super::{ParquetFile, file::Decoders, group::Leaves, guard::guarded, source::SharedFile};
use crate::{Error, InputFile, Problem};

/// Decoded rows. All batches of a row group except the last one have the same number of rows.
#[derive(Debug)]
pub(crate) struct RowBatch {
    pub(crate) rows: Option<BatchRows>,
    /// The reason why no rows follow, if this is not the end of the row group.
    pub(crate) broken: Option<Problem>,
}

/// Rows for reading documents, or for writing them again.
#[derive(Debug)]
pub(crate) enum BatchRows {
    Wanted(RecordBatch),
    Whole(Leaves),
    /// Rows of Arrow, to be written again.
    WholeBatch(RecordBatch),
}

/// A row group that is decoded from its start.
pub(crate) struct RowStream {
    /// `Err` if the row group cannot be decoded at all, and `None` after that was reported.
    decoders: Option<Result<Decoders, String>>,
    source: SharedFile,
}

impl fmt::Debug for RowStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RowStream").finish_non_exhaustive()
    }
}

impl RowStream {
    pub(crate) fn new(file: &ParquetFile, row_group: usize) -> RowStream {
        let (decoders, source) = file.decode(row_group);
        RowStream { decoders: Some(decoders), source }
    }

    /// The next rows; `None` at the end.
    ///
    /// # Errors
    /// The errors of reading `file`, if it is remote.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<RowBatch>, Error> {
        let broken = match &mut self.decoders {
            None => return Ok(None),
            Some(Ok(decoders)) => match guarded(|| decoders.next()) {
                Ok(Ok(rows)) => return Ok(rows.map(|rows| RowBatch { rows: Some(rows), broken: None })),
                Ok(Err(error)) => error.to_string(),
                Err(message) => message,
            },
            Some(Err(message)) => std::mem::take(message),
        };
        if let Some(failure) = self.source.take_failure() {
            return Err(file.read_error(failure));
        }
        self.decoders = None;
        Ok(Some(RowBatch { rows: None, broken: Some(Problem::BrokenRows { message: broken }) }))
    }
}

impl Decoders {
    fn next(&mut self) -> Decoded<Option<BatchRows>> {
        let Some(wanted) = &mut self.wanted else {
            return Ok(self.others.next(self.batch_rows)?.map(BatchRows::Whole));
        };
        let Some(rows) = wanted.next() else { return Ok(None) };
        let rows = rows.map_err(ParquetError::from)?;
        // A row that cannot be written again is no document.
        self.others.next(rows.num_rows())?;
        Ok(Some(BatchRows::Wanted(rows)))
    }
}
