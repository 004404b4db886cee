//! The files in a tar archive that has files of records, such as `part-0.jsonl`. They are read as those of a folder.
//!
//! Not for: archives of samples, each of which is a document. See `read/tar`.

use std::{
    collections::HashSet,
    io::{self, Read, Write},
    ops::Range,
    path::Path,
    sync::Arc,
};

use super::{
    container::{ContainerMember, MemberContent},
    sniff::Packing,
};
use crate::{
    Compression, Error, Format, Interrupt, Problem,
    formats::{DEFAULT_WINDOW, damage, decoder, of_name},
    opened::Opened,
    read::tar::{MemberAt, key_of_name, member_at},
};

/// Members that are looked at before it is decided that an archive has no files of records. A data set of images may have millions.
const LOOKED_AT: usize = 10_000;

/// The bytes of a compressed archive that are looked at first.
const HEAD_BYTES: u64 = 1 << 20;

/// An archive that is decompressed may be longer than its file by this factor.
const MAX_RATIO: u64 = 1000;

/// The bytes that are read at the place of a header. Most headers take one or three blocks.
const HEADER_BYTES: usize = 2 << 10;

/// The headers of a member, with long names and other additions, are shorter than this.
const MAX_HEADER_BYTES: usize = 4 << 20;

/// A file, and its bytes in the archive.
struct TarMember {
    name: String,
    format: Format,
    bytes: Range<u64>,
}

/// An archive that is read as a folder.
pub(super) struct TarFolder {
    pub(super) members: Vec<ContainerMember>,
    /// The reason why no more members follow, if that is not the end.
    pub(super) broken: Option<Problem>,
}

/// The files of an archive of this length, if it has files of records.
///
/// # Errors
/// [`Error::Read`], [`Error::Spool`] if a compressed one cannot be unpacked, and [`Error::BadText`] if it is broken.
pub(super) fn folder_in_tar(
    path: &Path,
    opened: &Opened,
    length: u64,
    packing: Packing,
    interrupt: &Interrupt,
) -> Result<Option<TarFolder>, Error> {
    let read_error = |source| Error::Read { path: path.to_owned(), source };
    if packing.compression == Compression::None {
        let mut headers = Headers::new(opened, length);
        let members = members_of(&mut headers, LOOKED_AT).map_err(read_error)?;
        let broken = headers.broken;
        let whole = |members| whole_members(members, length, MemberContent::Stored);
        return Ok(members.map(|members| TarFolder { members: whole(members), broken }));
    }
    // If it is not decompressed here, it is read as an archive of samples, which says why.
    let Ok(mut decoder) = decoder(opened.reader(), packing.compression, DEFAULT_WINDOW) else {
        return Ok(None);
    };
    let mut head = Vec::new();
    let mut read = decoder.by_ref().take(HEAD_BYTES).read_to_end(&mut head);
    let head_length = head.len() as u64;
    let spooled = |source| Error::Spool { name: path.to_owned(), folder: std::env::temp_dir(), source };
    let mut file = tempfile::tempfile().map_err(spooled)?;
    file.write_all(&head).map_err(spooled)?;
    let unpacked = Arc::new(file.try_clone().map_err(spooled)?);
    let local = Opened::Local(Arc::clone(&unpacked));
    if members_of(&mut Headers::new(&local, head_length), LOOKED_AT).map_err(spooled)?.is_none() {
        return Ok(None);
    }
    let limit = length.saturating_mul(MAX_RATIO);
    let (mut written, mut piece) = (head_length, Vec::new());
    while matches!(read, Ok(1..)) {
        interrupt.check().map_err(io::Error::other).map_err(spooled)?;
        piece.clear();
        read = decoder.by_ref().take(HEAD_BYTES).read_to_end(&mut piece);
        file.write_all(&piece).map_err(spooled)?;
        written += piece.len() as u64;
        if written > limit {
            let message = format!("its content is more than {MAX_RATIO} times as long as the file");
            return Err(Error::BadText { path: path.to_owned(), problem: Problem::Unreadable { message } });
        }
    }
    let mut headers = Headers::new(&local, written);
    let members = members_of(&mut headers, usize::MAX).map_err(spooled)?;
    // The members before the damage are read.
    let broken = read.err().map(|error| damage(&error)).or(headers.broken);
    let unpacked = |range: Range<u64>| {
        let length = range.end - range.start;
        MemberContent::Unpacked { file: Opened::Section { file: Arc::clone(&unpacked), range }, length }
    };
    let whole = |members| whole_members(members, written, unpacked);
    Ok(members.map(|members| TarFolder { members: whole(members), broken }))
}

/// The members that are not cut off in an archive of this length.
fn whole_members(
    members: Vec<TarMember>,
    length: u64,
    content: impl Fn(Range<u64>) -> MemberContent,
) -> Vec<ContainerMember> {
    let whole = members.into_iter().filter(|member| member.bytes.end <= length);
    whole
        .map(|TarMember { name, format, bytes }| ContainerMember { name, format, content: content(bytes) })
        .collect()
}

/// The members that are data, if the archive is one of files of records: if at least half of its texts, JSON files, pages and files of records
/// are files of records, and none of these belongs to a sample. At most so many are looked at before the first of them.
fn members_of(headers: &mut Headers<'_>, most: usize) -> io::Result<Option<Vec<TarMember>>> {
    let (mut members, mut others) = (Vec::new(), 0);
    let (mut keys, mut sample_keys) = (HashSet::new(), HashSet::new());
    let mut looked_at = 0;
    while let Some(found) = headers.next()? {
        looked_at += 1;
        if keys.is_empty() && looked_at > most {
            return Ok(None);
        }
        let Some(key) = key_of_name(&found.name).map(str::to_owned) else { continue };
        match of_name(Path::new(&found.name)).0 {
            Some(Format::Tar) | None => {}
            Some(format) => {
                match format {
                    Format::Json | Format::Text | Format::Html => {
                        others += 1;
                        sample_keys.insert(key);
                    }
                    _ => {
                        keys.insert(key);
                    }
                }
                members.push(TarMember { format, ..found });
            }
        }
    }
    let records = members.len() - others;
    let is_folder = records > 0 && records >= others && keys.is_disjoint(&sample_keys);
    Ok(is_folder.then_some(members))
}

/// The files of an archive, by their headers. Contents are passed over.
struct Headers<'a> {
    archive: &'a Opened,
    /// The bytes that are there.
    length: u64,
    at: u64,
    /// The reason why no file follows, if that is not the end.
    broken: Option<Problem>,
}

impl<'a> Headers<'a> {
    fn new(archive: &'a Opened, length: u64) -> Headers<'a> {
        Headers { archive, length, at: 0, broken: None }
    }

    /// The next file, of an unknown format; `None` at the end. The last one may be cut off.
    fn next(&mut self) -> io::Result<Option<TarMember>> {
        let mut wanted = HEADER_BYTES;
        while self.at < self.length {
            let left = self.length - self.at;
            let mut bytes = vec![0; usize::try_from(left).unwrap_or(usize::MAX).min(wanted)];
            self.archive.read_exact_at(&mut bytes, self.at)?;
            let ended = bytes.len() as u64 == left;
            // No content is wanted, so that every one with a byte is too long.
            match member_at(&bytes, 0, ended, 0) {
                MemberAt::TooLong { name, is_file, content, length } => {
                    let start = self.at + content as u64;
                    let end = start.saturating_add(length);
                    self.at = end.saturating_add(length.wrapping_neg() % 512);
                    wanted = HEADER_BYTES;
                    if end > self.length {
                        self.broken = Some(Problem::CutMember { name: name.clone() });
                    }
                    if is_file {
                        return Ok(Some(TarMember { name, format: Format::Text, bytes: start..end }));
                    }
                }
                MemberAt::Member(member) => {
                    self.at += member.end as u64;
                    wanted = HEADER_BYTES;
                }
                MemberAt::Zeros => self.at += 512,
                MemberAt::More(more) if more > bytes.len() && more <= MAX_HEADER_BYTES && !ended => {
                    wanted = more
                }
                MemberAt::End => break,
                MemberAt::Bad(problem) => {
                    self.broken = Some(problem);
                    break;
                }
                MemberAt::More(_) => {
                    self.broken = Some(Problem::NotTar);
                    break;
                }
            }
        }
        Ok(None)
    }
}
