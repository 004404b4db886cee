//! Which URLs are visited, and in which order: a pure function of the visits before.
//!
//! Visits get their numbers as in a crawl that fetches one URL at a time, breadth first. Answers come in any order, but their links are
//! looked at in the order of numbers. So the same URLs are visited, with the same numbers, whatever the connections, the delays of servers
//! and the kills. The frontier of a stored crawl is made again from its visits.

mod admission;

pub(crate) use admission::MOST_REDIRECTS;

use super::found::{FoundUrl, origin};
use crate::error::Error;
use crate::refusal::Refusal;
use crate::robots::{RobotsFile, Rules};
use crate::scope::{SiteScope, TrapCounters};
use crate::settings::StoredSettings;
use crate::sitemap::Sitemap;
use crate::visit::{Via, Visit, VisitOutcome};
use std::collections::{HashMap, HashSet};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// The rules of a host are not known yet. The caller gives them, and tries again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NeedsRobots(pub(crate) Url);

/// Called with each URL that is refused, the rule, and the visit that leads to it.
pub(crate) type OnRefusal<'a> = &'a mut dyn FnMut(&str, &Refusal, Option<u32>);

#[derive(Debug)]
pub(crate) struct Frontier {
    scope: SiteScope,
    settings: StoredSettings,
    traps: TrapCounters,
    /// By origin.
    rules: HashMap<String, Rules>,
    /// The hosts of all URLs that were found.
    hosts: HashSet<String>,
    urls: Vec<FoundUrl>,
    /// Numbers by hash of URL.
    numbers: HashMap<u64, u32>,
    /// Hashes of URLs that are refused wherever the link is.
    refused: HashSet<u64>,
    /// The number of URLs that a limit on variants refused, and the first such refusal.
    trapped: (u32, Option<Refusal>),
    /// The number of visits whose links were looked at.
    committed: u32,
    /// The number of pages among them.
    pages: u32,
    /// The next link of the visit that is looked at, or the next entry of the sitemaps.
    position: usize,
}

impl Frontier {
    /// A frontier that has found nothing.
    ///
    /// # Errors
    /// [`Error::NotASite`].
    pub(crate) fn of(settings: StoredSettings) -> Result<Self, Error> {
        // Nothing has to be found in a given source, so its frontier has no start.
        let start = if settings.is_given { "file:///" } else { &settings.source };
        let start = Url::parse(start).map_err(|_| Error::NotASite { url: settings.source.clone() })?;
        let (include, exclude) = (settings.include.clone(), settings.exclude.clone());
        Ok(Frontier {
            scope: SiteScope::new(start, settings.extent, include, exclude),
            settings,
            traps: TrapCounters::default(),
            rules: HashMap::new(),
            hosts: HashSet::new(),
            urls: Vec::new(),
            numbers: HashMap::new(),
            refused: HashSet::new(),
            trapped: (0, None),
            committed: 0,
            pages: 0,
            position: 0,
        })
    }

    /// Gives the robots.txt of a host.
    pub(crate) fn learn(&mut self, file: &RobotsFile) {
        self.rules.insert(file.origin.clone(), Rules::of(file));
    }

    pub(crate) fn rules(&self, url: &Url) -> Option<&Rules> {
        self.rules.get(&origin(url))
    }

    /// The page at which the site starts, behind redirects.
    pub(crate) fn home(&self) -> &Url {
        self.scope.home()
    }

    pub(crate) fn urls(&self) -> &[FoundUrl] {
        &self.urls
    }

    /// Whether there are URLs whose links were not looked at.
    pub(crate) fn has_open(&self) -> bool {
        (self.committed as usize) < self.urls.len()
    }

    pub(crate) fn committed(&self) -> u32 {
        self.committed
    }

    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    pub(crate) fn refusals(&self) -> usize {
        self.refused.len()
    }

    /// The number of URLs that are left out because too many differ only in queries, dates or numbers, and the first rule that did so.
    pub(crate) fn trapped(&self) -> (u32, Option<&Refusal>) {
        (self.trapped.0, self.trapped.1.as_ref())
    }

    /// The number of a URL in its normalised form.
    pub(crate) fn number_of(&self, url: &str) -> Option<u32> {
        self.numbers.get(&xxh3_64(url.as_bytes())).copied()
    }

    /// Finds the start page.
    pub(crate) fn begin(&mut self, refused: OnRefusal<'_>) -> Result<(), NeedsRobots> {
        let start = self.scope.start().as_str().to_owned();
        let found = FoundUrl { url: start.into(), steps: 0, linked: true, listed: false, redirects: 0 };
        self.offer(found, Via::Link, None, refused)
    }

    /// Whether a stored visit is the next one. Another one was made by other rules, and has the number of another URL.
    pub(crate) fn expects(&self, visit: &Visit) -> bool {
        let next = self.urls.get(self.committed as usize);
        next.is_some_and(|next| {
            *next.url == *visit.url || Url::parse(&next.url).is_ok_and(|url| url.as_str() == visit.url)
        })
    }

    /// Looks at the links of the next visit.
    pub(crate) fn commit(&mut self, visit: &Visit, refused: OnRefusal<'_>) -> Result<(), NeedsRobots> {
        let from = self.committed;
        let source = &self.urls[from as usize];
        let (steps, linked, redirects) = (source.steps, source.linked, source.redirects);
        if let (VisitOutcome::Redirect { target }, 0, true) = (&visit.outcome, steps, linked)
            && let Ok(target) = Url::parse(target)
        {
            self.scope.follow_start(&target);
        }
        for (url, via) in visit.targets().skip(self.position) {
            let mut found =
                FoundUrl { url: url.into(), steps: steps + 1, linked, listed: false, redirects: 0 };
            if via == Via::Redirect {
                (found.steps, found.redirects) = (steps, redirects + 1);
            }
            self.offer(found, via, Some(from), refused)?;
            self.position += 1;
        }
        self.position = 0;
        self.committed += 1;
        self.pages += u32::from(visit.is_page());
        Ok(())
    }

    /// Takes the next visit of a folder or an archive, in which nothing has to be found.
    pub(crate) fn give(&mut self, visit: &Visit) {
        let url = visit.url.clone().into();
        self.numbers.entry(xxh3_64(visit.url.as_bytes())).or_insert(self.committed);
        self.urls.push(FoundUrl { url, steps: 0, linked: false, listed: false, redirects: 0 });
        self.committed += 1;
        self.pages += u32::from(visit.is_page());
    }

    /// Finds the pages that a sitemap lists. All links were looked at before.
    pub(crate) fn list(&mut self, sitemap: &Sitemap, refused: OnRefusal<'_>) -> Result<(), NeedsRobots> {
        for url in sitemap.pages.iter().skip(self.position) {
            match self.number_of(url) {
                Some(number) => self.urls[number as usize].listed = true,
                None => {
                    let found = FoundUrl {
                        url: url.as_str().into(),
                        steps: 0,
                        linked: false,
                        listed: true,
                        redirects: 0,
                    };
                    self.offer(found, Via::Link, None, refused)?;
                }
            }
            self.position += 1;
        }
        self.position = 0;
        Ok(())
    }

    /// The number of pages among the visits before `number`, if those that are not known yet are pages. `is_page` knows some.
    fn most_pages(&self, number: u32, is_page: impl Fn(u32) -> Option<bool>) -> u32 {
        let open = number.saturating_sub(self.committed);
        if self.pages.saturating_add(open) < self.settings.max_pages {
            return self.pages + open;
        }
        let pages = (self.committed..number).filter(|&number| is_page(number).unwrap_or(true)).count();
        self.pages + pages as u32
    }

    /// Whether a URL may be visited now: the limit of pages is not reached, whatever the visits before it turn out to be.
    pub(crate) fn is_due(&self, number: u32, is_page: impl Fn(u32) -> Option<bool>) -> bool {
        self.most_pages(number, is_page) < self.settings.max_pages
    }

    /// Whether the limit of pages is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.pages >= self.settings.max_pages
    }
}
