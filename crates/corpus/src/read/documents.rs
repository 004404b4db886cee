//! Text files and HTML pages: each is a document.

use std::{io::Read, sync::Arc};

use super::{decode::decoder, lines::without_mark};
use crate::{
    BadRecord, Compression, Error, Format, InputFile, Place, Problem, Record,
    html::{self, charset},
    positioned::Positioned,
    problem::MAX_TEXT_BYTES,
};

/// A batch of files, opened one after the other when they are visited.
#[derive(Debug)]
pub(crate) struct Documents<'s> {
    pub(super) files: &'s [InputFile],
    pub(super) bytes: &'s mut Vec<u8>,
    /// The text of a page.
    pub(super) text: &'s mut String,
}

impl Documents<'_> {
    pub(super) fn count(&self) -> u32 {
        self.files.len() as u32
    }

    pub(super) fn for_each(&mut self, visit: &mut dyn FnMut(Result<Record<'_>, BadRecord>)) -> u32 {
        for index in 0..self.count() {
            visit(self.record(Place { offset: index, line: index }));
        }
        self.count()
    }

    pub(super) fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let bad = |problem| BadRecord { line: place.line, problem };
        let file = &self.files[place.offset as usize];
        read(file, self.bytes).map_err(bad)?;
        if file.format == Format::Html {
            self.text.clear();
            html::text_of(&charset::decode(self.bytes, None, true), self.text);
            return Ok(Record { text: self.text, id: None, number: None, place });
        }
        let text = simdutf8::compat::from_utf8(self.bytes)
            .map_err(|error| bad(Problem::InvalidUtf8 { byte: error.valid_up_to() }))?;
        Ok(Record { text: without_mark(text), id: None, number: None, place })
    }
}

fn read(file: &InputFile, bytes: &mut Vec<u8>) -> Result<(), Problem> {
    bytes.clear();
    let unreadable = |message: String| Problem::Unreadable { message };
    let opened = file.open().map_err(|error| match error {
        Error::Read { source, .. } => unreadable(source.to_string()),
        _ => unreadable("the file changed since the run started".to_owned()),
    })?;
    if file.length() > MAX_TEXT_BYTES as u64 {
        return Err(Problem::TooLong);
    }
    let mut source = Positioned::new(Arc::clone(&opened));
    source.read_to_end(bytes).map_err(|error| unreadable(error.to_string()))?;
    let compression = Compression::of_content(bytes);
    if compression != Compression::None {
        bytes.clear();
        decoder(Positioned::new(opened), compression)
            .and_then(|decoder| decoder.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(bytes))
            .map_err(|error| Problem::BrokenStream { message: error.to_string() })?;
    }
    if bytes.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(()) }
}
