//! The files in a tar archive that has files of records, such as `part-0.jsonl`. They are read as those of a folder.
//!
//! Not for: archives of samples, each of which is a document. See `read/tar`.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::{self, Read, Write},
    num::NonZeroU32,
    ops::Range,
    path::Path,
    sync::Arc,
};

use super::{
    container::{ContainerMember, MAX_RATIO, MemberContent},
    sniff::Packing,
    unread::is_no_data,
};
use crate::{
    Compression, Error, Format, Interrupt, Problem,
    formats::{DEFAULT_WINDOW, damage, decoder, of_name},
    opened::Opened,
    read::tar::{BLOCK, MAX_HEADER_BYTES, MemberAt, is_header, key_of_name, member_at},
};

/// Members that are looked at before it is decided that an archive has no files of records. A data set of images has millions.
const LOOKED_AT: usize = 100;

/// The bytes of a compressed archive that are looked at first, and that are decompressed at once.
const PIECE_BYTES: u64 = 1 << 20;

/// The bytes that are read at the place of a header. Most headers take one or three blocks.
const HEADER_BYTES: usize = 2 << 10;

/// An archive that is read as a folder.
#[derive(Default)]
pub(super) struct TarFolder {
    pub(super) members: Vec<ContainerMember>,
    /// The members that cannot be read, and why. An empty name stands for the rest of the archive.
    pub(super) skipped: Vec<(String, Problem)>,
    /// The number of members that are no data.
    pub(super) ignored: u64,
}

/// The files of an archive of this length, if it has files of records.
///
/// # Errors
/// [`Error::Read`], and [`Error::Spool`] if a compressed one cannot be unpacked.
pub(super) fn folder_in_tar(
    path: &Path,
    opened: &Opened,
    length: u64,
    packing: Packing,
    interrupt: &Interrupt,
) -> Result<Option<TarFolder>, Error> {
    let read_error = |source| Error::Read { path: path.to_owned(), source };
    if packing.compression == Compression::None {
        let read = |buffer: &mut [u8], at| opened.read_exact_at(buffer, at);
        let found = Found::of(&mut Headers::new(&read, length), LOOKED_AT, interrupt).map_err(read_error)?;
        return Ok(found.filter(Found::is_folder).map(|found| found.folder(length, MemberContent::Stored)));
    }
    // One with a longer window is read as an archive of samples, which names its files of records.
    let Ok(mut decoder) = decoder(opened.reader(), packing.compression, DEFAULT_WINDOW) else {
        return Ok(None);
    };
    let mut piece = Vec::new();
    let read = decoder.by_ref().take(PIECE_BYTES).read_to_end(&mut piece);
    let spooled = |source| Error::Spool { name: path.to_owned(), folder: std::env::temp_dir(), source };
    let in_piece = |buffer: &mut [u8], at: u64| {
        let bytes = piece.get(at as usize..).and_then(|rest| rest.get(..buffer.len()));
        bytes.map(|bytes| buffer.copy_from_slice(bytes)).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    };
    let mut head = Headers::new(&in_piece, piece.len() as u64);
    if Found::of(&mut head, LOOKED_AT, interrupt).map_err(spooled)?.is_none_or(|found| found.records == 0) {
        return Ok(None);
    }
    let limit = length.saturating_mul(MAX_RATIO);
    let Unpacked { file, written, problem } =
        Unpacked::of(decoder, piece, read, limit, interrupt).map_err(spooled)?;
    let unpacked = Opened::Local(Arc::clone(&file));
    let read_unpacked = |buffer: &mut [u8], at| unpacked.read_exact_at(buffer, at);
    let found =
        Found::of(&mut Headers::new(&read_unpacked, written), usize::MAX, interrupt).map_err(spooled)?;
    let content = |range: Range<u64>| {
        let length = range.end - range.start;
        MemberContent::Held { file: Opened::Range { file: Arc::clone(&file), range }, length }
    };
    let mut folder = found.filter(Found::is_folder).map(|found| found.folder(written, content));
    if let (Some(folder), Some(problem)) = (&mut folder, problem) {
        // It is the reason why the last member is cut off.
        folder.skipped.retain(|(name, _)| !name.is_empty());
        folder.skipped.push((String::new(), problem));
    }
    Ok(folder)
}

/// A decompressed archive, in an unlinked temporary file.
struct Unpacked {
    file: Arc<File>,
    written: u64,
    /// The reason why it has no more bytes, if that is not the end. The members before are read.
    problem: Option<Problem>,
}

impl Unpacked {
    /// Decompresses an archive whose first `piece` was `read`, up to about `limit` bytes.
    ///
    /// # Errors
    /// Those of the temporary file, and that the run was stopped.
    fn of(
        mut decoder: impl Read,
        mut piece: Vec<u8>,
        mut read: io::Result<usize>,
        limit: u64,
        interrupt: &Interrupt,
    ) -> io::Result<Unpacked> {
        let (mut file, mut written) = (tempfile::tempfile()?, 0);
        loop {
            interrupt.check().map_err(io::Error::other)?;
            file.write_all(&piece)?;
            written += piece.len() as u64;
            if piece.is_empty() || read.is_err() || written > limit {
                break;
            }
            piece.clear();
            read = decoder.by_ref().take(PIECE_BYTES).read_to_end(&mut piece);
        }
        let message = format!("its content is more than {MAX_RATIO} times as long as the file");
        let is_bomb = (written > limit).then_some(Problem::Unreadable { message });
        let problem = is_bomb.or(read.err().map(|error| damage(&error)));
        Ok(Unpacked { file: Arc::new(file), written, problem })
    }
}

/// What the headers of an archive say.
#[derive(Default)]
struct Found {
    /// The files of known formats, in order. Of files with one name the last counts, as for `tar`.
    members: Vec<(Header, Format)>,
    places: HashMap<String, usize>,
    /// The numbers of files of records, and of texts, pages and JSON.
    records: usize,
    others: usize,
    skipped: Vec<(String, Problem)>,
    ignored: u64,
}

impl Found {
    /// Goes through the headers. `None` if so many members have no file of records, or if the archive has samples.
    fn of(headers: &mut Headers<'_>, most: usize, interrupt: &Interrupt) -> io::Result<Option<Found>> {
        let mut found = Found::default();
        // The keys of all members, and whether the member is a text, a page or JSON.
        let (mut keys, mut texts) = (HashSet::new(), HashSet::new());
        for looked_at in 0.. {
            interrupt.check().map_err(io::Error::other)?;
            let Some(mut member) = headers.next()? else { break };
            if found.records == 0 && looked_at >= most {
                return Ok(None);
            }
            let name = member
                .name
                .split('/')
                .filter(|part| !matches!(*part, "" | "."))
                .collect::<Vec<_>>()
                .join("/");
            let (Some(key), false) =
                (key_of_name(&name), name.split('/').any(|part| part != ".." && is_no_data(part.as_bytes())))
            else {
                found.ignored += 1;
                continue;
            };
            if name.split('/').any(|part| part == "..") {
                let message = "its path leads out of the archive; unpack the archive".to_owned();
                found.skipped.push((name.clone(), Problem::Unreadable { message }));
                found.records += 1;
                continue;
            }
            let is_new = !found.places.contains_key(&name);
            let format = of_name(Path::new(&name)).0;
            let is_text = matches!(format, Some(Format::Json | Format::Text | Format::Html));
            if is_new && (texts.contains(key) || (is_text && keys.contains(key))) {
                return Ok(None);
            }
            keys.insert(key.to_owned());
            if is_text {
                texts.insert(key.to_owned());
            }
            match format {
                None => found.ignored += 1,
                Some(Format::Tar) => {
                    let message = "an archive in an archive is not read; unpack it".to_owned();
                    found.skipped.push((name, Problem::Unreadable { message }));
                }
                Some(_) if !member.is_file => {
                    found.records += usize::from(!is_text);
                    let message = "it is a link, or a file with holes; unpack the archive".to_owned();
                    found.skipped.push((name, Problem::Unreadable { message }));
                }
                Some(format) => {
                    member.name = name;
                    found.add(member, format);
                }
            }
        }
        found.skipped.extend(headers.broken.drain(..).map(|problem| (String::new(), problem)));
        Ok(Some(found))
    }

    fn add(&mut self, member: Header, format: Format) {
        if let Some(&place) = self.places.get(&member.name) {
            self.members[place].0 = member;
            self.ignored += 1;
            return;
        }
        match format {
            Format::Json | Format::Text | Format::Html => self.others += 1,
            _ => self.records += 1,
        }
        self.places.insert(member.name.clone(), self.members.len());
        self.members.push((member, format));
    }

    /// Whether at least half of the files are files of records.
    fn is_folder(&self) -> bool {
        self.records > 0 && self.records >= self.others
    }

    /// The members in an archive of this length. The last one may be cut off.
    fn folder(self, length: u64, content: impl Fn(Range<u64>) -> MemberContent) -> TarFolder {
        let members = self.members.into_iter().map(|(Header { name, start, bytes, .. }, format)| {
            let headers = NonZeroU32::new((bytes.start - start) as u32);
            let bytes = bytes.start.min(length)..bytes.end.min(length);
            ContainerMember { name, format, content: content(bytes), headers }
        });
        TarFolder { members: members.collect(), skipped: self.skipped, ignored: self.ignored }
    }
}

/// A member, and its bytes in the archive.
struct Header {
    name: String,
    is_file: bool,
    /// The place of its headers, which end where its bytes start.
    start: u64,
    bytes: Range<u64>,
}

/// The members of an archive, by their headers. Contents are passed over.
struct Headers<'a> {
    read: &'a dyn Fn(&mut [u8], u64) -> io::Result<()>,
    /// The bytes that are there.
    length: u64,
    at: u64,
    /// What is wrong with the archive.
    broken: Vec<Problem>,
}

impl<'a> Headers<'a> {
    fn new(read: &'a dyn Fn(&mut [u8], u64) -> io::Result<()>, length: u64) -> Headers<'a> {
        Headers { read, length, at: 0, broken: Vec::new() }
    }

    /// The next member; `None` at the end. The last one may be cut off.
    fn next(&mut self) -> io::Result<Option<Header>> {
        let mut wanted = HEADER_BYTES;
        while self.at < self.length {
            let left = self.length - self.at;
            let mut bytes = vec![0; usize::try_from(left).unwrap_or(usize::MAX).min(wanted)];
            (self.read)(&mut bytes, self.at)?;
            let ended = bytes.len() as u64 == left;
            // No content is wanted, so that every one with a byte is too long.
            match member_at(&bytes, 0, ended, 0) {
                MemberAt::TooLong { name, is_file, content, length } => {
                    let (start, content) = (self.at, self.at + content as u64);
                    let end = content.saturating_add(length);
                    self.at = end.saturating_add(length.wrapping_neg() % 512);
                    if end > self.length {
                        self.broken.push(Problem::CutMember { name: name.clone() });
                    }
                    return Ok(Some(Header { name, is_file, start, bytes: content..end }));
                }
                MemberAt::Member(member) => {
                    let (start, content) = (self.at, self.at + member.content.start as u64);
                    self.at += member.end as u64;
                    // Folders and empty files have no records.
                    if !member.is_file && !member.name.ends_with('/') {
                        let (name, is_file) = (member.name, false);
                        return Ok(Some(Header { name, is_file, start, bytes: content..content }));
                    }
                    wanted = HEADER_BYTES;
                }
                // Zeros stand at the end, and another archive may follow.
                MemberAt::Zeros => {
                    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                    self.at += (zeros - zeros % 512) as u64;
                    wanted = (wanted * 2).min(MAX_HEADER_BYTES);
                }
                MemberAt::More(more) if more > bytes.len() && more <= 2 * MAX_HEADER_BYTES && !ended => {
                    wanted = more
                }
                MemberAt::End => break,
                bad => {
                    self.broken.push(if let MemberAt::Bad(problem) = bad {
                        problem
                    } else {
                        Problem::NotTar
                    });
                    self.search()?;
                    wanted = HEADER_BYTES;
                }
            }
        }
        Ok(None)
    }

    /// Goes on to the next header behind bytes that are none, or to the end.
    fn search(&mut self) -> io::Result<()> {
        self.at += BLOCK as u64;
        while self.at < self.length {
            let left = usize::try_from(self.length - self.at).unwrap_or(usize::MAX);
            let mut bytes = vec![0; left.min(PIECE_BYTES as usize)];
            (self.read)(&mut bytes, self.at)?;
            if let Some(place) = bytes.chunks(BLOCK).position(is_header) {
                self.at += (place * BLOCK) as u64;
                return Ok(());
            }
            self.at += bytes.len() as u64;
        }
        Ok(())
    }
}
