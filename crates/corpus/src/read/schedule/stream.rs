//! Streams: files and row groups that must be decoded from their start.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::{
    Error, Problem,
    read::{
        chunk::{content::Content, id::ChunkId},
        elements::ElementStream,
        lines::stream::LineStream,
        rows::RowStream,
        scan::Pass,
        table::TableStream,
        warc::WarcStream,
    },
};

/// A stream that one worker at a time decodes.
#[derive(Debug, Clone)]
pub(in crate::read) struct SharedStream(Arc<Mutex<Stream>>);

impl SharedStream {
    pub(in crate::read) fn new(index: u32, sequence: u32, source: Source) -> SharedStream {
        SharedStream(Arc::new(Mutex::new(Stream { index, sequence, source })))
    }

    /// Whether both are the same stream.
    pub(in crate::read) fn is(&self, other: &SharedStream) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(in crate::read) fn lock(&self) -> MutexGuard<'_, Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the stream; `None` if another worker is decoding it.
    pub(in crate::read) fn try_lock(&self) -> Option<MutexGuard<'_, Stream>> {
        match self.0.try_lock() {
            Ok(stream) => Some(stream),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[derive(Debug)]
pub(in crate::read) struct Stream {
    index: u32,
    sequence: u32,
    source: Source,
}

#[derive(Debug)]
pub(in crate::read) enum Source {
    Lines(LineStream),
    Elements(ElementStream),
    Table(TableStream),
    Rows(RowStream),
    Records(WarcStream),
    /// A file that cannot be opened for its records. It is `None` after the problem was reported.
    Unusable(Option<Problem>),
}

impl Stream {
    /// The next chunk; `None` at the end of the stream.
    pub(in crate::read) fn next(&mut self, pass: &Pass<'_>) -> Result<Option<(ChunkId, Content)>, Error> {
        let file = &pass.inputs.files()[self.index as usize];
        let content = match &mut self.source {
            Source::Lines(stream) => stream.next(file)?.map(Content::Lines),
            Source::Elements(stream) => stream.next(file)?.map(Content::Elements),
            Source::Table(stream) => {
                let columns = Arc::clone(stream.columns());
                stream.next(file)?.map(|decoded| Content::Table { decoded, columns })
            }
            Source::Rows(stream) => stream.next(file)?.map(Content::Rows),
            Source::Records(stream) => stream.next(file)?.map(Content::Records),
            Source::Unusable(problem) => problem.take().map(Content::Unusable),
        };
        let id = ChunkId { file: self.index, sequence: self.sequence };
        self.sequence += u32::from(content.is_some());
        Ok(content.map(|content| (id, content)))
    }
}
