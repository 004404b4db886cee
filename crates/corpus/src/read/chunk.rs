//! A piece of the inputs, before and after it is loaded.

use std::{io, ops::Range, sync::Arc};

use super::{
    Scan,
    documents::Documents,
    elements::Elements,
    json::{Buffers, RecordParser},
    lines::Lines,
    lines::ranges::{Found, read_lines, read_parts},
    loaded::{Body, Loaded},
    memory::MemoryPart,
    rows::{Batch, Rows},
    table::{Columns, Table},
    warc::{Archive, Records},
};
use crate::{
    Error, Fields, Format, InputFile, Inputs, Problem,
    opened::{Opened, read_error},
};

/// Which chunk it is; the same in every scan. Chunks in this order have their documents in input order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The file, by its index in [`Inputs::files`]; the first one if the chunk is a batch of files.
    pub file: u32,
    /// The place among the chunks of the file, counted from 0.
    pub sequence: u32,
}

/// A piece of the inputs. It costs nothing to drop it without loading it.
#[derive(Debug)]
pub struct Chunk<'a> {
    pub(super) id: ChunkId,
    /// When it was handed out, among the chunks of this scan.
    pub(super) turn: u64,
    pub(super) content: Content,
    pub(super) inputs: &'a Inputs,
    pub(super) fields: &'a Fields,
    pub(super) scan: Scan,
}

#[derive(Debug)]
pub(super) enum Content {
    /// The lines that start in a range of a plain file.
    Range { file: Opened, file_length: u64, range: Range<u64> },
    /// Lines of a compressed file.
    Lines(Decoded),
    /// Elements of a JSON array.
    Elements(Decoded),
    /// Records of a CSV or TSV file.
    Table { decoded: Decoded, columns: Arc<Columns> },
    /// Rows of a Parquet file.
    Rows(Batch),
    /// Records of a WARC file.
    Records(Records),
    /// Files that are a document each, by their indices.
    Files(Range<usize>),
    /// Rows of a source in memory.
    Memory(MemoryPart),
    /// Why the file has no records.
    Unusable(Problem),
}

/// What was decoded of a stream.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// The record behind these bytes, if it was too long to be held.
    pub(super) passed: Option<Passed>,
    /// Why there is nothing after these, if it is not the end of the file.
    pub(super) broken: Option<Problem>,
}

/// A record that was passed over, since it was too long to be held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub(super) length: u64,
    /// How many lines it has.
    pub(super) lines: u32,
}

/// The memory in which a worker loads one chunk after another.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    buffers: Buffers,
    /// The text of a page.
    text: String,
}

/// A buffer that grew beyond this for one long record is given back before the next chunk: with a buffer for each
/// worker, a few long lines must not fill the memory for the rest of the run.
const KEPT_BYTES: usize = 16 << 20;

impl Scratch {
    /// Gives back what grew for a long record.
    fn give_back(&mut self) {
        if self.bytes.len() > KEPT_BYTES {
            self.bytes = Vec::new();
        }
        if self.text.len() > KEPT_BYTES {
            self.text = String::new();
        }
    }
}

impl<'a> Chunk<'a> {
    /// Which chunk it is.
    pub fn id(&self) -> ChunkId {
        self.id
    }

    pub(crate) fn turn(&self) -> u64 {
        self.turn
    }

    /// May it hold records that are no documents, but are kept with them? Then it cannot be skipped when none of its documents
    /// is kept.
    pub fn holds_other_records(&self) -> bool {
        matches!(self.content, Content::Records(_))
    }

    /// Why there is nothing after it, if that is not the end of what it was decoded from.
    pub fn broken(&self) -> Option<&Problem> {
        match &self.content {
            Content::Lines(decoded) | Content::Elements(decoded) | Content::Table { decoded, .. } => {
                decoded.broken.as_ref()
            }
            Content::Rows(batch) => batch.broken.as_ref(),
            Content::Records(records) => records.broken.as_ref(),
            Content::Range { .. } | Content::Files(_) | Content::Memory(_) | Content::Unusable(_) => None,
        }
    }

    fn is_decoded(&self) -> bool {
        match &self.content {
            Content::Range { .. } | Content::Memory(_) | Content::Unusable(_) => false,
            // Of pages the text has to be found first.
            Content::Files(files) => {
                self.inputs.files()[files.clone()].iter().any(|file| file.format == Format::Html)
            }
            _ => true,
        }
    }

    /// Reads the chunk into the worker's memory.
    ///
    /// # Errors
    /// [`Error::Read`], or [`Error::Changed`] if the file became shorter since it was opened.
    pub fn load<'s>(self, scratch: &'s mut Scratch) -> Result<Loaded<'s>, Error>
    where
        'a: 's,
    {
        self.load_as(scratch, read_lines)
    }

    /// The same, of which only some records will be asked for, by [`Loaded::record`] and [`Loaded::raw`]: `wanted` are ranges of
    /// [`Place::offset`](crate::Place::offset), ascending, from that of a record to that of the next one, or to [`u32::MAX`] from the
    /// last one. What is between them is not read, where that saves time: to visit all records gives anything.
    ///
    /// # Errors
    /// As [`Chunk::load`].
    pub fn load_parts<'s>(
        self,
        wanted: impl Iterator<Item = Range<u32>>,
        scratch: &'s mut Scratch,
    ) -> Result<Loaded<'s>, Error>
    where
        'a: 's,
    {
        match &self.content {
            Content::Range { file: Opened::Local(_), .. } => {
                self.load_as(scratch, |file, length, range, max_record, buffer| {
                    read_parts(file, length, range, max_record, wanted, buffer)
                })
            }
            _ => self.load(scratch),
        }
    }

    /// The chunk without its records.
    fn empty<'s>(&self) -> Loaded<'s> {
        Loaded {
            id: self.id,
            turn: self.turn,
            decoded: self.is_decoded(),
            stored_bytes: self.stored_bytes(),
            lines: None,
            body: Body::Nothing,
            passed: None,
            max_record: self.inputs.max_record(),
            broken: None,
        }
    }

    /// How many bytes of its files it is, as they are stored, if that is known before it is read.
    fn stored_bytes(&self) -> u64 {
        match &self.content {
            Content::Range { range, .. } => range.end - range.start,
            Content::Files(files) => self.inputs.files()[files.clone()].iter().map(InputFile::length).sum(),
            Content::Memory(part) => part.bytes(),
            _ => 0,
        }
    }

    fn load_as<'s>(
        self,
        scratch: &'s mut Scratch,
        read: impl FnOnce(&Opened, u64, Range<u64>, u64, &mut Vec<u8>) -> io::Result<Option<Found>>,
    ) -> Result<Loaded<'s>, Error>
    where
        'a: 's,
    {
        scratch.give_back();
        let mut loaded = self.empty();
        let max_record = loaded.max_record;
        let fields = self.fields;
        let parser = RecordParser::new(fields, self.scan, max_record, &mut scratch.buffers);
        let path = || self.inputs.files()[self.id.file as usize].path.clone();
        match self.content {
            Content::Range { file, file_length, range } => {
                let found = read(&file, file_length, range, max_record, &mut scratch.bytes)
                    .map_err(|source| read_error(&path(), source))?
                    .ok_or_else(|| Error::Changed { path: path() })?;
                let bytes = &scratch.bytes[found.lines];
                loaded.body = Body::Lines(Lines { bytes, parser });
                loaded.passed = found.too_long.map(|length| Passed { length, lines: 1 });
            }
            Content::Lines(decoded) => {
                scratch.bytes = decoded.bytes;
                let bytes = &scratch.bytes[..];
                loaded.body = Body::Lines(Lines { bytes, parser });
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            Content::Elements(decoded) => {
                scratch.bytes = decoded.bytes;
                let bytes = &scratch.bytes[..];
                loaded.body = Body::Elements(Elements { bytes, parser });
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            Content::Table { decoded, columns } => {
                scratch.bytes = decoded.bytes;
                let table = Table::new(&scratch.bytes, self.id.sequence, columns, fields, max_record);
                loaded.body = Body::Table(Box::new(table));
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            Content::Rows(batch) => {
                let rows = batch.rows.and_then(|rows| Rows::new(rows, fields, max_record));
                loaded.body = rows.map_or(Body::Nothing, Body::Rows);
                loaded.broken = batch.broken;
            }
            Content::Records(records) => {
                loaded.broken = records.broken.clone();
                let (bytes, text) = (&mut scratch.bytes, &mut scratch.text);
                loaded.body = Body::Archive(Archive::new(records, fields, max_record, bytes, text));
            }
            Content::Files(files) => {
                let (files, bytes) = (&self.inputs.files()[files], &mut scratch.bytes);
                loaded.body = Body::Documents(Documents::of(files, max_record, bytes, &mut scratch.text)?);
            }
            Content::Memory(part) => loaded.body = part.into_body(fields, max_record),
            Content::Unusable(problem) => loaded.broken = Some(problem),
        }
        Ok(loaded)
    }
}
