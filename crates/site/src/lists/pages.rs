//! The list of pages.

use super::{integer, list, percent, text};
use crate::audit::Audit;
use crate::crawled_pages::CrawledPages;
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 22] = [
    ("url", ColumnKind::Text),
    ("status", ColumnKind::Integer),
    ("title", ColumnKind::Text),
    ("words", ColumnKind::Integer),
    ("duplicate_percent", ColumnKind::Number6),
    ("common_percent", ColumnKind::Number6),
    ("unique_percent", ColumnKind::Number6),
    ("cluster", ColumnKind::Integer),
    ("primary", ColumnKind::Text),
    ("handled", ColumnKind::Text),
    ("depth", ColumnKind::Integer),
    ("links_in", ColumnKind::Integer),
    ("links_out", ColumnKind::Integer),
    ("milliseconds", ColumnKind::Integer),
    ("bytes", ColumnKind::Integer),
    ("first_byte_milliseconds", ColumnKind::Integer),
    ("power", ColumnKind::Number6),
    ("language", ColumnKind::Text),
    ("noindex", ColumnKind::Bool),
    ("in_sitemap", ColumnKind::Bool),
    ("too_short", ColumnKind::Bool),
    ("needs_scripts", ColumnKind::Bool),
];

/// Writes the list of pages, in the order of their URLs. Clusters have the numbers of the list of clusters, from 1 on. `handled` is how the
/// site tells search engines that a page repeats its primary page.
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_pages(
    path: &Path,
    audit: &Audit,
    pages: &CrawledPages,
    waiting: &Waiting,
) -> Result<Completed, Error> {
    let mut table = list(path, &COLUMNS, waiting)?;
    for (number, page) in (0..).zip(audit.pages()) {
        let record = pages.record(page.source);
        let primary = page.cluster.map(|cluster| audit.clusters()[cluster as usize].primary);
        let primary = primary.map(|primary| audit.pages()[primary as usize].url.as_str());
        table.row(&[
            Cell::Text(&page.url),
            integer(record.status),
            text(record.title.as_deref()),
            Cell::Integer(page.words.all),
            percent(page.words.duplicate_share()),
            percent(page.words.common_share()),
            percent(page.words.unique_share()),
            integer(page.cluster.map(|cluster| cluster + 1)),
            text(primary),
            text(audit.handled_page(number).map(crate::audit::Handled::name)),
            integer(record.depth),
            Cell::Integer(page.links_in.into()),
            Cell::Integer(page.links_out.into()),
            Cell::Integer(record.milliseconds.into()),
            Cell::Integer(record.bytes),
            Cell::Integer(record.first_byte_milliseconds.into()),
            Cell::Number(page.power),
            text(record.language.as_deref()),
            Cell::Bool(page.noindex),
            Cell::Bool(page.in_sitemap),
            Cell::Bool(page.is_short),
            Cell::Bool(record.needs_scripts),
        ])?;
    }
    table.complete()
}
