//! What is where in the files of an index. Numbers are little-endian and of 64 bits, but for starts of keys; every file is a log of
//! checked records ([`lookalike_store`]) whose owner is the id of the plan.
//!
//! | file | records | parts of a record |
//! |---|---|---|
//! | `index.lookalike` | one | JSON: see [`Manifest`](super::manifest::Manifest) |
//! | `000001.keys` | one for 4,096 documents, the last for fewer | the first 40 bits of the band keys of each, document by document |
//! | `000001.places` | likewise | one for each 64 documents: where each is in the next file ([`Found`](lookalike_store::Found)) |
//! | `000001.documents` | one for each document, in any order | band keys; the low bytes of its signature; its content hash; its id; its different features |
//! | `000001.links` | one for 65,536 links, the last for fewer | pairs of documents: the first of a cluster, and one that hangs together with it |
//!
//! Documents have numbers in the order in which they came, from 0 on, through all segments; places count from the start of their
//! segment, and links say numbers of the whole index.
//!
//! The keys are twice on disk so that a document can be read, and checked, alone, and so that whoever looks for keys reads nothing else:
//! of these all are read, and of everything else a page or two for each document that shares one.

use lookalike_store::Kind;

/// The file by which a folder is known as an index.
pub(super) const MANIFEST_FILE: &str = "index.lookalike";

/// The new manifest until it takes the place of the old one.
pub(super) const MANIFEST_PART: &str = "index.lookalike.part";

/// Locked by whoever writes. There is nothing in it.
pub(super) const LOCK_FILE: &str = "index.lock";

pub(super) const MANIFEST: Kind = Kind { tag: *b"indx", name: "an index" };
pub(super) const KEYS: Kind = Kind { tag: *b"keys", name: "the keys of an index" };
pub(super) const PLACES: Kind = Kind { tag: *b"plac", name: "the places of an index" };
pub(super) const DOCUMENTS: Kind = Kind { tag: *b"docs", name: "the documents of an index" };
pub(super) const LINKS: Kind = Kind { tag: *b"link", name: "the links of an index" };

/// Documents of a record of keys or places: 0.4 MB of keys with the default bands, enough for a thread to take at a time.
pub(super) const RECORD_DOCUMENTS: usize = 4096;

/// Documents whose places are a part of a record: 1 KiB, which seldom lies in two pages. A record has 64 parts at most.
pub(super) const PART_DOCUMENTS: usize = 64;

/// Links of a record.
pub(super) const RECORD_LINKS: usize = 1 << 16;

/// The files of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentFile {
    Keys,
    Places,
    Documents,
    Links,
}

impl SegmentFile {
    pub(super) const ALL: [SegmentFile; 4] =
        [SegmentFile::Keys, SegmentFile::Places, SegmentFile::Documents, SegmentFile::Links];

    pub(super) fn kind(self) -> Kind {
        match self {
            SegmentFile::Keys => KEYS,
            SegmentFile::Places => PLACES,
            SegmentFile::Documents => DOCUMENTS,
            SegmentFile::Links => LINKS,
        }
    }

    /// Its name in segment `number`.
    pub(super) fn name(self, number: u64) -> String {
        format!("{number:06}.{}", self.extension())
    }

    /// Which file of which segment has this name.
    pub(super) fn of_name(name: &str) -> Option<(u64, SegmentFile)> {
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
    fn names_of_segment_files_are_known_again_and_no_others() {
        for number in [1, 42, 1_234_567] {
            for file in SegmentFile::ALL {
                assert_eq!(SegmentFile::of_name(&file.name(number)), Some((number, file)));
            }
        }
        for name in ["1.keys", "000001.key", "000001", "keys", "+00001.keys", "000001.keys.gz"] {
            assert_eq!(SegmentFile::of_name(name), None, "{name}");
        }
    }
}
