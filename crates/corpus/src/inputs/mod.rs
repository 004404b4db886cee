//! The files to read, their order and their names.

mod container;
mod identity;
mod matching;
mod members;
mod memory;
mod relative;
mod resolve;
mod saved;
mod sniff;
mod spool;
mod tar;
mod unread;
mod zip;

use std::{
    cmp::Reverse,
    fs::{File, Metadata},
    io,
    num::NonZeroU32,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

pub(crate) use self::identity::Identity;
pub use self::matching::WILDCARDS;
pub(crate) use self::saved::DatasetFile;
#[cfg(feature = "parquet")]
pub(crate) use self::saved::add_features;
pub use self::sniff::content_of_other_name;
pub(crate) use self::unread::TableKind;
#[cfg(feature = "remote")]
pub(crate) use self::unread::{is_no_data, table_among};
use crate::{
    AgainstFields, Compression, DEFAULT_RECORD_BYTES, Delimiter, Error, Format, MAX_RECORD_BYTES, Problem,
    Quoting, Waiting,
    formats::{DEFAULT_WINDOW, USUAL_WINDOW},
    memory::Memory,
    opened::Opened,
    platform,
    remote::{Object, read_error},
};
use lookalike_html::Extract;

/// The files to read, in the order of their documents. The default is empty.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    files: Vec<InputFile>,
    /// The number of files, at the start, that are only compared against.
    against: usize,
    /// See [`Inputs::name_against_fields`].
    against_fields: AgainstFields,
    ignored: u64,
    skipped: Vec<(PathBuf, Problem)>,
    /// Files of walked folders that describe data sets of Hugging Face, and hold no records.
    descriptions: Vec<(PathBuf, DatasetFile)>,
    /// See [`Inputs::skip_longer`].
    max_record: Option<u64>,
    /// See [`Inputs::hold_batches`].
    batch_memory: Option<u64>,
    /// See [`Inputs::extract`].
    extract: Extract,
    /// See [`Inputs::read_all_records`].
    all_records: bool,
    /// See [`Inputs::read_whole_rows`].
    whole_rows: bool,
    /// The way in which servers are waited for.
    waiting: Waiting,
}

/// One file to read.
#[derive(Debug, Clone)]
pub struct InputFile {
    /// The path of the file. Empty for a source in memory.
    pub path: PathBuf,
    /// The name in ids and messages: the path as given, or as found below the given path.
    pub name: String,
    /// The path in an output folder. No two files of [`Inputs`] that are written there have the same path.
    pub relative: PathBuf,
    /// The layout of its documents.
    pub format: Format,
    /// The compression. For text files and pages it comes from the name, and their content decides when they are read.
    pub compression: Compression,
    /// The window of the first frame of Zstandard, in bytes. 0 if there is none, or it is unknown.
    window: u64,
    stamp: FileStamp,
    /// The names of the columns, if the file is a table without a header.
    pub(crate) columns: Option<Arc<[String]>>,
    /// The separator of fields in a table. `None` stands for the separator of the format.
    pub(crate) delimiter: Option<Delimiter>,
    /// How the fields of a table are quoted.
    pub(crate) quoting: Quoting,
    /// The bytes of the file at `path` that are this one, if it is a member of a container.
    bytes: Option<Range<u64>>,
    /// The length of the headers before these bytes, if it is a member of a tar archive.
    headers: Option<NonZeroU32>,
    /// The source, if it is not opened by its path.
    held: Option<HeldSource>,
}

/// A source that is not opened by a path.
#[derive(Debug, Clone)]
enum HeldSource {
    /// The copy of standard input or a pipe, or a remote object with a stamp of its own.
    Opened(Opened),
    Memory(Memory),
}

/// The bytes that the allocator needs for a name: its own number, and rounding, on average.
const ALLOCATED_BYTES: usize = 16;

/// The kind of contents in the inputs. It decides on the formats of files without a known extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holding {
    /// Documents. A file in no other format is plain text.
    Documents,
    /// A list of ids. A file in no other format is a table.
    List,
}

/// The length and time of a file, which show whether it has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Inputs {
    /// Finds the files that the arguments name: files, folders, globs, or `-` for standard input. Names that start with
    /// `s3://`, `gs://`, `https://` or `http://` are remote. There, prefixes of objects are folders.
    ///
    /// A folder is walked in the order of its paths, without hidden files and files without a known extension. The matches of a
    /// glob are sorted. They do not include hidden files, unless the pattern names the dot. Paths that cannot be read are
    /// [skipped](Inputs::skipped), if others are found. A named or matched file without a known extension is recognised by its
    /// content: JSONL, a JSON array, Parquet, Arrow, WARC, ARC, tar, HTML, or else plain text. A zip file stands for the web archives in it. Pipes and standard input can be read only once,
    /// so they are read here.
    ///
    /// # Errors
    /// [`Error`] if an argument gives no file, if a file comes twice, or if a file cannot be read.
    pub fn resolve(arguments: &[String], waiting: &Waiting) -> Result<Inputs, Error> {
        Self::resolve_against(&[], arguments, waiting)
    }

    /// Finds the files of the arguments, behind the files of `against`. The latter are only compared against: their records are
    /// not written, and they have no place in an output folder.
    ///
    /// # Errors
    /// As [`Inputs::resolve`], and [`Error::AlsoInput`] if a file is on both sides.
    pub fn resolve_against(
        against: &[String],
        arguments: &[String],
        waiting: &Waiting,
    ) -> Result<Inputs, Error> {
        resolve::resolve(against, arguments, Holding::Documents, waiting)
    }

    /// Finds the files of a list of ids, which one argument names in the same way.
    ///
    /// A file without a known extension, such as a pipe, may also be CSV or TSV.
    ///
    /// # Errors
    /// As [`Inputs::resolve`].
    pub fn resolve_list(argument: &str, waiting: &Waiting) -> Result<Inputs, Error> {
        resolve::resolve(&[], &[argument.to_owned()], Holding::List, waiting)
    }

    /// The files, in order. A chunk names its file by the index in this list.
    pub fn files(&self) -> &[InputFile] {
        &self.files
    }

    /// The number of files, at the start of the list, that are only compared against.
    pub fn against(&self) -> usize {
        self.against
    }

    /// Only the files to compare against, in the same order. Their chunks are the same.
    pub fn against_only(&self) -> Inputs {
        let files = self.files[..self.against].to_vec();
        let (max_record, batch_memory, extract) = (self.max_record, self.batch_memory, self.extract);
        let (against, waiting) = (files.len(), self.waiting.clone());
        let against_fields = self.against_fields.clone();
        Inputs {
            files,
            against,
            against_fields,
            max_record,
            batch_memory,
            extract,
            waiting,
            ..Inputs::default()
        }
    }

    /// Names the fields of text and id in the files to compare against, where they differ from all other files.
    pub fn name_against_fields(&mut self, fields: AgainstFields) {
        self.against_fields = fields;
    }

    /// The fields of text and id in the files to compare against.
    pub fn against_fields(&self) -> &AgainstFields {
        &self.against_fields
    }

    /// The way in which servers and pipes are waited for.
    pub fn waiting(&self) -> &Waiting {
        &self.waiting
    }

    /// The files whose records may be written, with their indices.
    pub(crate) fn written(&self) -> impl Iterator<Item = (usize, &InputFile)> {
        self.files.iter().enumerate().skip(self.against)
    }

    /// Names the columns of a CSV or TSV file without a header, given by its index. Its first line is then a record. `names`
    /// has one name for each column of that line.
    ///
    /// # Panics
    /// If there is no such file.
    pub fn name_columns(&mut self, file: usize, names: &[&str]) {
        self.files[file].columns = Some(names.iter().map(|&name| name.to_owned()).collect());
    }

    /// Sets the separator of fields for all CSV and TSV files, in place of commas and tabs.
    pub fn separate_fields_by(&mut self, delimiter: Delimiter) {
        self.files.iter_mut().for_each(|file| file.delimiter = Some(delimiter));
    }

    /// Sets how fields are quoted in all CSV and TSV files.
    pub fn quote_fields(&mut self, quoting: Quoting) {
        self.files.iter_mut().for_each(|file| file.quoting = quoting);
    }

    /// Sets the greatest length of a record in bytes, at most [`MAX_RECORD_BYTES`], in place of [`DEFAULT_RECORD_BYTES`].
    /// Longer records are skipped while they are read. The limit bounds memory, and does not change the chunks.
    pub fn skip_longer(&mut self, bytes: u64) {
        self.max_record = Some(bytes.min(MAX_RECORD_BYTES));
    }

    /// Sets how much memory, in bytes, record batches of Arrow take at once. One that needs more is skipped. The limit does not
    /// change the chunks.
    pub fn hold_batches(&mut self, bytes: u64) {
        self.batch_memory = Some(bytes);
    }

    /// The memory, in bytes, that record batches of Arrow take at most: 0 if no file is Arrow, or if there is no limit.
    pub fn batch_memory(&self) -> u64 {
        let has_batches = self.files.iter().any(|file| file.format == Format::Arrow);
        self.batch_memory.filter(|_| has_batches).unwrap_or(0)
    }

    /// The greatest memory of the record batches that are decoded at once.
    pub(crate) fn batch_limit(&self) -> u64 {
        self.batch_memory.unwrap_or(u64::MAX)
    }

    /// Sets which part of the text of HTML pages is read, in place of all visible text. Files in other formats are read as before.
    pub fn extract(&mut self, extract: Extract) {
        self.extract = extract;
    }

    /// The part of the text of HTML pages that is read.
    pub(crate) fn extracted(&self) -> Extract {
        self.extract
    }

    /// Makes documents also of records of archives that are about the crawl: those whose target is no address of http, https or ftp.
    pub fn read_all_records(&mut self) {
        self.all_records = true;
    }

    pub(crate) fn has_all_records(&self) -> bool {
        self.all_records
    }

    /// Announces that Parquet rows will be written again. A row is then a document only if all its columns are readable, rather
    /// than only the wanted ones. The documents must be known before it is decided which of them are kept.
    pub fn read_whole_rows(&mut self) {
        self.whole_rows = true;
    }

    /// Whether the rows of a file are read with all their columns, rather than only the wanted ones.
    pub(crate) fn has_whole_rows(&self, file: u32) -> bool {
        self.whole_rows && file as usize >= self.against
    }

    /// The greatest length of a record in bytes. Longer ones are skipped.
    pub(crate) fn max_record(&self) -> u64 {
        self.max_record.unwrap_or(DEFAULT_RECORD_BYTES)
    }

    /// The files that describe written data sets of Hugging Face: where each is, its path in an output folder, and its kind.
    pub(crate) fn descriptions(&self) -> impl Iterator<Item = (&Path, PathBuf, DatasetFile)> {
        self.descriptions.iter().filter_map(|(path, kind)| {
            let (folder, name) = (path.parent()?, path.file_name()?);
            let levels = match kind {
                DatasetFile::State | DatasetFile::Info => 1,
                DatasetFile::Dictionary => 2,
            };
            // An output of the folder is where the output of a file in it is.
            let is_inside = |file: &&InputFile| file.path.ancestors().nth(levels) == Some(folder);
            let (_, beside) = self.written().find(|(_, file)| is_inside(file))?;
            Some((path.as_path(), beside.relative.ancestors().nth(levels)?.join(name), *kind))
        })
    }

    /// The number of files in walked folders that were left out because their extension is unknown.
    pub fn ignored(&self) -> u64 {
        self.ignored
    }

    /// The paths in folders and matches of globs that cannot be read, with the reasons: broken links, and folders without
    /// permission.
    pub fn skipped(&self) -> impl Iterator<Item = (String, &Problem)> {
        self.skipped.iter().map(|(path, problem)| (name_of(path), problem))
    }

    /// The approximate memory, in bytes, of the names and properties of all files.
    pub fn memory(&self) -> u64 {
        let own = |file: &InputFile| {
            file.path.as_os_str().len() + file.name.len() + file.relative.as_os_str().len()
        };
        self.files.iter().map(|file| (size_of::<InputFile>() + own(file) + 3 * ALLOCATED_BYTES) as u64).sum()
    }

    /// The memory, in bytes, that decoders take for windows of Zstandard while so many files are read at once, beyond the usual ones.
    /// The second value is the name of the file with the longest window. `None` if all windows are usual.
    pub fn long_windows(&self, files: usize) -> Option<(u64, &str)> {
        let mut long: Vec<_> = self.files.iter().filter(|file| file.window > USUAL_WINDOW).collect();
        long.sort_by_key(|file| Reverse(file.window));
        let first = long.first()?;
        Some((long.iter().take(files).map(|file| file.window).sum(), &first.name))
    }

    /// The length of all files, in bytes as they are stored. Of [`Texts`](crate::Texts) it may be an estimate until they were read.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(InputFile::length).sum()
    }
}

impl InputFile {
    /// A stamp that shows whether the file has changed: its length in bytes, and a number that changes with it. For local files
    /// this number is the time of modification in nanoseconds since 1970. `None` if another run cannot read the same bytes, as
    /// for standard input, pipes and memory.
    pub fn stamp(&self) -> Option<[u64; 2]> {
        let version = match &self.held {
            Some(HeldSource::Opened(Opened::Local(_) | Opened::Range { .. }) | HeldSource::Memory(_)) => {
                return None;
            }
            Some(HeldSource::Opened(Opened::Remote(object))) => object.version(),
            None => {
                let modified = self.stamp.modified?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
                modified.as_nanos() as u64
            }
        };
        Some([self.length(), version])
    }

    /// The length of the file in bytes, as it is stored. Of [`Texts`](crate::Texts) it may be an estimate until they were read.
    pub fn length(&self) -> u64 {
        match self.memory() {
            Some(Memory::Texts(texts)) => texts.bytes(),
            _ => self.bytes.as_ref().map_or(self.stamp.length, |range| range.end - range.start),
        }
    }

    /// The path in its container, if it is a member of one.
    fn member(&self) -> Option<&str> {
        self.bytes.as_ref()?;
        self.name.strip_prefix(&*self.path.to_string_lossy())?.strip_prefix('/')
    }

    /// The tar archive that it is a member of.
    pub(crate) fn tar(&self) -> Option<&Path> {
        self.headers.map(|_| self.path.as_path())
    }

    /// Its headers in the tar archive that it is a member of. Empty if it is in none.
    ///
    /// # Errors
    /// Those of [`InputFile::open`] and of reading.
    pub(crate) fn tar_headers(&self) -> Result<Vec<u8>, Error> {
        let (Some(length), Opened::Range { file, range }) = (self.headers, self.open()?) else {
            return Ok(Vec::new());
        };
        let mut headers = vec![0; length.get() as usize];
        let start = range.start - u64::from(length.get());
        platform::read_exact_at(&file, &mut headers, start).map_err(|source| self.read_error(source))?;
        Ok(headers)
    }

    /// Whether it is a source in memory whose texts may have several sections.
    pub(crate) fn has_sections(&self) -> bool {
        self.memory().is_some_and(Memory::has_sections)
    }

    /// The longest window, in bytes, that a decoder of the file may have.
    pub(crate) fn decoder_window(&self) -> u64 {
        self.window.max(DEFAULT_WINDOW)
    }

    /// Opens the file, if it has not changed since it was resolved.
    ///
    /// # Errors
    /// [`Error::Read`] if it cannot be opened, or [`Error::Changed`] if its length or time has changed. For a remote object,
    /// changes are found when it is read.
    pub(crate) fn open(&self) -> Result<Opened, Error> {
        match &self.held {
            Some(HeldSource::Opened(opened)) => return Ok(opened.clone()),
            Some(HeldSource::Memory(_)) => return Err(Error::InMemory { name: self.name.clone() }),
            None => {}
        }
        let file = File::open(&self.path).map_err(|source| self.read_error(source))?;
        let metadata = file.metadata().map_err(|source| self.read_error(source))?;
        if FileStamp::of(&metadata) != self.stamp {
            return Err(Error::Changed { path: self.path.clone() });
        }
        let file = Arc::new(file);
        Ok(match &self.bytes {
            Some(range) => Opened::Range { file, range: range.clone() },
            None => Opened::Local(file),
        })
    }

    /// The remote object, if the file is remote.
    pub(crate) fn object(&self) -> Option<&Object> {
        match &self.held {
            Some(HeldSource::Opened(Opened::Remote(object))) => Some(object),
            _ => None,
        }
    }

    /// The error for this file if it cannot be read.
    pub(crate) fn read_error(&self, source: io::Error) -> Error {
        read_error(&self.path, source)
    }
}

impl FileStamp {
    fn of(metadata: &Metadata) -> FileStamp {
        FileStamp { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// The path as text, for names.
fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
