//! The pages of a stored crawl, as the source of an audit.

use crate::audit::{PageFacts, PageSource, SiteBlock};
use crate::crawled::Crawled;
use crate::error::Error;
use crate::visit::{Outcome, Visit};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

pub(crate) use crate::crawl::MOST_REDIRECTS;

/// The pages of a stored crawl, in the order of their URLs. Texts are read on demand.
#[derive(Debug)]
pub struct CrawledPages {
    crawled: Crawled,
    facts: Vec<PageFacts>,
    records: Vec<PageRecord>,
    /// The pages by the numbers of their visits.
    places: HashMap<u32, u32>,
}

/// What a crawl knows of a page, and an audit does not need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRecord {
    /// The number of the visit.
    pub visit: u32,
    /// The status of the answer.
    pub status: Option<u16>,
    /// The title, or the first heading if there is none.
    pub title: Option<String>,
    /// The language that the page says it has.
    pub language: Option<String>,
    /// The links between the start page and this one, if links lead to it.
    pub depth: Option<u32>,
    /// Milliseconds from the request to the head of the answer.
    pub first_byte_milliseconds: u32,
    /// Milliseconds from the request to the last byte.
    pub milliseconds: u32,
    /// The bytes of the page after decompression.
    pub bytes: u64,
    /// Whether the page probably needs scripts to show its text.
    pub needs_scripts: bool,
}

impl CrawledPages {
    /// Reads what a crawl knows of its pages, apart from their texts. `site` tells pages of several sites apart.
    ///
    /// # Errors
    /// [`Error::Store`] and [`Error::Entry`].
    pub fn new(crawled: Crawled, site: u32) -> Result<Self, Error> {
        let (mut facts, mut records, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let (mut places, mut redirects) = (HashMap::new(), HashMap::new());
        for &number in crawled.numbers() {
            let Some(visit) = crawled.visit(number)? else { continue };
            match &visit.outcome {
                Outcome::Page => {
                    places.insert(number, records.len() as u32);
                    links.push(targets(&crawled, &visit));
                    records.push(record(&crawled, number, &visit));
                    facts.push(facts_of(&crawled, number, visit, site));
                }
                Outcome::Redirect { target } => {
                    redirects.extend(crawled.number_of(target).map(|target| (number, target)));
                }
                Outcome::Resource | Outcome::Broken | Outcome::Failed(_) => {}
            }
        }
        let page_behind = |number: u32| {
            let next = |number: &u32| redirects.get(number).copied();
            let mut chain = std::iter::successors(Some(number), next).take(MOST_REDIRECTS + 1);
            chain.find_map(|number| places.get(&number).copied())
        };
        for (facts, links) in facts.iter_mut().zip(links) {
            facts.links = links.into_iter().filter_map(page_behind).collect();
        }
        Ok(CrawledPages { crawled, facts, records, places })
    }

    /// The crawl.
    pub fn crawled(&self) -> &Crawled {
        &self.crawled
    }

    /// What the crawl knows of a page, by its number in this source.
    pub fn record(&self, page: u32) -> &PageRecord {
        &self.records[page as usize]
    }

    /// The page of a visit, by its number in this source.
    pub fn page_of_visit(&self, visit: u32) -> Option<u32> {
        self.places.get(&visit).copied()
    }
}

/// The visits that a page links to.
fn targets(crawled: &Crawled, visit: &Visit) -> Vec<u32> {
    let links = visit.page.iter().flat_map(|page| &page.links);
    links.filter_map(|link| crawled.number_of(&link.url)).collect()
}

fn record(crawled: &Crawled, number: u32, visit: &Visit) -> PageRecord {
    let page = visit.page.as_ref();
    PageRecord {
        visit: number,
        status: visit.status,
        title: page.and_then(|page| page.title.clone().or_else(|| page.heading.clone())),
        language: page.and_then(|page| page.language.clone()),
        depth: crawled.depth(number),
        first_byte_milliseconds: visit.first_byte_milliseconds,
        milliseconds: visit.milliseconds,
        bytes: visit.bytes,
        needs_scripts: page.is_some_and(|page| page.needs_scripts),
    }
}

fn facts_of(crawled: &Crawled, number: u32, visit: Visit, site: u32) -> PageFacts {
    let alternates = visit.page.iter().flat_map(|page| &page.alternates);
    PageFacts {
        canonical: visit.canonical().map(str::to_owned),
        alternates: alternates.map(|version| version.href.clone()).collect(),
        noindex: visit.asks_robots("noindex"),
        in_sitemap: crawled.is_listed(number),
        depth: crawled.depth(number).unwrap_or(u32::MAX),
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
        let stored = self.crawled.page(self.records[page].visit).map_err(io::Error::other)?;
        let blocks = stored.map_or_else(Vec::new, |stored| stored.blocks);
        let block = |block: lookalike_corpus::Block| SiteBlock { text: block.text, area: block.area };
        Ok(Cow::Owned(blocks.into_iter().map(block).collect()))
    }
}
