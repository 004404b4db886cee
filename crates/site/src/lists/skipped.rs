//! The list of URLs that were found and are no pages of the audit.

use super::{list, text};
use crate::crawled::{Crawled, UnvisitedUrl};
use crate::error::Error;
use lookalike_corpus::{Cell, ColumnKind, Completed, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 3] =
    [("url", ColumnKind::Text), ("rule", ColumnKind::Text), ("from", ColumnKind::Text)];

/// Writes the list of URLs that a rule refused, in the order in which they were found. `from` is the first page that links to it.
///
/// # Errors
/// [`Error`].
pub fn write_skipped(path: &Path, crawled: &Crawled, waiting: &Waiting) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    let mut written = Ok(());
    crawled.skipped(&mut |UnvisitedUrl { url, refusal, from }| {
        if written.is_ok() {
            let from = from.map(|from| crawled.url(from));
            written = table.row(&[Cell::Text(&url), Cell::Text(&refusal.to_string()), text(from)]);
        }
    })?;
    written?;
    Ok(table.complete()?)
}
