//! From the answer of a server, or of a file, to a visit.

use super::link_header::header_links;
use super::{Outcome, PageFacts, PageLink, Visit};
use crate::fetch::{Answer, Failure};
use lookalike_corpus::{Alternate, Block, HtmlPage, RobotsMeta, crawled_url};
use reqwest::header::{CONTENT_TYPE, LAST_MODIFIED};
use std::collections::HashMap;
use std::time::Duration;
use url::Url;

/// The most bytes of a text that is kept of a page's head, or of a link. Longer ones are of nobody's interest, or hostile.
const TEXT_BYTES: usize = 2000;

/// The most links of a page that are kept. Indexes of large sites have tens of thousands; a hostile page of 16 MB has a million.
const LINKS: usize = 100_000;

/// A visit, and the text of its page.
#[derive(Debug)]
pub(crate) struct VisitRead {
    pub(crate) visit: Visit,
    pub(crate) blocks: Vec<Block>,
}

/// Makes a visit of an answer to a request for `url`.
pub(crate) fn visit_of(url: &Url, answer: Result<Answer, Failure>) -> VisitRead {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            return VisitRead { visit: Visit::new(url, Outcome::Failed(failure)), blocks: Vec::new() };
        }
    };
    let mut visit = Visit::new(url, Outcome::Resource);
    visit.status = Some(answer.status);
    visit.content_type = answer.header(CONTENT_TYPE).map(|value| shortened(&value));
    visit.last_modified = answer.header(LAST_MODIFIED).map(|value| shortened(&value));
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
                alternates.push(Alternate { language: language.to_owned(), href: target.into() });
            }
        }
    }
    let mut blocks = Vec::new();
    if let Some(target) = answer.redirect(url) {
        visit.outcome = Outcome::Redirect { target: crawled_url(target).into() };
    } else if !(200..300).contains(&answer.status) {
        visit.outcome = Outcome::Broken;
    } else if let Some(body) = &answer.body {
        let page = HtmlPage::read(body, visit.content_type.as_deref());
        visit.outcome = Outcome::Page;
        let mut facts = facts(url, &page);
        facts.alternates.extend(alternates);
        visit.page = Some(facts);
        blocks = page.blocks;
    }
    VisitRead { visit, blocks }
}

impl Visit {
    fn new(url: &Url, outcome: Outcome) -> Self {
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
            last_modified: None,
            page: None,
        }
    }
}

/// What a page at `url` says, with resolved URLs.
fn facts(url: &Url, page: &HtmlPage) -> PageFacts {
    let base = page.base.as_deref().and_then(|base| url.join(base).ok());
    let base = base.as_ref().unwrap_or(url);
    let target = |href: &Option<String>| resolved(base, href.as_deref()?).map(String::from);
    let alternate = |one: &Alternate| {
        Some(Alternate { language: shortened(&one.language), href: resolved(base, &one.href)?.into() })
    };
    let meta =
        |one: &RobotsMeta| RobotsMeta { agent: shortened(&one.agent), content: shortened(&one.content) };
    let links = links(url, base, page);
    PageFacts {
        title: page.title.as_deref().map(shortened),
        heading: page.heading.as_deref().map(shortened),
        description: page.description.as_deref().map(shortened),
        language: page.language.as_deref().map(shortened),
        canonical: target(&page.canonical),
        alternates: page.alternates.iter().filter_map(alternate).collect(),
        robots: page.robots.iter().map(meta).collect(),
        refresh: target(&page.refresh),
        has_more_links: links.len() >= LINKS,
        links,
        words: page.words(),
        scripts: page.scripts,
        needs_scripts: page.needs_scripts(),
    }
}

/// The links of a page, each target once.
fn links(url: &Url, base: &Url, page: &HtmlPage) -> Vec<PageLink> {
    let mut links: Vec<PageLink> = Vec::new();
    // Menus repeat links as they are written, so most are resolved once.
    let mut by_href: HashMap<&str, Option<usize>> = HashMap::new();
    let mut by_target: HashMap<String, usize> = HashMap::new();
    for link in &page.links {
        if links.len() >= LINKS {
            break;
        }
        let place = *by_href.entry(link.href.as_str()).or_insert_with(|| {
            let joined = joined(base, &link.href)?;
            let target = crawled_url(joined.clone());
            if target == *url {
                return None;
            }
            let written = spelling(joined, &target);
            Some(*by_target.entry(target.clone().into()).or_insert_with(|| {
                let (url, text) = (target.into(), shortened(&link.text));
                links.push(PageLink { url, written, text, nofollow: link.nofollow, area: link.area });
                links.len() - 1
            }))
        });
        if let Some(place) = place {
            links[place].nofollow &= link.nofollow;
            if links[place].text.is_empty() {
                links[place].text = shortened(&link.text);
            }
        }
    }
    links
}

/// The target of a link, in the form in which it is crawled. `None` if it does not lead to a server.
fn resolved(base: &Url, href: &str) -> Option<Url> {
    joined(base, href).map(crawled_url)
}

fn joined(base: &Url, href: &str) -> Option<Url> {
    let url = base.join(href.trim()).ok()?;
    matches!(url.scheme(), "http" | "https" | "ftp" | "file").then_some(url)
}

/// The target of a link as it was written, without its fragment, if it is spelled in another way than `target`.
fn spelling(mut written: Url, target: &Url) -> Option<String> {
    written.set_fragment(None);
    (written != *target).then(|| shortened(written.as_str()))
}

fn shortened(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}

fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}
