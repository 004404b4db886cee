//! The order in which the chunks of a scan are handed out.

mod stream;
#[cfg(test)]
#[cfg(feature = "parquet")]
mod tests;

use std::ops::Range;

use self::stream::RecordSource;
pub(super) use self::stream::SharedStream;
use super::{
    chunk::{content::ChunkContent, id::ChunkId},
    elements::ElementStream,
    lines::stream::LineStream,
    memory::MemoryChunks,
    rows::{ArrowFile, ArrowRows, ParquetFile, RowStream},
    scan::Pass,
    table::TableStream,
    tar::TarStream,
    unopened::Unopened,
    warc::WarcStream,
};
use crate::{Compression, Error, Format, InputFile, opened::Opened};

/// The maximum number of files in a batch of files that are one document each. A batch also has about as many bytes as another chunk. The
/// cost of handing it out is then small against the cost of opening its files.
const BATCH_FILES: usize = 256;

/// A chunk of a remote file is as long as this many other chunks. While a server prepares its answer, a worker could read some
/// of them.
const REMOTE_CHUNKS: usize = 8;

/// The progress of a scan.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    next_file: usize,
    turns: u64,
    /// The last chunk that is wanted, if the scan ends before the inputs do.
    last: Option<ChunkId>,
    /// The plain file or source in memory whose pieces are handed out now.
    pieces: Option<PieceSource>,
    /// The file whose groups of rows are opened now.
    row_groups: Option<RowGroups>,
    /// The streams that are decoded now.
    streams: Vec<SharedStream>,
}

/// The next step for a worker.
pub(super) enum WorkerStep {
    /// Work on this chunk.
    Chunk { id: ChunkId, turn: u64, content: ChunkContent },
    /// Decode the next chunk of an idle stream. If no stream is idle, open the next file, or wait for the first stream.
    Streams { streams: Vec<SharedStream>, may_open: bool },
    /// There is no more work.
    Done,
}

impl Schedule {
    pub(super) fn from_file(first: usize) -> Schedule {
        Schedule { next_file: first, ..Schedule::default() }
    }

    /// Ends the scan after this chunk. The chunks before it are still handed out.
    pub(super) fn end_after(&mut self, chunk: ChunkId) {
        self.last = Some(self.last.map_or(chunk, |last| last.min(chunk)));
    }

    /// Whether this chunk belongs to the scan.
    pub(super) fn wants(&self, chunk: ChunkId) -> bool {
        self.last.is_none_or(|last| chunk <= last)
    }

    pub(super) fn step(&mut self, pass: &Pass<'_>) -> Result<WorkerStep, Error> {
        loop {
            if let Some(pieces) = &mut self.pieces {
                if let Some((id, content)) = pieces.next().filter(|(id, _)| self.wants(*id)) {
                    return Ok(WorkerStep::Chunk { id, turn: self.turn(), content });
                }
                self.pieces = None;
            }
            if !self.wants(ChunkId { file: self.next_file as u32, sequence: 0 }) {
                self.next_file = pass.inputs.files().len();
            }
            let next_group = self.row_groups.as_ref().map(RowGroups::next_chunk);
            if next_group.is_some_and(|chunk| !self.wants(chunk)) {
                self.row_groups = None;
            }
            let in_turn = self.streams.is_empty() || !pass.scan.is_in_order();
            if in_turn && let Some((id, content)) = self.whole_files(pass) {
                return Ok(WorkerStep::Chunk { id, turn: self.turn(), content });
            }
            let more = self.row_groups.is_some() || self.next_file < pass.inputs.files().len();
            if !self.streams.is_empty() {
                let may_open = more && in_turn && self.has_room(pass);
                return Ok(WorkerStep::Streams { streams: self.streams.clone(), may_open });
            }
            if !more {
                return Ok(WorkerStep::Done);
            }
            self.open_next(pass)?;
        }
    }

    /// The next batch of files that are one document each, if the next file is such a file.
    fn whole_files(&mut self, pass: &Pass<'_>) -> Option<(ChunkId, ChunkContent)> {
        if self.row_groups.is_some() {
            return None;
        }
        let first = self.next_file;
        // All files of a batch are on one side of `against`, so a scan can leave out the files that are only compared against.
        let room = pass.inputs.against().checked_sub(first).filter(|&left| left > 0);
        let most = room.map_or(BATCH_FILES, |left| left.min(BATCH_FILES));
        let mut bytes = 0;
        let batch = pass.inputs.files()[first..].iter().take(most).take_while(|file| {
            let fits = file.format.is_one_document()
                && (bytes == 0 || bytes + file.length() <= pass.chunk_bytes as u64);
            bytes += file.length();
            fits
        });
        self.next_file += batch.count();
        let files = first..self.next_file;
        (!files.is_empty()).then(|| (ChunkId { file: first as u32, sequence: 0 }, ChunkContent::Files(files)))
    }

    /// Whether memory has room for the next record batch beside those that are decoded. One alone always has room.
    fn has_room(&self, pass: &Pass<'_>) -> bool {
        let next = self.row_groups.as_ref().map_or(0, |groups| groups.next_memory);
        let held = self.streams.iter().fold(next, |sum: u64, stream| sum.saturating_add(stream.memory()));
        next == 0 || self.streams.is_empty() || held <= pass.inputs.batch_limit()
    }

    /// Opens the next row group or file. It does nothing if there is none. It also does nothing if the next chunk needs no
    /// opening, or memory has no room, because another worker may have been faster.
    pub(super) fn open_next(&mut self, pass: &Pass<'_>) -> Result<(), Error> {
        if self.pieces.is_some() || !self.has_room(pass) {
            return Ok(());
        }
        if let Some(groups) = &mut self.row_groups {
            match groups.next() {
                Some(stream) => self.streams.push(stream),
                None => self.row_groups = None,
            }
            return Ok(());
        }
        let index = self.next_file;
        let Some(file) = pass.inputs.files().get(index).filter(|file| !file.format.is_one_document()) else {
            return Ok(());
        };
        self.next_file += 1;
        let index = index as u32;
        let source = match self.open(pass, file, index) {
            Ok(source) => source,
            Err(Unopened::Unusable(problem)) => Some(RecordSource::Unusable(Some(problem))),
            Err(Unopened::Failed(error)) => return Err(error),
        };
        self.streams.extend(source.map(|source| SharedStream::new(index, 0, source)));
        Ok(())
    }

    /// Opens a file, and returns its source if it is a stream. Any other file is handed out from now on.
    fn open(
        &mut self,
        pass: &Pass<'_>,
        file: &InputFile,
        index: u32,
    ) -> Result<Option<RecordSource>, Unopened> {
        let (fields, max_record) = (pass.fields_of(index), pass.inputs.max_record());
        Ok(match file.format {
            Format::Jsonl if file.compression == Compression::None => {
                let (opened, length) = (file.open()?, file.length());
                let chunk_bytes = match opened {
                    Opened::Local(_) | Opened::Range { .. } => pass.chunk_bytes,
                    Opened::Remote(_) => pass.chunk_bytes * REMOTE_CHUNKS,
                };
                let ranges = Ranges { index, file: opened, length, chunk_bytes, next: 0 };
                self.pieces = Some(PieceSource::Ranges(ranges));
                None
            }
            Format::Jsonl => Some(RecordSource::Lines(LineStream::open(file, pass.chunk_bytes, max_record)?)),
            Format::Json => {
                Some(RecordSource::Elements(ElementStream::open(file, pass.chunk_bytes, max_record)?))
            }
            Format::Csv | Format::Tsv => {
                TableStream::open(file, fields, pass.chunk_bytes, max_record)?.map(RecordSource::Table)
            }
            Format::Parquet => {
                let whole_rows = pass.inputs.has_whole_rows(index);
                let file = ParquetFile::open(file, fields, pass.scan, whole_rows)?;
                self.open_groups(index, GroupedFile::Parquet(file));
                None
            }
            Format::Arrow => {
                let whole_rows = pass.inputs.has_whole_rows(index);
                let mut file = ArrowFile::open(file, fields, pass.scan, whole_rows)?;
                file.limit_batches(pass.inputs.batch_limit());
                self.open_groups(index, GroupedFile::Arrow(file));
                None
            }
            Format::Warc | Format::Arc => {
                Some(RecordSource::Records(WarcStream::open(file, pass.chunk_bytes, max_record)?))
            }
            Format::Tar => Some(RecordSource::Samples(TarStream::open(file, pass.chunk_bytes, max_record)?)),
            Format::Memory => {
                if let Some(memory) = file.memory() {
                    let chunks = MemoryChunks::open(memory, index, fields, pass.scan, pass.chunk_bytes)?;
                    self.pieces = Some(PieceSource::Rows(chunks));
                }
                None
            }
            Format::Html | Format::Text => None,
        })
    }

    /// Hands out the groups of rows of a file from now on.
    fn open_groups(&mut self, index: u32, file: GroupedFile) {
        let next_memory = file.memory_of(0);
        self.row_groups = Some(RowGroups { index, file, next: 0, sequence: 0, next_memory });
    }

    /// The number of the next chunk in the order in which they are handed out.
    pub(super) fn turn(&mut self) -> u64 {
        self.turns += 1;
        self.turns - 1
    }

    pub(super) fn forget(&mut self, ended: &SharedStream) {
        self.streams.retain(|stream| !stream.is(ended));
    }
}

/// A file or source that is handed out in pieces at no cost.
#[derive(Debug)]
enum PieceSource {
    Ranges(Ranges),
    Rows(MemoryChunks),
}

impl PieceSource {
    fn next(&mut self) -> Option<(ChunkId, ChunkContent)> {
        match self {
            PieceSource::Ranges(ranges) => ranges.next(),
            PieceSource::Rows(rows) => rows.next(),
        }
    }
}

/// The ranges of a plain file.
#[derive(Debug)]
struct Ranges {
    index: u32,
    file: Opened,
    length: u64,
    chunk_bytes: usize,
    next: u64,
}

impl Ranges {
    fn next(&mut self) -> Option<(ChunkId, ChunkContent)> {
        if self.next >= self.length {
            return None;
        }
        let start = self.next;
        self.next = (start + self.chunk_bytes as u64).min(self.length);
        let id = ChunkId { file: self.index, sequence: (start / self.chunk_bytes as u64) as u32 };
        let range: Range<u64> = start..self.next;
        Some((id, ChunkContent::Range { file: self.file.clone(), file_length: self.length, range }))
    }
}

/// A file whose rows are stored in groups that are decoded on their own: row groups of Parquet, record batches of Arrow.
#[derive(Debug)]
enum GroupedFile {
    Parquet(ParquetFile),
    Arrow(ArrowFile),
}

impl GroupedFile {
    /// The rows of a group, and the number of their chunks. `None` behind the last group.
    fn group(&self, group: usize) -> Option<(RecordSource, u32)> {
        match self {
            GroupedFile::Parquet(file) => (group < file.row_groups())
                .then(|| (RecordSource::Rows(RowStream::new(file, group)), file.chunks_in(group))),
            GroupedFile::Arrow(file) => (group < file.batches())
                .then(|| (RecordSource::Batch(ArrowRows::new(file, group)), file.chunks_in(group))),
        }
    }

    /// The memory of a group that is decoded as a whole. Parquet is decoded page by page.
    fn memory_of(&self, group: usize) -> u64 {
        match self {
            GroupedFile::Parquet(_) => 0,
            GroupedFile::Arrow(file) => file.memory_of(group),
        }
    }
}

/// The groups of rows of a file, in their order.
#[derive(Debug)]
struct RowGroups {
    index: u32,
    file: GroupedFile,
    next: usize,
    /// The sequence number of the first chunk in the next group. It is computed in advance, because several groups are
    /// decoded at the same time.
    sequence: u32,
    /// The memory of the next group, if it is decoded as a whole.
    next_memory: u64,
}

impl RowGroups {
    fn next_chunk(&self) -> ChunkId {
        ChunkId { file: self.index, sequence: self.sequence }
    }

    fn next(&mut self) -> Option<SharedStream> {
        let (source, chunks) = self.file.group(self.next)?;
        let stream = SharedStream::new(self.index, self.sequence, source).of_memory(self.next_memory);
        self.next += 1;
        self.sequence += chunks;
        self.next_memory = self.file.memory_of(self.next);
        Some(stream)
    }
}
