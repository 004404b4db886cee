//! A stored crawl, as the page and the report show it.

use crate::crawled::Skipped;
use crate::crawled_pages::{CrawledPages, MOST_REDIRECTS};
use crate::error::Error;
use crate::view::{CheckedLink, CrawledSite, LinkKind, PageVisit, SkippedUrl};
use crate::visit::{Outcome, Visit};
use std::collections::BTreeMap;
use std::io;

/// Pages that are named for a link.
const NAMED_PAGES: usize = 10;

impl CrawledSite for CrawledPages {
    fn start(&self) -> &str {
        self.crawled().source()
    }

    fn visit(&self, page: usize) -> PageVisit {
        let record = self.record(page as u32);
        PageVisit {
            status: record.status.unwrap_or_default(),
            title: record.title.clone().unwrap_or_default(),
            language: record.language.clone(),
            milliseconds: record.milliseconds,
            first_byte_milliseconds: record.first_byte_milliseconds,
            bytes: record.bytes,
            needs_scripts: record.needs_scripts,
        }
    }

    fn skipped(&self) -> io::Result<Vec<SkippedUrl>> {
        let mut skipped = Vec::new();
        let mut add = |Skipped { url, refusal, from }: Skipped| {
            let (rule, detail) = (refusal.name().to_owned(), refusal.to_string());
            let from = from.map(|from| self.crawled().url(from).to_owned());
            skipped.push(SkippedUrl { url, rule, detail, from });
        };
        self.crawled().skipped(&mut add).map_err(io::Error::other)?;
        Ok(skipped)
    }

    fn links(&self) -> io::Result<Vec<CheckedLink>> {
        self.checked_links().map_err(io::Error::other)
    }
}

impl CrawledPages {
    fn checked_links(&self) -> Result<Vec<CheckedLink>, Error> {
        let crawled = self.crawled();
        let mut links: BTreeMap<u32, CheckedLink> = BTreeMap::new();
        for &number in crawled.numbers() {
            let visit = crawled.visit(number)?;
            links.extend(visit.and_then(checked).map(|link| (number, link)));
        }
        let targets: BTreeMap<String, (Option<String>, Option<String>)> = links
            .values()
            .map(|link| (link.url.clone(), (link.target.clone(), link.problem.clone())))
            .collect();
        links.values_mut().for_each(|link| follow(link, &targets));
        for page in 0..crate::audit::PageSource::pages(self) as u32 {
            let Some(visit) = crawled.visit(self.record(page).visit)? else { continue };
            for link in visit.page.iter().flat_map(|page| &page.links) {
                let target = crawled.number_of(&link.url);
                let Some(target) = target.and_then(|number| links.get_mut(&number)) else { continue };
                target.pages += 1;
                if target.from.len() < NAMED_PAGES {
                    target.from.push(visit.url.clone());
                }
            }
        }
        let mut links: Vec<CheckedLink> = links.into_values().filter(|link| link.pages > 0).collect();
        links.sort_by(|a, b| (a.kind, &a.url).cmp(&(b.kind, &b.url)));
        Ok(links)
    }
}

/// The link to a visit that is neither a page nor a file.
fn checked(visit: Visit) -> Option<CheckedLink> {
    let (kind, target, problem) = match visit.outcome {
        Outcome::Page | Outcome::Resource => return None,
        Outcome::Redirect { target } => (LinkKind::Redirect, Some(target), None),
        Outcome::Broken => (LinkKind::Broken, None, None),
        Outcome::Failed(failure) => (LinkKind::Broken, None, Some(failure.to_string())),
    };
    Some(CheckedLink {
        url: visit.url,
        kind,
        status: visit.status,
        target,
        problem,
        from: Vec::new(),
        pages: 0,
    })
}

/// Follows the redirects of a link to their end.
fn follow(link: &mut CheckedLink, targets: &BTreeMap<String, (Option<String>, Option<String>)>) {
    for _ in 0..MOST_REDIRECTS {
        let Some((next, problem)) = link.target.as_ref().and_then(|target| targets.get(target)) else {
            return;
        };
        match next {
            Some(next) => link.target = Some(next.clone()),
            None => {
                link.problem = problem.clone().or_else(|| Some("its target is broken".to_owned()));
                return;
            }
        }
    }
    if link.target.is_some() {
        link.problem = Some("its redirects have no end".to_owned());
    }
}
