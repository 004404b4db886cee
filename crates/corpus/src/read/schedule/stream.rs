//! Streams: files and row groups that must be decoded from their start.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::{
    Error, Problem,
    read::{
        chunk::{content::ChunkContent, id::ChunkId},
        elements::ElementStream,
        lines::stream::LineStream,
        rows::{ArrowRows, RowStream},
        scan::Pass,
        table::TableStream,
        tar::TarStream,
        warc::WarcStream,
    },
};

/// A stream that one worker at a time decodes.
#[derive(Debug, Clone)]
pub(in crate::read) struct SharedStream {
    source: Arc<Mutex<SequentialFile>>,
    /// The memory of its record batch, if it is one.
    memory: u64,
}

impl SharedStream {
    pub(in crate::read) fn new(index: u32, sequence: u32, source: RecordSource) -> SharedStream {
        SharedStream { source: Arc::new(Mutex::new(SequentialFile { index, sequence, source })), memory: 0 }
    }

    pub(in crate::read) fn of_memory(self, memory: u64) -> SharedStream {
        SharedStream { memory, ..self }
    }

    pub(in crate::read) fn memory(&self) -> u64 {
        self.memory
    }

    /// Whether both are the same stream.
    pub(in crate::read) fn is(&self, other: &SharedStream) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
    }

    pub(in crate::read) fn lock(&self) -> MutexGuard<'_, SequentialFile> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the stream; `None` if another worker is decoding it.
    pub(in crate::read) fn try_lock(&self) -> Option<MutexGuard<'_, SequentialFile>> {
        match self.source.try_lock() {
            Ok(stream) => Some(stream),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[derive(Debug)]
pub(in crate::read) struct SequentialFile {
    index: u32,
    sequence: u32,
    source: RecordSource,
}

#[derive(Debug)]
pub(in crate::read) enum RecordSource {
    Lines(LineStream),
    Elements(ElementStream),
    Table(TableStream),
    Rows(RowStream),
    Batch(ArrowRows),
    Records(WarcStream),
    Samples(TarStream),
    /// A file that cannot be opened for its records. It is `None` after the problem was reported.
    Unusable(Option<Problem>),
}

impl SequentialFile {
    /// The next chunk; `None` at the end of the stream.
    pub(in crate::read) fn next(
        &mut self,
        pass: &Pass<'_>,
    ) -> Result<Option<(ChunkId, ChunkContent)>, Error> {
        let file = &pass.inputs.files()[self.index as usize];
        let content = match &mut self.source {
            RecordSource::Lines(stream) => stream.next(file)?.map(ChunkContent::Lines),
            RecordSource::Elements(stream) => stream.next(file)?.map(ChunkContent::Elements),
            RecordSource::Table(stream) => {
                let columns = Arc::clone(stream.columns());
                stream.next(file)?.map(|decoded| ChunkContent::Table { decoded, columns })
            }
            RecordSource::Rows(stream) => stream.next(file)?.map(ChunkContent::Rows),
            RecordSource::Batch(rows) => rows.next(file)?.map(ChunkContent::Rows),
            RecordSource::Samples(stream) => stream.next(file)?.map(ChunkContent::Samples),
            RecordSource::Records(stream) => stream.next(file)?.map(ChunkContent::Records),
            RecordSource::Unusable(problem) => problem.take().map(ChunkContent::Unusable),
        };
        let id = ChunkId { file: self.index, sequence: self.sequence };
        self.sequence += u32::from(content.is_some());
        Ok(content.map(|content| (id, content)))
    }
}
