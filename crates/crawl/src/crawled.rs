//! Reading a stored crawl.

use crate::crawl::{Frontier, OnRefusal};
use crate::error::Error;
use crate::refusal::Refusal;
use crate::robots::RobotsFile;
use crate::settings::StoredSettings;
use crate::sitemap::Sitemap;
use crate::state::{self, JournalContents, SitemapPlace, VisitPlace};
use crate::visit::{StoredPage, Visit, VisitOutcome};
use lookalike_store::Journal;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// A stored crawl. Texts stay in the journal until they are asked for, from any number of threads.
///
/// Visits have numbers from 0 on: the places that a crawler would visit them in that fetches one URL at a time. They depend on the site and
/// the settings only.
#[derive(Debug)]
pub struct Crawled {
    journal: Journal,
    settings: StoredSettings,
    robots: Vec<RobotsFile>,
    sitemaps: Vec<SitemapPlace>,
    visits: HashMap<u32, VisitPlace>,
    ended: bool,
    frontier: Frontier,
    /// The numbers of all visits, in the order of their URLs.
    order: Vec<u32>,
}

/// A URL that was not visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnvisitedUrl {
    /// The URL.
    pub url: String,
    /// The rule that refused it.
    pub refusal: Refusal,
    /// The number of the first visit that leads to it. `None` if only a sitemap, or the user, names it.
    pub from: Option<u32>,
}

impl Crawled {
    /// Opens the crawl in a state folder. Another process may go on with it.
    ///
    /// # Errors
    /// [`Error::NoCrawl`], [`Error::Store`] and [`Error::Entry`].
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let (journal, contents) = state::open(folder)?;
        let JournalContents { settings, robots, sitemaps, visits, ended, .. } = contents;
        let sitemaps = sitemaps.into_iter().map(|(_, place)| place).collect();
        let settings = settings.ok_or_else(|| Error::NoCrawl { folder: folder.to_owned() })?;
        let frontier = Frontier::of(settings.clone())?;
        let mut crawled =
            Crawled { journal, settings, robots, sitemaps, visits, ended, frontier, order: Vec::new() };
        crawled.frontier = crawled.replay(&mut |_, _, _| {})?;
        let urls = crawled.frontier.urls();
        if crawled.visits.keys().any(|&number| number as usize >= urls.len()) {
            return Err(Error::OtherVersion { path: crawled.journal.path().to_owned() });
        }
        let mut order: Vec<u32> = (0..urls.len() as u32).collect();
        order.retain(|number| crawled.visits.contains_key(number));
        order.sort_by_key(|&number| &urls[number as usize].url);
        crawled.order = order;
        Ok(crawled)
    }

    /// Whether all URLs were visited that the settings allow.
    pub fn is_complete(&self) -> bool {
        self.ended
    }

    /// Whether the source is a folder or archives, all of whose pages are read.
    pub fn is_given(&self) -> bool {
        self.settings.is_given
    }

    /// The start page, the folder or the archives, as in the settings.
    pub fn source(&self) -> &str {
        &self.settings.source
    }

    /// The numbers of all visits, in the order of their URLs.
    pub fn numbers(&self) -> &[u32] {
        &self.order
    }

    /// The number of the URL, if it was visited. All URLs of a [`Visit`] have the form that this takes.
    pub fn number_of(&self, url: &str) -> Option<u32> {
        self.frontier.number_of(url).filter(|number| self.visits.contains_key(number))
    }

    /// The URL of a visit. Numbers come from this crawl.
    pub fn url(&self, number: u32) -> &str {
        self.frontier.urls().get(number as usize).map_or("", |found| &found.url)
    }

    /// The links between the start page and a visit. `None` if no link leads to it, and for files and archives.
    pub fn depth(&self, number: u32) -> Option<u32> {
        self.frontier.urls().get(number as usize)?.depth()
    }

    /// Whether a sitemap lists a visit.
    pub fn is_listed(&self, number: u32) -> bool {
        self.frontier.urls().get(number as usize).is_some_and(|found| found.listed)
    }

    /// Reads what was learned from a visit. `None` if there is no visit of this number.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn visit(&self, number: u32) -> Result<Option<Visit>, Error> {
        self.visits.get(&number).map(|place| place.visit(&self.journal)).transpose()
    }

    /// Reads a visit with the text of its page. `None` if there is no visit of this number.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn page(&self, number: u32) -> Result<Option<StoredPage>, Error> {
        self.visits.get(&number).map(|place| place.page(&self.journal)).transpose()
    }

    /// Reads what was learned from all visits, without texts, in the order of their URLs, one at a time.
    pub fn visits(&self) -> impl Iterator<Item = Result<(u32, Visit), Error>> {
        let read = |&number: &u32| Some(self.visit(number).transpose()?.map(|visit| (number, visit)));
        self.order.iter().filter_map(read)
    }

    /// The visits that a redirect leads to, one after the other. The last one is no redirect, unless its target was not visited, or the redirects
    /// lead in a circle: they end before the first visit that would come again.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn redirects(&self, number: u32) -> Result<Vec<u32>, Error> {
        let (mut chain, mut last) = (Vec::new(), number);
        while let Some(Visit { outcome: VisitOutcome::Redirect { target }, .. }) = self.visit(last)? {
            match self.number_of(&target).filter(|next| *next != number && !chain.contains(next)) {
                Some(next) => {
                    chain.push(next);
                    last = next;
                }
                None => break,
            }
        }
        Ok(chain)
    }

    /// Reads all visits with their texts, in the order of their URLs, one at a time.
    pub fn pages(&self) -> impl Iterator<Item = Result<(u32, StoredPage), Error>> {
        let read = |&number: &u32| Some(self.page(number).transpose()?.map(|page| (number, page)));
        self.order.iter().filter_map(read)
    }

    /// The robots.txt of each host, as it was read.
    pub fn robots(&self) -> &[RobotsFile] {
        &self.robots
    }

    /// Reads the sitemaps, as they were read from the site, one at a time.
    pub fn sitemaps(&self) -> impl Iterator<Item = Result<Sitemap, Error>> {
        self.sitemaps.iter().map(|place| place.sitemap(&self.journal))
    }

    /// Calls `visit` with each URL that was found and not visited, once, in the order of discovery. They are found again, so that memory does not
    /// hold them.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn skipped(&self, visit: &mut dyn FnMut(UnvisitedUrl)) -> Result<(), Error> {
        let mut seen = HashSet::new();
        self.replay(&mut |url, refusal, from| {
            if self.frontier.number_of(url).is_none() && seen.insert(xxh3_64(url.as_bytes())) {
                visit(UnvisitedUrl { url: url.to_owned(), refusal: refusal.clone(), from });
            }
        })?;
        let refusal = match self.frontier.is_full() {
            true => Refusal::Pages { limit: self.settings.max_pages },
            false => Refusal::NotReached,
        };
        for (number, found) in (0..).zip(self.frontier.urls()) {
            if !self.visits.contains_key(&number) {
                visit(UnvisitedUrl { url: found.url.to_string(), refusal: refusal.clone(), from: None });
            }
        }
        Ok(())
    }

    /// Finds all URLs again.
    fn replay(&self, refused: OnRefusal<'_>) -> Result<Frontier, Error> {
        let mut frontier = Frontier::of(self.settings.clone())?;
        for file in &self.robots {
            frontier.learn(file);
        }
        // The rules of a host may be missing if the crawl has not ended. Nothing is known of what follows then.
        let mut known = self.settings.is_given || frontier.begin(refused).is_ok();
        known = known && self.look_at_links(&mut frontier, refused)?;
        if known && self.settings.sitemaps {
            for sitemap in self.sitemaps() {
                if frontier.list(&sitemap?, refused).is_err() {
                    return Ok(frontier);
                }
            }
            self.look_at_links(&mut frontier, refused)?;
        }
        Ok(frontier)
    }

    /// Looks at the links of all visits, in their order, as far as these were made. Whether these are all of the URLs that were found, or as
    /// many as the limit allows.
    fn look_at_links(&self, frontier: &mut Frontier, refused: OnRefusal<'_>) -> Result<bool, Error> {
        // Visits of pages that only sitemaps list follow those that links lead to. They are looked at when they are found.
        while self.settings.is_given || frontier.has_open() {
            let Some(place) = self.visits.get(&frontier.committed()) else { break };
            let visit = place.visit(&self.journal)?;
            if self.settings.is_given {
                frontier.give(&visit);
            } else if !frontier.expects(&visit) {
                return Err(Error::OtherVersion { path: self.journal.path().to_owned() });
            } else if frontier.commit(&visit, refused).is_err() {
                return Ok(false);
            }
        }
        Ok(frontier.is_full() || !frontier.has_open())
    }
}
