use super::member::{BLOCK, Member, MemberAt, is_header, key_of, member_at};
use crate::{Error, InputFile, Problem, read::decode::Decoding};

/// A chunk ends after this many samples. A broken file may hold many that are small.
const CHUNK_SAMPLES: usize = 1 << 16;

/// Samples of an archive, and the members between them.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(super) bytes: Vec<u8>,
    pub(super) spans: Vec<Result<SampleSpan, Problem>>,
    /// The length of all members, including those that were skipped. A chunk therefore ends at the same member whether it keeps them or not.
    length: u64,
    pub(crate) broken: Option<Problem>,
}

/// A sample, or a member that is none, by its bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampleSpan {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) is_sample: bool,
}

/// An archive that is decoded from its start.
#[derive(Debug)]
pub(crate) struct TarStream {
    decoding: Decoding,
    /// Decoded bytes. Those before `at` are done.
    window: Vec<u8>,
    at: usize,
    /// The sample whose last member may follow.
    open: Option<OpenSample>,
    /// The bytes that are left of a member that is too long to hold, and its name.
    passing: u64,
    passed: String,
    /// Whether the next header is sought, behind bytes that are none.
    searching: bool,
    chunk_bytes: usize,
    max_record: u64,
    ended: bool,
}

#[derive(Debug)]
struct OpenSample {
    key: String,
    /// Its members. Empty if they are too long to hold.
    bytes: Vec<u8>,
    length: u64,
}

impl TarStream {
    pub(crate) fn open(file: &InputFile, chunk_bytes: usize, max_record: u64) -> Result<TarStream, Error> {
        Ok(TarStream {
            decoding: Decoding::open(file)?,
            window: Vec::new(),
            at: 0,
            open: None,
            passing: 0,
            passed: String::new(),
            searching: false,
            chunk_bytes,
            max_record,
            ended: false,
        })
    }

    /// The next samples; `None` at the end.
    pub(crate) fn next(&mut self, file: &InputFile) -> Result<Option<Samples>, Error> {
        let mut samples = Samples::default();
        while !self.ended && samples.length < self.chunk_bytes as u64 && samples.spans.len() < CHUNK_SAMPLES {
            if let Some(wanted) = self.step(&mut samples) {
                self.read(wanted).map_err(|source| file.read_error(source))?;
            }
        }
        let any = !samples.spans.is_empty() || samples.broken.is_some();
        Ok(any.then_some(samples))
    }

    /// Goes on by a member. Returns how many bytes the window must have behind `at`, if it has too few.
    fn step(&mut self, samples: &mut Samples) -> Option<usize> {
        let has_ended = self.decoding.has_ended();
        if self.passing > 0 {
            let here = self.passing.min((self.window.len() - self.at) as u64);
            (self.at, self.passing) = (self.at + here as usize, self.passing - here);
            if self.passing > 0 && has_ended {
                self.open = None;
                samples.spans.push(Err(Problem::CutMember { name: std::mem::take(&mut self.passed) }));
                self.end(samples);
            }
            return (self.passing > 0 && !self.ended).then_some(1);
        }
        if self.searching && !self.search() {
            if has_ended {
                self.end(samples);
            }
            return Some(2 * BLOCK);
        }
        match member_at(&self.window, self.at, has_ended, self.max_record) {
            MemberAt::More(length) => return Some(length - self.at),
            MemberAt::Member(member) => self.add(member, samples),
            MemberAt::TooLong { name, is_file, content, length } => {
                let member = Member { name, is_file, content: 0..0, end: 0 };
                self.pass(member, content, length, samples);
            }
            MemberAt::Zeros => {
                self.close(samples);
                self.at += BLOCK;
            }
            MemberAt::End => self.end(samples),
            MemberAt::Bad(problem) => self.skip_bad(problem, samples),
        }
        None
    }

    fn add(&mut self, member: Member, samples: &mut Samples) {
        let key = key_of(&member);
        if self.open.as_ref().is_some_and(|open| Some(&*open.key) != key) {
            // The member is read again for the next sample, or the next chunk.
            return self.close(samples);
        }
        let bytes = &self.window[self.at..member.end];
        match (key, &mut self.open) {
            (None, _) => samples.push(bytes, false),
            (Some(_), Some(open)) => open.add(bytes, bytes.len() as u64, self.max_record),
            (Some(key), none) => {
                let (key, length) = (key.to_owned(), bytes.len() as u64);
                *none = Some(OpenSample { key, bytes: bytes.to_vec(), length });
            }
        }
        self.at = member.end;
    }

    /// Passes over a member that is too long to hold. The sample that it belongs to cannot be held either.
    fn pass(&mut self, member: Member, content: usize, length: u64, samples: &mut Samples) {
        let end = (content - self.at) as u64 + length.next_multiple_of(BLOCK as u64);
        let key = key_of(&member);
        if self.open.as_ref().is_some_and(|open| Some(&*open.key) != key) {
            return self.close(samples);
        }
        match key {
            Some(key) => {
                let new = || OpenSample { key: key.to_owned(), bytes: Vec::new(), length: 0 };
                self.open.get_or_insert_with(new).add(&[], end, self.max_record);
            }
            None => {
                samples.length += end;
                samples.spans.push(Err(Problem::RecordTooLong { length, limit: self.max_record }));
            }
        }
        (self.passing, self.passed) = (end, member.name);
    }

    /// Goes on at the next header.
    fn skip_bad(&mut self, problem: Problem, samples: &mut Samples) {
        self.close(samples);
        if let (Problem::CutMember { .. }, Some(_)) = (&problem, self.decoding.broken()) {
            // The stream is damaged, rather than its last member.
            return self.end(samples);
        }
        samples.spans.push(Err(problem));
        self.searching = true;
    }

    /// Goes on to the next header. Returns `false` if it is not in the window.
    fn search(&mut self) -> bool {
        while let Some(block) = self.window.get(self.at + BLOCK..self.at + 2 * BLOCK) {
            self.at += BLOCK;
            if is_header(block) {
                self.searching = false;
                return true;
            }
        }
        false
    }

    fn close(&mut self, samples: &mut Samples) {
        let Some(OpenSample { bytes, length, .. }) = self.open.take() else { return };
        match bytes.is_empty() {
            true => {
                samples.length += length;
                samples.spans.push(Err(Problem::RecordTooLong { length, limit: self.max_record }));
            }
            false => samples.push(&bytes, true),
        }
    }

    fn end(&mut self, samples: &mut Samples) {
        self.close(samples);
        samples.broken = self.decoding.broken().cloned();
        self.ended = true;
    }

    /// Reads until the window has `wanted` bytes behind `at`, or the stream ends.
    fn read(&mut self, wanted: usize) -> std::io::Result<()> {
        self.window.drain(..self.at);
        self.at = 0;
        // One long member must not occupy memory for the rest of the file.
        self.window.shrink_to(16 * self.chunk_bytes);
        self.decoding.fill(&mut self.window, wanted.max(self.chunk_bytes))
    }
}

impl OpenSample {
    /// Adds a member of `length` bytes, of which `bytes` are held, or none.
    fn add(&mut self, bytes: &[u8], length: u64, limit: u64) {
        self.length += length;
        match self.length > limit || bytes.is_empty() || self.bytes.is_empty() {
            true => self.bytes = Vec::new(),
            false => self.bytes.extend_from_slice(bytes),
        }
    }
}

impl Samples {
    fn push(&mut self, bytes: &[u8], is_sample: bool) {
        let start = self.bytes.len() as u32;
        self.length += bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        // The last block of an archive may be shorter, and others may be written behind it.
        self.bytes.resize(self.bytes.len().next_multiple_of(BLOCK), 0);
        self.spans.push(Ok(SampleSpan { start, end: self.bytes.len() as u32, is_sample }));
    }
}
