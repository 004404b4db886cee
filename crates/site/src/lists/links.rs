//! The list of links.

use super::{integer, list, text};
use crate::crawled_pages::CrawledPages;
use crate::error::Error;
use crate::link_ends::LeadKind;
use lookalike_corpus::{Cell, ColumnKind, Completed, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 8] = [
    ("from", ColumnKind::Text),
    ("to", ColumnKind::Text),
    ("text", ColumnKind::Text),
    ("nofollow", ColumnKind::Bool),
    ("result", ColumnKind::Text),
    ("status", ColumnKind::Integer),
    ("target", ColumnKind::Text),
    ("problem", ColumnKind::Text),
];

/// Writes all links of all pages. `result` is page, file, redirect or broken, or empty if the link was not visited; `target` is where redirects
/// end, and `problem` why nothing was found.
///
/// # Errors
/// [`Error`].
pub fn write_links(path: &Path, pages: &CrawledPages, waiting: &Waiting) -> Result<Completed, Error> {
    let crawled = pages.crawled();
    let mut table = list(path, &COLUMNS, waiting)?;
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
            let target = lead.filter(|lead| lead.kind != LeadKind::Page).and_then(|lead| lead.target);
            table.row(&[
                Cell::Text(&visit.url),
                Cell::Text(link.written.as_deref().unwrap_or(&link.url)),
                Cell::Text(&link.text),
                Cell::Bool(link.nofollow),
                text(result),
                integer(lead.and_then(|lead| lead.status)),
                text(target),
                text(lead.and_then(|lead| lead.problem)),
            ])?;
        }
    }
    Ok(table.complete()?)
}
