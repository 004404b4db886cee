use std::fmt;

use arrow_array::RecordBatch;

use super::ArrowFile;
use crate::{Error, InputFile, Problem, opened::is_of_reading, read::rows::RowBatch};

/// The rows of a record batch, which is decoded when the first of them are wanted.
pub(crate) struct ArrowRows {
    file: ArrowFile,
    batch: usize,
    decoded: Option<RecordBatch>,
    next_row: usize,
    ended: bool,
}

impl fmt::Debug for ArrowRows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ArrowRows").field("batch", &self.batch).finish_non_exhaustive()
    }
}

impl ArrowRows {
    pub(crate) fn new(file: &ArrowFile, batch: usize) -> ArrowRows {
        ArrowRows { file: file.clone(), batch, decoded: None, next_row: 0, ended: false }
    }

    /// The next rows; `None` at the end.
    ///
    /// # Errors
    /// The errors of reading `file`.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<RowBatch>, Error> {
        if self.ended {
            return Ok(None);
        }
        let at = match self.file.batches.get(self.batch) {
            Some(Ok(at)) if at.rows == 0 => {
                self.ended = true;
                return Ok(None);
            }
            Some(Ok(at)) => at,
            Some(Err(message)) => {
                self.ended = true;
                let broken = Some(Problem::BrokenRows { message: message.clone() });
                return Ok(Some(RowBatch { rows: None, broken }));
            }
            None => {
                self.ended = true;
                return Ok(Some(RowBatch { rows: None, broken: self.file.broken.clone() }));
            }
        };
        let chunk_rows = at.chunk_rows() as usize;
        if self.decoded.is_none() {
            match self.file.decode(at) {
                Ok(Ok(rows)) => self.decoded = Some(rows),
                Ok(Err(message)) => {
                    self.ended = true;
                    return Ok(Some(RowBatch { rows: None, broken: Some(Problem::BrokenRows { message }) }));
                }
                Err(error) if is_of_reading(&error) => return Err(file.read_error(error)),
                Err(_) => return Err(Error::Changed { path: file.path.clone() }),
            }
        }
        let Some(rows) = &self.decoded else { return Ok(None) };
        let length = chunk_rows.min(rows.num_rows() - self.next_row);
        if length == 0 {
            (self.ended, self.decoded) = (true, None);
            return Ok(None);
        }
        let piece = rows.slice(self.next_row, length);
        self.next_row += length;
        Ok(Some(RowBatch { rows: Some(self.file.parts.of(piece)), broken: None }))
    }
}
