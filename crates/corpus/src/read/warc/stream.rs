use super::{
    boundary::{RecordAt, behind_line_ends},
    kind::ArchiveKind,
};
use crate::{Error, InputFile, Problem, formats::WARC_MAGIC, read::decode::Decoding};

/// The maximum number of records in a chunk. Bad records have no bytes there, so the size does not limit their number.
const CHUNK_RECORDS: usize = 1 << 16;

/// Decoded records of an archive, and the problems of bad ones.
#[derive(Debug, Default)]
pub(crate) struct Records {
    kind: ArchiveKind,
    /// The bytes of all good records. Each has line ends behind it. Before a record of ARC stands its head as WARC has it.
    pub(super) bytes: Vec<u8>,
    /// A span or a problem for each record, in order.
    pub(super) spans: Vec<Result<Span, Problem>>,
    /// The length of all records, including those that were skipped. A chunk therefore ends at the same record whether it keeps
    /// them or not.
    length: u64,
    /// The reason why no records follow, if this is not the end of the file.
    pub(crate) broken: Option<Problem>,
}

/// The place of a record in the bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// The start of the head as WARC has it.
    pub(super) head: u32,
    /// The end of that head.
    pub(super) head_end: u32,
    pub(super) start: u32,
    pub(super) block: u32,
    /// The end of the block. Line ends follow it.
    pub(super) end: u32,
    pub(super) next: u32,
}

/// A WARC file, decoded from its start, because the position of a record depends on the one before it. The file is decoded a
/// second time, once, if it ends or is damaged within a record that is skipped. It then searches for records behind that header.
#[derive(Debug)]
pub(crate) struct WarcStream {
    kind: ArchiveKind,
    decoding: Decoding,
    /// Decoded bytes. Those from `at` on are not read as records yet.
    window: Vec<u8>,
    at: usize,
    /// The number of decoded bytes before the window.
    before: u64,
    /// The number of all decoded bytes, once it is known.
    length: Option<u64>,
    /// The record that is skipped now because it is too long.
    passing: Option<Passing>,
    /// Whether the stream searches for the next record, behind bytes that were not a record.
    searching: bool,
    chunk_bytes: usize,
    /// Longer blocks are skipped.
    max_record: u64,
    /// Whether the end of the records was reported.
    ended: bool,
}

#[derive(Debug, Clone, Copy)]
struct Passing {
    /// The length that the header gives.
    length: u64,
    /// The number of bytes that are still to be skipped.
    left: u64,
    /// The position of the block in the decoded bytes.
    block: u64,
}

impl WarcStream {
    pub(crate) fn open(file: &InputFile, chunk_bytes: usize, max_record: u64) -> Result<WarcStream, Error> {
        Ok(WarcStream {
            kind: ArchiveKind::of(file),
            decoding: Decoding::open(file)?,
            window: Vec::new(),
            at: 0,
            before: 0,
            length: None,
            passing: None,
            searching: false,
            chunk_bytes,
            max_record,
            ended: false,
        })
    }

    /// The next records; `None` at the end. They have at least `chunk_bytes` bytes, except the last ones.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Records>, Error> {
        let mut records = Records { kind: self.kind, ..Records::default() };
        while !self.ended && records.length < self.chunk_bytes as u64 && records.spans.len() < CHUNK_RECORDS {
            match self.step(&mut records) {
                WarcStep::On => {}
                WarcStep::Read(wanted) => {
                    self.read(wanted).map_err(|source| file.read_error(source))?;
                }
                WarcStep::Search(block) => self.search_from(block, file)?,
                WarcStep::End => {
                    records.broken = self.decoding.broken().cloned();
                    self.ended = true;
                }
            }
        }
        let any = !records.spans.is_empty() || records.broken.is_some();
        Ok(any.then_some(records))
    }

    /// Reads the next record, if the window has it.
    fn step(&mut self, records: &mut Records) -> WarcStep {
        let ended = self.decoding.has_ended();
        if let Some(passing) = self.passing {
            return self.pass(passing, ended, records);
        }
        if self.searching {
            match self.kind.next_start(&self.window, self.at) {
                Some(start) => (self.at, self.searching) = (start, false),
                None if ended => return WarcStep::End,
                None => {
                    // Bytes without a record are dropped, except for a possible start of a record at the end.
                    let kept = self.kind.unsearched();
                    self.at = self.at.max(self.window.len().saturating_sub(kept));
                    return WarcStep::Read(kept + 1);
                }
            }
        }
        // The position is kept, so any number of line ends is scanned once.
        self.at = behind_line_ends(&self.window, self.at);
        match self.kind.record_at(&self.window, self.at, ended, self.max_record) {
            RecordAt::Record { block, end, next } => {
                let record = &self.window[self.at..end];
                records.push(record, block - self.at, &self.window[end..next]);
                self.at = next;
            }
            RecordAt::TooLong { block, length } => {
                let start = self.before + block as u64;
                self.at = block;
                // If the stream is damaged, the second pass may decode more bytes.
                match self.length.map(|all| all.saturating_sub(start)) {
                    Some(found) if length > found => {
                        records.spans.push(Err(Problem::Truncated { expected: length, found }));
                        self.searching = true;
                    }
                    _ => self.passing = Some(Passing { length, left: length, block: start }),
                }
            }
            RecordAt::Bad { problem, resume } => {
                let is_cut = matches!(problem, Problem::OpenHead | Problem::Truncated { .. })
                    || self.window.len() - resume < WARC_MAGIC.len();
                if is_cut
                    && self.decoding.broken().is_some()
                    && self.kind.next_start(&self.window, resume).is_none()
                {
                    // The stream is damaged, rather than its last record.
                    return WarcStep::End;
                }
                records.spans.push(Err(problem));
                (self.at, self.searching) = (resume, true);
            }
            RecordAt::More(length) => return WarcStep::Read(length - self.at),
            RecordAt::End => return WarcStep::End,
        }
        WarcStep::On
    }

    /// Skips the rest of a record that is too long.
    fn pass(
        &mut self,
        Passing { length, left, block }: Passing,
        ended: bool,
        records: &mut Records,
    ) -> WarcStep {
        let here = left.min((self.window.len() - self.at) as u64);
        self.at += here as usize;
        let left = left - here;
        if left > 0 && !ended {
            self.passing = Some(Passing { length, left, block });
            return WarcStep::Read(1);
        }
        self.passing = None;
        records.length += length - left;
        records.spans.push(Err(match left {
            0 => Problem::RecordTooLong { length, limit: self.max_record },
            _ => Problem::Truncated { expected: length, found: length - left },
        }));
        // There may be records in it, but its bytes were not kept.
        if left > 0 { WarcStep::Search(block) } else { WarcStep::On }
    }

    /// Searches for the next record from a position that was skipped, after the whole file was decoded.
    fn search_from(&mut self, place: u64, file: &InputFile) -> Result<(), Error> {
        self.length = Some(self.before + self.window.len() as u64);
        self.decoding = Decoding::open(file)?;
        self.window.clear();
        // If the stream is damaged, the second pass may decode fewer bytes.
        self.before =
            self.decoding.skip(place, self.chunk_bytes).map_err(|source| file.read_error(source))?;
        (self.at, self.searching) = (0, true);
        Ok(())
    }

    /// Reads until at least `wanted` bytes follow `at`, or the stream ends.
    fn read(&mut self, wanted: usize) -> std::io::Result<()> {
        // This is not done after each record: behind a long one, it would move megabytes to free some bytes.
        if self.at > self.window.len() / 2 {
            self.window.drain(..self.at);
            self.before += self.at as u64;
            self.at = 0;
            // One long record must not occupy memory for the rest of the file.
            self.window.shrink_to(16 * self.chunk_bytes);
        }
        let there = self.window.len() - self.at;
        let missing = wanted.max(self.chunk_bytes).saturating_sub(there).max(1);
        let length = self.window.len() + missing;
        self.decoding.fill(&mut self.window, length)
    }
}

enum WarcStep {
    /// A record was read, or bytes were skipped.
    On,
    /// This many bytes are needed.
    Read(usize),
    /// The search for the next record must start at this position of the file.
    Search(u64),
    /// The stream has ended, at the end of the file or at damage.
    End,
}

impl Records {
    fn push(&mut self, record: &[u8], block: usize, behind: &[u8]) {
        let head = self.kind.warc_head(&record[..block], &record[block..]);
        let head_start = self.bytes.len();
        self.bytes.extend_from_slice(head.as_deref().unwrap_or_default().as_bytes());
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        let end = self.bytes.len();
        // The last record of a file may lack them, and some programs write only one. Another record may be written behind it.
        self.bytes.extend_from_slice(self.kind.behind(behind));
        // One record can have at most 2 GiB, so the places of a chunk fit.
        let place = |at: usize| at as u32;
        let (block, next) = (start + block, self.bytes.len());
        self.length += (next - start) as u64;
        self.spans.push(Ok(Span {
            head: place(head_start),
            head_end: place(if head.is_some() { start } else { block }),
            start: place(start),
            block: place(block),
            end: place(end),
            next: place(next),
        }));
    }
}
