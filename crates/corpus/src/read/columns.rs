//! What a file calls its columns, for callers that choose their fields by that.

use std::io::{BufRead, BufReader};

use serde_json::{Map, Value};

use super::{decode::decoder, lines::without_mark, rows::ParquetFile, table::TableStream};
use crate::{Error, Format, InputFile, formats::table_extensions, positioned::Positioned};

impl InputFile {
    /// The columns of a Parquet file, the fields of the first line of CSV and TSV, the keys of the first object of JSONL,
    /// sorted. None if the file has none, as an empty one.
    ///
    /// # Errors
    /// [`Error::UnknownTable`] for text files; those of reading.
    pub fn columns(&self) -> Result<Vec<String>, Error> {
        match self.format {
            Format::Jsonl => self.keys(),
            Format::Csv | Format::Tsv => TableStream::first_line_of(self),
            Format::Parquet => ParquetFile::columns_of(self),
            Format::Text => Err(Error::UnknownTable { path: self.path.clone(), known: table_extensions() }),
        }
    }

    fn keys(&self) -> Result<Vec<String>, Error> {
        let read_error = |source| Error::Read { path: self.path.clone(), source };
        let decoder = decoder(Positioned::new(self.open()?), self.compression).map_err(read_error)?;
        let (mut lines, mut line) = (BufReader::new(decoder), Vec::new());
        loop {
            line.clear();
            match lines.read_until(b'\n', &mut line) {
                Ok(1..) => {}
                Err(source) if source.raw_os_error().is_some() => return Err(read_error(source)),
                // What is broken in a stream is told when its records are read.
                Ok(0) | Err(_) => return Ok(Vec::new()),
            }
            let object = str::from_utf8(&line)
                .ok()
                .and_then(|line| serde_json::from_str::<Map<String, Value>>(without_mark(line)).ok());
            if let Some(object) = object {
                return Ok(object.into_iter().map(|(key, _)| key).collect());
            }
        }
    }
}
