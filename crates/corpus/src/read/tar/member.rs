//! The members of a tar archive: headers, names and contents.
//!
//! Sources: POSIX.1-2024, pax, *ustar Interchange Format*; GNU tar 1.35 manual, *Basic Tar Format*.

use std::ops::Range;

use tar::{EntryType, Header};

use super::pax::{PaxRecord, pax_records};
use crate::Problem;

/// Headers are blocks of this length, and contents are filled up to one.
pub(crate) const BLOCK: usize = 512;

/// The headers of a member, with long names and other additions, are shorter than this.
pub(crate) const MAX_HEADER_BYTES: usize = 2 << 20;

/// No file is longer than this.
const MAX_SIZE: u64 = i64::MAX as u64;

/// What starts at a place.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MemberAt {
    /// A member, with the headers before it.
    Member(Member),
    /// A member of too many bytes to hold.
    TooLong { name: String, is_file: bool, content: usize, length: u64 },
    /// A block of zeros: the end of an archive. Another one may be appended behind it.
    Zeros,
    /// Not a header.
    Bad(Problem),
    /// More bytes are needed: as many as given, from the start of the window.
    More(usize),
    /// The end of the bytes.
    End,
}

/// A file, folder or link in an archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) is_file: bool,
    /// Where the content is.
    pub(crate) content: Range<usize>,
    /// The end of the last block.
    pub(crate) end: usize,
}

/// The key of a member: its path up to the first dot of its name. `None` for members that are no data, such as `._a.txt`.
pub(super) fn key_of(member: &Member) -> Option<&str> {
    key_of_name(&member.name).filter(|_| member.is_file)
}

/// The key of a file, by its name.
pub(crate) fn key_of_name(name: &str) -> Option<&str> {
    let path = name.strip_prefix("./").unwrap_or(name);
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_data = !name.is_empty() && !name.starts_with(['.', '_']);
    let extension = name.find('.').map_or(0, |dot| name.len() - dot);
    is_data.then(|| &path[..path.len() - extension])
}

/// The member that starts at `start`. `ended` says that no bytes follow.
pub(crate) fn member_at(bytes: &[u8], start: usize, ended: bool, max_content: u64) -> MemberAt {
    let (mut at, mut name, mut size, mut is_sparse) = (start, None, None, false);
    loop {
        if at - start > MAX_HEADER_BYTES {
            return MemberAt::Bad(Problem::NotTar);
        }
        let Some(block) = bytes.get(at..at + BLOCK) else {
            return match ended {
                true if bytes.len() == start => MemberAt::End,
                true => MemberAt::Bad(Problem::CutMember { name: name.unwrap_or_default() }),
                false => MemberAt::More(at + BLOCK),
            };
        };
        if at == start && block.iter().all(|&byte| byte == 0) {
            return MemberAt::Zeros;
        }
        let header = Header::from_byte_slice(block);
        let Some(stored) = checked_size(header) else { return MemberAt::Bad(Problem::NotTar) };
        let kind = header.entry_type();
        let is_addition = matches!(
            kind,
            EntryType::XHeader | EntryType::XGlobalHeader | EntryType::GNULongName | EntryType::GNULongLink
        );
        let mut content = at + BLOCK;
        if kind == EntryType::GNUSparse {
            match behind_sparse_headers(bytes, at, header) {
                Some(behind) => content = behind,
                None if ended => return MemberAt::Bad(Problem::CutMember { name: name_of(header) }),
                None if bytes.len() - at > MAX_HEADER_BYTES => return MemberAt::Bad(Problem::NotTar),
                // This doubles the bytes, so a long chain is scanned a few times.
                None => return MemberAt::More(start + 2 * (bytes.len() - start)),
            }
        }
        // The size behind the name in a pax header is that of the member, and not of the addition.
        let length = match kind {
            _ if is_addition => stored,
            EntryType::Symlink
            | EntryType::Directory
            | EntryType::Char
            | EntryType::Block
            | EntryType::Fifo => 0,
            // A link repeats the size of its file. With pax it may have a content.
            EntryType::Link if size.is_none() => 0,
            _ => size.unwrap_or(stored),
        };
        if length > MAX_SIZE || (is_addition && length > MAX_HEADER_BYTES as u64) {
            return MemberAt::Bad(Problem::NotTar);
        }
        let is_file = matches!(kind, EntryType::Regular | EntryType::Continuous) && !is_sparse;
        if !is_addition && length > max_content {
            return MemberAt::TooLong {
                name: name.unwrap_or_else(|| name_of(header)),
                is_file,
                content,
                length,
            };
        }
        let end_of_content = content + length as usize;
        let end = content + (length as usize).next_multiple_of(BLOCK);
        if bytes.len() < end {
            // The last block of an archive may be shorter.
            if !(ended && bytes.len() >= end_of_content) {
                return match ended {
                    true => {
                        MemberAt::Bad(Problem::CutMember { name: name.unwrap_or_else(|| name_of(header)) })
                    }
                    false => MemberAt::More(end),
                };
            }
        }
        let text = &bytes[content..end_of_content];
        if !is_addition {
            let name = name.unwrap_or_else(|| name_of(header));
            let end = end.min(bytes.len());
            return MemberAt::Member(Member { name, is_file, content: content..end_of_content, end });
        }
        match kind {
            // It holds for all members behind it, and belongs to none.
            EntryType::XGlobalHeader if at == start => {
                let name = name_of(header);
                return MemberAt::Member(Member {
                    name,
                    is_file: false,
                    content: content..end_of_content,
                    end: end.min(bytes.len()),
                });
            }
            EntryType::GNULongName => {
                let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
                name = Some(String::from_utf8_lossy(text).into_owned());
            }
            EntryType::XHeader => {
                for PaxRecord { key, value, .. } in pax_records(text) {
                    match key {
                        b"path" => name = Some(String::from_utf8_lossy(value).into_owned()),
                        // The map of the holes stands before the content.
                        key if key.starts_with(b"GNU.sparse.") => is_sparse = true,
                        b"size" => {
                            size = std::str::from_utf8(value).ok().and_then(|size| size.parse().ok());
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        at = end;
    }
}

/// The size in a header whose checksum is right.
fn checked_size(header: &Header) -> Option<u64> {
    let bytes = header.as_bytes();
    // The checksum counts its own field as spaces.
    let field = 148..156;
    let sum: u32 =
        (0..).zip(bytes).map(|(at, &byte)| if field.contains(&at) { 32 } else { u32::from(byte) }).sum();
    let is_checked = header.cksum().is_ok_and(|stored| stored == sum);
    is_checked.then(|| header.entry_size().ok()).flatten()
}

fn name_of(header: &Header) -> String {
    String::from_utf8_lossy(&header.path_bytes()).into_owned()
}

/// The place behind the further headers of a file with holes; `None` if there are not enough bytes.
fn behind_sparse_headers(bytes: &[u8], at: usize, header: &Header) -> Option<usize> {
    let mut more = header.as_gnu().is_some_and(tar::GnuHeader::is_extended);
    let mut at = at + BLOCK;
    while more {
        let block = bytes.get(at..at + BLOCK)?;
        // The last byte that is used says whether another one follows.
        more = block[504] == 1;
        at += BLOCK;
    }
    Some(at)
}

/// Whether these bytes are a header.
pub(crate) fn is_header(block: &[u8]) -> bool {
    block.len() >= BLOCK
        && block[..BLOCK].iter().any(|&byte| byte != 0)
        && checked_size(Header::from_byte_slice(&block[..BLOCK])).is_some()
}
