//! Which files are read, in which order, and under which names.

mod identity;
mod matching;
mod memory;
mod relative;
mod resolve;
mod sniff;
mod spool;

use std::{
    fs::{File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

pub(crate) use self::identity::Identity;
use crate::{
    Compression, DEFAULT_RECORD_BYTES, Delimiter, Error, Format, MAX_RECORD_BYTES, Problem, Waiting,
    memory::Memory,
    opened::{Opened, read_error},
    remote::Object,
};

/// The files to read, in the order in which their documents count; by default there are none.
#[derive(Debug, Default)]
pub struct Inputs {
    files: Vec<InputFile>,
    /// How many of these, the first ones, are only compared with.
    against: usize,
    ignored: u64,
    skipped: Vec<(PathBuf, Problem)>,
    /// See [`Inputs::skip_longer`].
    max_record: Option<u64>,
    /// See [`Inputs::read_whole_rows`].
    whole_rows: bool,
    /// How servers are waited for.
    waiting: Waiting,
}

/// One file to read.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// Where it is; empty if it is in memory.
    pub path: PathBuf,
    /// Its name in ids and messages: the path as it was given, or as it was found from the path that was given.
    pub name: String,
    /// Its name inside an output folder; no two files of [`Inputs`] that have a place there have the same.
    pub relative: PathBuf,
    /// How its documents are laid out.
    pub format: Format,
    /// How it is compressed. For text files and pages this is what the name says; their content decides when they are read.
    pub compression: Compression,
    stamp: Stamp,
    /// What the columns of a table are called that has no header.
    pub(crate) columns: Option<Arc<[String]>>,
    /// What separates the fields of a table; `None` goes by its format.
    pub(crate) delimiter: Option<Delimiter>,
    /// What is not opened by its path: the copy of standard input or of a pipe, which cannot be opened again, and an object
    /// behind a network, which has a stamp of its own.
    held: Option<Held>,
}

/// What is not opened by a path.
#[derive(Debug, Clone)]
enum Held {
    Opened(Opened),
    Memory(Memory),
}

/// What a name takes beside itself: the allocator's own number and its rounding up, on average.
const ALLOCATED_BYTES: usize = 16;

/// What files hold, which says what one without a known extension may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holding {
    /// Documents: plain text if it is nothing else.
    Documents,
    /// A list of ids: a table if it is nothing else.
    List,
}

/// What shows that a file is still the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Inputs {
    /// The files that the arguments name: files, folders, globs, or `-` for standard input. What starts with `s3://`,
    /// `gs://`, `https://` or `http://` is behind a network; prefixes of objects there are folders.
    ///
    /// A folder is walked, files in the order of their paths; hidden files and files without a known extension
    /// are left out. Globs are sorted, and leave out hidden files too unless their pattern names the dot. What cannot be read is
    /// [skipped](Inputs::skipped), if there is something else. A file that is named or matched, but has no known extension, is read as
    /// what its content shows: JSONL, a JSON array, Parquet, WARC, HTML, or else plain text. What can be read only once, as a pipe, is read here.
    ///
    /// # Errors
    /// [`Error`] if an argument gives no file, a file comes twice, or a file cannot be read.
    pub fn resolve(arguments: &[String], waiting: &Waiting) -> Result<Inputs, Error> {
        Self::resolve_against(&[], arguments, waiting)
    }

    /// The files that the arguments name, behind those of `against`, which are only compared with: no record of these is
    /// written, and no file of them has a place in an output folder.
    ///
    /// # Errors
    /// As [`Inputs::resolve`]; [`Error::AlsoInput`] if a file is on both sides.
    pub fn resolve_against(
        against: &[String],
        arguments: &[String],
        waiting: &Waiting,
    ) -> Result<Inputs, Error> {
        resolve::resolve(against, arguments, Holding::Documents, waiting)
    }

    /// The files of a list of ids, which one argument names in the same way.
    ///
    /// A file that has no known extension, as a pipe, may be CSV or TSV too.
    ///
    /// # Errors
    /// As [`Inputs::resolve`].
    pub fn resolve_list(argument: &str, waiting: &Waiting) -> Result<Inputs, Error> {
        resolve::resolve(&[], &[argument.to_owned()], Holding::List, waiting)
    }

    /// The files, in order. Chunks name a file by its index here.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// How many of the files, the first ones, are only compared with.
    pub fn against(&self) -> usize {
        self.against
    }

    /// Only those files, in the same order: their chunks are the same ones.
    pub fn against_only(&self) -> Inputs {
        let files = self.files[..self.against].to_vec();
        Inputs { files, max_record: self.max_record, waiting: self.waiting.clone(), ..Inputs::default() }
    }

    /// How servers and pipes are waited for.
    pub fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    /// The other files, with their indices: those whose records may be written.
    pub(crate) fn written(&self) -> impl Iterator<Item = (usize, &InputFile)> {
        self.files.iter().enumerate().skip(self.against)
    }

    /// Says that `file`, a CSV or TSV file by its index, has no header: its first line is a record, and its columns are
    /// called `names`, one for each of the columns of that line.
    ///
    /// # Panics
    /// If there is no such file.
    pub fn name_columns(&mut self, file: usize, names: &[&str]) {
        self.files[file].columns = Some(names.iter().map(|&name| name.to_owned()).collect());
    }

    /// Says what separates the fields of all CSV and TSV files, instead of commas and tabs.
    pub fn separate_fields_by(&mut self, delimiter: Delimiter) {
        self.files.iter_mut().for_each(|file| file.delimiter = Some(delimiter));
    }

    /// Says that records of more than `bytes`, at most [`MAX_RECORD_BYTES`], are skipped while they are read, instead of those of more than
    /// [`DEFAULT_RECORD_BYTES`]. What is held of the inputs depends on that, never which chunks they have.
    pub fn skip_longer(&mut self, bytes: u64) {
        self.max_record = Some(bytes.min(MAX_RECORD_BYTES));
    }

    /// Says that rows of Parquet will be written again: one is a document only if all its columns can be read, and not only those that are
    /// asked for. Which documents there are must be known before it is decided which of them stay.
    pub fn read_whole_rows(&mut self) {
        self.whole_rows = true;
    }

    /// Are the rows of a file read with all their columns, whatever is asked for?
    pub(crate) fn has_whole_rows(&self, file: u32) -> bool {
        self.whole_rows && file as usize >= self.against
    }

    /// Records of more bytes are skipped.
    pub(crate) fn max_record(&self) -> u64 {
        self.max_record.unwrap_or(DEFAULT_RECORD_BYTES)
    }

    /// How many files in walked folders were left out because their extension is unknown.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// What was found in folders or by globs but cannot be read, and why: links that lead nowhere, folders that may not be listed.
    pub fn skipped(&self) -> impl Iterator<Item = (String, &Problem)> {
        self.skipped.iter().map(|(path, problem)| (name_of(path), problem))
    }

    /// About how many bytes of memory the names of the files take, and what is known of them.
    pub fn memory(&self) -> u64 {
        let own = |file: &InputFile| {
            file.path.as_os_str().len() + file.name.len() + file.relative.as_os_str().len()
        };
        self.files.iter().map(|file| (size_of::<InputFile>() + own(file) + 3 * ALLOCATED_BYTES) as u64).sum()
    }

    /// The length of all files, in bytes as they are stored.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.stamp.length).sum()
    }
}

impl InputFile {
    /// What tells that the file is the same as before: its length in bytes, and when it was modified, in nanoseconds since 1970, or another
    /// number that changes with it. `None` if another run cannot read the same, as of standard input, pipes and memory.
    pub fn stamp(&self) -> Option<[u64; 2]> {
        let version = match &self.held {
            Some(Held::Opened(Opened::Local(_)) | Held::Memory(_)) => return None,
            Some(Held::Opened(Opened::Remote(object))) => object.version(),
            None => {
                let modified = self.stamp.modified?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
                modified.as_nanos() as u64
            }
        };
        Some([self.stamp.length, version])
    }

    /// The length of the file in bytes, as it is stored.
    pub fn length(&self) -> u64 {
        self.stamp.length
    }

    /// Opens the file, if it is still the one that was resolved.
    ///
    /// # Errors
    /// [`Error::Read`] if it cannot be opened, [`Error::Changed`] if its length or its time is another. Of an object behind a
    /// network that shows when it is read.
    pub(crate) fn open(&self) -> Result<Opened, Error> {
        match &self.held {
            Some(Held::Opened(opened)) => return Ok(opened.clone()),
            Some(Held::Memory(_)) => return Err(Error::InMemory { name: self.name.clone() }),
            None => {}
        }
        let file = File::open(&self.path).map_err(|source| self.read_error(source))?;
        let metadata = file.metadata().map_err(|source| self.read_error(source))?;
        if Stamp::of(&metadata) != self.stamp {
            return Err(Error::Changed { path: self.path.clone() });
        }
        Ok(Opened::Local(Arc::new(file)))
    }

    /// The object that it is, if it is behind a network.
    pub(crate) fn object(&self) -> Option<&Object> {
        match &self.held {
            Some(Held::Opened(Opened::Remote(object))) => Some(object),
            _ => None,
        }
    }

    /// What to say when it cannot be read.
    pub(crate) fn read_error(&self, source: io::Error) -> Error {
        read_error(&self.path, source)
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// The path as text, for names.
fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
