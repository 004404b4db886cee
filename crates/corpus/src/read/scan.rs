//! The settings of one scan, which its schedule and streams share.

use crate::{Fields, Inputs};

/// The purpose of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    /// Reading documents. Only the wanted columns are decoded, and several streams at once.
    Documents,
    /// As [`Scan::Documents`], with chunks handed out in the order of their ids. A caller that writes in that order holds back
    /// few of them.
    DocumentsInOrder,
    /// Writing records again. Rows of Parquet have all their columns as the file has them, and are not read as documents.
    Records,
    /// As [`Scan::Records`], with chunks handed out in the order of their ids. A writer that joins several files into one holds
    /// back few of them. Files that are only compared against are left out.
    RecordsInOrder,
    /// Reading lists of ids. As [`Scan::Documents`], but the text may also be a number, which is read as it is written.
    Lists,
}

impl Scan {
    /// Whether chunks are handed out in the order of their ids.
    pub(super) fn is_in_order(self) -> bool {
        matches!(self, Scan::DocumentsInOrder | Scan::RecordsInOrder)
    }
}

/// The inputs of a scan, and how it reads them.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    pub(super) inputs: &'a Inputs,
    /// The fields of files that may be written.
    pub(super) fields: &'a Fields,
    /// The fields of files that are only compared against.
    pub(super) against_fields: Fields,
    pub(super) scan: Scan,
    /// The size of a chunk.
    pub(super) chunk_bytes: usize,
}

impl Pass<'_> {
    /// The fields of the file with this index.
    pub(super) fn fields_of(&self, file: u32) -> &Fields {
        if (file as usize) < self.inputs.against() { &self.against_fields } else { self.fields }
    }
}
