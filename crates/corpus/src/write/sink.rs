use std::path::Path;

use arrow::array::ArrayRef;

use super::{
    kept::Mode,
    layout::Layout,
    lines::annotated_header,
    output::{Complete, Output, create_folder},
    rows::RowOutput,
};
use crate::{
    Error, Fields, Format, InputFile, Scan,
    formats::BYTE_ORDER_MARK,
    read::{rows::ParquetFile, table::TableStream},
};

/// One output of kept records.
#[derive(Debug)]
pub(super) enum Sink {
    Bytes(Box<Output>),
    Rows(Box<RowOutput>),
}

impl Sink {
    /// Starts the output for the records of a file: a table gets the header of that file.
    pub(super) fn open(
        layout: &Layout,
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
                Output::create(&path, compression)?
            }
        };
        match file.format {
            Format::Jsonl | Format::Text => {}
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
        match self {
            Sink::Bytes(_) => Ok(()),
            Sink::Rows(output) => output.append(columns, rows),
        }
    }

    pub(super) fn complete(self) -> Result<Complete, Error> {
        match self {
            Sink::Bytes(output) => output.complete(),
            Sink::Rows(output) => output.complete(),
        }
    }
}
