//! A file that has its name only when it is complete.

use std::{
    fmt,
    fs::{self, File, Permissions},
    io::{self, Seek, Write},
    os::{
        fd::AsFd,
        unix::fs::{FileExt, PermissionsExt},
    },
    path::{Path, PathBuf},
};

use tempfile::TempPath;

use super::encoder::Encoder;
use crate::{Compression, Error};

/// An output that is being written. Dropped before [`Complete::publish`] it leaves nothing behind.
pub(crate) struct Output {
    path: PathBuf,
    /// The temporary file beside the final place; `None` for what is written in place: standard output, a device.
    temporary: Option<TempPath>,
    encoder: Encoder,
    last: Option<u8>,
}

/// An output that is written, but does not have its name yet.
#[derive(Debug)]
pub(crate) struct Complete {
    path: PathBuf,
    temporary: Option<TempPath>,
    length: u64,
}

impl Output {
    /// Starts the output that will be at `path`.
    pub(crate) fn create(path: &Path, compression: Compression) -> Result<Output, Error> {
        let write_error = |source| Error::Write { path: path.to_owned(), source };
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            // A device or a pipe must not be replaced by a file.
            let file = File::options().write(true).open(path).map_err(write_error)?;
            return Output::new(path, None, file, compression);
        }
        // Link or not, it is the file behind the path that is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Error::NoFolder { path: path.clone(), folder: folder.to_owned() });
        }
        let temporary = tempfile::Builder::new()
            .prefix(".lookalike-")
            .suffix(".part")
            // The usual permissions of a new file, less what the umask takes; the library's own are stricter.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder)
            .map_err(write_error)?;
        let (file, temporary) = temporary.into_parts();
        Output::new(&path, Some(temporary), file, compression)
    }

    /// Standard output.
    pub(crate) fn standard() -> Result<Output, Error> {
        let path = Path::new("-");
        let file = io::stdout().as_fd().try_clone_to_owned();
        let file = file.map_err(|source| Error::Write { path: path.to_owned(), source })?;
        Output::new(path, None, File::from(file), Compression::None)
    }

    fn new(
        path: &Path,
        temporary: Option<TempPath>,
        file: File,
        compression: Compression,
    ) -> Result<Output, Error> {
        let path = path.to_owned();
        match Encoder::new(file, compression) {
            Ok(encoder) => Ok(Output { path, temporary, encoder, last: None }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The last byte that was written; `None` if there is none yet.
    pub(crate) fn last(&self) -> Option<u8> {
        self.last
    }

    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Takes bytes that come next. Where they can be written beside others, that is left to [`Deferred::write`], which must
    /// be called before the output is complete: to copy them into a file takes longer than to say where they go.
    pub(crate) fn append_later(&mut self, bytes: Vec<u8>) -> Result<Option<Deferred>, Error> {
        // Of what is not a file of its own, such as a device, nobody knows whether it has places.
        let plain = if self.temporary.is_some() { self.encoder.plain() } else { Ok(None) };
        let reserve = |file: &mut File| {
            let offset = file.stream_position()?;
            file.seek_relative(bytes.len() as i64)?;
            Ok((file.try_clone()?, offset))
        };
        let place = plain.and_then(|file| file.map(reserve).transpose());
        match place.map_err(|source| Error::Write { path: self.path.clone(), source })? {
            None => self.append(&bytes).map(|()| None),
            Some((file, offset)) => {
                self.last = bytes.last().copied().or(self.last);
                Ok(Some(Deferred { file, offset, bytes, path: self.path.clone() }))
            }
        }
    }

    /// Writes all that is held back.
    pub(crate) fn complete(self) -> Result<Complete, Error> {
        let Output { path, temporary, encoder, .. } = self;
        match encoder.finish().and_then(|file| file.metadata()) {
            Ok(metadata) => Ok(Complete { path, temporary, length: metadata.len() }),
            Err(source) => Err(Error::Write { path, source }),
        }
    }
}

/// Bytes that have their place in a file, but are not in it yet.
#[derive(Debug)]
pub(crate) struct Deferred {
    file: File,
    offset: u64,
    bytes: Vec<u8>,
    path: PathBuf,
}

impl Deferred {
    /// Writes them; at the same time as others are, if need be.
    pub(crate) fn write(self) -> Result<(), Error> {
        let Deferred { file, offset, bytes, path } = self;
        file.write_all_at(&bytes, offset).map_err(|source| Error::Write { path, source })
    }
}

/// Writes a whole file; it has its name only when it is complete.
///
/// # Errors
/// [`Error::Write`], [`Error::NoFolder`].
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Error> {
    let mut output = Output::create(path, Compression::None)?;
    output.append(content)?;
    output.complete()?.publish()?;
    Ok(())
}

/// Outputs that are written and only lack their names. Dropped, they leave nothing behind.
#[derive(Debug)]
pub struct Completed(pub(super) Vec<Complete>);

impl Completed {
    /// Gives the outputs their names. Returns how many bytes they have.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn publish(self) -> Result<u64, Error> {
        self.0.into_iter().map(Complete::publish).sum()
    }
}

impl Complete {
    /// Gives the output its name. Returns its length in bytes.
    pub(crate) fn publish(self) -> Result<u64, Error> {
        if let Some(temporary) = self.temporary {
            temporary
                .persist(&self.path)
                .map_err(|error| Error::Write { path: self.path, source: error.error })?;
        }
        Ok(self.length)
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
