//! The list of pages.

use super::{integer, list, percent, text};
use crate::audit::view::AuditResults;
use lookalike_corpus::{Cell, ColumnKind, Completed, Error, Waiting};
use std::path::Path;

const COLUMNS: [(&str, ColumnKind); 23] = [
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
    ("more_links", ColumnKind::Bool),
];

/// Writes the list of pages, in the order of their URLs. Clusters have the numbers of the list of clusters, from 1 on. `handled` is how the
/// site tells search engines that a page repeats its primary page.
///
/// # Errors
/// Those of [`lookalike_corpus::TableWriter`].
pub fn write_pages(path: &Path, results: &AuditResults, waiting: &Waiting) -> Result<Completed, Error> {
    let audit = results.audit();
    let mut table = list(path, &COLUMNS, waiting)?;
    for (number, page) in (0..).zip(audit.pages()) {
        let visit = results.visit(number);
        let primary = page.cluster.map(|cluster| audit.clusters()[cluster as usize].primary);
        let primary = primary.map(|primary| audit.pages()[primary as usize].url.as_str());
        table.row(&[
            Cell::Text(&page.url),
            integer(Some(visit.status)),
            text(Some(visit.title.as_str()).filter(|title| !title.is_empty())),
            Cell::Integer(page.words.all),
            percent(page.words.duplicate_share()),
            percent(page.words.common_share()),
            percent(page.words.unique_share()),
            integer(page.cluster.map(|cluster| cluster + 1)),
            text(primary),
            text(audit.handled_page(number).map(lookalike_audit::Handled::name)),
            integer(page.depth),
            Cell::Integer(page.links_in.into()),
            Cell::Integer(page.links_out.into()),
            Cell::Integer(visit.milliseconds.into()),
            Cell::Integer(visit.bytes),
            Cell::Integer(visit.first_byte_milliseconds.into()),
            Cell::Number(page.power),
            text(visit.language.as_deref()),
            Cell::Bool(page.noindex),
            Cell::Bool(page.in_sitemap),
            Cell::Bool(page.is_short),
            Cell::Bool(visit.needs_scripts),
            Cell::Bool(visit.has_more_links),
        ])?;
    }
    table.complete()
}
