//! The columns of a row group that is being written. A row group has them one behind the other, so their pages are held until it ends.

use std::{
    mem,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use parquet::{
    column::{
        page::{CompressedPage, PageWriteSpec, PageWriter},
        writer::{ColumnCloseResult, ColumnWriter, get_column_writer},
    },
    errors::Result,
    file::{
        properties::WriterPropertiesPtr,
        writer::{SerializedPageWriter, TrackedWrite},
    },
    schema::types::ColumnDescPtr,
};

/// A column of a row group, and its pages.
pub(super) struct GroupColumn {
    pub(super) writer: ColumnWriter<'static>,
    pages: MemoryPages,
}

/// Pages in memory.
#[derive(Clone)]
struct MemoryPages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl GroupColumn {
    pub(super) fn new(column: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> GroupColumn {
        let pages = MemoryPages(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))));
        let writer = get_column_writer(Arc::clone(column), Arc::clone(properties), Box::new(pages.clone()));
        GroupColumn { writer, pages }
    }

    /// The length of its pages so far.
    pub(super) fn bytes(&self) -> usize {
        self.pages.0.lock().unwrap_or_else(PoisonError::into_inner).bytes_written()
    }

    /// Its pages, and what the file says of them.
    pub(super) fn close(self) -> Result<(Bytes, ColumnCloseResult)> {
        let closed = self.writer.close()?;
        let mut pages = self.pages.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = mem::replace(&mut *pages, TrackedWrite::new(Vec::new()));
        Ok((pages.into_inner()?.into(), closed))
    }
}

impl PageWriter for MemoryPages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        SerializedPageWriter::new(&mut pages).write_page(page)
    }

    fn close(&mut self) -> Result<()> {
        Ok(())
    }
}
