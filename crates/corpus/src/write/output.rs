//! Outputs, which appear under their names only when they are complete.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    encoder::Encoder,
    part::{PartFile, RunLocks},
    paths::{file_above, folder_of, in_folder, is_special, refuse},
    publish::Complete,
};
use crate::{
    Compression, Error, Waiting, platform,
    remote::{Upload, is_remote, other_scheme},
};

/// An output that is being written. If it is dropped before it is published, no file remains.
pub(crate) struct Output {
    path: PathBuf,
    /// The file beside the final place. `None` for an output that is written in place: standard output, or a device.
    part: Option<PartFile>,
    encoder: Encoder,
    last: Option<u8>,
}

/// The destination of an output's bytes.
#[derive(Debug)]
pub(super) enum OutputTarget {
    File(File),
    Upload(Upload),
}

impl Write for OutputTarget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputTarget::File(file) => file.write(bytes),
            OutputTarget::Upload(upload) => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputTarget::File(file) => file.flush(),
            OutputTarget::Upload(upload) => upload.flush(),
        }
    }
}

impl Output {
    /// Starts an output for `path`.
    pub(crate) fn create(path: &Path, compression: Compression, waiting: &Waiting) -> Result<Output, Error> {
        Self::create_among(None, path, compression, waiting)
    }

    /// Starts one of many outputs that a run writes into a folder.
    pub(super) fn create_among(
        run: Option<&RunLocks>,
        path: &Path,
        compression: Compression,
        waiting: &Waiting,
    ) -> Result<Output, Error> {
        if is_remote(path) {
            return Output::new(
                path,
                None,
                OutputTarget::Upload(Upload::create(path, waiting)?),
                compression,
            );
        }
        let write_error = |source| Error::Write { path: path.to_owned(), source };
        if is_special(path) {
            // A device or a pipe must not be replaced by a file.
            let file = File::options().write(true).open(path).map_err(write_error)?;
            return Output::new(path, None, OutputTarget::File(file), compression);
        }
        let name = path.to_string_lossy();
        // If the path is a link, its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        refuse(&path)?;
        let folder = folder_of(&path);
        if !folder.is_dir() {
            return match file_above(folder) {
                Some(source) => Err(Error::Write { path, source }),
                None => Err(other_scheme(&name)
                    .unwrap_or(Error::NoFolder { path: path.clone(), folder: folder.to_owned() })),
            };
        }
        let (file, part) =
            PartFile::create(folder, run).map_err(|error| write_error(in_folder(folder, &error)))?;
        Output::new(&path, Some(part), OutputTarget::File(file), compression)
    }

    /// Starts a part of an output, in a file without a name.
    pub(super) fn of_part(path: &Path, file: File, compression: Compression) -> Result<Output, Error> {
        Output::new(path, None, OutputTarget::File(file), compression)
    }

    /// Starts an output on standard output.
    pub(crate) fn standard() -> Result<Output, Error> {
        let path = Path::new("standard output");
        let file =
            platform::standard_output().map_err(|source| Error::Write { path: path.to_owned(), source })?;
        Output::new(path, None, OutputTarget::File(file), Compression::None)
    }

    fn new(
        path: &Path,
        part: Option<PartFile>,
        target: OutputTarget,
        compression: Compression,
    ) -> Result<Output, Error> {
        let path = path.to_owned();
        match Encoder::new(target, compression) {
            Ok(encoder) => Ok(Output { path, part, encoder, last: None }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The last byte that was written; `None` if nothing was written yet.
    pub(crate) fn last(&self) -> Option<u8> {
        self.last
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Writes all buffered bytes.
    pub(crate) fn complete(self) -> Result<Complete, Error> {
        let Output { path, part, encoder, .. } = self;
        let finished = encoder.finish().and_then(|target| match target {
            OutputTarget::File(file) => Ok((None, file.metadata()?.len())),
            OutputTarget::Upload(mut upload) => {
                upload.complete()?;
                let length = upload.length();
                Ok((Some(upload), length))
            }
        });
        match finished {
            Ok((upload, length)) => Ok(Complete::new(path, part, upload, length)),
            Err(source) => Err(Error::Write { path, source }),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.encoder.write(bytes)?;
        self.last = bytes[..length].last().copied().or(self.last);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.flush()
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Output").field("path", &self.path).finish_non_exhaustive()
    }
}
