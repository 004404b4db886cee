//! The files of an index.
//!
//! Every file is a log of checked records ([`lookalike_store`]) whose owner is the id of the plan. Numbers are little-endian. They have
//! 64 bits, but for the starts of keys, which have 40.
//!
//! | file | records | parts of a record |
//! |---|---|---|
//! | `index.lookalike` | one | JSON: see [`Manifest`](super::manifest::Manifest) |
//! | `000001.keys` | one for 4,096 documents, the last for fewer | the first 40 bits of the band keys of each, document by document |
//! | `000001.places` | one for 4,096 documents, the last for fewer | one for each 64 documents: where each is in the next file ([`Found`](lookalike_store::Found)) |
//! | `000001.documents` | one for each document | see [`DocumentRecord`] |
//! | `000001.links` | one for 65,536 links, the last for fewer | pairs of documents: the first of a cluster, and another member of it |
//!
//! Documents are numbered in the order in which they were added, from 0 on, through all segments. A place counts bytes from the start of
//! the file. Links hold numbers of the whole index.
//!
//! The keys are on disk twice. A search reads the whole file of keys, and a page or two of the other files for each candidate. The
//! record of a document repeats its keys, so that it can be read and checked alone.

use lookalike_store::Kind;

/// The file that makes a folder an index.
pub(crate) const MANIFEST_FILE: &str = "index.lookalike";

/// The new manifest, until it replaces the old one.
pub(crate) const MANIFEST_PART: &str = "index.lookalike.part";

/// The process that writes locks this file. It is empty.
pub(crate) const LOCK_FILE: &str = "index.lock";

pub(crate) const MANIFEST: Kind = Kind { tag: *b"indx", name: "an index" };
pub(crate) const KEYS: Kind = Kind { tag: *b"keys", name: "the keys of an index" };
pub(crate) const PLACES: Kind = Kind { tag: *b"plac", name: "the places of an index" };
pub(crate) const DOCUMENTS: Kind = Kind { tag: *b"docs", name: "the documents of an index" };
pub(crate) const LINKS: Kind = Kind { tag: *b"link", name: "the links of an index" };

/// Documents in a record of keys or places. With the default bands that is 0.4 MB of keys, enough work for a thread at a time.
pub(crate) const RECORD_DOCUMENTS: usize = 4096;

/// Documents whose places are one part of a record: 1 KiB, which seldom lies in two pages. A record has at most 64 parts.
pub(crate) const PART_DOCUMENTS: usize = 64;

/// Links in a record: 1 MiB.
pub(crate) const RECORD_LINKS: usize = 1 << 16;

/// The parts of the record of a document.
pub(crate) struct DocumentRecord;

impl DocumentRecord {
    /// The band keys.
    pub(crate) const KEYS: usize = 0;
    /// The low byte of each value of the signature.
    pub(crate) const SIGNATURE: usize = 1;
    /// The content hash.
    pub(crate) const CONTENT: usize = 2;
    /// The id, in UTF-8.
    pub(crate) const ID: usize = 3;
    /// The distinct features.
    pub(crate) const FEATURES: usize = 4;
    /// The number of parts.
    pub(crate) const PARTS: usize = 5;
}

/// The files of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentFile {
    /// The starts of band keys.
    Keys,
    /// Where the records of documents are.
    Places,
    /// The documents.
    Documents,
    /// The clusters.
    Links,
}

impl SegmentFile {
    pub(crate) const ALL: [SegmentFile; 4] =
        [SegmentFile::Keys, SegmentFile::Places, SegmentFile::Documents, SegmentFile::Links];

    pub(crate) fn kind(self) -> Kind {
        match self {
            SegmentFile::Keys => KEYS,
            SegmentFile::Places => PLACES,
            SegmentFile::Documents => DOCUMENTS,
            SegmentFile::Links => LINKS,
        }
    }

    /// Its name in the segment with this number.
    pub(crate) fn name(self, number: u64) -> String {
        format!("{number:06}.{}", self.extension())
    }

    /// The segment's number and the file that have this name.
    pub(crate) fn from_name(name: &str) -> Option<(u64, SegmentFile)> {
        let (number, extension) = name.split_once('.')?;
        let file = Self::ALL.into_iter().find(|file| file.extension() == extension)?;
        let number = number.parse().ok()?;
        (file.name(number) == name).then_some((number, file))
    }

    fn extension(self) -> &'static str {
        match self {
            SegmentFile::Keys => "keys",
            SegmentFile::Places => "places",
            SegmentFile::Documents => "documents",
            SegmentFile::Links => "links",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_segment_files_are_recognised() {
        for number in [1, 42, 1_234_567] {
            for file in SegmentFile::ALL {
                assert_eq!(SegmentFile::from_name(&file.name(number)), Some((number, file)));
            }
        }
        for name in ["1.keys", "000001.key", "000001", "keys", "+00001.keys", "000001.keys.gz"] {
            assert_eq!(SegmentFile::from_name(name), None, "{name}");
        }
    }
}
