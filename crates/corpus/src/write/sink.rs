use std::mem;

use super::{
    output::Output,
    publish::Complete,
    records::{
        archive::{self, ArchivePacking},
        lines::annotated_header,
        mode::RecordMode,
        rows::{BatchOutput, RowOutput, WrittenBatch, WrittenRows},
    },
    tar::TAR_END,
};
use crate::{
    Compression, Error, Fields, Format, InputFile, Scan,
    formats::without_marks,
    read::{
        rows::{ArrowFile, ParquetFile},
        table::TableStream,
        unopened::Unopened,
    },
};

/// An output of kept records.
#[derive(Debug)]
pub(super) enum RecordSink {
    Bytes {
        output: Box<Output>,
        /// The byte that ends a record.
        line_end: u8,
        /// Whether the inputs are tables, whose header is written once.
        is_table: bool,
    },
    /// Elements of a JSON array.
    Elements {
        output: Box<Output>,
        is_empty: bool,
    },
    /// Members of a tar archive, and the key of the last sample.
    Members {
        output: Box<Output>,
        last: Option<String>,
    },
    Rows(Box<RowOutput>),
    Batches(Box<BatchOutput>),
    /// Records of an archive. If the output is gzip, each record is a member of its own.
    Archive {
        output: Box<Output>,
        compression: Compression,
    },
}

impl RecordSink {
    /// Starts an output with the records of a file. A table gets the header of that file. `None` for a
    /// file of Parquet or Arrow that cannot be opened, as the columns of its output are unknown.
    pub(super) fn open(
        mut output: Output,
        file: &InputFile,
        fields: &Fields,
        mode: RecordMode,
        packing: ArchivePacking<'_>,
    ) -> Result<Option<RecordSink>, Error> {
        let (mut line_end, mut is_table) = (b'\n', false);
        match file.format {
            Format::Jsonl | Format::Html | Format::Text => {}
            Format::Memory => return Err(Error::InMemory { name: file.name.clone() }),
            Format::Json => {
                output.append(b"[")?;
                return Ok(Some(RecordSink::Elements { output: Box::new(output), is_empty: true }));
            }
            Format::Warc | Format::Arc => {
                if let Some(dictionary) = packing.dictionary {
                    output.append(&dictionary.frame)?;
                }
                let compression = packing.compression;
                return Ok(Some(RecordSink::Archive { output: Box::new(output), compression }));
            }
            Format::Tar => return Ok(Some(RecordSink::Members { output: Box::new(output), last: None })),
            Format::Csv | Format::Tsv => {
                is_table = true;
                if let Some(columns) = TableStream::columns_of(file, fields)? {
                    line_end = columns.dialect.line_end;
                    match mode {
                        RecordMode::Copy | RecordMode::Edit => output.append(&columns.header)?,
                        RecordMode::Annotate { score } => {
                            output.append(&annotated_header(&columns, file, score)?)?;
                        }
                    }
                }
            }
            Format::Arrow => {
                let like = match ArrowFile::open(file, fields, Scan::Records, false) {
                    Ok(like) => like,
                    Err(Unopened::Unusable(_)) => return Ok(None),
                    Err(Unopened::Failed(error)) => return Err(error),
                };
                return Ok(Some(RecordSink::Batches(Box::new(BatchOutput::new(output, &like, file, mode)?))));
            }
            Format::Parquet => {
                let like = match ParquetFile::open(file, fields, Scan::Records, false) {
                    Ok(like) => like,
                    Err(Unopened::Unusable(_)) => return Ok(None),
                    Err(Unopened::Failed(error)) => return Err(error),
                };
                return Ok(Some(RecordSink::Rows(Box::new(RowOutput::new(output, &like, file, mode)?))));
            }
        }
        Ok(Some(RecordSink::Bytes { output: Box::new(output), line_end, is_table }))
    }

    pub(super) fn append_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let (output, line_end, is_table) = match self {
            RecordSink::Bytes { output, line_end, is_table } => (output, line_end, *is_table),
            RecordSink::Elements { output, is_empty } if !bytes.is_empty() => {
                output.append(if mem::take(is_empty) { b"\n" } else { b",\n" })?;
                return output.append(bytes);
            }
            _ => return Ok(()),
        };
        let Some(last) = output.last() else { return output.append(bytes) };
        // The records of a further file start on a new line. Byte order marks at its start are dropped. The marks of a table
        // stand before its header, which is not copied. Marks before a record of a table make a quote behind them part of the
        // text, so they stay.
        let bytes = if is_table { bytes } else { without_marks(bytes) };
        if last != *line_end && !bytes.is_empty() {
            output.append(&[*line_end])?;
        }
        output.append(bytes)
    }

    pub(super) fn append_rows(&mut self, rows: WrittenRows) -> Result<(), Error> {
        let RecordSink::Rows(output) = self else { return Ok(()) };
        output.append(rows)
    }

    pub(super) fn append_batch(&mut self, batch: WrittenBatch) -> Result<(), Error> {
        let RecordSink::Batches(output) = self else { return Ok(()) };
        output.append(batch)
    }

    /// Appends records of an archive in the form that [`archive::archived`] returns.
    pub(super) fn append_records(&mut self, records: &[u8]) -> Result<(), Error> {
        let RecordSink::Archive { output, .. } = self else { return Ok(()) };
        output.append(records)
    }

    /// Appends a sample with its key, or another member.
    ///
    /// # Errors
    /// [`Error::SameKey`] if the sample before has the same key: both would be one sample.
    pub(super) fn append_member(&mut self, key: Option<String>, bytes: &[u8]) -> Result<(), Error> {
        let RecordSink::Members { output, last } = self else { return Ok(()) };
        if let Some(key) = key {
            if last.as_ref() == Some(&key) {
                return Err(Error::SameKey { path: output.path().to_owned(), key });
            }
            *last = Some(key);
        }
        output.append(bytes)
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self {
            RecordSink::Bytes { output, .. } => output.complete(),
            RecordSink::Elements { mut output, .. } => {
                output.append(b"\n]\n")?;
                output.complete()
            }
            RecordSink::Members { mut output, .. } => {
                output.append(&TAR_END)?;
                output.complete()
            }
            RecordSink::Rows(output) => output.complete(),
            RecordSink::Batches(output) => output.complete(),
            RecordSink::Archive { mut output, compression } => {
                if output.last().is_none() {
                    let empty = archive::without_records(compression);
                    let path = output.path().to_owned();
                    output.append(&empty.map_err(|source| Error::Write { path, source })?)?;
                }
                output.complete()
            }
        }
    }
}
