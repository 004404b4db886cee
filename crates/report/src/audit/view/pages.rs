//! The table of pages.

use super::list::{ListPart, ListQuery, directed};
use super::results::AuditResults;
use lookalike_audit::Handled;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;

/// A page in the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageRow<'r> {
    /// The URL.
    pub url: &'r str,
    /// The title.
    pub title: &'r str,
    /// The status of the answer.
    pub status: u16,
    /// All its words.
    pub words: u64,
    /// The share of duplicate words, from 0 to 1.
    pub duplicate: f64,
    /// The share of common words.
    pub common: f64,
    /// The share of unique words.
    pub unique: f64,
    /// The pairs that it is in.
    pub pairs: u32,
    /// The pages of its cluster, or 0 if it is in none.
    pub cluster: usize,
    /// The primary page of its cluster.
    pub primary: Option<&'r str>,
    /// `primary`, `to-fix`, or the way that the site handles it. Nothing for a page without a cluster.
    pub state: Option<&'static str>,
    /// Whether it has too few words to judge.
    pub short: bool,
    /// Whether nearly all of it is template.
    pub mostly_common: bool,
    /// Whether a browser may show more of it.
    pub needs_scripts: bool,
    /// Whether search engines are asked to leave it out.
    pub noindex: bool,
    /// Whether a sitemap lists it.
    pub in_sitemap: bool,
    /// The least number of links from the start to it, if links lead to it.
    pub depth: Option<u32>,
    /// The pages that link to it.
    pub links_in: u32,
    /// The pages that it links to.
    pub links_out: u32,
    /// Power by links, from 0 to 100.
    pub power: f64,
    /// The time until the whole answer was there.
    pub milliseconds: u32,
    /// The time until its first byte was there.
    pub first_byte: u32,
    /// Bytes of the page.
    pub bytes: u64,
    /// The language that the page names.
    pub language: Option<&'r str>,
}

/// A page as a list of its cells. Without the names of columns, 30,000 pages take half as many bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct PageCells<'r>(pub PageRow<'r>);

impl PageCells<'_> {
    /// The names of the cells.
    pub const COLUMNS: &'static [&'static str] = &[
        "url",
        "title",
        "status",
        "words",
        "duplicate",
        "common",
        "unique",
        "pairs",
        "cluster",
        "primary",
        "state",
        "short",
        "mostly_common",
        "needs_scripts",
        "noindex",
        "in_sitemap",
        "depth",
        "links_in",
        "links_out",
        "power",
        "milliseconds",
        "first_byte",
        "bytes",
        "language",
    ];
}

impl Serialize for PageCells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Four digits are more than the table shows.
        let brief = |value: f64| (value * 1e4).floor() / 1e4;
        let row = &self.0;
        let mut cells = serializer.serialize_seq(Some(Self::COLUMNS.len()))?;
        cells.serialize_element(row.url)?;
        cells.serialize_element(row.title)?;
        cells.serialize_element(&row.status)?;
        cells.serialize_element(&row.words)?;
        for share in [row.duplicate, row.common, row.unique] {
            cells.serialize_element(&brief(share))?;
        }
        cells.serialize_element(&row.pairs)?;
        cells.serialize_element(&row.cluster)?;
        cells.serialize_element(&row.primary)?;
        cells.serialize_element(&row.state)?;
        for flag in [row.short, row.mostly_common, row.needs_scripts, row.noindex, row.in_sitemap] {
            cells.serialize_element(&u8::from(flag))?;
        }
        cells.serialize_element(&row.depth)?;
        for number in [row.links_in, row.links_out] {
            cells.serialize_element(&number)?;
        }
        cells.serialize_element(&brief(row.power))?;
        cells.serialize_element(&row.milliseconds)?;
        cells.serialize_element(&row.first_byte)?;
        cells.serialize_element(&row.bytes)?;
        cells.serialize_element(&row.language)?;
        cells.end()
    }
}

impl AuditResults {
    /// The state of a page in its cluster.
    pub(super) fn state(&self, page: u32) -> Option<&'static str> {
        let cluster = &self.audit.clusters()[self.of(page).cluster? as usize];
        Some(match cluster.primary == page {
            true => "primary",
            false => self.audit.handled_page(page).map_or("to-fix", Handled::name),
        })
    }

    /// The row of a page.
    pub(super) fn row(&self, number: u32) -> PageRow<'_> {
        let (page, visit) = (self.of(number), &self.visits[number as usize]);
        let cluster = page.cluster.map(|cluster| &self.audit.clusters()[cluster as usize]);
        PageRow {
            url: &page.url,
            title: &visit.title,
            status: visit.status,
            words: page.words.all,
            duplicate: page.words.duplicate_share(),
            common: page.words.common_share(),
            unique: page.words.unique_share(),
            pairs: self.tally.of_page[number as usize],
            cluster: cluster.map_or(0, |cluster| cluster.pages.len()),
            primary: cluster.map(|cluster| self.url(cluster.primary)),
            state: self.state(number),
            short: page.is_short,
            mostly_common: page.is_mostly_common,
            needs_scripts: visit.needs_scripts,
            noindex: page.noindex,
            in_sitemap: page.in_sitemap,
            depth: page.depth,
            links_in: page.links_in,
            links_out: page.links_out,
            power: page.power,
            milliseconds: visit.milliseconds,
            first_byte: visit.first_byte_milliseconds,
            bytes: visit.bytes,
            language: visit.language.as_deref(),
        }
    }

    /// Whether a page is of the kind that a reader wants to see.
    fn is_shown(&self, number: u32, show: &str) -> bool {
        let page = self.of(number);
        match show {
            "duplicates" => page.cluster.is_some(),
            "to-fix" => self.state(number) == Some("to-fix"),
            "handled" => !matches!(self.state(number), None | Some("primary" | "to-fix")),
            "primary" => self.state(number) == Some("primary"),
            "pairs" => self.tally.of_page[number as usize] > 0,
            "short" => page.is_short,
            "mostly-common" => page.is_mostly_common,
            "needs-scripts" => self.visits[number as usize].needs_scripts,
            "noindex" => page.noindex,
            "not-in-sitemap" => !page.in_sitemap,
            _ => true,
        }
    }
}

/// The columns of `a` and `b` that `sort` names.
fn compare(sort: &str, a: &PageRow<'_>, b: &PageRow<'_>) -> Ordering {
    match sort {
        "title" => a.title.cmp(b.title),
        "status" => a.status.cmp(&b.status),
        "words" => a.words.cmp(&b.words),
        "duplicate" => a.duplicate.total_cmp(&b.duplicate),
        "common" => a.common.total_cmp(&b.common),
        "unique" => a.unique.total_cmp(&b.unique),
        "pairs" => a.pairs.cmp(&b.pairs),
        "cluster" => (a.cluster, a.primary).cmp(&(b.cluster, b.primary)),
        "primary" => a.primary.cmp(&b.primary),
        "state" => a.state.cmp(&b.state),
        "short" => a.short.cmp(&b.short),
        "mostly_common" => a.mostly_common.cmp(&b.mostly_common),
        "needs_scripts" => a.needs_scripts.cmp(&b.needs_scripts),
        "noindex" => a.noindex.cmp(&b.noindex),
        "in_sitemap" => a.in_sitemap.cmp(&b.in_sitemap),
        "depth" => a.depth.cmp(&b.depth),
        "links_in" => a.links_in.cmp(&b.links_in),
        "links_out" => a.links_out.cmp(&b.links_out),
        "power" => a.power.total_cmp(&b.power),
        "milliseconds" => a.milliseconds.cmp(&b.milliseconds),
        "first_byte" => a.first_byte.cmp(&b.first_byte),
        "bytes" => a.bytes.cmp(&b.bytes),
        "language" => a.language.cmp(&b.language),
        _ => Ordering::Equal,
    }
}

/// The table of pages. Pages that are equal by the sorted column are in the order of their URLs.
pub fn pages<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<PageRow<'r>> {
    let all = results.visits.len();
    let shown = (0..all as u32).filter(|&page| results.is_shown(page, &query.show));
    let found = shown.filter(|&page| query.finds([results.url(page), results.title(page)]));
    let mut rows: Vec<(u32, PageRow<'r>)> = found.map(|page| (page, results.row(page))).collect();
    let descends = query.descends(false);
    rows.sort_by(|a, b| match query.sort.as_str() {
        "" | "url" => directed(a.0.cmp(&b.0), descends),
        sort => directed(compare(sort, &a.1, &b.1), descends).then(a.0.cmp(&b.0)),
    });
    query.cut(&rows, all, |(_, row)| row.clone())
}
