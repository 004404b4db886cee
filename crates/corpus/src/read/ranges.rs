//! A plain file of lines, cut into byte ranges that workers read on their own.
//!
//! Range `i` has the lines that *start* in its bytes, so that each line is in exactly one range, however long it is.

use std::{io, ops::Range};

use memchr::memchr;

use crate::opened::Opened;

/// How much is read beyond the end of a range at first: most lines end within it, which saves a system call.
const TAIL_BYTES: usize = 16 * 1024;

/// Bytes between two parts that are read with them: as many as another system call costs the time of, where the file is cached.
const GAP_BYTES: usize = 4 * 1024;

/// How much is read at first to find where the first line starts.
const HEAD_BYTES: usize = 4 * 1024;

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
    let from = before(&range);
    let stop = (range.end - from) as usize;
    let filled = in_file(file_length - from, stop + TAIL_BYTES);
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
    let end = read_to_line_end(file, from, file_length - from, stop, filled, buffer)?;
    Ok(end.map(|end| start..end))
}

/// Reads parts of the same lines: `wanted` are whole lines by where they are behind the start of the first one, ascending; a part that
/// ends at [`u32::MAX`] goes to the end of the last line. What `buffer` holds between them may be anything.
///
/// # Errors
/// Those of reading.
pub(super) fn read_parts(
    file: &Opened,
    file_length: u64,
    range: Range<u64>,
    wanted: impl Iterator<Item = Range<u32>>,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<Range<usize>>> {
    let from = before(&range);
    let stop = (range.end - from) as usize;
    let (mut start, mut filled) = (if range.start == 0 { 0 } else { stop }, 0);
    while start == stop && filled < stop {
        let more = stop.min((2 * filled).max(HEAD_BYTES));
        if !fill(file, from, buffer, filled..more)? {
            return Ok(None);
        }
        start = memchr(b'\n', &buffer[filled..more]).map_or(stop, |newline| filled + newline + 1);
        filled = more;
    }
    // Where the file has changed, there may be other lines, or none; what is in the buffer from before is never part of one.
    const OTHERS: io::Result<Option<Range<usize>>> = Ok(Some(0..0));
    let missing = |part: &Range<usize>| part.start.max(filled.min(part.end))..part.end;
    let mut part = start..start;
    for Range { start: first, end } in wanted {
        let first = start + first as usize;
        debug_assert!(part.end <= first, "parts ascend");
        if first.saturating_sub(part.end) > GAP_BYTES {
            if !fill(file, from, buffer, missing(&part))? {
                return Ok(None);
            }
            if !ends_in_line(buffer, &part) {
                return OTHERS;
            }
            part = first..first;
        }
        part.end = if end == u32::MAX { usize::MAX } else { start + end as usize };
    }
    if part.start >= stop {
        return OTHERS;
    }
    if part.end < usize::MAX {
        return match fill(file, from, buffer, missing(&part))? {
            true if ends_in_line(buffer, &part) => Ok(Some(start..part.end)),
            true => OTHERS,
            false => Ok(None),
        };
    }
    part.end = in_file(file_length - from, stop + TAIL_BYTES);
    if !fill(file, from, buffer, missing(&part))? {
        return Ok(None);
    }
    let end = read_to_line_end(file, from, file_length - from, stop, part.end, buffer)?;
    Ok(end.map(|end| start..end))
}

fn ends_in_line(buffer: &[u8], part: &Range<usize>) -> bool {
    part.is_empty() || buffer[part.end - 1] == b'\n'
}

/// The byte before a range tells whether a line starts with it.
fn before(range: &Range<u64>) -> u64 {
    range.start.saturating_sub(1)
}

fn in_file(left: u64, length: usize) -> usize {
    length.min(left as usize)
}

/// Reads on to the end of the last line that starts before `stop`; `left` bytes of the file are behind `from`, and `buffer` holds them up to
/// `filled`. Returns where that is.
fn read_to_line_end(
    file: &Opened,
    from: u64,
    left: u64,
    stop: usize,
    mut filled: usize,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<usize>> {
    // Search from the last byte of the range: if a line ends there, no other one starts in the range.
    let mut searched = stop - 1;
    loop {
        if let Some(newline) = memchr(b'\n', &buffer[searched..filled]) {
            return Ok(Some(searched + newline + 1));
        }
        searched = filled;
        filled = in_file(left, filled * 2);
        if filled == searched {
            return Ok(Some(filled));
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
