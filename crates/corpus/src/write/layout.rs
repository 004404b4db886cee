//! The places of kept records.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use super::{
    output::Output,
    paths::{in_folder, is_special, refuse},
    records::archive::ArchiveDictionary,
};
use crate::{
    Compression, Error, Format, InputFile, Inputs,
    formats::{extensions_of, known_extensions, of_name},
    inputs::Identity,
    remote::{is_remote, other_scheme},
};

/// The kind of an output.
#[derive(Debug)]
pub(super) enum OutputLayout {
    /// All kept records in one file.
    File { path: PathBuf, compression: Compression },
    /// A tar archive with a member for each input. All inputs are members of one such archive.
    Tar { path: PathBuf, compression: Compression },
    /// A file for each input, under its relative path.
    Folder(PathBuf),
    /// All kept records on standard output.
    Standard,
}

impl OutputLayout {
    /// Chooses the layout for `out`. A name with a known extension is a file, and any other name is a folder. Files that are
    /// one document each need a folder.
    pub(super) fn of(inputs: &Inputs, out: &Path) -> Result<OutputLayout, Error> {
        let formats: Vec<_> = inputs.written().map(|(_, file)| file.format).collect();
        let first = formats.first().copied().unwrap_or(Format::Jsonl);
        let same = formats.iter().all(|&format| format == first);
        let standard = out == Path::new("-");
        let existing = fs::metadata(out).ok();
        if let (None, Some(error)) = (&existing, other_scheme(&out.to_string_lossy())) {
            return Err(error);
        }
        let ends_in_slash = out.as_os_str().as_encoded_bytes().ends_with(b"/");
        let is_folder = existing.as_ref().is_some_and(fs::Metadata::is_dir) || ends_in_slash;
        let is_device = existing.as_ref().is_some_and(|metadata| !metadata.is_dir() && !metadata.is_file());
        let (format, compression) = of_name(out);
        let layout = match format {
            _ if standard && same && is_standard(first) => OutputLayout::Standard,
            _ if standard => return Err(Error::NotToStandardOutput),
            Some(Format::Tar) if !is_folder && inputs.written().any(|(_, file)| file.tar().is_some()) => {
                if !are_of_one_tar(inputs) {
                    return Err(Error::NotOneTar { out: out.to_owned() });
                }
                OutputLayout::Tar { path: out.to_owned(), compression }
            }
            Some(format) if !is_folder => {
                if formats.iter().all(|format| format.is_one_document()) && !formats.is_empty() {
                    return Err(Error::TextToFile { out: out.to_owned() });
                }
                if !same {
                    return Err(Error::FormatsDiffer { out: out.to_owned(), formats: names_of(&formats) });
                }
                if !first.fits(format) {
                    return Err(format_changed(out, first));
                }
                if format.is_compressed_inside() && compression != Compression::None {
                    return Err(Error::CompressedInside { path: out.to_owned(), format: format.name() });
                }
                OutputLayout::File { path: out.to_owned(), compression }
            }
            None if is_device => OutputLayout::File { path: out.to_owned(), compression },
            None if existing.is_some() && !is_folder => {
                return Err(format_changed(out, first));
            }
            None if existing.is_none() && !is_folder && has_extension(out) => {
                let expected =
                    if same && !first.is_one_document() { extensions_of(first) } else { known_extensions() };
                return Err(Error::UnknownExtension { out: out.to_owned(), expected });
            }
            _ => OutputLayout::Folder(out.to_owned()),
        };
        layout.refuse_inputs(inputs)?;
        Ok(layout)
    }

    /// Whether the records of all files are in one output of their format.
    pub(super) fn is_joined(&self) -> bool {
        matches!(self, OutputLayout::File { .. } | OutputLayout::Standard)
    }

    /// The path of the output for the records of a file, and the compression of these records.
    pub(super) fn place_of(&self, file: &InputFile) -> Option<(PathBuf, Compression)> {
        match self {
            OutputLayout::File { path, compression } => Some((path.clone(), *compression)),
            OutputLayout::Tar { path, .. } => Some((path.clone(), of_name(&file.relative).1)),
            OutputLayout::Folder(folder) => Some((folder.join(&file.relative), of_name(&file.relative).1)),
            OutputLayout::Standard => None,
        }
    }

    /// The dictionaries of outputs that are archives in zstd, by the index of their first input.
    pub(super) fn dictionaries(&self, inputs: &Inputs) -> Result<HashMap<u32, ArchiveDictionary>, Error> {
        let firsts = inputs.written().take(if self.is_joined() { 1 } else { usize::MAX });
        let is_zstd = |file| self.place_of(file).is_some_and(|(_, packed)| packed == Compression::Zstd);
        let archives = firsts.filter(|(_, file)| file.format == Format::Warc && is_zstd(file));
        let found = archives.map(|(index, file)| Ok((index as u32, ArchiveDictionary::of(file)?)));
        found
            .filter_map(|found: Result<_, Error>| {
                found.map(|(index, found)| Some((index, found?))).transpose()
            })
            .collect()
    }

    /// The paths of the outputs for these inputs. There are none for standard output.
    pub(super) fn places(&self, inputs: &Inputs) -> Vec<PathBuf> {
        match self {
            OutputLayout::File { path, .. } | OutputLayout::Tar { path, .. } => vec![path.clone()],
            _ => inputs.written().filter_map(|(_, file)| Some(self.place_of(file)?.0)).collect(),
        }
    }

    /// Tests whether outputs can be written at their places. An error should be reported before all inputs are read, not after.
    pub(super) fn try_places(&self, inputs: &Inputs) -> Result<(), Error> {
        match self {
            OutputLayout::File { path, compression } | OutputLayout::Tar { path, compression }
                if !is_special(path) =>
            {
                Output::create(path, *compression, inputs.waiting())?;
            }
            // A server is asked only once.
            OutputLayout::Folder(folder) if is_remote(folder) => {
                let first = inputs.files().first().and_then(|file| self.place_of(file));
                first
                    .map(|(path, compression)| Output::create(&path, compression, inputs.waiting()))
                    .transpose()?;
            }
            // Folders that do not exist yet will have only new files.
            OutputLayout::Folder(folder) if folder.is_dir() => {
                let mut tried = PathBuf::new();
                for path in self.places(inputs) {
                    refuse(&path)?;
                    let folder = path.ancestors().skip(1).find(|folder| folder.is_dir());
                    if let Some(folder) = folder.filter(|folder| *folder != tried) {
                        let tries = tempfile::tempfile_in(folder);
                        tries.map_err(|source| Error::Write {
                            path: path.clone(),
                            source: in_folder(folder, &source),
                        })?;
                        folder.clone_into(&mut tried);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Refuses an output that would replace an input, which is still to be read.
    fn refuse_inputs(&self, inputs: &Inputs) -> Result<(), Error> {
        match self {
            // A path that does not exist yet is not an input.
            OutputLayout::Folder(path) | OutputLayout::File { path, .. } | OutputLayout::Tar { path, .. }
                if !is_remote(path) && !path.exists() =>
            {
                return Ok(());
            }
            OutputLayout::Standard => return Ok(()),
            _ => {}
        }
        let read: HashSet<_> = inputs.files().iter().filter_map(|file| Identity::at(&file.path)).collect();
        for path in self.places(inputs) {
            if Identity::at(&path).is_some_and(|identity| read.contains(&identity)) {
                return Err(Error::OutputIsInput { path });
            }
        }
        Ok(())
    }
}

/// Whether all inputs are members of one tar archive.
fn are_of_one_tar(inputs: &Inputs) -> bool {
    let mut tars = inputs.written().map(|(_, file)| file.tar());
    let first = tars.next().flatten();
    first.is_some() && tars.all(|tar| tar == first)
}

fn format_changed(out: &Path, first: Format) -> Error {
    Error::FormatChanged { out: out.to_owned(), format: first.name(), expected: extensions_of(first) }
}

/// The different formats, as in `JSONL, CSV and Parquet`.
fn names_of(formats: &[Format]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in formats.iter().map(|format| format.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Whether a name seems to have an extension. Versions and numbers, as in `kept-0.8`, are none.
fn has_extension(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    extension.is_some_and(|extension| extension.contains(|c: char| !c.is_ascii_digit()))
}

/// Whether kept records of a format can go to standard output.
fn is_standard(format: Format) -> bool {
    matches!(
        format,
        Format::Jsonl | Format::Json | Format::Csv | Format::Tsv | Format::Warc | Format::Arc | Format::Tar
    )
}
