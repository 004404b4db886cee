//! An output that is a tar archive of files of records, such as `part-0.jsonl`.
//!
//! The header of a member has its length, so a member is first written to a file without a name. It is then copied behind the
//! headers that it has in the input, so names, times and owners stay.
//!
//! Not for: archives of samples, whose members are copied with their headers. See [`RecordSink`](super::sink::RecordSink).

use std::{
    fs::File,
    io::{self, Read, Seek},
    path::Path,
};

use tar::{EntryType, Header};

use super::{
    output::Output,
    paths::{folder_of, in_folder, is_special},
    publish::Complete,
};
use crate::{
    Compression, Error, InputFile, Waiting,
    read::tar::{BLOCK, pax_records},
    remote::is_remote,
};

/// Two blocks of zeros, which end an archive.
pub(super) const TAR_END: [u8; 2 * BLOCK] = [0; 2 * BLOCK];

/// An archive that is being written.
#[derive(Debug)]
pub(super) struct TarOutput {
    output: Output,
    /// The content of the member that is written now. It is on the disk of the output, which has to have room for it.
    member: File,
}

impl TarOutput {
    pub(super) fn create(path: &Path, compression: Compression, waiting: &Waiting) -> Result<Self, Error> {
        let output = Output::create(path, compression, waiting)?;
        let folder = folder_of(path);
        let member = match is_remote(path) || is_special(path) {
            true => tempfile::tempfile(),
            false => tempfile::tempfile_in(folder).map_err(|error| in_folder(folder, &error)),
        };
        let member = member.map_err(|source| Error::Write { path: path.to_owned(), source })?;
        Ok(TarOutput { output, member })
    }

    /// Starts the content of the next member.
    pub(super) fn start(&mut self, compression: Compression) -> Result<Output, Error> {
        let cleared = self.member.set_len(0).and_then(|()| self.member.rewind());
        let file = cleared.and_then(|()| self.member.try_clone()).map_err(|source| self.error(source))?;
        Output::of_part(self.output.path(), file, compression)
    }

    /// Appends the member whose content was written last.
    pub(super) fn append(&mut self, input: &InputFile) -> Result<(), Error> {
        let length =
            self.member.metadata().and_then(|metadata| self.member.rewind().map(|()| metadata.len()));
        let length = length.map_err(|source| self.error(source))?;
        self.append_header(input, length)?;
        let copied = io::copy(&mut self.member, &mut self.output);
        self.fill(copied, length)
    }

    /// Appends a member as it is in the input.
    pub(super) fn copy(&mut self, input: &InputFile) -> Result<(), Error> {
        let length = input.length();
        self.append_header(input, length)?;
        let copied = io::copy(&mut input.open()?.reader().take(length), &mut self.output);
        self.fill(copied, length)
    }

    pub(super) fn complete(mut self) -> Result<Complete, Error> {
        self.output.append(&TAR_END)?;
        self.output.complete()
    }

    fn append_header(&mut self, input: &InputFile, length: u64) -> Result<(), Error> {
        self.output.append(&headers_for(&input.tar_headers()?, length))
    }

    /// Ends a member of this length, which should have been copied, with a whole block.
    fn fill(&mut self, copied: io::Result<u64>, length: u64) -> Result<(), Error> {
        let whole = copied.and_then(|copied| match copied == length {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        });
        whole.map_err(|source| self.error(source))?;
        self.output.append(&TAR_END[..(length.wrapping_neg() % BLOCK as u64) as usize])
    }

    fn error(&self, source: io::Error) -> Error {
        Error::Write { path: self.output.path().to_owned(), source }
    }
}

/// The headers of a member, for a content of another length.
fn headers_for(headers: &[u8], length: u64) -> Vec<u8> {
    let mut written = Vec::with_capacity(headers.len());
    let mut rest = headers;
    while let Some((block, behind)) = rest.split_first_chunk::<BLOCK>() {
        let mut header = Header::from_byte_slice(block).clone();
        if behind.is_empty() {
            header.set_size(length);
            header.set_cksum();
            written.extend_from_slice(header.as_bytes());
            break;
        }
        // It is an addition, whose length was checked when it was read.
        let own = header.entry_size().map_or(behind.len(), |own| own as usize).min(behind.len());
        let filled = own.next_multiple_of(BLOCK).min(behind.len());
        match header.entry_type() {
            EntryType::XHeader => written.extend(without_size(header, &behind[..own])),
            _ => written.extend_from_slice(&rest[..BLOCK + filled]),
        }
        rest = &behind[filled..];
    }
    written
}

/// A pax header without the size of its member, which would count more than the one in the header behind it.
fn without_size(mut header: Header, records: &[u8]) -> Vec<u8> {
    let kept = pax_records(records).filter(|record| record.key != b"size");
    let mut kept = kept.map(|record| record.bytes).collect::<Vec<_>>().concat();
    if kept.is_empty() {
        return kept;
    }
    header.set_size(kept.len() as u64);
    header.set_cksum();
    kept.resize(kept.len().next_multiple_of(BLOCK), 0);
    [header.as_bytes(), &kept[..]].concat()
}
