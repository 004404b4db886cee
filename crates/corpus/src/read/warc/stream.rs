use super::boundary::{Found, MAGIC, behind_line_ends, next_start, record_at};
use crate::{Error, InputFile, Problem, read::decode::Decoding};

/// A chunk has at most so many records: bad ones take no bytes in it.
const CHUNK_RECORDS: usize = 1 << 16;

/// What was read of an archive: complete records, and why others are bad.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// The records, each with two line ends behind it, and nothing else.
    pub(super) bytes: Vec<u8>,
    /// One for each record, in their order.
    pub(super) spans: Vec<Result<Span, Problem>>,
    /// Of the records, and of those that were passed over: a chunk ends where it would if they were not.
    length: u64,
    /// Why there is nothing after these, if it is not the end of the file.
    pub(crate) broken: Option<Problem>,
}

/// Where a record is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) block: u32,
    /// Of the block; line ends come after it.
    pub(super) end: u32,
    pub(super) next: u32,
}

/// A WARC file is read from its start: only the record before it tells where a record starts. It is read twice, for once, if a
/// record is passed over and the file ends, or is damaged, before it does: records behind that header are then searched for.
#[derive(Debug)]
pub(crate) struct WarcStream {
    decoding: Decoding,
    /// Decoded bytes, of which those from `at` on are still to be cut into records.
    window: Vec<u8>,
    at: usize,
    /// How many decoded bytes came before those of the window.
    before: u64,
    /// How many there are in all, once that is known.
    length: Option<u64>,
    /// The record that is passed over, because it is too long.
    passing: Option<Passing>,
    /// Is the next record searched for, behind something that was none?
    searching: bool,
    chunk_bytes: usize,
    /// Longer blocks are passed over.
    max_record: u64,
    /// Is there nothing more to tell?
    ended: bool,
}

#[derive(Debug, Clone, Copy)]
struct Passing {
    /// As its header says.
    length: u64,
    /// Still to be passed over.
    left: u64,
    /// Where its block starts, in decoded bytes.
    block: u64,
}

impl WarcStream {
    pub(crate) fn open(file: &InputFile, chunk_bytes: usize, max_record: u64) -> Result<WarcStream, Error> {
        Ok(WarcStream {
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

    /// The next records, of at least `chunk_bytes` except at the end; `None` after the last.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Records>, Error> {
        let mut records = Records::default();
        while !self.ended && records.length < self.chunk_bytes as u64 && records.spans.len() < CHUNK_RECORDS {
            match self.step(&mut records) {
                Step::On => {}
                Step::Read(wanted) => {
                    self.read(wanted).map_err(|source| file.read_error(source))?;
                }
                Step::Search(block) => self.search_from(block, file)?,
                Step::End => {
                    records.broken = self.decoding.broken().cloned();
                    self.ended = true;
                }
            }
        }
        let any = !records.spans.is_empty() || records.broken.is_some();
        Ok(any.then_some(records))
    }

    /// Takes the next record, if it is there.
    fn step(&mut self, records: &mut Records) -> Step {
        let ended = self.decoding.has_ended();
        if let Some(passing) = self.passing {
            return self.pass(passing, ended, records);
        }
        if self.searching {
            match next_start(&self.window, self.at) {
                Some(start) => (self.at, self.searching) = (start, false),
                None if ended => return Step::End,
                None => {
                    // What was searched is forgotten, but for what may be the start of a record.
                    let kept = MAGIC.len() + 3;
                    self.at = self.at.max(self.window.len().saturating_sub(kept));
                    return Step::Read(kept + 1);
                }
            }
        }
        // For good: however many there are, they are looked at once.
        self.at = behind_line_ends(&self.window, self.at);
        match record_at(&self.window, self.at, ended, self.max_record) {
            Found::Record { block, end, next } => {
                let record = &self.window[self.at..end];
                records.push(record, block - self.at, &self.window[end..next]);
                self.at = next;
            }
            Found::TooLong { block, length } => {
                let start = self.before + block as u64;
                self.at = block;
                // Of a damaged stream the second reading may decode more.
                match self.length.map(|all| all.saturating_sub(start)) {
                    Some(found) if length > found => {
                        records.spans.push(Err(Problem::Truncated { expected: length, found }));
                        self.searching = true;
                    }
                    _ => self.passing = Some(Passing { length, left: length, block: start }),
                }
            }
            Found::Bad { problem, resume } => {
                let is_cut = matches!(problem, Problem::OpenHead | Problem::Truncated { .. })
                    || self.window.len() - resume < MAGIC.len();
                if is_cut && self.decoding.broken().is_some() && next_start(&self.window, resume).is_none() {
                    // The stream is broken, not this last record of it.
                    return Step::End;
                }
                records.spans.push(Err(problem));
                (self.at, self.searching) = (resume, true);
            }
            Found::More(length) => return Step::Read(length - self.at),
            Found::End => return Step::End,
        }
        Step::On
    }

    /// Passes over what is left of a record that is too long.
    fn pass(&mut self, Passing { length, left, block }: Passing, ended: bool, records: &mut Records) -> Step {
        let here = left.min((self.window.len() - self.at) as u64);
        self.at += here as usize;
        let left = left - here;
        if left > 0 && !ended {
            self.passing = Some(Passing { length, left, block });
            return Step::Read(1);
        }
        self.passing = None;
        records.length += length - left;
        records.spans.push(Err(match left {
            0 => Problem::RecordTooLong { length, limit: self.max_record },
            _ => Problem::Truncated { expected: length, found: length - left },
        }));
        // There may be records in it, but it was not held.
        if left > 0 { Step::Search(block) } else { Step::On }
    }

    /// Searches for the next record from a place that was passed over, now that the whole file was.
    fn search_from(&mut self, place: u64, file: &InputFile) -> Result<(), Error> {
        self.length = Some(self.before + self.window.len() as u64);
        self.decoding = Decoding::open(file)?;
        self.window.clear();
        // Of a damaged stream the second reading may decode less.
        self.before =
            self.decoding.skip(place, self.chunk_bytes).map_err(|source| file.read_error(source))?;
        (self.at, self.searching) = (0, true);
        Ok(())
    }

    /// Reads until there are `wanted` bytes from `at` on, or more, or no more at all.
    fn read(&mut self, wanted: usize) -> std::io::Result<()> {
        // Not after each record: behind a long one, that would move megabytes for some bytes.
        if self.at > self.window.len() / 2 {
            self.window.drain(..self.at);
            self.before += self.at as u64;
            self.at = 0;
            // One long record must not keep its memory for the rest of the file.
            self.window.shrink_to(16 * self.chunk_bytes);
        }
        let there = self.window.len() - self.at;
        let missing = wanted.max(self.chunk_bytes).saturating_sub(there).max(1);
        let length = self.window.len() + missing;
        self.decoding.fill(&mut self.window, length)
    }
}

enum Step {
    /// Something was taken.
    On,
    /// So many bytes must be there.
    Read(usize),
    /// The next record must be searched for from this place of the file.
    Search(u64),
    /// There is nothing more, be it the end of the file or damage.
    End,
}

impl Records {
    fn push(&mut self, record: &[u8], block: usize, behind: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        let end = self.bytes.len();
        // The last record of a file may lack them, and some programs write one only; but another record may come behind it.
        let whole = matches!(behind, b"\r\n\r\n" | b"\n\n");
        self.bytes.extend_from_slice(if whole { behind } else { b"\r\n\r\n" });
        let place = |at: usize| at as u32;
        let (block, next) = (start + block, self.bytes.len());
        self.length += (next - start) as u64;
        self.spans.push(Ok(Span {
            start: place(start),
            block: place(block),
            end: place(end),
            next: place(next),
        }));
    }
}
