//! Text files and HTML pages: each is a document.

use std::io::{Cursor, Read};

use super::{decode::decoder, lines::without_mark};
use crate::{
    BadRecord, Compression, Error, Format, InputFile, Place, Problem, Record,
    html::{self, charset},
    problem::MAX_TEXT_BYTES,
    remote::{self, Object},
};

/// A batch of files, opened one after the other when they are visited.
#[derive(Debug)]
pub(crate) struct Documents<'s> {
    pub(super) files: &'s [InputFile],
    /// What files behind a network hold, which are asked for together; of those of this machine nothing.
    pub(super) fetched: Vec<Option<Vec<u8>>>,
    pub(super) bytes: &'s mut Vec<u8>,
    /// The text of a page.
    pub(super) text: &'s mut String,
}

impl<'s> Documents<'s> {
    /// The files of a batch.
    ///
    /// # Errors
    /// Those of reading what is behind a network: it fails for all or for none, so that it is no fault of one document.
    pub(super) fn of(
        files: &'s [InputFile],
        bytes: &'s mut Vec<u8>,
        text: &'s mut String,
    ) -> Result<Documents<'s>, Error> {
        let objects: Vec<_> = files.iter().filter_map(short_object).collect();
        let mut texts = remote::texts(&objects)?.into_iter();
        let fetched = files.iter().map(|file| short_object(file).and_then(|_| texts.next())).collect();
        Ok(Documents { files, fetched, bytes, text })
    }

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
        let index = place.offset as usize;
        let file = self.files.get(index).ok_or_else(|| bad(Problem::Gone))?;
        read(file, self.fetched[index].as_ref(), self.bytes).map_err(bad)?;
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

/// The object behind a network that holds a text, unless that is too long.
fn short_object(file: &InputFile) -> Option<&Object> {
    file.object().filter(|object| object.length() <= MAX_TEXT_BYTES as u64)
}

fn read(file: &InputFile, fetched: Option<&Vec<u8>>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
    bytes.clear();
    let unreadable = |message: String| Problem::Unreadable { message };
    let opened = file.open().map_err(|error| match error {
        Error::Read { source, .. } => unreadable(source.to_string()),
        _ => unreadable("the file changed since the run started".to_owned()),
    })?;
    if file.length() > MAX_TEXT_BYTES as u64 {
        return Err(Problem::TooLong);
    }
    match fetched {
        Some(text) => bytes.extend_from_slice(text),
        None => {
            opened.reader().read_to_end(bytes).map_err(|error| unreadable(error.to_string()))?;
        }
    }
    let compression = Compression::of_content(bytes);
    if compression != Compression::None {
        let stored = Cursor::new(std::mem::take(bytes));
        decoder(stored, compression)
            .and_then(|decoder| decoder.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(bytes))
            .map_err(|error| Problem::BrokenStream { message: error.to_string() })?;
    }
    if bytes.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(()) }
}
