//! The pages of a stored crawl, as the source of an audit and of its screens.

use crate::crawled::{Crawled, UnvisitedUrl};
use crate::error::Error;
use crate::link_ends::{Lead, LinkEnds, VisitEnd};
use crate::visit::{Visit, VisitOutcome};
use lookalike_audit::{PageFacts, PageSource, SiteBlock};
use lookalike_report::audit::view::{CheckedLink, CrawledSite, PageVisit, SkippedUrls};
use std::borrow::Cow;
use std::io;

/// The pages of a stored crawl, in the order of their URLs. Texts are read on demand.
#[derive(Debug)]
pub struct CrawledPages {
    crawled: Crawled,
    facts: Vec<PageFacts>,
    /// The numbers of their visits.
    numbers: Vec<u32>,
    visits: Vec<PageVisit>,
    ends: LinkEnds,
    links: Vec<CheckedLink>,
    files: u64,
}

impl CrawledPages {
    /// Reads what a crawl knows of its pages, apart from their texts. `site` tells pages of several sites apart.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn new(crawled: Crawled, site: u32) -> Result<Self, Error> {
        let (mut facts, mut numbers, mut visits) = (Vec::new(), Vec::new(), Vec::new());
        let (mut links, mut ends, mut files) = (Vec::new(), LinkEnds::default(), 0);
        for &number in crawled.numbers() {
            let Some(visit) = crawled.visit(number)? else { continue };
            let end = match &visit.outcome {
                VisitOutcome::Page => VisitEnd::Page(facts.len() as u32),
                VisitOutcome::Resource => VisitEnd::File,
                VisitOutcome::Redirect { target } => {
                    VisitEnd::Redirect { next: crawled.number_of(target), target: target.clone() }
                }
                VisitOutcome::Broken => VisitEnd::Broken { problem: None },
                VisitOutcome::Failed(failure) => VisitEnd::Broken { problem: Some(failure.to_string()) },
            };
            files += u64::from(visit.outcome == VisitOutcome::Resource);
            ends.add(number, end, visit.status);
            if visit.is_page() {
                numbers.push(number);
                links.push(targets(&crawled, &visit));
                visits.push(page_visit(&visit));
                facts.push(facts_of(&crawled, number, visit, site));
            }
        }
        let urls: Vec<String> = facts.iter().map(|facts: &PageFacts| facts.url.clone()).collect();
        let declared = |url: String| match crawled.number_of(&url) {
            Some(number) => ends.lead(number, |page| &urls[page as usize])?.shown().map(str::to_owned),
            None => Some(url),
        };
        for (facts, links) in facts.iter_mut().zip(&links) {
            facts.links = links.iter().filter_map(|&number| ends.page_behind(number)).collect();
            facts.canonical = facts.canonical.take().and_then(declared);
            facts.alternates =
                std::mem::take(&mut facts.alternates).into_iter().filter_map(declared).collect();
        }
        let links = ends.checked(&crawled, &urls, &links);
        Ok(CrawledPages { crawled, facts, numbers, visits, ends, links, files })
    }

    /// The crawl.
    pub fn crawled(&self) -> &Crawled {
        &self.crawled
    }

    /// What a URL leads to, by the number of its visit.
    pub(crate) fn lead(&self, visit: u32) -> Option<Lead<'_>> {
        self.ends.lead(visit, |page| &self.facts[page as usize].url)
    }
}

/// The visits that a page links to.
fn targets(crawled: &Crawled, visit: &Visit) -> Vec<u32> {
    let links = visit.page.iter().flat_map(|page| &page.links);
    links.filter_map(|link| crawled.number_of(&link.url)).collect()
}

fn page_visit(visit: &Visit) -> PageVisit {
    let page = visit.page.as_ref();
    let title = page.and_then(|page| page.title.clone().or_else(|| page.heading.clone()));
    PageVisit {
        status: visit.status.unwrap_or_default(),
        title: title.unwrap_or_default(),
        language: page.and_then(|page| page.language.clone()),
        first_byte_milliseconds: visit.first_byte_milliseconds,
        milliseconds: visit.milliseconds,
        bytes: visit.bytes,
        needs_scripts: page.is_some_and(|page| page.needs_scripts),
        has_more_links: page.is_some_and(|page| page.has_more_links),
    }
}

fn facts_of(crawled: &Crawled, number: u32, visit: Visit, site: u32) -> PageFacts {
    let alternates = visit.page.iter().flat_map(|page| &page.alternates);
    PageFacts {
        canonical: visit.canonical().map(str::to_owned),
        alternates: alternates.map(|version| version.href.clone()).collect(),
        noindex: visit.asks_robots("noindex"),
        in_sitemap: crawled.is_listed(number),
        depth: crawled.depth(number),
        links: Vec::new(),
        site,
        url: visit.url,
    }
}

impl PageSource for CrawledPages {
    fn pages(&self) -> usize {
        self.facts.len()
    }

    fn facts(&self, page: usize) -> Cow<'_, PageFacts> {
        Cow::Borrowed(&self.facts[page])
    }

    fn blocks(&self, page: usize) -> io::Result<Cow<'_, [SiteBlock]>> {
        let stored = self.crawled.page(self.numbers[page]).map_err(io::Error::other)?;
        Ok(Cow::Owned(stored.map_or_else(Vec::new, |stored| stored.blocks)))
    }
}

impl CrawledSite for CrawledPages {
    fn start(&self) -> &str {
        self.crawled.source()
    }

    fn is_complete(&self) -> bool {
        self.crawled.is_complete()
    }

    fn files(&self) -> u64 {
        self.files
    }

    fn visit(&self, page: usize) -> PageVisit {
        self.visits[page].clone()
    }

    fn skipped(&self) -> io::Result<SkippedUrls> {
        let mut skipped = SkippedUrls::default();
        let mut add = |UnvisitedUrl { url, refusal, from }: UnvisitedUrl| {
            let from = from.map(|from| self.crawled.url(from));
            skipped.add(&url, refusal.name(), || refusal.to_string(), from);
        };
        self.crawled.skipped(&mut add).map_err(io::Error::other)?;
        Ok(skipped)
    }

    fn links(&self) -> io::Result<Vec<CheckedLink>> {
        Ok(self.links.clone())
    }
}
