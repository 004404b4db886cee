//! The list of URLs that were found and are no pages of the audit.

use super::{list, text};
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, TableWriter, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 3] =
    [("url", ColumnKind::Text), ("rule", ColumnKind::Text), ("from", ColumnKind::Text)];

/// The list of URLs that a rule refused.
#[derive(Debug)]
pub struct SkippedList(TableWriter);

impl SkippedList {
    /// Starts the list.
    ///
    /// # Errors
    /// Those of [`TableWriter::create`].
    pub fn create(path: &Path, waiting: &Waiting) -> Result<Self, Error> {
        list(path, &COLUMNS, waiting).map(SkippedList)
    }

    /// Adds a URL, with the rule as a sentence. `from` is the first page that links to it.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn add(&mut self, url: &str, rule: &str, from: Option<&str>) -> Result<(), Error> {
        self.0.row(&[Cell::Text(url), Cell::Text(rule), text(from)])
    }

    /// Ends the list.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn complete(self) -> Result<Completed, Error> {
        self.0.complete()
    }
}
