//! The list of links.

use super::{integer, list, text};
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, TableWriter, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 8] = [
    ("from", ColumnKind::Text),
    ("to", ColumnKind::Text),
    ("text", ColumnKind::Text),
    ("nofollow", ColumnKind::Bool),
    ("result", ColumnKind::Text),
    ("status", ColumnKind::Integer),
    ("target", ColumnKind::Text),
    ("problem", ColumnKind::Text),
];

/// The list of all links of all pages.
#[derive(Debug)]
pub struct LinkList(TableWriter);

/// A link of a page.
#[derive(Clone, Copy, Debug)]
pub struct LinkRow<'a> {
    /// The page.
    pub from: &'a str,
    /// The URL, as the page writes it.
    pub to: &'a str,
    /// The text of the link.
    pub text: &'a str,
    /// Whether search engines are asked not to follow it.
    pub nofollow: bool,
    /// `page`, `file`, `redirect` or `broken`, if the URL was visited.
    pub result: Option<&'a str>,
    /// The status of the answer.
    pub status: Option<u16>,
    /// Where redirects end.
    pub target: Option<&'a str>,
    /// Why nothing was found.
    pub problem: Option<&'a str>,
}

impl LinkList {
    /// Starts the list.
    ///
    /// # Errors
    /// Those of [`TableWriter::create`].
    pub fn create(path: &Path, waiting: &Waiting) -> Result<Self, Error> {
        list(path, &COLUMNS, waiting).map(LinkList)
    }

    /// Adds a link.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn add(&mut self, link: &LinkRow<'_>) -> Result<(), Error> {
        self.0.row(&[
            Cell::Text(link.from),
            Cell::Text(link.to),
            Cell::Text(link.text),
            Cell::Bool(link.nofollow),
            text(link.result),
            integer(link.status),
            text(link.target),
            text(link.problem),
        ])
    }

    /// Ends the list.
    ///
    /// # Errors
    /// If the list cannot be written.
    pub fn complete(self) -> Result<Completed, Error> {
        self.0.complete()
    }
}
