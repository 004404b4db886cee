//! Pieces of the inputs, before and after they are loaded.

pub(super) mod content;
pub(super) mod id;
pub(super) mod passed;

use std::{io, ops::Range};

use self::{content::ChunkContent, id::ChunkId, passed::Passed};

use super::{
    documents::DocumentFiles,
    elements::Elements,
    json::{RecordParser, ValueBuffers},
    lines::Lines,
    lines::ranges::{RangeLines, read_lines, read_parts},
    loaded::{Body, Loaded},
    scan::Scan,
    table::TableRecords,
    tar::TarSamples,
    warc::Archive,
};
use crate::{Error, Fields, Format, InputFile, Inputs, Problem, opened::Opened, remote::read_error};

/// A piece of the inputs. A chunk that is dropped without being loaded costs nothing.
#[derive(Debug)]
pub struct Chunk<'a> {
    pub(super) id: ChunkId,
    /// The number of chunks that this scan handed out before.
    pub(super) turn: u64,
    pub(super) content: ChunkContent,
    pub(super) inputs: &'a Inputs,
    pub(super) fields: &'a Fields,
    pub(super) scan: Scan,
}

/// The memory in which a worker loads one chunk after another.
#[derive(Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    buffers: ValueBuffers,
    /// The text of the current page.
    text: String,
}

/// A buffer that grew beyond this for one long record is freed before the next chunk. Every worker has a buffer, and a few long
/// lines must not occupy memory for the rest of the run.
const KEPT_BYTES: usize = 16 << 20;

impl Scratch {
    /// Frees buffers that grew for a long record.
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
    /// The number of this chunk.
    pub fn id(&self) -> ChunkId {
        self.id
    }

    /// The number of chunks that this scan handed out before: see [`Loaded::turn`].
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Whether it may hold records that are not documents, and are kept with them. Such a chunk must be read even if none of
    /// its documents is kept.
    pub fn holds_other_records(&self) -> bool {
        matches!(self.content, ChunkContent::Records(_) | ChunkContent::Samples(_))
    }

    /// The reason why no chunk follows this one, if that is not the end of the stream.
    pub fn broken(&self) -> Option<&Problem> {
        match &self.content {
            ChunkContent::Lines(decoded)
            | ChunkContent::Elements(decoded)
            | ChunkContent::Table { decoded, .. } => decoded.broken.as_ref(),
            ChunkContent::Rows(batch) => batch.broken.as_ref(),
            ChunkContent::Records(records) => records.broken.as_ref(),
            ChunkContent::Samples(samples) => samples.broken.as_ref(),
            ChunkContent::Range { .. }
            | ChunkContent::Files(_)
            | ChunkContent::Memory(_)
            | ChunkContent::Unusable(_) => None,
        }
    }

    fn is_decoded(&self) -> bool {
        match &self.content {
            ChunkContent::Range { .. } | ChunkContent::Memory(_) | ChunkContent::Unusable(_) => false,
            // The text of a page has to be extracted first.
            ChunkContent::Files(files) => {
                self.inputs.files()[files.clone()].iter().any(|file| file.format == Format::Html)
            }
            _ => true,
        }
    }

    /// Reads the chunk into the worker's memory.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Changed`] if the file became shorter since it was opened, or [`Error::UnreadableText`].
    pub fn load<'s>(self, scratch: &'s mut Scratch) -> Result<Loaded<'s>, Error>
    where
        'a: 's,
    {
        self.load_as(scratch, read_lines)
    }

    /// Reads the chunk for access to some of its records, by [`Loaded::record`] and [`Loaded::raw`]. `wanted` gives ascending
    /// ranges of [`Place::offset`](crate::Place::offset). Each range reaches from a record to the next one. The range of the last
    /// record reaches to [`u32::MAX`]. Bytes between the ranges are not read where that saves time, so a visit to all records
    /// gives arbitrary results.
    ///
    /// # Errors
    /// As [`Chunk::load`].
    pub fn load_parts<'s>(
        mut self,
        wanted: impl Iterator<Item = Range<u32>>,
        scratch: &'s mut Scratch,
    ) -> Result<Loaded<'s>, Error>
    where
        'a: 's,
    {
        match &mut self.content {
            ChunkContent::Range { file: Opened::Local(_), .. } => {
                self.load_as(scratch, |file, length, range, max_record, buffer| {
                    read_parts(file, length, range, max_record, wanted, buffer)
                })
            }
            ChunkContent::Memory(part) => {
                part.keep_only(wanted);
                self.load(scratch)
            }
            _ => self.load(scratch),
        }
    }

    /// A loaded chunk without records.
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
            has_sections: self.fields.text.are_several()
                || self.inputs.files()[self.id.file as usize].has_sections(),
            plain: String::new(),
        }
    }

    /// The length of the chunk in bytes as stored in its files, or 0 if it is not known before reading.
    fn stored_bytes(&self) -> u64 {
        match &self.content {
            ChunkContent::Range { range, .. } => range.end - range.start,
            ChunkContent::Files(files) => {
                self.inputs.files()[files.clone()].iter().map(InputFile::length).sum()
            }
            ChunkContent::Memory(part) => part.bytes,
            _ => 0,
        }
    }

    fn load_as<'s>(
        self,
        scratch: &'s mut Scratch,
        read: impl FnOnce(&Opened, u64, Range<u64>, u64, &mut Vec<u8>) -> io::Result<Option<RangeLines>>,
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
            ChunkContent::Range { file, file_length, range } => {
                let found = read(&file, file_length, range, max_record, &mut scratch.bytes)
                    .map_err(|source| read_error(&path(), source))?
                    .ok_or_else(|| Error::Changed { path: path() })?;
                let bytes = &scratch.bytes[found.lines];
                loaded.body = Body::Lines(Lines { bytes, parser });
                loaded.passed = found.too_long.map(|length| Passed { length, lines: 1 });
            }
            ChunkContent::Lines(decoded) => {
                scratch.bytes = decoded.bytes;
                let bytes = &scratch.bytes[..];
                loaded.body = Body::Lines(Lines { bytes, parser });
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            ChunkContent::Elements(decoded) => {
                scratch.bytes = decoded.bytes;
                let bytes = &scratch.bytes[..];
                loaded.body = Body::Elements(Elements { bytes, parser });
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            ChunkContent::Table { decoded, columns } => {
                scratch.bytes = decoded.bytes;
                let table = TableRecords::new(&scratch.bytes, self.id.sequence, columns, fields, max_record);
                loaded.body = Body::Table(Box::new(table));
                (loaded.passed, loaded.broken) = (decoded.passed, decoded.broken);
            }
            ChunkContent::Rows(batch) => {
                loaded.body = Body::of_rows(batch.rows, fields, max_record);
                loaded.broken = batch.broken;
            }
            ChunkContent::Records(records) => {
                loaded.broken = records.broken.clone();
                let (bytes, text) = (&mut scratch.bytes, &mut scratch.text);
                loaded.body = Body::Archive(Archive::new(records, fields, self.inputs, bytes, text));
            }
            ChunkContent::Samples(samples) => {
                loaded.broken = samples.broken.clone();
                let (bytes, text) = (&mut scratch.bytes, &mut scratch.text);
                let samples = TarSamples::new(samples, parser, fields, self.inputs, bytes, text);
                loaded.body = Body::Samples(Box::new(samples));
            }
            ChunkContent::Files(files) => {
                let (bytes, text) = (&mut scratch.bytes, &mut scratch.text);
                loaded.body = Body::Documents(DocumentFiles::of(self.inputs, files, bytes, text)?);
            }
            ChunkContent::Memory(part) => {
                let source = &self.inputs.files()[self.id.file as usize];
                loaded.body = part.load(source, fields, max_record, &mut scratch.bytes)?;
            }
            ChunkContent::Unusable(problem) => loaded.broken = Some(problem),
        }
        Ok(loaded)
    }
}
