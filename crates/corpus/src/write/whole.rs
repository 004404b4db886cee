//! A file that is written at once, when a run is done.

use std::path::{Path, PathBuf};

use super::{
    folders::NewFolders,
    output::{Output, is_special},
    publish::Completed,
};
use crate::{Compression, Error, Waiting};

/// A file that is written at once. Its place is tried when this is made, which may be long before there is anything to write.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    /// `None` for a device or a pipe: whoever reads from it may first want to read something else.
    output: Option<Output>,
    waiting: Waiting,
}

impl WholeFile {
    /// Tries the place.
    ///
    /// # Errors
    /// [`Error::Write`], [`Error::NoFolder`].
    pub fn create(path: &Path, waiting: &Waiting) -> Result<WholeFile, Error> {
        let output = match is_special(path) {
            true => None,
            false => Some(Output::create(path, Compression::None, waiting)?),
        };
        Ok(WholeFile { path: path.to_owned(), output, waiting: waiting.clone() })
    }

    /// Writes the content; the file has its name when it is published.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(self, content: &[u8]) -> Result<Completed, Error> {
        let mut output = match self.output {
            Some(output) => output,
            None => Output::create(&self.path, Compression::None, &self.waiting)?,
        };
        output.append(content)?;
        Ok(Completed::new(vec![output.complete()?], NewFolders::default()))
    }
}
