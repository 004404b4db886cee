//! Resolving arguments to files.

use std::{
    collections::{HashMap, hash_map::Entry},
    ffi::OsStr,
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use walkdir::{DirEntry, WalkDir};

use super::{
    FileStamp, HeldSource, Holding, Identity, InputFile, Inputs, matching, name_of, relative,
    saved::{DatasetFile, InSavedFolder, SavedFolder, descriptions_among},
    sniff::{Packing, json_format, packing_of, sniff},
    spool::{pipe, standard_input},
    unread::{is_no_data, table_around, table_in},
    zip::is_zip_file,
};
use crate::{
    Compression, Error, Format, Problem, Quoting, Waiting,
    formats::{known_extensions, of_name},
    opened::Opened,
    remote::{self, Named, Object, is_remote, other_scheme, read_error},
};

pub(super) fn resolve(
    against: &[String],
    arguments: &[String],
    holding: Holding,
    waiting: &Waiting,
) -> Result<Inputs, Error> {
    if arguments.is_empty() {
        return Err(Error::NoInput);
    }
    let mut found = InputResolver {
        holding,
        waiting,
        files: Vec::new(),
        identities: Vec::new(),
        ignored: 0,
        skipped: Vec::new(),
        descriptions: Vec::new(),
    };
    found.add_all(against)?;
    let first_written = found.files.len();
    found.add_all(arguments)?;
    if let (true, Some((path, problem))) = (found.files.is_empty(), found.skipped.first()) {
        return Err(Error::BadText { path: path.clone(), problem: problem.clone() });
    }
    let named = found.files.iter().zip(&found.identities).enumerate();
    refuse_repeats(named.map(|(index, (file, identity))| (index, file, identity)), first_written)?;
    relative::keep_apart(&mut found.files[first_written..]);
    let InputResolver { files, ignored, skipped, descriptions, .. } = found;
    let (against, waiting) = (first_written, waiting.clone());
    Ok(Inputs { files, against, ignored, skipped, descriptions, waiting, ..Inputs::default() })
}

pub(super) struct InputResolver<'w> {
    holding: Holding,
    pub(super) waiting: &'w Waiting,
    pub(super) files: Vec<InputFile>,
    /// The identity of each file. They show duplicates without a request for every real path.
    pub(super) identities: Vec<Identity>,
    pub(super) ignored: u64,
    /// Paths in folders and among matches that cannot be read.
    pub(super) skipped: Vec<(PathBuf, Problem)>,
    /// Files that describe data sets of Hugging Face.
    descriptions: Vec<(PathBuf, DatasetFile)>,
}

impl InputResolver<'_> {
    fn add_all(&mut self, arguments: &[String]) -> Result<(), Error> {
        for argument in arguments {
            let before = self.files.len();
            self.add(argument)?;
            self.forget_links(before);
        }
        Ok(())
    }

    fn add(&mut self, argument: &str) -> Result<(), Error> {
        let path = Path::new(argument);
        if argument == "-" {
            let is_read = |identity: &Identity| matches!(identity, Identity::Member(of, _) if **of == Identity::StandardInput);
            if self.identities.iter().any(is_read) {
                return Err(Error::Twice { first: argument.to_owned(), second: argument.to_owned() });
            }
            let file = standard_input(self.holding, &self.waiting.interrupt)?;
            return self.push_file(file, Identity::StandardInput);
        }
        if is_remote(path) {
            return self.add_remote(argument);
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.add_folder(path),
            Ok(metadata) if metadata.is_file() => self.add_named(path, relative::file_name(path), &metadata),
            Ok(metadata) => {
                let file = pipe(path, self.holding, &self.waiting.interrupt)?;
                self.push_file(file, Identity::of(path, &metadata))
            }
            Err(_) if let Some(error) = other_scheme(argument) => Err(error),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if argument.contains(super::WILDCARDS) {
                    return self.add_matches(argument);
                }
                let name = argument.to_owned();
                Err(match fs::read_link(path) {
                    Ok(target) => Error::MissingTarget { name, target },
                    Err(_) => Error::Missing { name },
                })
            }
            Err(source) => Err(Error::Read { path: path.to_owned(), source }),
        }
    }

    fn add_matches(&mut self, pattern: &str) -> Result<(), Error> {
        let (before, skipped) = (self.files.len(), self.skipped.len());
        let paths = matching::matches(pattern, |path, error| self.skip(path, &error))
            .map_err(|error| Error::BadPattern { pattern: pattern.to_owned(), message: error.to_string() })?;
        for path in paths {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {
                    self.add_named(&path, relative::matched(Path::new(pattern), &path), &metadata)?;
                }
                Ok(_) => {}
                Err(error) => self.skip(path, &error),
            }
        }
        self.refuse_nothing(before, skipped, || Error::NoMatch { pattern: pattern.to_owned() })
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        if let Some((table, kind)) = table_around(folder) {
            return Err(Error::table(&table, kind));
        }
        let (before, skipped) = (self.files.len(), self.skipped.len());
        // Links are followed, as download caches keep their data sets as folders of links.
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        let is_data = |name: &OsStr| !is_no_data(name.as_encoded_bytes());
        let mut saved = SavedFolder::default();
        for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || is_data(entry.file_name())) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.pass_over(folder, error);
                    continue;
                }
            };
            if entry.file_type().is_dir() {
                if let Some(table) = table_in(entry.path()) {
                    return Err(Error::table(entry.path(), table));
                }
                continue;
            }
            let (Some(format), compression) = of_name(entry.path()) else {
                if !self.add_wacz(folder, &entry)? {
                    self.ignored += 1;
                }
                continue;
            };
            let parent = entry.path().parent().unwrap_or(folder);
            if matches!(format, Format::Json | Format::Arrow) && !saved.is(parent) {
                saved = SavedFolder::of(parent);
            }
            match saved.kind(&entry.file_name().to_string_lossy()) {
                _ if !saved.is(parent) => {}
                InSavedFolder::Data => {}
                InSavedFolder::Describes(kind) => {
                    self.descriptions.push((entry.into_path(), kind));
                    continue;
                }
                InSavedFolder::Nothing => {
                    self.ignored += 1;
                    continue;
                }
            }
            if !entry.file_type().is_file() {
                // Reading a pipe would block until another program writes to it.
                self.ignored += 1;
                continue;
            }
            let metadata = entry
                .metadata()
                .map_err(|error| Error::Read { path: entry.path().to_owned(), source: error.into() })?;
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
            let packing = match format {
                // There may be millions of these. Each is examined when it is read.
                format if format.is_one_document() => Packing { compression, window: 0 },
                _ => packing_of(entry.path())?,
            };
            self.push(entry.path(), relative, format, packing, &metadata)?;
        }
        self.refuse_nothing(before, skipped, || Error::EmptyFolder {
            path: folder.to_owned(),
            known: known_extensions(),
        })
    }

    /// Adds the web archives of a WACZ in a walked folder. Returns `false` for any other file.
    fn add_wacz(&mut self, folder: &Path, entry: &DirEntry) -> Result<bool, Error> {
        let path = entry.path();
        let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wacz"));
        if !is_named || !entry.file_type().is_file() || !is_zip_file(path) {
            return Ok(false);
        }
        let metadata =
            entry.metadata().map_err(|error| Error::Read { path: path.to_owned(), source: error.into() })?;
        match self.add_archives(path, path.strip_prefix(folder).unwrap_or(path), &metadata) {
            Err(Error::BadZip { path, message }) => {
                self.skipped.push((path, Problem::Unreadable { message }));
                Ok(true)
            }
            added => added,
        }
    }

    /// Continues a walk behind a path that cannot be read.
    fn pass_over(&mut self, folder: &Path, error: walkdir::Error) {
        let path = error.path().unwrap_or(folder);
        match path.file_name() {
            Some(name) if error.depth() > 0 && is_no_data(name.as_encoded_bytes()) => {}
            // A link to a folder above it: its files are found without the link.
            _ if error.loop_ancestor().is_some() => self.ignored += 1,
            _ => self.skip(path.to_owned(), &error.into()),
        }
    }

    fn skip(&mut self, path: PathBuf, error: &io::Error) {
        let problem = match fs::read_link(&path) {
            Ok(target) if !path.exists() => Problem::DanglingLink { target },
            _ => Problem::Unreadable { message: error.to_string() },
        };
        self.skipped.push((path, problem));
    }

    /// Returns an error if an argument gave no file. `files` and `skipped` are the counts before it. The error names the first
    /// path that was skipped, and is otherwise `nothing`.
    fn refuse_nothing(
        &self,
        files: usize,
        skipped: usize,
        nothing: impl FnOnce() -> Error,
    ) -> Result<(), Error> {
        match self.skipped.get(skipped) {
            _ if self.files.len() > files => Ok(()),
            Some((path, problem)) => Err(Error::BadText { path: path.clone(), problem: problem.clone() }),
            None => Err(nothing()),
        }
    }

    fn add_named(&mut self, path: &Path, relative: PathBuf, metadata: &Metadata) -> Result<(), Error> {
        let read_error = |source| Error::Read { path: path.to_owned(), source };
        let (format, packing) = match of_name(path) {
            (Some(format), _) => (format, packing_of(path)?),
            (None, _) if is_zip_file(path) && self.add_archives(path, &relative, metadata)? => return Ok(()),
            (None, _) => {
                let opened = Opened::Local(Arc::new(File::open(path).map_err(read_error)?));
                let sniffed = sniff(&opened, self.holding).map_err(read_error)?;
                (sniffed.format_or(Format::Text, path)?, sniffed.packing)
            }
        };
        self.push(path, relative, format, packing, metadata)
    }

    /// Adds a remote argument. Prefixes of objects are folders.
    fn add_remote(&mut self, name: &str) -> Result<(), Error> {
        match remote::find(name, self.waiting)? {
            Named::Object { object, head } => {
                // A query is for the server, and not part of the file's name.
                let path = match object.is_in_bucket() {
                    true => object.name(),
                    false => object.name().split(['?', '#']).next().unwrap_or_default(),
                };
                let path = PathBuf::from(path);
                self.add_object(object, &path, relative::file_name(&path), &head)
            }
            Named::Matches(objects) => {
                let heads = remote::heads(&objects)?;
                objects.into_iter().zip(heads).try_for_each(|(object, head)| {
                    let path = PathBuf::from(object.name());
                    let relative = relative::matched(Path::new(name), &path);
                    self.add_object(object, &path, relative, &head)
                })
            }
            Named::Folder(objects) => {
                let before = self.files.len();
                let names: Vec<&str> = objects.iter().map(|(_, relative)| relative.as_str()).collect();
                let descriptions = descriptions_among(&names);
                let (known, formats): (Vec<_>, Vec<_>) = objects
                    .into_iter()
                    .enumerate()
                    .filter(|(index, _)| !descriptions.contains(index))
                    .filter_map(|(_, (object, relative))| {
                        let (format, compression) = of_name(Path::new(&relative));
                        // Some programs make a folder by an empty object without an extension.
                        self.ignored += u64::from(format.is_none() && object.length() > 0);
                        Some(((object, PathBuf::from(relative)), (format?, compression)))
                    })
                    .unzip();
                let looked_at: Vec<Object> = known
                    .iter()
                    .zip(&formats)
                    .filter(|(_, (format, _))| *format != Format::Text)
                    .map(|((object, _), _)| object.clone())
                    .collect();
                let mut heads = remote::heads(&looked_at)?.into_iter();
                for ((object, relative), (format, compression)) in known.into_iter().zip(formats) {
                    let packing = match format {
                        Format::Text => Packing { compression, window: 0 },
                        _ => Packing::of_head(&heads.next().unwrap_or_default()),
                    };
                    self.push_object(object, relative, format, packing)?;
                }
                if self.files.len() == before {
                    return Err(Error::EmptyFolder { path: name.into(), known: known_extensions() });
                }
                Ok(())
            }
        }
    }

    /// Adds an object. `path` is the part of its name that is a file name, and `head` its first bytes.
    fn add_object(
        &mut self,
        object: Object,
        path: &Path,
        relative: PathBuf,
        head: &[u8],
    ) -> Result<(), Error> {
        let (format, packing) = match of_name(path) {
            (Some(format), _) => (format, Packing::of_head(head)),
            (None, _) => {
                let name = Path::new(object.name());
                let sniffed = sniff(&Opened::Remote(object.clone()), self.holding)
                    .map_err(|source| read_error(name, source))?;
                (sniffed.format_or(Format::Text, name)?, sniffed.packing)
            }
        };
        self.push_object(object, relative, format, packing)
    }

    fn push_object(
        &mut self,
        object: Object,
        relative: PathBuf,
        format: Format,
        packing: Packing,
    ) -> Result<(), Error> {
        let path = PathBuf::from(object.name());
        if format.is_compressed_inside() && packing.compression != Compression::None {
            return Err(Error::CompressedInside { path, format: format.name() });
        }
        let format = match format {
            Format::Json => json_format(&Opened::Remote(object.clone()), packing)
                .map_err(|source| read_error(&path, source))?,
            format => format,
        };
        self.identities.push(Identity::Remote(path.clone()));
        self.files.push(InputFile {
            name: object.name().to_owned(),
            path,
            relative,
            format,
            compression: packing.compression,
            window: packing.window,
            stamp: FileStamp { length: object.length(), modified: None },
            columns: None,
            delimiter: None,
            quoting: Quoting::default(),
            bytes: None,
            headers: None,
            held: Some(HeldSource::Opened(Opened::Remote(object))),
        });
        Ok(())
    }

    fn push(
        &mut self,
        path: &Path,
        relative: PathBuf,
        format: Format,
        packing: Packing,
        metadata: &Metadata,
    ) -> Result<(), Error> {
        if format.is_compressed_inside() && packing.compression != Compression::None {
            return Err(Error::CompressedInside { path: path.to_owned(), format: format.name() });
        }
        let format = match format {
            Format::Json => File::open(path)
                .and_then(|file| json_format(&Opened::Local(Arc::new(file)), packing))
                .map_err(|source| Error::Read { path: path.to_owned(), source })?,
            format => format,
        };
        let file = InputFile {
            path: path.to_owned(),
            name: name_of(path),
            relative,
            format,
            compression: packing.compression,
            window: packing.window,
            stamp: FileStamp::of(metadata),
            columns: None,
            delimiter: None,
            quoting: Quoting::default(),
            bytes: None,
            headers: None,
            held: None,
        };
        self.push_file(file, Identity::of(path, metadata))
    }

    /// Adds a file that is here, or the files in it.
    fn push_file(&mut self, file: InputFile, identity: Identity) -> Result<(), Error> {
        if file.format == Format::Tar && self.add_tar(&file, &identity)? {
            return Ok(());
        }
        self.files.push(file);
        self.identities.push(identity);
        Ok(())
    }

    /// Drops files that one glob or folder finds again through a link. The user did not name them twice.
    fn forget_links(&mut self, from: usize) {
        let mut first_of: HashMap<Identity, usize> = HashMap::new();
        let files = self.files.split_off(from).into_iter().zip(self.identities.split_off(from));
        for (file, identity) in files {
            match first_of.entry(identity.clone()) {
                Entry::Occupied(first) if real_path(&self.files[*first.get()]) == real_path(&file) => {
                    continue;
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(entry) => {
                    entry.insert(self.files.len());
                }
            }
            self.files.push(file);
            self.identities.push(identity);
        }
    }
}

/// Refuses a path that comes twice, as this is a mistake. Two hard links to one file are allowed: the user may want to
/// compare them.
pub(super) fn refuse_repeats<'f>(
    files: impl Iterator<Item = (usize, &'f InputFile, &'f Identity)>,
    first_written: usize,
) -> Result<(), Error> {
    let mut first_of: HashMap<&Identity, (usize, &InputFile)> = HashMap::with_capacity(files.size_hint().0);
    for (index, file, identity) in files {
        match first_of.entry(identity) {
            Entry::Vacant(entry) => {
                entry.insert((index, file));
            }
            Entry::Occupied(entry) if real_path(entry.get().1) == real_path(file) => {
                let (first, second) = (entry.get().1.name.clone(), file.name.clone());
                let crosses = entry.get().0 < first_written && index >= first_written;
                return Err(match crosses {
                    true => Error::AlsoInput { against: first, input: second },
                    false => Error::Twice { first, second },
                });
            }
            Entry::Occupied(_) => {}
        }
    }
    Ok(())
}

pub(super) fn real_path(file: &InputFile) -> PathBuf {
    fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone())
}
