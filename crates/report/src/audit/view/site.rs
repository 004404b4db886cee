//! What the crawl knows, and the audit does not.

use lookalike_audit::PageSource;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// A site that was crawled, or the part of it that is crawled so far. Pages have the numbers of [`PageSource`].
pub trait CrawledSite: PageSource + Send {
    /// The address that the crawl started from, for the title.
    fn start(&self) -> &str;

    /// Whether all URLs were visited that the settings allow.
    fn is_complete(&self) -> bool;

    /// URLs with other content than pages.
    fn files(&self) -> u64;

    /// What the crawl knows of a page. It is asked once for each page, when the results are made.
    fn visit(&self, page: usize) -> PageVisit;

    /// The URLs that were found and not audited, each with the rule that says so.
    ///
    /// # Errors
    /// If they cannot be read.
    fn skipped(&self) -> io::Result<SkippedUrls>;

    /// The links that do not lead to a page: broken ones and redirects.
    ///
    /// # Errors
    /// If they cannot be read.
    fn links(&self) -> io::Result<Vec<CheckedLink>>;
}

/// What the crawl knows of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageVisit {
    /// The status of the answer. A file has 200.
    pub status: u16,
    /// The title, as the page gives it.
    pub title: String,
    /// The language that the page names.
    pub language: Option<String>,
    /// The time until the whole answer was there.
    pub milliseconds: u32,
    /// The time until its first byte was there.
    pub first_byte_milliseconds: u32,
    /// The bytes of the page, decompressed.
    pub bytes: u64,
    /// Whether it has scripts and little text, so that a browser may show more of it.
    pub needs_scripts: bool,
    /// Whether it has more links than are followed.
    pub has_more_links: bool,
}

/// The kind of the rules by which a URL is none of the site.
pub const OTHER_SITE: &str = "other-site";

/// Skipped URLs that are listed. A site may link to millions of pages of others.
const LISTED: usize = 100_000;

/// The URLs that were found and not audited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkippedUrls {
    /// The number of all of them, by rule.
    pub by_rule: BTreeMap<String, u64>,
    /// The first 100,000 of them.
    pub first: Vec<SkippedUrl>,
}

impl SkippedUrls {
    /// Adds a URL.
    pub fn add(&mut self, url: &str, rule: &str, detail: impl FnOnce() -> String, from: Option<&str>) {
        match self.by_rule.get_mut(rule) {
            Some(count) => *count += 1,
            None => _ = self.by_rule.insert(rule.to_owned(), 1),
        }
        if self.first.len() < LISTED {
            let (url, rule, from) = (url.to_owned(), rule.to_owned(), from.map(str::to_owned));
            self.first.push(SkippedUrl { url, rule, detail: detail(), from });
        }
    }

    /// The number of all of them.
    pub fn count(&self) -> u64 {
        self.by_rule.values().sum()
    }
}

/// A URL that was found and not audited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SkippedUrl {
    /// The URL.
    pub url: String,
    /// The kind of rule, such as `robots.txt` or `size`.
    pub rule: String,
    /// The exact rule as a sentence, such as the line of robots.txt.
    pub detail: String,
    /// A page that links to it.
    pub from: Option<String>,
}

/// The kind of a link that does not lead to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// The answer is an error, or there is none.
    Broken,
    /// It leads to another URL.
    Redirect,
}

/// A link that does not lead to a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedLink {
    /// The URL that pages link to.
    pub url: String,
    /// Broken, or a redirect.
    pub kind: LinkKind,
    /// The status of its answer, if it has one.
    pub status: Option<u16>,
    /// The URL where redirects end.
    pub target: Option<String>,
    /// The reason why there is no answer, or no end of the redirects.
    pub problem: Option<String>,
    /// Some of the pages that link to it.
    pub from: Vec<String>,
    /// The number of pages that link to it.
    pub pages: u32,
}
