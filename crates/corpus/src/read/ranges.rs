//! A plain file of lines, cut into byte ranges that workers read on their own.
//!
//! Range `i` has the lines that *start* in its bytes, so that each line is in exactly one range, however long it is.

use std::{io, ops::Range};

use memchr::memchr;

use crate::opened::Opened;

/// How much is read beyond the end of a range at first: most lines end within it, which saves a system call.
const TAIL_BYTES: usize = 16 * 1024;

/// Reads the lines that start in `range` of a file of `file_length` bytes.
///
/// Returns where they are in `buffer`, which grows when needed and is never cleared.
/// `None` means that the file ends before `file_length`.
///
/// # Errors
/// Those of reading.
pub(super) fn read_lines(
    file: &Opened,
    file_length: u64,
    range: Range<u64>,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<Range<usize>>> {
    // The byte before the range tells whether a line starts with the range.
    let from = range.start.saturating_sub(1);
    let in_file = |length: usize| length.min((file_length - from) as usize);
    let stop = (range.end - from) as usize;
    let mut filled = in_file(stop + TAIL_BYTES);
    if !fill(file, from, buffer, 0..filled)? {
        return Ok(None);
    }
    let start = match range.start {
        0 => 0,
        _ => match memchr(b'\n', &buffer[..stop]) {
            Some(newline) if newline + 1 < stop => newline + 1,
            _ => return Ok(Some(0..0)),
        },
    };
    // Search from the last byte of the range: if a line ends there, no other one starts in the range.
    let mut searched = stop - 1;
    loop {
        if let Some(newline) = memchr(b'\n', &buffer[searched..filled]) {
            return Ok(Some(start..searched + newline + 1));
        }
        searched = filled;
        filled = in_file(filled * 2);
        if filled == searched {
            return Ok(Some(start..filled));
        }
        if !fill(file, from, buffer, searched..filled)? {
            return Ok(None);
        }
    }
}

/// Fills a part of the buffer, which holds the file from byte `from`. Returns whether the file had all of it.
fn fill(file: &Opened, from: u64, buffer: &mut Vec<u8>, part: Range<usize>) -> io::Result<bool> {
    if buffer.len() < part.end {
        buffer.resize(part.end, 0);
    }
    match file.read_exact_at(&mut buffer[part.clone()], from + part.start as u64) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
