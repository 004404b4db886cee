//! The lists of a crawl that need no audit: URLs that were not visited, and links.

use crate::crawled::{Crawled, UnvisitedUrl};
use crate::crawled_pages::CrawledPages;
use crate::error::Error;
use crate::link_ends::LeadKind;
use lookalike_corpus::{Completed, Waiting};
use lookalike_report::audit::lists::{LinkList, LinkRow, SkippedList};
use std::path::Path;

/// Writes the list of URLs that a rule refused, in the order in which they were found.
///
/// # Errors
/// [`Error`].
pub fn write_skipped(path: &Path, crawled: &Crawled, waiting: &Waiting) -> Result<Completed, Error> {
    let mut list = SkippedList::create(path, waiting)?;
    let mut written = Ok(());
    crawled.skipped(&mut |UnvisitedUrl { url, refusal, from }| {
        if written.is_ok() {
            written = list.add(&url, &refusal.to_string(), from.map(|from| crawled.url(from)));
        }
    })?;
    written?;
    Ok(list.complete()?)
}

/// Writes all links of all pages.
///
/// # Errors
/// [`Error`].
pub fn write_links(path: &Path, pages: &CrawledPages, waiting: &Waiting) -> Result<Completed, Error> {
    let crawled = pages.crawled();
    let mut list = LinkList::create(path, waiting)?;
    for &number in crawled.numbers() {
        let Some(visit) = crawled.visit(number)? else { continue };
        for link in visit.page.iter().flat_map(|page| &page.links) {
            let lead = crawled.number_of(&link.url).and_then(|number| pages.lead(number));
            let result = lead.map(|lead| match lead.kind {
                LeadKind::Page => "page",
                LeadKind::File => "file",
                LeadKind::Redirect => "redirect",
                LeadKind::Broken => "broken",
            });
            list.add(&LinkRow {
                from: &visit.url,
                to: link.written.as_deref().unwrap_or(&link.url),
                text: &link.text,
                nofollow: link.nofollow,
                result,
                status: lead.and_then(|lead| lead.status),
                target: lead.filter(|lead| lead.kind != LeadKind::Page).and_then(|lead| lead.target),
                problem: lead.and_then(|lead| lead.problem),
            })?;
        }
    }
    Ok(list.complete()?)
}
