//! Sites whose pages are given, so that none has to be found: folders of files, and archives of other crawlers.

mod archives;
mod folder;
mod links;

pub use archives::read_archives;
pub use folder::read_folder;

use crate::crawl::{CrawlCounts, CrawlMonitor};
use crate::error::Error;
use crate::fetch::{FetchFailure, HttpAnswer};
use crate::settings::StoredSettings;
use crate::state::{CrawlState, visit_entry};
use crate::visit::{VisitRead, visit_of};
use rayon::prelude::*;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use url::Url;

/// Pages that are read together, on all processors.
const GROUP: usize = 64;

/// The most bytes of a group of pages.
const GROUP_BYTES: usize = 32 << 20;

/// A page, or another answer, that a source has.
struct GivenAnswer {
    url: Url,
    answer: Result<HttpAnswer, FetchFailure>,
}

impl GivenAnswer {
    /// An answer with a content, and with these headers. A name may come several times.
    fn new(
        url: Url,
        status: u16,
        body: Vec<u8>,
        headers: impl IntoIterator<Item = (HeaderName, String)>,
    ) -> Self {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                map.append(name, value);
            }
        }
        let sent = body.len() as u64;
        let (headers, body) = (map, Some(body));
        let (first_byte, total) = (Duration::ZERO, Duration::ZERO);
        GivenAnswer { url, answer: Ok(HttpAnswer { status, headers, body, first_byte, total, sent }) }
    }

    /// An answer whose content is not read.
    fn without_content(url: Url, status: u16) -> Self {
        let mut given = GivenAnswer::new(url, status, Vec::new(), []);
        given.drop_content();
        given
    }

    fn drop_content(&mut self) {
        if let Ok(answer) = &mut self.answer {
            answer.body = None;
        }
    }

    fn bytes(&self) -> usize {
        self.answer.as_ref().map_or(0, |answer| answer.body.as_ref().map_or(0, Vec::len))
    }
}

/// Stores given pages, in their order. Everything is read anew: files change, and reading them is cheap.
struct Storing<'a> {
    state: CrawlState,
    monitor: &'a CrawlMonitor,
    next: u32,
    /// The URLs so far. Of several answers for a URL, the first one counts.
    seen: HashSet<String>,
    group: Vec<GivenAnswer>,
    group_bytes: usize,
    pages: u32,
}

impl<'a> Storing<'a> {
    fn open(source: String, folder: &Path, monitor: &'a CrawlMonitor) -> Result<Self, Error> {
        let state = CrawlState::open_anew(folder, &StoredSettings::of_source(source))?;
        let (seen, group) = (HashSet::new(), Vec::new());
        Ok(Storing { state, monitor, next: 0, seen, group, group_bytes: 0, pages: 0 })
    }

    /// Takes a page. `adapt` changes what was learned from it before it is stored.
    fn push(&mut self, given: GivenAnswer, adapt: &(dyn Fn(&mut VisitRead) + Sync)) -> Result<(), Error> {
        self.monitor.interrupt.check().map_err(|_| Error::Interrupted)?;
        if self.seen.insert(given.url.as_str().to_owned()) {
            self.group_bytes += given.bytes();
            self.group.push(given);
        }
        if self.group.len() >= GROUP || self.group_bytes >= GROUP_BYTES { self.store(adapt) } else { Ok(()) }
    }

    fn store(&mut self, adapt: &(dyn Fn(&mut VisitRead) + Sync)) -> Result<(), Error> {
        let group = std::mem::take(&mut self.group);
        self.group_bytes = 0;
        let numbers = self.next..;
        self.next += group.len() as u32;
        let numbered: Vec<(u32, GivenAnswer)> = numbers.zip(group).collect();
        let read: Vec<_> = numbered
            .into_par_iter()
            .map(|(number, given)| {
                let mut read = visit_of(&given.url, given.answer);
                adapt(&mut read);
                let entry = visit_entry(number, &read);
                (number, read, entry)
            })
            .collect();
        for (number, VisitRead { visit, blocks }, entry) in read {
            self.state.store_visit(entry)?;
            self.pages += u32::from(visit.is_page());
            if let Some(observer) = &self.monitor.observer {
                observer.visited(number, &visit, &blocks, self.counts(number + 1));
            }
        }
        Ok(())
    }

    /// Stores the rest.
    fn finish(mut self, adapt: &(dyn Fn(&mut VisitRead) + Sync)) -> Result<CrawlCounts, Error> {
        self.store(adapt)?;
        self.state.store_end()?;
        Ok(self.counts(self.next))
    }

    fn counts(&self, visited: u32) -> CrawlCounts {
        CrawlCounts { found: self.next, visited, pages: self.pages, ..CrawlCounts::default() }
    }
}
