//! The header of a file: its kind, the version of the format, and the owner.

use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

use crate::Error;

/// The first bytes of every file.
const MAGIC: &[u8; 8] = b"lookalik";

/// The version of the format. It changes when the container changes, or the contents of any file.
///
/// 2: an index stores the first 40 bits of band keys, and ids in the records of documents.
/// 3: an index is a log of documents with their texts, and sorted runs of keys.
/// 4: a run counts the entries before each bucket in as many bytes as the numbers of its documents have. The log has the links of batches.
pub(crate) const VERSION: u32 = 4;

/// The length of a header in bytes.
pub(crate) const HEADER_BYTES: usize = 32;

/// The kind of a file: a tag for the header, and a name for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Four bytes that no other kind has.
    pub tag: [u8; 4],
    /// The name with an article, as in "an index".
    pub name: &'static str,
}

/// Makes the header of a file of `kind` that belongs to `owner`.
pub(crate) fn header(kind: Kind, owner: u64) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..16].copy_from_slice(&kind.tag);
    bytes[16..24].copy_from_slice(&owner.to_le_bytes());
    let check = xxh3_64(&bytes[..24]);
    bytes[24..].copy_from_slice(&check.to_le_bytes());
    bytes
}

/// Checks the header at the start of `bytes`, and returns the owner in it. The file at `path` must be of `kind` and belong to
/// `owner`. `None` accepts every owner.
pub(crate) fn check(path: &Path, bytes: &[u8], kind: Kind, owner: Option<u64>) -> Result<u64, Error> {
    let other_kind = || Error::OtherKind { path: path.to_owned(), expected: kind.name };
    let Some(bytes) = bytes.get(..HEADER_BYTES).filter(|bytes| bytes.starts_with(MAGIC)) else {
        return Err(other_kind());
    };
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
    if number(24) != xxh3_64(&bytes[..24]) {
        return Err(Error::Damaged {
            path: path.to_owned(),
            at: 0,
            what: "its header does not match its checksum",
        });
    }
    let version = number(8) as u32;
    if version != VERSION {
        return Err(Error::OtherVersion { path: path.to_owned(), found: version });
    }
    if bytes[12..16] != kind.tag {
        return Err(other_kind());
    }
    let found = number(16);
    match owner {
        Some(expected) if expected != found => {
            Err(Error::OtherOwner { path: path.to_owned(), found, expected })
        }
        _ => Ok(found),
    }
}
