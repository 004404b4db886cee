//! Record batches as bytes, for pickles and files.

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A batch as a stream in the IPC format of Arrow.
pub(crate) fn stream_of(batch: &RecordBatch) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = StreamWriter::try_new(&mut bytes, &batch.schema()).and_then(|mut writer| {
        writer.write(batch)?;
        writer.finish()
    });
    written.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(bytes)
}

/// The batch of such a stream.
pub(crate) fn batch_of(bytes: &[u8]) -> PyResult<RecordBatch> {
    let read = StreamReader::try_new(bytes, None).and_then(|mut reader| {
        let schema = reader.schema();
        reader.next().unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))
    });
    read.map_err(|error| PyValueError::new_err(error.to_string()))
}
