//! From the answer of a server, or of a file, to a visit.

use super::link_header::header_links;
use super::links::{joined, links, resolved};
use super::{PageDeclarations, Visit, VisitOutcome};
use crate::fetch::{FetchFailure, HttpAnswer};
use lookalike_audit::SiteBlock;
use lookalike_html::{Alternate, HtmlPage, RobotsMeta, crawled_url};
use reqwest::header::CONTENT_TYPE;
use std::time::Duration;
use url::Url;

/// The most bytes of a text that is kept of a page's head, or of a link. Longer ones are of nobody's interest, or hostile.
const TEXT_BYTES: usize = 2000;

/// The most versions in other languages, and instructions for robots, of a page. There are 200 languages with a code of two letters.
pub(super) const VERSIONS: usize = 1000;
const INSTRUCTIONS: usize = 100;

/// A visit, and the text of its page.
#[derive(Debug)]
pub(crate) struct VisitRead {
    pub(crate) visit: Visit,
    pub(crate) blocks: Vec<SiteBlock>,
}

/// Makes a visit of an answer to a request for `url`.
pub(crate) fn visit_of(url: &Url, answer: Result<HttpAnswer, FetchFailure>) -> VisitRead {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            return VisitRead { visit: Visit::new(url, VisitOutcome::Failed(failure)), blocks: Vec::new() };
        }
    };
    let mut visit = Visit::new(url, VisitOutcome::Resource);
    visit.status = Some(answer.status);
    visit.content_type = answer.header(CONTENT_TYPE).map(|value| shortened(&value));
    visit.first_byte_milliseconds = milliseconds(answer.first_byte);
    visit.milliseconds = milliseconds(answer.total);
    visit.sent_bytes = answer.sent;
    visit.bytes = answer.body.as_ref().map_or(answer.sent, |body| body.len() as u64);
    let robots = answer.headers.get_all("x-robots-tag").into_iter();
    visit.robots_headers =
        robots.map(|value| shortened(&String::from_utf8_lossy(value.as_bytes()))).collect();
    let mut alternates = Vec::new();
    for header in answer.links() {
        for link in header_links(&header) {
            let Some(target) = resolved(url, link.href) else { continue };
            if link.is("canonical") && visit.canonical_header.is_none() {
                visit.canonical_header = Some(target.into());
            } else if let (true, Some(language)) = (link.is("alternate"), link.hreflang) {
                alternates.push(Alternate { language: shortened(language), href: target.into() });
            }
        }
    }
    let mut blocks = Vec::new();
    if let Some(written) = answer.redirect(url) {
        let target = crawled_url(written.clone());
        visit.outcome = match target == *url {
            // What is left out of its URL, such as the name of a visit, is what the server asks for.
            true => {
                VisitOutcome::Failed(FetchFailure::RedirectsToItself { target: shortened(written.as_str()) })
            }
            false => VisitOutcome::Redirect { target: target.into() },
        };
    } else if !(200..300).contains(&answer.status) {
        visit.outcome = VisitOutcome::Broken;
    } else if let Some(body) = &answer.body {
        let page = HtmlPage::read(body, visit.content_type.as_deref());
        visit.outcome = VisitOutcome::Page;
        let mut facts = facts(url, &page);
        facts.alternates.extend(alternates);
        facts.alternates.truncate(VERSIONS);
        visit.page = Some(facts);
        blocks = SiteBlock::of(page);
    }
    VisitRead { visit, blocks }
}

impl Visit {
    fn new(url: &Url, outcome: VisitOutcome) -> Self {
        Visit {
            url: url.as_str().to_owned(),
            status: None,
            outcome,
            content_type: None,
            first_byte_milliseconds: 0,
            milliseconds: 0,
            bytes: 0,
            sent_bytes: 0,
            robots_headers: Vec::new(),
            canonical_header: None,
            page: None,
        }
    }
}

impl VisitRead {
    /// Takes what a browser shows of the page at `url`: HTML in UTF-8. What headers say stays.
    pub(crate) fn show(&mut self, url: &Url, html: &[u8]) {
        let page = HtmlPage::read(html, Some("text/html; charset=utf-8"));
        let mut shown = facts(url, &page);
        let before = self.visit.page.take().map(|page| page.alternates).unwrap_or_default();
        let missing: Vec<Alternate> =
            before.into_iter().filter(|version| !shown.alternates.contains(version)).collect();
        shown.alternates.extend(missing);
        self.visit.page = Some(shown);
        self.blocks = SiteBlock::of(page);
    }
}

/// What a page at `url` says, with resolved URLs.
pub(super) fn facts(url: &Url, page: &HtmlPage) -> PageDeclarations {
    let base = page.base.as_deref().and_then(|base| joined(url, base));
    let base = base.as_ref().unwrap_or(url);
    let target = |href: &Option<String>| resolved(base, href.as_deref()?).map(String::from);
    let alternate = |one: &Alternate| {
        Some(Alternate { language: shortened(&one.language), href: resolved(base, &one.href)?.into() })
    };
    let meta =
        |one: &RobotsMeta| RobotsMeta { agent: shortened(&one.agent), content: shortened(&one.content) };
    let (links, has_more_links) = links(url, base, page);
    PageDeclarations {
        title: page.title.as_deref().map(shortened),
        heading: page.heading.as_deref().map(shortened),
        description: page.description.as_deref().map(shortened),
        language: page.language.as_deref().map(shortened),
        canonical: target(&page.canonical),
        alternates: page.alternates.iter().filter_map(alternate).take(VERSIONS).collect(),
        robots: page.robots.iter().map(meta).take(INSTRUCTIONS).collect(),
        refresh: target(&page.refresh),
        has_more_links,
        links,
        words: page.words(),
        scripts: page.scripts,
        needs_scripts: page.needs_scripts(),
    }
}

pub(super) fn shortened(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}

fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}
