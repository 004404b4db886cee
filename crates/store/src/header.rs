//! The header of a file: its kind, the version of the format, and the owner.

use std::fs::File;
use std::io::Read;
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
pub struct ContainerKind {
    /// Four bytes that no other kind has.
    pub tag: [u8; 4],
    /// The name with an article, as in "an index".
    pub name: &'static str,
}

/// Makes the header of a file of `kind` that belongs to `owner`.
pub(crate) fn header(kind: ContainerKind, owner: u64) -> [u8; HEADER_BYTES] {
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
pub(crate) fn check(
    path: &Path,
    bytes: &[u8],
    kind: ContainerKind,
    owner: Option<u64>,
) -> Result<u64, Error> {
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

/// Whether the file at `path` starts as one of `kind` that belongs to `owner`, as far as its header was written. `None` accepts every owner.
///
/// A process that was killed may have written no byte of it. After a power cut, the bytes may be zeros.
///
/// # Errors
/// [`Error::Read`].
pub fn starts_as(path: &Path, kind: ContainerKind, owner: Option<u64>) -> Result<bool, Error> {
    let mut found = Vec::with_capacity(HEADER_BYTES);
    let read = File::open(path).and_then(|file| file.take(HEADER_BYTES as u64).read_to_end(&mut found));
    read.map_err(Error::read(path))?;
    let expected = header(kind, owner.unwrap_or_default());
    // The owner follows, and the checksum depends on it.
    let compared = if owner.is_some() { HEADER_BYTES } else { 16 };
    found.truncate(compared);
    Ok(expected.starts_with(&found) || found.iter().all(|&byte| byte == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_starts_as_one_of_its_kind_however_much_of_its_header_was_written() {
        const KIND: ContainerKind = ContainerKind { tag: *b"test", name: "a test" };
        const OTHER: ContainerKind = ContainerKind { tag: *b"othr", name: "another test" };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let starts = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            [Some(7), Some(8), None].map(|owner| starts_as(&path, KIND, owner).unwrap())
        };
        let whole = header(KIND, 7);
        for length in 0..=16 {
            assert_eq!(starts(&whole[..length]), [true; 3], "{length} bytes");
        }
        assert_eq!(starts(&[&whole[..], b"more"].concat()), [true, false, true]);
        assert_eq!(starts(&[0; 40]), [true; 3]);
        for foreign in [&b"notes"[..], &header(OTHER, 7), b"lookalike"] {
            assert_eq!(starts(foreign), [false; 3], "{foreign:?}");
        }
    }
}
