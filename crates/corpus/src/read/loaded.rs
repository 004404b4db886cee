use super::{
    ChunkId, chunk::Passed, documents::Documents, elements::Elements, lines::Lines, rows::Rows, table::Table,
    texts::TextRows, warc::Archive,
};
use crate::{BadRecord, Place, Problem, Record};

/// A chunk whose records can be visited.
#[derive(Debug)]
pub struct Loaded<'s> {
    pub(super) id: ChunkId,
    pub(super) turn: u64,
    pub(super) decoded: bool,
    pub(super) stored_bytes: u64,
    /// Known when the records were visited.
    pub(super) lines: Option<u32>,
    pub(super) body: Body<'s>,
    /// The record behind these, if it was too long to be held.
    pub(super) passed: Option<Passed>,
    /// Longer records are skipped.
    pub(super) max_record: u64,
    /// Why there is nothing after these records, if it is not the end of the file.
    pub(super) broken: Option<Problem>,
}

#[derive(Debug)]
pub(crate) enum Body<'s> {
    Lines(Lines<'s>),
    Elements(Elements<'s>),
    Table(Box<Table<'s>>),
    Rows(Rows<'s>),
    Texts(TextRows<'s>),
    Archive(Archive<'s>),
    Documents(Documents<'s>),
    /// What stands for rows that cannot be decoded, and for files that cannot be opened.
    Nothing,
}

impl Loaded<'_> {
    /// Which chunk it is.
    pub fn id(&self) -> ChunkId {
        self.id
    }

    /// Was it decoded, from a compressed file, a table, an archive or a page? To read it again, all that is before it is decoded again;
    /// other chunks are read alone, about as fast as memory is.
    pub fn is_decoded(&self) -> bool {
        self.decoded
    }

    /// How many bytes of the input it is, as they are stored; 0 if that is not known, as of what is compressed.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// The file that the record at a place is from, by its index in [`Inputs::files`](crate::Inputs::files).
    pub fn file(&self, place: Place) -> u32 {
        match self.body {
            Body::Documents(_) => self.id.file + place.offset,
            _ => self.id.file,
        }
    }

    /// How many lines, rows or records of an archive the chunk has, also blank and bad ones and those that are no documents. Known for free after [`Loaded::for_each`].
    pub fn lines(&self) -> u32 {
        self.lines.unwrap_or_else(|| {
            let held = match &self.body {
                Body::Lines(lines) => lines.count(),
                Body::Elements(elements) => elements.count(),
                Body::Table(table) => table.count(),
                Body::Rows(rows) => rows.count(),
                Body::Texts(rows) => rows.count(),
                Body::Archive(archive) => archive.count(),
                Body::Documents(documents) => documents.count(),
                Body::Nothing => 0,
            };
            held + self.passed.map_or(0, |passed| passed.lines)
        })
    }

    /// Visits the records in order, and what stands in the place of those that are bad.
    pub fn for_each(&mut self, mut visit: impl FnMut(Result<Record<'_>, BadRecord>)) {
        let mut lines = match &mut self.body {
            Body::Lines(lines) => lines.for_each(&mut visit),
            Body::Elements(elements) => elements.for_each(&mut visit),
            Body::Table(table) => table.for_each(&mut visit),
            Body::Rows(rows) => rows.for_each(&mut visit),
            Body::Texts(rows) => rows.for_each(&mut visit),
            Body::Archive(archive) => archive.for_each(&mut visit),
            Body::Documents(documents) => documents.for_each(&mut visit),
            Body::Nothing => 0,
        };
        if let Some(Passed { length, lines: passed }) = self.passed {
            let problem = Problem::RecordTooLong { length, limit: self.max_record };
            visit(Err(BadRecord { line: lines, problem }));
            lines += passed;
        }
        if let Some(problem) = &self.broken {
            visit(Err(BadRecord { line: lines, problem: problem.clone() }));
        }
        self.lines = Some(lines);
    }

    /// The record at a place that an earlier scan gave.
    ///
    /// # Errors
    /// What is wrong with it, if it is not the record that it was, or there is none any more: the file may have changed.
    pub fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        match &mut self.body {
            Body::Lines(lines) => lines.record(place),
            Body::Elements(elements) => elements.record(place),
            Body::Table(table) => table.record(place),
            Body::Rows(rows) => rows.record(place),
            Body::Texts(rows) => rows.record(place),
            Body::Archive(archive) => archive.record(place),
            Body::Documents(documents) => documents.record(place),
            Body::Nothing => Err(BadRecord { line: place.line, problem: Problem::Gone }),
        }
    }

    /// The bytes of the record at a place, with its line end if it has one; `None` for rows and whole files, which are
    /// not made of such records, and where there is none any more, because the file has changed.
    pub fn raw(&self, place: Place) -> Option<&[u8]> {
        match &self.body {
            Body::Lines(lines) => lines.raw(place),
            Body::Elements(elements) => elements.raw(place),
            Body::Table(table) => table.raw(place),
            Body::Archive(archive) => archive.raw(place),
            Body::Rows(_) | Body::Texts(_) | Body::Documents(_) | Body::Nothing => None,
        }
    }

    /// The lines from one to another, between which there are no others; `None` if it has no lines, or not these any more.
    pub(crate) fn raw_lines(&self, first: Place, last: Place) -> Option<&[u8]> {
        let Body::Lines(lines) = &self.body else { return None };
        lines.bytes.get(first.offset as usize..last.offset as usize + lines.raw(last)?.len())
    }

    /// When it was handed out, among the chunks of its scan, counted from 0. By [`Scan::RecordsInOrder`](crate::Scan) that
    /// is in the order of the inputs.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// How many records of an archive the chunk has that are no documents. Known after [`Loaded::for_each`].
    pub fn other_records(&self) -> u32 {
        match &self.body {
            Body::Archive(archive) => archive.others(),
            _ => 0,
        }
    }

    /// Why there is nothing after its records, if it is not the end of the file.
    pub(crate) fn broken(&self) -> Option<&Problem> {
        self.broken.as_ref()
    }

    pub(crate) fn body(&self) -> &Body<'_> {
        &self.body
    }
}
