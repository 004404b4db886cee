//! Which sitemaps a site has.

use super::ask::ask_sitemap;
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
        let mut waiting: VecDeque<Url> = named.iter().cloned().collect();
        if waiting.is_empty() {
            waiting.extend(start.join("/sitemap.xml"));
        }
        SitemapQueue { waiting, seen: HashSet::new(), named: !named.is_empty() }
    }

    /// The next sitemap.
    pub(super) fn next(&mut self) -> Option<Url> {
        while let Some(url) = self.waiting.pop_front() {
            if matches!(url.scheme(), "http" | "https")
                && self.seen.len() < SITEMAPS
                && self.seen.insert(url.as_str().to_owned())
            {
                return Some(url);
            }
        }
        None
    }

    /// Adds the sitemaps that one names, if they are on its host, as the protocol asks for.
    pub(super) fn extend(&mut self, sitemap: &Sitemap) {
        let Ok(base) = Url::parse(&sitemap.url) else { return };
        let named = sitemap.sitemaps.iter().filter_map(|url| Url::parse(url).ok());
        self.waiting.extend(named.filter(|url| url.host() == base.host()));
    }

    /// Asks for a sitemap. A guess that is wrong has no problem.
    pub(super) async fn ask(&self, fetcher: &Fetcher, url: &Url) -> Sitemap {
        let mut sitemap = ask_sitemap(fetcher, url).await;
        if !self.named && sitemap.pages.is_empty() && sitemap.sitemaps.is_empty() {
            sitemap.problem = None;
        }
        sitemap
    }
}
