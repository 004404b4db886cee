//! Paths of outputs, before anything is written there.

use std::{fs, io, path::Path};

use crate::Error;

/// Whether the path is a device or a pipe, which is written in place.
pub(super) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The error of a temporary file, in words of its folder. People do not know the name of the file.
pub(super) fn in_folder(folder: &Path, error: &io::Error) -> io::Error {
    let text = error.to_string();
    let text = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(error.kind(), format!("no file can be made in the folder {}: {text}", folder.display()))
}

/// The error if a part of the path is a file where a folder is needed.
pub(super) fn file_above(folder: &Path) -> Option<io::Error> {
    let file = folder.ancestors().find(|above| above.is_file())?;
    let text = format!("{} is a file, not a folder", file.display());
    Some(io::Error::new(io::ErrorKind::NotADirectory, text))
}

/// Refuses a path with something that no output may replace.
pub(super) fn refuse(path: &Path) -> Result<(), Error> {
    let refused =
        |kind, reason| Err(Error::Write { path: path.to_owned(), source: io::Error::new(kind, reason) });
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            refused(io::ErrorKind::IsADirectory, "there is a folder of this name")
        }
        // A rename would replace the file in spite of its permissions. Nobody expects this of a read-only file.
        Ok(metadata) if metadata.permissions().readonly() => {
            refused(io::ErrorKind::PermissionDenied, "the file is read-only")
        }
        _ => Ok(()),
    }
}
