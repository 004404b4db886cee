//! An index that gets its name when it is complete.

use anyhow::Context;
use lookalike_engine::index::{Index, NewIndex};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder beside that of a new index, in which it is made. A killed run leaves it, and the next one removes it.
pub(super) struct WholeIndex<'a> {
    /// The option that names the new index.
    option: &'a str,
    output: &'a Path,
    part: PathBuf,
}

impl<'a> WholeIndex<'a> {
    /// Refuses what cannot be made, before there is work.
    pub(super) fn check(option: &'a str, output: &'a Path, new: NewIndex) -> anyhow::Result<Self> {
        // An index that is dropped now leaves nothing behind.
        drop(super::create(option, output, new)?);
        let mut name = output.file_name().map_or_else(OsString::new, OsString::from);
        name.push(".part");
        Ok(WholeIndex { option, output, part: output.with_file_name(name) })
    }

    /// The empty index.
    pub(super) fn start(&self, new: NewIndex) -> anyhow::Result<Index> {
        if Index::is_at(&self.part) {
            fs::remove_dir_all(&self.part).with_context(|| self.part.display().to_string())?;
        }
        super::create(self.option, &self.part, new)
    }

    /// Gives the index its name, or removes what is there of it if it was not `made`.
    pub(super) fn finish<T>(self, made: anyhow::Result<T>) -> anyhow::Result<T> {
        if made.is_err() && Index::is_at(&self.part) {
            // If it stays, the next run removes it.
            let _ = fs::remove_dir_all(&self.part);
        }
        let made = made?;
        // It may be there, and is empty then.
        let _ = fs::remove_dir(self.output);
        fs::rename(&self.part, self.output).with_context(|| self.output.display().to_string())?;
        Ok(made)
    }
}
