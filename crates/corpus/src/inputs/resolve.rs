//! From arguments to files.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use walkdir::{DirEntry, WalkDir};

use super::{
    Holding, InputFile, Inputs, Stamp, name_of, relative,
    sniff::{compression_of, sniff},
    spool::{pipe, standard_input},
};
use crate::{
    Compression, Error, Format,
    formats::{known_extensions, of_name},
};

pub(super) fn resolve(against: &[String], arguments: &[String], holding: Holding) -> Result<Inputs, Error> {
    if arguments.is_empty() {
        return Err(Error::NoInput);
    }
    let mut found = Found { holding, files: Vec::new(), identities: Vec::new(), ignored: 0 };
    found.add_all(against)?;
    let first_written = found.files.len();
    found.add_all(arguments)?;
    found.refuse_repeats(first_written)?;
    relative::keep_apart(&mut found.files[first_written..]);
    Ok(Inputs { files: found.files, against: first_written, ignored: found.ignored })
}

struct Found {
    holding: Holding,
    files: Vec<InputFile>,
    /// Device and inode of each file, to find one that comes twice without asking for every real path.
    identities: Vec<(u64, u64)>,
    ignored: u64,
}

impl Found {
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
            self.files.push(standard_input(self.holding)?);
            // No file has inode 0, so that a second "-" is the only thing that standard input can equal.
            self.identities.push((0, 0));
            return Ok(());
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.add_folder(path),
            Ok(metadata) if metadata.is_file() => self.add_named(path, &metadata),
            Ok(metadata) => {
                self.files.push(pipe(path, self.holding)?);
                self.identities.push((metadata.dev(), metadata.ino()));
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && argument.contains(['*', '?', '[']) => {
                self.add_matches(argument)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Error::Missing { name: argument.to_owned() })
            }
            Err(source) => Err(Error::Read { path: path.to_owned(), source }),
        }
    }

    fn add_matches(&mut self, pattern: &str) -> Result<(), Error> {
        let matches = glob::glob(pattern)
            .map_err(|error| Error::BadPattern { pattern: pattern.to_owned(), message: error.to_string() })?;
        let mut paths = Vec::new();
        for path in matches {
            paths.push(
                path.map_err(|error| Error::Read { path: error.path().to_owned(), source: error.into() })?,
            );
        }
        paths.sort();
        let before = self.files.len();
        for path in paths {
            let metadata =
                fs::metadata(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
            if metadata.is_file() {
                self.add_named(&path, &metadata)?;
            }
        }
        if self.files.len() == before {
            return Err(Error::NoMatch { pattern: pattern.to_owned() });
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        let before = self.files.len();
        // Links are followed: download caches keep their data sets as folders of links.
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)) {
            let entry = entry.map_err(|error| walk_error(folder, error))?;
            if entry.file_type().is_dir() {
                continue;
            }
            let (Some(format), compression) = of_name(entry.path()) else {
                self.ignored += 1;
                continue;
            };
            let metadata = entry.metadata().map_err(|error| walk_error(folder, error))?;
            let relative = entry.path().strip_prefix(folder).unwrap_or(entry.path()).to_owned();
            let compression = match format {
                // There may be millions of these; each is looked at when it is read.
                format if format.is_one_document() => compression,
                _ => compression_of(entry.path())?,
            };
            self.push(entry.path(), relative, format, compression, &metadata)?;
        }
        if self.files.len() == before {
            return Err(Error::EmptyFolder { path: folder.to_owned(), known: known_extensions() });
        }
        Ok(())
    }

    fn add_named(&mut self, path: &Path, metadata: &Metadata) -> Result<(), Error> {
        let read_error = |source| Error::Read { path: path.to_owned(), source };
        let relative = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
        let (format, compression) = match of_name(path) {
            (Some(format), _) => (format, compression_of(path)?),
            (None, _) => {
                let (format, compression) =
                    sniff(&File::open(path).map_err(read_error)?, self.holding).map_err(read_error)?;
                (format.unwrap_or(Format::Text), compression)
            }
        };
        self.push(path, relative, format, compression, metadata)
    }

    fn push(
        &mut self,
        path: &Path,
        relative: PathBuf,
        format: Format,
        compression: Compression,
        metadata: &Metadata,
    ) -> Result<(), Error> {
        if format == Format::Parquet && compression != Compression::None {
            return Err(Error::CompressedParquet { path: path.to_owned() });
        }
        self.identities.push((metadata.dev(), metadata.ino()));
        self.files.push(InputFile {
            path: path.to_owned(),
            name: name_of(path),
            relative,
            format,
            compression,
            stamp: Stamp::of(metadata),
            columns: None,
            spool: None,
        });
        Ok(())
    }

    /// What one glob or folder finds again by another link counts once: nobody named it twice.
    fn forget_links(&mut self, from: usize) {
        let mut first_of: HashMap<(u64, u64), usize> = HashMap::new();
        let files = self.files.split_off(from).into_iter().zip(self.identities.split_off(from));
        for (file, identity) in files {
            match first_of.entry(identity) {
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

    /// Two hard links may hold what the user wants to compare; one path that comes twice is a mistake.
    fn refuse_repeats(&self, first_written: usize) -> Result<(), Error> {
        let mut first_of: HashMap<(u64, u64), (usize, &InputFile)> = HashMap::with_capacity(self.files.len());
        for ((index, file), &identity) in self.files.iter().enumerate().zip(&self.identities) {
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
}

pub(super) fn real_path(file: &InputFile) -> PathBuf {
    fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone())
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

fn walk_error(folder: &Path, error: walkdir::Error) -> Error {
    Error::Read { path: error.path().unwrap_or(folder).to_owned(), source: error.into() }
}
