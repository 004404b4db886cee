//! Text files and HTML pages. Each file is one document.

use std::{
    io::{self, Cursor, Read},
    ops::Range,
    path::Path,
};

use super::lines::without_marks;
use crate::{
    BadRecord, Compression, Error, Format, InputFile, Inputs, Place, Problem, Record,
    formats::{DEFAULT_WINDOW, compression_of, damage, decoder, of_name},
    problem::MAX_TEXT_BYTES,
    remote,
};
use lookalike_html::{Extract, html_text_by};

/// A batch of files. Each is opened when it is visited.
#[derive(Debug)]
pub(crate) struct DocumentFiles<'s> {
    pub(super) files: &'s [InputFile],
    /// Longer files are skipped.
    pub(super) max_record: u64,
    /// The part of the text of pages that is read.
    pub(super) extract: Extract,
    /// The contents of remote files, which are requested together. Local files have `None`.
    pub(super) fetched: Vec<Option<Vec<u8>>>,
    pub(super) bytes: &'s mut Vec<u8>,
    /// The text of the current page.
    pub(super) text: &'s mut String,
}

impl<'s> DocumentFiles<'s> {
    /// Makes a batch of files.
    ///
    /// # Errors
    /// The errors of reading remote files. They concern the server, so they are not reported as bad documents.
    pub(super) fn of(
        inputs: &'s Inputs,
        files: Range<usize>,
        bytes: &'s mut Vec<u8>,
        text: &'s mut String,
    ) -> Result<DocumentFiles<'s>, Error> {
        let (files, max_record) = (&inputs.files()[files], inputs.max_record());
        let short_object = |file: &'s InputFile| file.object().filter(|object| object.length() <= max_record);
        let objects: Vec<_> = files.iter().filter_map(short_object).collect();
        let mut texts = remote::texts(&objects)?.into_iter();
        let fetched = files.iter().map(|file| short_object(file).and_then(|_| texts.next())).collect();
        Ok(DocumentFiles { files, max_record, extract: inputs.extracted(), fetched, bytes, text })
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
        read(file, self.fetched[index].as_ref(), self.max_record, self.bytes).map_err(bad)?;
        let text = match file.format {
            Format::Html => {
                html_text_by(self.extract, self.bytes, None, self.text);
                &*self.text
            }
            _ => simdutf8::compat::from_utf8(self.bytes)
                .map(without_marks)
                .map_err(|error| bad(Problem::InvalidUtf8 { byte: error.valid_up_to() }))?,
        };
        Ok(Record { text, is_null: false, id: None, number: None, within: None, stored: None, place })
    }
}

fn read(file: &InputFile, fetched: Option<&Vec<u8>>, limit: u64, bytes: &mut Vec<u8>) -> Result<(), Problem> {
    bytes.clear();
    let unreadable = |message: String| Problem::Unreadable { message };
    let opened = file.open().map_err(|error| match error {
        Error::Read { source, .. } => unreadable(source.to_string()),
        _ => unreadable("the file changed since the run started".to_owned()),
    })?;
    if file.length() > limit {
        return Err(Problem::RecordTooLong { length: file.length(), limit });
    }
    match fetched {
        Some(text) => bytes.extend_from_slice(text),
        None => {
            opened.reader().read_to_end(bytes).map_err(|error| unreadable(error.to_string()))?;
        }
    }
    let is_named_compressed = of_name(Path::new(&file.name)).1 != Compression::None;
    let compression = match is_named_compressed {
        // A file that is cut off may have only a few bytes left, and these may be letters.
        true => Compression::of_content(bytes),
        false => compression_of(bytes),
    };
    if compression == Compression::None && is_named_compressed && simdutf8::basic::from_utf8(bytes).is_err() {
        // A page may hold any bytes, but these are not the start of the compression in its name.
        let message = "its first bytes do not fit the compression in its name".to_owned();
        return Err(Problem::BrokenStream { message });
    }
    if compression != Compression::None {
        let stored = Cursor::new(std::mem::take(bytes));
        let decoded = |mut decoder: Box<dyn Read + Send>| {
            decoder.by_ref().take(limit).read_to_end(bytes)?;
            // Decodes the rest to learn the exact length for the message. This takes no memory.
            io::copy(&mut decoder, &mut io::sink())
        };
        let more = decoder(stored, compression, DEFAULT_WINDOW).and_then(decoded);
        let more = more.map_err(|error| damage(&error))?;
        if more > 0 {
            return Err(Problem::RecordTooLong { length: limit + more, limit });
        }
    }
    if bytes.len() > MAX_TEXT_BYTES { Err(Problem::TooLong) } else { Ok(()) }
}
