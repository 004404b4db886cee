//! The sizes at which a writer starts new files.

use crate::keys::memtable::FULL_DOCUMENTS;

/// The sizes at which a writer starts new files, and at which clusters are compacted.
#[derive(Clone, Copy, Debug)]
pub struct IndexSizes {
    /// Documents of a memtable.
    pub memtable: usize,
    /// Bytes of a file of the log.
    pub log_file: u64,
    /// Changes after which clusters are compacted, at least.
    pub compaction: u64,
}

impl Default for IndexSizes {
    fn default() -> Self {
        // A memtable has room for one more frame. A file of the log of 256 MB has 200,000 documents of 2.5 KB. So many
        // links take some 10 MB.
        IndexSizes { memtable: FULL_DOCUMENTS, log_file: 256 << 20, compaction: 1 << 16 }
    }
}
