//! Byte ranges of a plain file of lines, which workers read independently.
//!
//! A range has the lines that *start* in its bytes. Each line, however long, is therefore in exactly one range.

use std::{io, ops::Range};

use memchr::{memchr, memrchr};

use crate::opened::Opened;

/// The bytes read behind the end of a range at first. Most lines end within them, which saves a system call.
const TAIL_BYTES: usize = 16 * 1024;

/// The largest gap between two parts that is read with them. For a file in the page cache, reading it takes as long as another
/// system call.
const GAP_BYTES: usize = 4 * 1024;

/// The maximum number of bytes behind the end of a range that are kept before the length of the last line is known. The search
/// for the end of a longer line reads it piece by piece.
const HELD_BYTES: usize = 4 << 20;

/// The bytes read at first to find the start of the first line.
const HEAD_BYTES: usize = 4 * 1024;

/// The lines of a range in a buffer.
#[derive(Debug)]
pub(crate) struct RangeLines {
    /// The place of the lines in the buffer.
    pub(crate) lines: Range<usize>,
    /// The length of the line behind these, if it is longer than the limit.
    pub(crate) too_long: Option<u64>,
}

/// Reads the lines that start in `range` of a file of `file_length` bytes. The last line is left out if it is longer than
/// `max_record`.
///
/// Returns the place of the lines in `buffer`, which grows when needed and is never cleared. `None` means that the file is
/// shorter than `file_length`.
///
/// # Errors
/// The errors of reading.
pub(crate) fn read_lines(
    file: &Opened,
    file_length: u64,
    range: Range<u64>,
    max_record: u64,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<RangeLines>> {
    let from = before(&range);
    let (stop, left) = ((range.end - from) as usize, file_length - from);
    let filled = in_file(left, stop + TAIL_BYTES);
    let mut window = FileWindow::new(file, from, filled, buffer);
    if !window.fill(0..filled)? {
        return Ok(None);
    }
    let start = match range.start {
        0 => 0,
        _ => match window.line_end(0..stop) {
            Some(start) if start < stop => start,
            _ => return NOTHING,
        },
    };
    window.read_to_line_end(left, start..stop, filled, max_record)
}

/// The result for a range without lines.
const NOTHING: io::Result<Option<RangeLines>> = Ok(Some(RangeLines { lines: 0..0, too_long: None }));

/// Reads parts of the lines of a range. `wanted` are ascending ranges of whole lines, counted from the start of the first line.
/// A part that ends at [`u32::MAX`] reaches to the end of the last line. The contents of `buffer` between the parts are
/// arbitrary.
///
/// # Errors
/// The errors of reading.
pub(crate) fn read_parts(
    file: &Opened,
    file_length: u64,
    range: Range<u64>,
    max_record: u64,
    wanted: impl Iterator<Item = Range<u32>>,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<RangeLines>> {
    let from = before(&range);
    let (stop, left) = ((range.end - from) as usize, file_length - from);
    let mut window = FileWindow::new(file, from, in_file(left, stop + TAIL_BYTES), buffer);
    let (mut start, mut filled) = (if range.start == 0 { 0 } else { stop }, 0);
    while start == stop && filled < stop {
        let more = stop.min((2 * filled).max(HEAD_BYTES));
        if !window.fill(filled..more)? {
            return Ok(None);
        }
        start = window.line_end(filled..more).unwrap_or(stop);
        filled = more;
    }
    // If the file has changed, there may be other lines, or none. Bytes from earlier use of the buffer are never part of a
    // line.
    let missing = |part: &Range<usize>| part.start.max(filled.min(part.end))..part.end;
    let mut part = start..start;
    for Range { start: first, end } in wanted {
        let first = start + first as usize;
        debug_assert!(part.end <= first, "parts ascend");
        if first.saturating_sub(part.end) > GAP_BYTES {
            if !window.fill(missing(&part))? {
                return Ok(None);
            }
            if !window.ends_in_line(&part) {
                return NOTHING;
            }
            part = first..first;
        }
        part.end = if end == u32::MAX { usize::MAX } else { start + end as usize };
    }
    if part.start >= stop {
        return NOTHING;
    }
    if part.end < usize::MAX {
        return match window.fill(missing(&part))? {
            true if window.ends_in_line(&part) => {
                Ok(Some(RangeLines { lines: window.place(start..part.end), too_long: None }))
            }
            true => NOTHING,
            false => Ok(None),
        };
    }
    part.end = in_file(left, stop + TAIL_BYTES);
    if !window.fill(missing(&part))? {
        return Ok(None);
    }
    let found = window.read_to_line_end(left, part.start..stop, part.end, max_record)?;
    Ok(found.map(|found| RangeLines { lines: window.place(start..start).start..found.lines.end, ..found }))
}

/// The position before a range. The byte there shows whether a line starts at the range.
fn before(range: &Range<u64>) -> u64 {
    range.start.saturating_sub(1)
}

fn in_file(left: u64, length: usize) -> usize {
    length.min(left as usize)
}

/// A part of a file in a buffer. Its bytes are counted from `from`.
struct FileWindow<'a> {
    file: &'a Opened,
    from: u64,
    buffer: &'a mut Vec<u8>,
    /// The index of the first byte in the buffer.
    lead: usize,
}

/// The address of a byte in memory and its position in the file are equal modulo this, unless the buffer has to grow.
///
/// The kernel copies with `rep movsb`. On AMD's Zen 4 its speed depends on the places of target and source in their pages. It is
/// half if the target is 16 to 31 bytes further on, and a sixth if it is 1 to 15 bytes further on. Large allocations begin 16
/// bytes behind the start of a page, and ranges begin at one. Any multiple of 32 would do, and this is a cache line.
const ALIGNMENT: usize = 64;

impl<'a> FileWindow<'a> {
    /// Grows the buffer to hold `length` bytes, without reading them.
    fn new(file: &'a Opened, from: u64, length: usize, buffer: &'a mut Vec<u8>) -> Self {
        grow(buffer, length + ALIGNMENT);
        let lead = (from as usize).wrapping_sub(buffer.as_ptr().addr()) % ALIGNMENT;
        FileWindow { file, from, buffer, lead }
    }

    /// Reads a part. Returns whether the file has all of it.
    fn fill(&mut self, part: Range<usize>) -> io::Result<bool> {
        let position = self.from + part.start as u64;
        let place = self.place(part);
        grow(self.buffer, place.end);
        match self.file.read_exact_at(&mut self.buffer[place], position) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The place of a part in the buffer.
    fn place(&self, part: Range<usize>) -> Range<usize> {
        self.lead + part.start..self.lead + part.end
    }

    /// The end of the first line that ends in a part.
    fn line_end(&self, part: Range<usize>) -> Option<usize> {
        let newline = memchr(b'\n', &self.buffer[self.place(part.clone())])?;
        Some(part.start + newline + 1)
    }

    fn ends_in_line(&self, part: &Range<usize>) -> bool {
        part.is_empty() || self.buffer[self.lead + part.end - 1] == b'\n'
    }

    /// Reads on to the end of the last line that starts in `part`, unless that line is longer than `max_record`. The file has
    /// `left` bytes from here on, and those up to `filled` are in the buffer.
    fn read_to_line_end(
        &mut self,
        left: u64,
        part: Range<usize>,
        mut filled: usize,
        max_record: u64,
    ) -> io::Result<Option<RangeLines>> {
        // The search starts at the last byte of the part. If a line ends there, no other line starts in the part.
        let mut searched = part.end - 1;
        let end = loop {
            if let Some(end) = self.line_end(searched..filled) {
                break end as u64;
            }
            searched = filled;
            if filled as u64 == left {
                break left;
            }
            if filled - part.end >= HELD_BYTES {
                match self.far_line_end(left, filled)? {
                    Some(end) => break end,
                    None => return Ok(None),
                }
            }
            filled = in_file(left, filled * 2);
            if !self.fill(searched..filled)? {
                return Ok(None);
            }
        };
        // The start of the last line is needed only if a line of the part is too long.
        if end - part.start as u64 > max_record {
            let before = &self.buffer[self.place(part.start..part.end - 1)];
            let start = memrchr(b'\n', before).map_or(part.start, |newline| part.start + newline + 1);
            let length = end - start as u64;
            if length > max_record {
                return Ok(Some(RangeLines { lines: self.place(part.start..start), too_long: Some(length) }));
            }
        }
        let end = end as usize;
        let there = end <= filled || self.fill(filled..end)?;
        Ok(there.then(|| RangeLines { lines: self.place(part.start..end), too_long: None }))
    }

    /// Finds the end of the line that continues at `from`, or the end of the file after `left` bytes. The bytes are not kept.
    /// `None` if the file has become shorter.
    fn far_line_end(&self, left: u64, mut from: usize) -> io::Result<Option<u64>> {
        let mut piece = vec![0; HELD_BYTES];
        while (from as u64) < left {
            let length = in_file(left - from as u64, HELD_BYTES);
            match self.file.read_exact_at(&mut piece[..length], self.from + from as u64) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(error),
            }
            if let Some(newline) = memchr(b'\n', &piece[..length]) {
                return Ok(Some((from + newline + 1) as u64));
            }
            from += length;
        }
        Ok(Some(left))
    }
}

fn grow(buffer: &mut Vec<u8>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::File, sync::Arc};

    #[test]
    fn bytes_have_the_same_alignment_in_memory_as_in_the_file() {
        let file = Opened::Local(Arc::new(File::open("/dev/null").expect("there is one")));
        for from in [0, 1, 63, 64, (1 << 20) - 1, 1 << 20] {
            let mut buffer = Vec::new();
            for length in [1000, 100, 5000] {
                let window = FileWindow::new(&file, from, length, &mut buffer);
                let bytes = &window.buffer[window.place(0..length)];
                assert_eq!(bytes.as_ptr().addr() % ALIGNMENT, from as usize % ALIGNMENT);
            }
        }
    }
}
