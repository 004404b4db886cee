//! Files that are written in one step at the end of a run.

use std::path::{Path, PathBuf};

use super::{folders::NewFolders, output::Output, paths::is_special, publish::Completed};
use crate::{Compression, Error, Waiting};

/// A file that is written in one step. Its place is tested when this value is created, which may be long before the contents
/// exist.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    /// `None` for a device or a pipe, which is opened late: its reader may need to read another output first.
    output: Option<Output>,
    waiting: Waiting,
}

impl WholeFile {
    /// Tests the place of the file. `-` is standard output, which is written at once.
    ///
    /// # Errors
    /// [`Error::Write`], [`Error::NoFolder`].
    pub fn create(path: &Path, waiting: &Waiting) -> Result<WholeFile, Error> {
        let output = match is_standard(path) || is_special(path) {
            true => None,
            false => Some(Output::create(path, Compression::None, waiting)?),
        };
        Ok(WholeFile { path: path.to_owned(), output, waiting: waiting.clone() })
    }

    /// Writes the content. The file gets its name when it is published.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(self, content: &[u8]) -> Result<Completed, Error> {
        let mut output = match self.output {
            Some(output) => output,
            None if is_standard(&self.path) => Output::standard()?,
            None => Output::create(&self.path, Compression::None, &self.waiting)?,
        };
        output.append(content)?;
        Ok(Completed::new(vec![output.complete()?], NewFolders::default()))
    }
}

/// Whether a path stands for standard output. It may lead to a file with a content that other programs have written, and must not be replaced.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}
