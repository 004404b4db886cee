//! What a crawl is asked to do.

use crate::fetch::FetchLimits;
use crate::scope::{Extent, Patterns, TrapLimits};
use lookalike_html::crawled_url;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use url::Url;

/// What a crawl is asked to do.
#[derive(Clone, Debug)]
pub struct CrawlSettings {
    /// The page at which it starts. A name and a password in it are sent to this server only, and are not stored.
    pub start: Url,
    /// What belongs to the site.
    pub extent: Extent,
    /// Only pages that match one of these are crawled, if there is one. The start page always is.
    pub include: Patterns,
    /// Pages that match one of these are not crawled.
    pub exclude: Patterns,
    /// The number of pages after which the crawl ends.
    pub max_pages: u32,
    /// The number of links from the start page to the deepest pages.
    pub max_depth: u32,
    /// Limits against sites without an end.
    pub traps: TrapLimits,
    /// Whether pages are crawled that only a sitemap names.
    pub sitemaps: bool,
    /// Whether robots.txt is obeyed.
    pub robots: bool,
    /// Whether links are followed that say `nofollow`.
    pub follow_nofollow: bool,
    /// Whether Chromium shows pages that need scripts.
    pub render: bool,
    /// Requests in flight to a host.
    pub connections: usize,
    /// The least time between two requests to a host. A longer `Crawl-delay` has precedence.
    pub delay: Duration,
    /// The time after which the crawl ends. The same call goes on.
    pub max_time: Option<Duration>,
    /// Limits of a request.
    pub limits: FetchLimits,
}

impl CrawlSettings {
    /// The settings for a site, without limits that an ordinary site reaches.
    pub fn new(start: Url) -> Self {
        CrawlSettings {
            start,
            extent: Extent::default(),
            include: Patterns::default(),
            exclude: Patterns::default(),
            max_pages: 100_000,
            // A book of a thousand chapters may link each from the one before.
            max_depth: 1000,
            traps: TrapLimits::default(),
            sitemaps: true,
            robots: true,
            follow_nofollow: false,
            render: false,
            // As many as Siteliner's.
            connections: 4,
            delay: Duration::ZERO,
            max_time: None,
            limits: FetchLimits::default(),
        }
    }

    /// The start page as it is stored and shown: in the form of all URLs, and without a name and a password.
    pub fn source(&self) -> Url {
        crawled_url(self.start.clone())
    }

    /// The settings that decide which pages are crawled.
    pub(crate) fn stored(&self) -> StoredSettings {
        StoredSettings {
            source: self.start.as_str().to_owned(),
            is_given: false,
            extent: self.extent,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            max_pages: self.max_pages,
            max_depth: self.max_depth,
            traps: self.traps.clone(),
            sitemaps: self.sitemaps,
            robots: self.robots,
            follow_nofollow: self.follow_nofollow,
            render: self.render,
            page_bytes: self.limits.page_bytes as u64,
        }
    }
}

/// The settings that decide which pages are crawled. They are kept with the crawl.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredSettings {
    /// The start page, the folder or the archives.
    pub(crate) source: String,
    /// Whether all pages of the source are read, and none has to be found.
    pub(crate) is_given: bool,
    pub(crate) extent: Extent,
    pub(crate) include: Patterns,
    pub(crate) exclude: Patterns,
    pub(crate) max_pages: u32,
    pub(crate) max_depth: u32,
    pub(crate) traps: TrapLimits,
    pub(crate) sitemaps: bool,
    pub(crate) robots: bool,
    pub(crate) follow_nofollow: bool,
    pub(crate) render: bool,
    pub(crate) page_bytes: u64,
}

impl StoredSettings {
    /// The settings of a source that is read in full.
    pub(crate) fn of_source(source: String) -> Self {
        StoredSettings {
            source,
            is_given: true,
            extent: Extent::default(),
            include: Patterns::default(),
            exclude: Patterns::default(),
            max_pages: u32::MAX,
            max_depth: u32::MAX,
            traps: TrapLimits::default(),
            sitemaps: false,
            robots: false,
            follow_nofollow: false,
            render: false,
            page_bytes: FetchLimits::default().page_bytes as u64,
        }
    }

    /// The first setting that differs, with both values, if `asked` cannot go on with what these settings crawled. More pages are what
    /// the crawl would have crawled next, so only fewer are refused.
    pub(crate) fn difference(&self, asked: &Self) -> Option<(&'static str, String, String)> {
        // Given pages are read anew each time, and their folder may have been moved.
        if self.is_given && asked.is_given {
            return None;
        }
        let fewer = |asked: u32| if asked < self.max_pages { asked } else { self.max_pages };
        let pairs = [
            ("source", text(&self.source), text(&asked.source)),
            ("extent", text(&self.extent), text(&asked.extent)),
            ("list of included pages", list(&self.include), list(&asked.include)),
            ("list of excluded pages", list(&self.exclude), list(&asked.exclude)),
            ("limit of pages", text(&self.max_pages), text(&fewer(asked.max_pages))),
            ("limit of depth", text(&self.max_depth), text(&asked.max_depth)),
            ("limit of bytes of a page", text(&self.page_bytes), text(&asked.page_bytes)),
            ("limit against traps", text(&self.traps), text(&asked.traps)),
            ("use of sitemaps", text(&self.sitemaps), text(&asked.sitemaps)),
            ("use of robots.txt", text(&self.robots), text(&asked.robots)),
            ("use of Chromium", text(&self.render), text(&asked.render)),
            ("use of nofollow", text(&self.follow_nofollow), text(&asked.follow_nofollow)),
        ];
        pairs.into_iter().find(|(_, stored, asked)| stored != asked)
    }
}

fn text(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn list(patterns: &Patterns) -> String {
    format!("{:?}", Vec::from(patterns.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_has_no_password_and_the_form_of_all_urls() {
        let start = Url::parse("http://me:secret@Host.example/?utm_source=mail#top").unwrap();
        assert_eq!(CrawlSettings::new(start).source().as_str(), "http://host.example/");
    }
}
