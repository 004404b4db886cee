use super::{
    chunk::{id::ChunkId, passed::Passed},
    documents::DocumentFiles,
    elements::Elements,
    lines::Lines,
    memory::texts::TextRows,
    rows::{BatchRows, Leaves, Rows, WholeBatch, rows_of, texts_of_batch, texts_of_leaves},
    table::TableRecords,
    tar::TarSamples,
    warc::Archive,
};
use crate::{BadRecord, Fields, Place, Problem, Record, SuspectQuotes, text_fields::without_separators};
use std::borrow::Cow;

/// A chunk whose records can be visited.
#[derive(Debug)]
pub struct Loaded<'s> {
    pub(super) id: ChunkId,
    pub(super) turn: u64,
    pub(super) decoded: bool,
    pub(super) stored_bytes: u64,
    /// The number of lines, once the records were visited.
    pub(super) lines: Option<u32>,
    pub(super) body: Body<'s>,
    /// The record behind these, if it was too long to keep.
    pub(super) passed: Option<Passed>,
    /// Longer records are skipped.
    pub(super) max_record: u64,
    /// The reason why no records follow, if this is not the end of the file.
    pub(super) broken: Option<Problem>,
    /// Whether texts may have separators of sections, because the reader puts them there.
    pub(super) has_sections: bool,
    /// The last text that had one and should not.
    pub(super) plain: String,
}

#[derive(Debug)]
pub(crate) enum Body<'s> {
    Lines(Lines<'s>),
    Elements(Elements<'s>),
    Table(Box<TableRecords<'s>>),
    Rows(Box<Rows<'s>>),
    /// Rows of Parquet to be written again. They are not read as records.
    Leaves(Leaves),
    /// Rows of Arrow to be written again.
    Batch(WholeBatch),
    Texts(TextRows<'s>),
    Archive(Archive<'s>),
    Samples(Box<TarSamples<'s>>),
    Documents(DocumentFiles<'s>),
    /// A chunk of rows that cannot be decoded, or of a file that cannot be opened.
    Nothing,
}

impl<'s> Body<'s> {
    /// The rows of a batch, or nothing if it has none.
    pub(super) fn of_rows(rows: Option<BatchRows>, fields: &'s Fields, max_record: u64) -> Self {
        match rows {
            Some(BatchRows::Wanted(batch)) => {
                Rows::new(batch, fields, max_record).map_or(Body::Nothing, |rows| Body::Rows(Box::new(rows)))
            }
            Some(BatchRows::Whole(leaves)) => Body::Leaves(leaves),
            Some(BatchRows::WholeBatch(batch)) => Body::Batch(batch),
            None => Body::Nothing,
        }
    }
}

impl Loaded<'_> {
    /// The number of the chunk.
    pub fn id(&self) -> ChunkId {
        self.id
    }

    /// Whether the chunk was decoded from a compressed file, a table, an archive or a page. Reading it again means decoding all
    /// bytes before it again. Other chunks are read on their own, about as fast as memory is copied.
    pub fn is_decoded(&self) -> bool {
        self.decoded
    }

    /// The length of the chunk in bytes as stored in its files. It is 0 if unknown, as for compressed files.
    pub fn stored_bytes(&self) -> u64 {
        self.stored_bytes
    }

    /// The file that the record at `place` is from, by its index in [`Inputs::files`](crate::Inputs::files).
    pub fn file(&self, place: Place) -> u32 {
        match self.body {
            Body::Documents(_) => self.id.file + place.offset,
            _ => self.id.file,
        }
    }

    /// The number of lines, rows or archive records in the chunk. It includes blank and bad ones, and archive records that are
    /// not documents. After [`Loaded::for_each`] the number is known without another pass.
    pub fn lines(&self) -> u32 {
        self.lines.unwrap_or_else(|| {
            let held = match &self.body {
                Body::Lines(lines) => lines.count(),
                Body::Elements(elements) => elements.count(),
                Body::Table(table) => table.count(),
                Body::Rows(rows) => rows.count(),
                Body::Leaves(leaves) => leaves.rows,
                Body::Batch(batch) => rows_of(batch),
                Body::Texts(rows) => rows.count(),
                Body::Archive(archive) => archive.count(),
                Body::Samples(samples) => samples.count(),
                Body::Documents(documents) => documents.count(),
                Body::Nothing => 0,
            };
            held + self.passed.map_or(0, |passed| passed.lines)
        })
    }

    /// Visits all records in order. Bad records are visited as errors. Rows of Parquet that a [scan of records](crate::Scan) has read are
    /// not visited.
    pub fn for_each(&mut self, mut visit: impl FnMut(Result<Record<'_>, BadRecord>)) {
        let has_sections = self.has_sections;
        let mut visit = |record: Result<Record<'_>, BadRecord>| match record {
            Ok(record) if !has_sections => {
                let text = without_separators(record.text);
                visit(Ok(Record { text: &text, ..record }));
            }
            other => visit(other),
        };
        let mut lines = match &mut self.body {
            Body::Lines(lines) => lines.for_each(&mut visit),
            Body::Elements(elements) => elements.for_each(&mut visit),
            Body::Table(table) => table.for_each(&mut visit),
            Body::Rows(rows) => rows.for_each(&mut visit),
            Body::Leaves(leaves) => leaves.rows,
            Body::Batch(batch) => rows_of(batch),
            Body::Texts(rows) => rows.for_each(&mut visit),
            Body::Archive(archive) => archive.for_each(&mut visit),
            Body::Samples(samples) => samples.for_each(&mut visit),
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

    /// The record at a place that an earlier scan returned.
    ///
    /// # Errors
    /// The problem of the record, or [`Problem::Gone`] if there is none at this place any more. The file may have changed.
    pub fn record(&mut self, place: Place) -> Result<Record<'_>, BadRecord> {
        let record = match &mut self.body {
            Body::Lines(lines) => lines.record(place),
            Body::Elements(elements) => elements.record(place),
            Body::Table(table) => table.record(place),
            Body::Rows(rows) => rows.record(place),
            Body::Texts(rows) => rows.record(place),
            Body::Archive(archive) => archive.record(place),
            Body::Samples(samples) => samples.record(place),
            Body::Documents(documents) => documents.record(place),
            Body::Leaves(_) | Body::Batch(_) | Body::Nothing => {
                Err(BadRecord { line: place.line, problem: Problem::Gone })
            }
        }?;
        if self.has_sections {
            return Ok(record);
        }
        Ok(match without_separators(record.text) {
            Cow::Borrowed(_) => record,
            Cow::Owned(text) => {
                self.plain = text;
                Record { text: &self.plain, ..record }
            }
        })
    }

    /// The text of a record that is [written again](crate::Scan::RecordsInOrder). Rows of Parquet and Arrow have no [`Loaded::record`] there.
    ///
    /// # Errors
    /// As [`Loaded::record`].
    pub fn texts_of(&mut self, places: &[Place], fields: &Fields) -> Result<Vec<String>, BadRecord> {
        let found = match &self.body {
            Body::Leaves(leaves) => texts_of_leaves(leaves, fields, places),
            Body::Batch(batch) => texts_of_batch(batch, fields, places),
            _ => {
                let texts = places.iter().map(|&place| Ok(self.record(place)?.text.to_owned()));
                return texts.collect();
            }
        };
        found
            .into_iter()
            .zip(places)
            .map(|(text, place)| {
                let text = text.ok_or(BadRecord { line: place.line, problem: Problem::Gone })?;
                Ok(without_separators(&text).into_owned())
            })
            .collect()
    }

    /// The bytes of the record at `place`, with its line end if it has one. Rows and whole files have no such bytes, so they
    /// give `None`. The result is also `None` if the file has changed, and no record is at the place any more.
    pub fn raw(&self, place: Place) -> Option<&[u8]> {
        match &self.body {
            Body::Lines(lines) => lines.raw(place),
            Body::Elements(elements) => elements.raw(place),
            Body::Table(table) => table.raw(place),
            Body::Archive(archive) => archive.raw(place),
            Body::Samples(samples) => samples.raw(place),
            Body::Rows(_)
            | Body::Leaves(_)
            | Body::Batch(_)
            | Body::Texts(_)
            | Body::Documents(_)
            | Body::Nothing => None,
        }
    }

    /// The bytes from line `first` to line `last`. `None` if the chunk has no lines, or no longer these.
    pub(crate) fn raw_lines(&self, first: Place, last: Place) -> Option<&[u8]> {
        let Body::Lines(lines) = &self.body else { return None };
        lines.bytes.get(first.offset as usize..last.offset as usize + lines.raw(last)?.len())
    }

    /// The position in which the chunk was handed out by its scan, counted from 0. With [`Scan::RecordsInOrder`](crate::Scan)
    /// this is the order of the inputs.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The number of archive records in the chunk that are not documents. It is known after [`Loaded::for_each`].
    pub fn other_records(&self) -> u32 {
        match &self.body {
            Body::Archive(archive) => archive.others(),
            Body::Samples(samples) => samples.others(),
            _ => 0,
        }
    }

    /// Signs that quotes in a table are text. They are known after [`Loaded::for_each`].
    pub fn suspect_quotes(&self) -> SuspectQuotes {
        match &self.body {
            Body::Table(table) => table.suspect_quotes(),
            _ => SuspectQuotes::default(),
        }
    }

    /// The reason why no records follow, if this is not the end of the file.
    pub(crate) fn broken(&self) -> Option<&Problem> {
        self.broken.as_ref()
    }

    pub(crate) fn body(&self) -> &Body<'_> {
        &self.body
    }
}
