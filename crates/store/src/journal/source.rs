//! The bytes of a journal: mapped, or read from a file that grows.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, ErrorKind},
    ops::Range,
};

use crate::{map::Map, platform};

/// Where the bytes of a journal come from.
#[derive(Debug)]
pub(super) enum JournalBytes {
    /// A file that no writer appends to.
    Mapped(Map),
    /// A file that a writer may append to, and may cut behind the bytes that are mapped. A map of all bytes would end where the file ended when it
    /// was mapped, and a process that reads mapped bytes behind a cut is killed.
    Growing(File, Map),
}

impl JournalBytes {
    pub(super) fn length(&self) -> io::Result<u64> {
        match self {
            JournalBytes::Mapped(map) => Ok(map.len() as u64),
            JournalBytes::Growing(file, _) => Ok(file.metadata()?.len()),
        }
    }

    /// The bytes in `range`. `None` if the file ends before the range does.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Option<Cow<'_, [u8]>>> {
        let (Ok(start), Ok(end)) = (usize::try_from(range.start), usize::try_from(range.end)) else {
            return Err(ErrorKind::FileTooLarge.into());
        };
        match self {
            JournalBytes::Mapped(map) => Ok(map.get(start..end).map(Cow::Borrowed)),
            JournalBytes::Growing(_, map) if end <= map.len() => Ok(map.get(start..end).map(Cow::Borrowed)),
            JournalBytes::Growing(file, _) => {
                // The length is compared first: a wrong range must not reserve memory.
                if range.start > range.end || range.end > self.length()? {
                    return Ok(None);
                }
                let mut bytes = vec![0; end - start];
                match platform::read_exact_at(file, &mut bytes, range.start) {
                    Ok(()) => Ok(Some(Cow::Owned(bytes))),
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    }

    pub(super) fn expect(&self, range: Range<u64>) {
        let (JournalBytes::Mapped(map) | JournalBytes::Growing(_, map)) = self;
        if let Ok(start) = usize::try_from(range.start) {
            map.expect(start..usize::try_from(range.end).unwrap_or(usize::MAX));
        }
    }
}
