//! What is handed out next.

use std::{
    fs::File,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError},
};

use super::{ChunkId, Reader, Scan, chunk::Content, line_stream::LineStream};
use crate::{Compression, Error, Format};

/// How far a scan is.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    next_file: usize,
    /// The plain file that is being handed out.
    ranges: Option<Ranges>,
    /// The files that are being decoded.
    streams: Vec<SharedStream>,
}

/// What a worker can do now.
pub(super) enum Step {
    /// Work on this chunk.
    Chunk { id: ChunkId, content: Content },
    /// Decode the next chunk of a stream that is idle. If none is, open the next file, or wait for the first stream.
    Streams { streams: Vec<SharedStream>, may_open: bool },
    /// Go home.
    Done,
}

impl Schedule {
    pub(super) fn step(&mut self, reader: &Reader<'_>) -> Result<Step, Error> {
        loop {
            if let Some(ranges) = &mut self.ranges {
                if let Some((id, content)) = ranges.next(reader.chunk_bytes) {
                    return Ok(Step::Chunk { id, content });
                }
                self.ranges = None;
            }
            let more = self.next_file < reader.inputs.files().len();
            if !self.streams.is_empty() {
                let may_open = more && reader.scan != Scan::RecordsInOrder;
                return Ok(Step::Streams { streams: self.streams.clone(), may_open });
            }
            if !more {
                return Ok(Step::Done);
            }
            self.open_next(reader)?;
        }
    }

    /// Opens the next file, if there is one.
    pub(super) fn open_next(&mut self, reader: &Reader<'_>) -> Result<(), Error> {
        let index = self.next_file as u32;
        let Some(file) = reader.inputs.files().get(self.next_file) else { return Ok(()) };
        self.next_file += 1;
        if (file.format, file.compression) == (Format::Jsonl, Compression::None) {
            self.ranges = Some(Ranges { index, file: file.open()?, length: file.length(), next: 0 });
            return Ok(());
        }
        let source = match file.format {
            Format::Jsonl => Source::Lines(LineStream::open(file, reader.chunk_bytes)?),
            _ => return Ok(()),
        };
        self.streams.push(SharedStream(Arc::new(Mutex::new(Stream { index, sequence: 0, source }))));
        Ok(())
    }

    pub(super) fn forget(&mut self, ended: &SharedStream) {
        self.streams.retain(|stream| !Arc::ptr_eq(&stream.0, &ended.0));
    }
}

/// The ranges of a plain file.
#[derive(Debug)]
struct Ranges {
    index: u32,
    file: Arc<File>,
    length: u64,
    next: u64,
}

impl Ranges {
    fn next(&mut self, chunk_bytes: usize) -> Option<(ChunkId, Content)> {
        if self.next >= self.length {
            return None;
        }
        let start = self.next;
        self.next = (start + chunk_bytes as u64).min(self.length);
        let id = ChunkId { file: self.index, sequence: (start / chunk_bytes as u64) as u32 };
        let range: Range<u64> = start..self.next;
        Some((id, Content::Range { file: Arc::clone(&self.file), file_length: self.length, range }))
    }
}

/// A file that is decoded from its start, by one worker at a time.
#[derive(Debug, Clone)]
pub(super) struct SharedStream(Arc<Mutex<Stream>>);

impl SharedStream {
    pub(super) fn lock(&self) -> MutexGuard<'_, Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` if another worker is decoding it.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, Stream>> {
        match self.0.try_lock() {
            Ok(stream) => Some(stream),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Stream {
    index: u32,
    sequence: u32,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Lines(LineStream),
}

impl Stream {
    /// The next chunk; `None` when the stream has ended.
    pub(super) fn next(&mut self, reader: &Reader<'_>) -> Result<Option<(ChunkId, Content)>, Error> {
        let file = &reader.inputs.files()[self.index as usize];
        let content = match &mut self.source {
            Source::Lines(stream) => stream.next(file)?.map(Content::Lines),
        };
        let id = ChunkId { file: self.index, sequence: self.sequence };
        self.sequence += u32::from(content.is_some());
        Ok(content.map(|content| (id, content)))
    }
}
