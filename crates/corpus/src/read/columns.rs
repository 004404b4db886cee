//! Reading the column names of a file, for callers that choose their fields by them.

use std::io::{BufRead, BufReader};

use serde::de::IgnoredAny;

use super::{
    CHUNK_BYTES,
    elements::{self, ElementStream},
    json,
    lines::without_marks,
    rows,
    table::TableStream,
    unopened::Unopened,
};
use crate::{
    DEFAULT_RECORD_BYTES, Error, Format, InputFile,
    formats::{decoder, table_extensions},
    memory::Memory,
    opened::is_of_reading,
};

impl InputFile {
    /// The columns of a Parquet file, the fields in the first line of CSV and TSV, or the sorted keys of the first object of
    /// JSONL and JSON arrays. The list is empty if the file has none, for example if it is empty.
    ///
    /// # Errors
    /// [`Error::UnknownTable`] for text files, [`Error::JsonList`] for a JSON array in a file of lines, [`Error::BadText`] for
    /// a table that cannot be opened, and the errors of reading.
    pub fn columns(&self) -> Result<Vec<String>, Error> {
        let columns = match self.format {
            Format::Jsonl => return self.keys(),
            Format::Json => return self.element_keys(),
            Format::Csv | Format::Tsv => TableStream::first_line_of(self),
            Format::Parquet | Format::Arrow => rows::names_of(self),
            Format::Memory => return Ok(self.memory().map(Memory::columns).unwrap_or_default()),
            Format::Warc | Format::Arc | Format::Tar | Format::Html | Format::Text => {
                return Err(Error::UnknownTable { path: self.path.clone(), known: table_extensions() });
            }
        };
        columns.map_err(|unopened| match unopened {
            Unopened::Failed(error) => error,
            Unopened::Unusable(problem) => Error::BadText { path: self.path.clone(), problem },
        })
    }

    /// The keys of the first element that has any.
    fn element_keys(&self) -> Result<Vec<String>, Error> {
        let mut stream = ElementStream::open(self, CHUNK_BYTES, DEFAULT_RECORD_BYTES)?;
        while let Some(decoded) = stream.next(self)? {
            let keys = elements::texts(&decoded.bytes).map(json::keys).find(|keys| !keys.is_empty());
            if let Some(mut keys) = keys {
                keys.sort();
                keys.dedup();
                return Ok(keys);
            }
        }
        Ok(Vec::new())
    }

    fn keys(&self) -> Result<Vec<String>, Error> {
        let read_error = |source| self.read_error(source);
        let source = self.open()?.reader();
        let decoder = match decoder(source, self.compression, self.decoder_window()) {
            Ok(decoder) => decoder,
            Err(source) if is_of_reading(&source) => return Err(read_error(source)),
            Err(_) => return Ok(Vec::new()),
        };
        let (mut lines, mut line) = (BufReader::new(decoder), Vec::new());
        let (mut is_start, mut is_list) = (true, false);
        let list = || Error::JsonList { path: self.path.clone() };
        loop {
            line.clear();
            match lines.read_until(b'\n', &mut line) {
                Ok(1..) => {}
                Err(source) if is_of_reading(&source) => return Err(read_error(source)),
                Ok(0) if is_list => return Err(list()),
                // Damage in a stream is reported when its records are read.
                Ok(0) | Err(_) => return Ok(Vec::new()),
            }
            let text = str::from_utf8(&line).ok().map(without_marks);
            if let Some(text) = text.filter(|text| is_start && text.trim_start().starts_with('[')) {
                // A list that ends on its line may also be a single bad record.
                serde_json::from_str::<IgnoredAny>(text).map_err(|_| list())?;
                is_list = true;
            }
            is_start &= line.trim_ascii().is_empty();
            let mut keys = text.map(json::keys).unwrap_or_default();
            if !keys.is_empty() {
                keys.sort();
                keys.dedup();
                return Ok(keys);
            }
        }
    }
}
