use std::path::Path;

use arrow::array::ArrayRef;

use super::{
    archive,
    kept::Mode,
    layout::Layout,
    lines::annotated_header,
    output::{Complete, Output, create_folder},
    part::RunLocks,
    rows::RowOutput,
};
use crate::{
    Compression, Error, Fields, Format, InputFile, Scan,
    formats::BYTE_ORDER_MARK,
    read::{rows::ParquetFile, table::TableStream},
};

/// One output of kept records.
#[derive(Debug)]
pub(super) enum Sink {
    Bytes(Box<Output>),
    Rows(Box<RowOutput>),
    /// Of records that come as members of gzip each, if the output is to be that.
    Archive {
        output: Box<Output>,
        compression: Compression,
    },
}

impl Sink {
    /// Starts the output for the records of a file: a table gets the header of that file.
    pub(super) fn open(
        layout: &Layout,
        run: Option<&RunLocks>,
        file: &InputFile,
        fields: &Fields,
        mode: Mode,
    ) -> Result<Sink, Error> {
        let mut output = match layout.place_of(file) {
            None => Output::standard()?,
            Some((path, compression)) => {
                if matches!(layout, Layout::Folder(_)) {
                    let folder = path.parent().unwrap_or(Path::new("."));
                    create_folder(folder)?;
                }
                Output::create_among(run, &path, archive::around(file.format, compression))?
            }
        };
        match file.format {
            Format::Jsonl | Format::Html | Format::Text => {}
            Format::Warc => {
                let compression =
                    layout.place_of(file).map_or(Compression::None, |(_, compression)| compression);
                return Ok(Sink::Archive { output: Box::new(output), compression });
            }
            Format::Csv | Format::Tsv => {
                if let Some(columns) = TableStream::columns_of(file, fields)? {
                    match mode {
                        Mode::Copy => output.append(&columns.header)?,
                        Mode::Annotate { likeness } => {
                            output.append(&annotated_header(&columns, file, likeness)?)?;
                        }
                    }
                }
            }
            Format::Parquet => {
                let like = ParquetFile::open(file, fields, Scan::Records)?;
                return Ok(Sink::Rows(Box::new(RowOutput::new(output, &like, file, mode)?)));
            }
        }
        Ok(Sink::Bytes(Box::new(output)))
    }

    pub(super) fn append_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Sink::Bytes(output) = self else { return Ok(()) };
        let Some(last) = output.last() else { return output.append(bytes) };
        // What follows another file must not stick to its last line, nor bring a byte order mark of its own.
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        if last != b'\n' && !bytes.is_empty() {
            output.append(b"\n")?;
        }
        output.append(bytes)
    }

    pub(super) fn append_rows(&mut self, columns: Vec<ArrayRef>, rows: usize) -> Result<(), Error> {
        let Sink::Rows(output) = self else { return Ok(()) };
        output.append(columns, rows)
    }

    /// Appends records of an archive, as [`archive::archived`] gives them.
    pub(super) fn append_records(&mut self, records: &[u8]) -> Result<(), Error> {
        let Sink::Archive { output, .. } = self else { return Ok(()) };
        output.append(records)
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self {
            Sink::Bytes(output) => output.complete(),
            Sink::Rows(output) => output.complete(),
            Sink::Archive { mut output, compression } => {
                if compression == Compression::Gzip && output.last().is_none() {
                    // Without any member it would not be gzip.
                    output.append(&archive::EMPTY_MEMBER)?;
                }
                output.complete()
            }
        }
    }
}
