//! The input of an audit: pages, and sources that read their texts on demand.

use crate::SiteBlock;
use std::borrow::Cow;
use std::io;

/// What is known of a page apart from its text. All URLs are resolved and canonicalised by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts {
    /// The URL. No two pages of an audit have the same.
    pub url: String,
    /// The URL that the page names as canonical.
    pub canonical: Option<String>,
    /// The URLs of its versions in other languages (hreflang).
    pub alternates: Vec<String>,
    /// Whether the page asks search engines to leave it out.
    pub noindex: bool,
    /// Whether a sitemap lists the page.
    pub in_sitemap: bool,
    /// The least number of links from the start to this page, if links lead to it.
    pub depth: Option<u32>,
    /// The pages that it links to, by their numbers in the source. Repetitions and links to itself do not matter.
    pub links: Vec<u32>,
    /// The site of the page. It matters only if two sites are compared.
    pub site: u32,
}

/// A page with its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitePage {
    /// What is known of the page apart from its text.
    pub facts: PageFacts,
    /// The blocks of text, in the order of the page.
    pub blocks: Vec<SiteBlock>,
}

/// Pages by number, whose texts are read on demand. An audit reads each text once, and a few of them twice.
pub trait PageSource: Sync {
    /// The number of pages.
    fn pages(&self) -> usize;

    /// What is known of a page apart from its text.
    fn facts(&self, page: usize) -> Cow<'_, PageFacts>;

    /// The blocks of a page.
    ///
    /// # Errors
    /// If they cannot be read.
    fn blocks(&self, page: usize) -> io::Result<Cow<'_, [SiteBlock]>>;
}

impl PageSource for [SitePage] {
    fn pages(&self) -> usize {
        self.len()
    }

    fn facts(&self, page: usize) -> Cow<'_, PageFacts> {
        Cow::Borrowed(&self[page].facts)
    }

    fn blocks(&self, page: usize) -> io::Result<Cow<'_, [SiteBlock]>> {
        Ok(Cow::Borrowed(&self[page].blocks))
    }
}
