//! Two crawled sites whose pages are compared with each other.

use crate::crawled_pages::CrawledPages;
use lookalike_audit::{PageFacts, PageSource, SiteBlock};
use lookalike_report::audit::view::{CheckedLink, CrawledSite, PageVisit, SkippedUrls};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

/// The pages of two crawls. Those of the second one have the site 1, and URLs of files there begin with `file://other/`. A page that both crawls have is one of the
/// first.
#[derive(Debug)]
pub struct TwoSites {
    first: Arc<CrawledPages>,
    second: CrawledPages,
    /// What is known of the pages of the second.
    facts: Vec<PageFacts>,
    /// Their numbers there.
    numbers: Vec<u32>,
}

impl TwoSites {
    /// Puts two crawls side by side.
    pub fn new(first: Arc<CrawledPages>, second: CrawledPages) -> Self {
        let known: HashSet<String> = (0..first.pages()).map(|page| first.facts(page).url.clone()).collect();
        let (mut facts, mut numbers, mut places) = (Vec::new(), Vec::new(), HashMap::new());
        for number in 0..second.pages() {
            let mut page = second.facts(number).into_owned();
            page.site = 1;
            for url in page.canonical.iter_mut().chain(&mut page.alternates).chain([&mut page.url]) {
                if let Some(path) = url.strip_prefix("file:///") {
                    *url = format!("file://other/{path}");
                }
            }
            if !known.contains(&page.url) {
                places.insert(number as u32, (first.pages() + facts.len()) as u32);
                numbers.push(number as u32);
                facts.push(page);
            }
        }
        for page in &mut facts {
            page.links = page.links.iter().filter_map(|link| places.get(link).copied()).collect();
        }
        TwoSites { first, second, facts, numbers }
    }

    /// The number of a page in the second site, if it is none of the first.
    fn in_second(&self, page: usize) -> Option<usize> {
        page.checked_sub(self.first.pages())
    }
}

impl PageSource for TwoSites {
    fn pages(&self) -> usize {
        self.first.pages() + self.facts.len()
    }

    fn facts(&self, page: usize) -> Cow<'_, PageFacts> {
        match self.in_second(page) {
            Some(page) => Cow::Borrowed(&self.facts[page]),
            None => self.first.facts(page),
        }
    }

    fn blocks(&self, page: usize) -> io::Result<Cow<'_, [SiteBlock]>> {
        match self.in_second(page) {
            Some(page) => self.second.blocks(self.numbers[page] as usize),
            None => self.first.blocks(page),
        }
    }
}

/// What is no page is that of the first site.
impl CrawledSite for TwoSites {
    fn start(&self) -> &str {
        self.first.start()
    }

    fn is_complete(&self) -> bool {
        self.first.is_complete() && self.second.is_complete()
    }

    fn files(&self) -> u64 {
        self.first.files()
    }

    fn visit(&self, page: usize) -> PageVisit {
        match self.in_second(page) {
            Some(page) => self.second.visit(self.numbers[page] as usize),
            None => self.first.visit(page),
        }
    }

    fn skipped(&self) -> io::Result<SkippedUrls> {
        self.first.skipped()
    }

    fn links(&self) -> io::Result<Vec<CheckedLink>> {
        self.first.links()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::CrawlMonitor;
    use crate::{Crawled, read_folder};

    fn pages(files: &[(&str, &str)]) -> CrawledPages {
        let (folder, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        read_folder(folder.path(), &[], state.path(), &CrawlMonitor::default()).unwrap();
        CrawledPages::new(Crawled::open(state.path()).unwrap(), 0).unwrap()
    }

    #[test]
    fn pages_of_two_folders_have_their_own_urls_links_and_texts() {
        let first = pages(&[("a.html", "one"), ("b.html", "two")]);
        let second = pages(&[
            ("a.html", "three<a href=c.html>c</a>"),
            ("c.html", "four<link rel=canonical href=a.html>"),
        ]);
        let both = TwoSites::new(Arc::new(first), second);
        let facts: Vec<_> = (0..both.pages()).map(|page| both.facts(page).into_owned()).collect();
        let urls: Vec<&str> = facts.iter().map(|facts| facts.url.as_str()).collect();
        assert_eq!(urls, ["file:///a.html", "file:///b.html", "file://other/a.html", "file://other/c.html"]);
        assert_eq!((facts[2].links.as_slice(), facts[2].site, facts[1].site), (&[3][..], 1, 0));
        assert_eq!(facts[3].canonical.as_deref(), Some("file://other/a.html"));
        let text = |page| both.blocks(page).unwrap()[0].text.clone();
        assert_eq!((text(1), text(3)), ("two".to_owned(), "four".to_owned()));
    }
}
