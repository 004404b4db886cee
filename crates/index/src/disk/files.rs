//! The files of an index.
//!
//! | file | kind of file | contents |
//! |---|---|---|
//! | `index.lookalike` | [`Log`](lookalike_store::Log) | one record in JSON, the [`Manifest`](crate::disk::manifest::Manifest), which names all others |
//! | `index.new` | a text | while an index is made: without it, a folder that has numbered files and no manifest is an index that has lost its manifest |
//! | `000001.log` | [`Journal`](lookalike_store::Journal) | what was added and removed: see [`crate::log`] |
//! | `000001.packed` | [`PagedFile`](lookalike_store::PagedFile) | what is left of a file of the log: see [`crate::log::packed`] |
//! | `000002.run` | [`PagedFile`](lookalike_store::PagedFile) | the keys and places of documents: see [`crate::keys::runs`] |
//! | `000003.links` | `Log` | pairs of documents: the first of a cluster, and another member of it. A record has 65,536, the last one fewer |
//! | `000004.removed` | `Log` | one record: the numbers of the documents that were removed, ascending |
//! | `000005.extended` | `Log` | one record of two parts: the numbers of documents that expire later than their run says, ascending, and for each the second since 1970, four bytes |
//! | `000006.dictionary` | `Log` | one record: a dictionary of zstd |
//! | `000007.frequencies` | `Log` | one record: the [document frequencies](lookalike::DocumentFrequencies::to_bytes) of weights by TF-IDF |
//!
//! Each file but the first two has a number of its own. The owner of all of them is the id of the plan. Numbers are little-endian, and have
//! 64 bits. Documents are numbered in the order in which they were added, from 0 on. The log is the database. All but the manifest, the document frequencies and
//! the dictionaries could be made again from it, as long as none of its files is packed.

use lookalike_store::ContainerKind;

/// The file that makes a folder an index.
pub(crate) const MANIFEST_FILE: &str = "index.lookalike";

/// The new manifest, until it replaces the old one.
pub(crate) const MANIFEST_PART: &str = "index.lookalike.part";

/// The process that writes locks this file. It is empty.
pub(crate) const LOCK_FILE: &str = "index.lock";

/// Marks a folder in which an index is being made: what a killed process left there may be removed.
pub(crate) const NEW_FILE: &str = "index.new";

pub(crate) const MANIFEST: ContainerKind = ContainerKind { tag: *b"indx", name: "an index" };

/// Links in a record: 1 MiB.
pub(crate) const RECORD_LINKS: usize = 1 << 16;

/// The kinds of numbered files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// What was added and removed.
    Log,
    /// What is left of a file of the log.
    Packed,
    /// The keys of documents.
    Run,
    /// The clusters.
    Links,
    /// The removed documents.
    Removed,
    /// The documents that expire later than their run says.
    Extended,
    /// A dictionary of zstd.
    Dictionary,
    /// Document frequencies.
    Frequencies,
}

impl FileKind {
    pub(crate) const ALL: [FileKind; 8] = [
        FileKind::Log,
        FileKind::Packed,
        FileKind::Run,
        FileKind::Links,
        FileKind::Removed,
        FileKind::Extended,
        FileKind::Dictionary,
        FileKind::Frequencies,
    ];

    pub(crate) fn kind(self) -> ContainerKind {
        let (tag, name) = match self {
            FileKind::Log => (*b"logs", "the log of an index"),
            FileKind::Packed => (*b"pack", "a packed file of the log of an index"),
            FileKind::Run => (*b"runs", "a run of an index"),
            FileKind::Links => (*b"link", "the links of an index"),
            FileKind::Removed => (*b"gone", "the removed documents of an index"),
            FileKind::Extended => (*b"extd", "the extended expiries of an index"),
            FileKind::Dictionary => (*b"dict", "a dictionary of an index"),
            FileKind::Frequencies => (*b"freq", "the document frequencies of an index"),
        };
        ContainerKind { tag, name }
    }

    /// The name of the file of this kind that has this number.
    pub(crate) fn name(self, number: u64) -> String {
        format!("{number:06}.{}", self.extension())
    }

    /// The number and the kind of the file that has this name.
    pub(crate) fn from_name(name: &str) -> Option<(u64, FileKind)> {
        let (number, extension) = name.split_once('.')?;
        let kind = Self::ALL.into_iter().find(|kind| kind.extension() == extension)?;
        let number = number.parse().ok()?;
        (kind.name(number) == name).then_some((number, kind))
    }

    fn extension(self) -> &'static str {
        match self {
            FileKind::Log => "log",
            FileKind::Packed => "packed",
            FileKind::Run => "run",
            FileKind::Links => "links",
            FileKind::Removed => "removed",
            FileKind::Extended => "extended",
            FileKind::Dictionary => "dictionary",
            FileKind::Frequencies => "frequencies",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_files_of_an_index_are_recognised() {
        for number in [1, 42, 1_234_567] {
            for kind in FileKind::ALL {
                assert_eq!(FileKind::from_name(&kind.name(number)), Some((number, kind)));
            }
        }
        for name in ["1.log", "000001.logs", "000001", "log", "+00001.log", "000001.log.gz"] {
            assert_eq!(FileKind::from_name(name), None, "{name}");
        }
    }
}
