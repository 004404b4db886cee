//! Which sitemaps a site has.

use super::ask::{Unwell, ask_sitemap};
use crate::fetch::Fetcher;
use crate::sitemap::Sitemap;
use std::collections::{HashSet, VecDeque};
use url::Url;

/// The most sitemaps of a site that are read. A thousand list fifty million pages.
const SITEMAPS: usize = 1000;

/// The sitemaps that are read, each after the one that names it.
#[derive(Debug)]
pub(super) struct SitemapQueue {
    waiting: VecDeque<Url>,
    seen: HashSet<String>,
    /// Whether robots.txt names them. Otherwise it is a guess, and there may be none.
    named: bool,
}

impl SitemapQueue {
    /// Starts with those that robots.txt names, or with the usual place.
    pub(super) fn new(start: &Url, named: &[Url]) -> Self {
        let mut queue =
            SitemapQueue { waiting: VecDeque::new(), seen: HashSet::new(), named: !named.is_empty() };
        let guess = named.is_empty().then(|| start.join("/sitemap.xml").ok()).flatten();
        for url in named.iter().cloned().chain(guess) {
            queue.push(url);
        }
        queue
    }

    fn push(&mut self, url: Url) {
        if matches!(url.scheme(), "http" | "https")
            && self.seen.len() < SITEMAPS
            && self.seen.insert(url.as_str().to_owned())
        {
            self.waiting.push_back(url);
        }
    }

    /// The next sitemap.
    pub(super) fn next(&mut self) -> Option<Url> {
        self.waiting.pop_front()
    }

    /// Adds the sitemaps that one names, if they are on its host, as the protocol asks for.
    pub(super) fn extend(&mut self, sitemap: &Sitemap) {
        let Ok(base) = Url::parse(&sitemap.url) else { return };
        for url in sitemap.sitemaps.iter().filter_map(|url| Url::parse(url).ok()) {
            if url.host() == base.host() {
                self.push(url);
            }
        }
    }

    /// Asks for a sitemap. A guess that is wrong has no problem.
    pub(super) async fn ask(&self, fetcher: &Fetcher, url: &Url, home: &Url) -> Result<Sitemap, Unwell> {
        let mut sitemap = ask_sitemap(fetcher, url, home).await?;
        if !self.named && sitemap.pages.is_empty() && sitemap.sitemaps.is_empty() {
            sitemap.problem = None;
        }
        Ok(sitemap)
    }
}
