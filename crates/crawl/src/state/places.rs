//! Where the visits of a crawl are in its journal.

use super::entry::{self, JournalEntry, VISIT_HEAD, VisitHead};
use crate::error::Error;
use crate::sitemap::Sitemap;
use crate::visit::{StoredPage, Visit};
use lookalike_store::Journal;
use std::io;

/// Where an entry of a visit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VisitPlace {
    /// The byte of the journal at which its payload starts.
    at: u64,
    length: u32,
    /// The bytes of what was learned.
    facts: u32,
}

impl VisitPlace {
    pub(super) fn new(at: u64, payload: &[u8], head: VisitHead) -> Self {
        VisitPlace { at, length: payload.len() as u32, facts: head.facts }
    }

    /// Reads what was learned.
    pub(crate) fn visit(self, journal: &Journal) -> Result<Visit, Error> {
        let start = self.at + VISIT_HEAD as u64;
        let bytes = journal.bytes(start..start + u64::from(self.facts))?;
        entry::facts(&bytes).map_err(|error| broken(journal, &error))
    }

    /// Reads what was learned, and the text.
    pub(crate) fn page(self, journal: &Journal) -> Result<StoredPage, Error> {
        let start = self.at + VISIT_HEAD as u64;
        let bytes = journal.bytes(start..self.at + u64::from(self.length))?;
        let (facts, blocks) = bytes.split_at((self.facts as usize).min(bytes.len()));
        let read = || Ok(StoredPage { visit: entry::facts(facts)?, blocks: entry::blocks(blocks)? });
        read().map_err(|error: io::Error| broken(journal, &error))
    }
}

/// Where an entry of a sitemap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SitemapPlace {
    /// The byte of the journal at which its payload starts.
    at: u64,
    length: u32,
}

impl SitemapPlace {
    pub(super) fn new(at: u64, payload: &[u8]) -> Self {
        SitemapPlace { at, length: payload.len() as u32 }
    }

    /// Reads the sitemap.
    pub(crate) fn sitemap(self, journal: &Journal) -> Result<Sitemap, Error> {
        let bytes = journal.bytes(self.at..self.at + u64::from(self.length))?;
        match entry::decode(&bytes) {
            Ok(JournalEntry::Sitemap(sitemap)) => Ok(sitemap),
            Ok(_) => Err(broken(journal, &io::Error::other("it is no sitemap"))),
            Err(error) => Err(broken(journal, &error)),
        }
    }
}

/// The error of an entry that cannot be decoded.
pub(super) fn broken(journal: &Journal, error: &io::Error) -> Error {
    Error::Entry { path: journal.path().to_owned(), what: error.to_string() }
}
