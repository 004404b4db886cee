//! The report of an audit: one HTML file to send on.
//!
//! It is the live page of `crawl`, with its script and its style in it, and with the answers of the server as
//! data. It opens from a folder, and asks nobody for anything. Its policy names its script and its style by their hashes.
//!
//! The texts of pages are in it for the first pairs only, and long lists are cut. The report says where.

use super::assets::{PAGE, SCRIPT, STYLE};
use crate::audit::view::{self, AuditResults, ListQuery, PageCells};
use crate::{Shown, count, several, visible};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io;

/// How much of the results a report has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportLimits {
    /// Rows of the table of pages.
    pub pages: usize,
    /// Rows of each other list.
    pub rows: usize,
    /// Bytes of the clusters that have their members and their matrix.
    pub cluster_bytes: usize,
    /// Members of such a cluster.
    pub members: usize,
    /// Pairs with both texts.
    pub texts: usize,
    /// Bytes of all these texts.
    pub text_bytes: usize,
}

impl Default for ReportLimits {
    fn default() -> Self {
        // Many mail servers take ten megabytes. 30,000 pages take five, and the rest takes up to five.
        ReportLimits {
            pages: 30_000,
            rows: 2_000,
            cluster_bytes: 2 << 20,
            members: 50,
            texts: 100,
            text_bytes: 1 << 20,
        }
    }
}

/// The data of a report: the answers of the server, by the names of its requests.
#[derive(Serialize)]
struct Data<'r> {
    overview: view::Overview<'r>,
    settings: view::SettingsView,
    columns: &'static [&'static str],
    pages: view::ListPart<PageCells<'r>>,
    clusters: view::ListPart<view::ClusterRow<'r>>,
    cluster: Vec<Box<RawValue>>,
    pairs: view::ListPart<view::PairRow<'r>>,
    pair: Vec<Box<RawValue>>,
    blocks: view::ListPart<view::BlockRow<'r>>,
    skipped: view::ListPart<&'r view::SkippedUrl>,
    links: view::ListPart<&'r view::CheckedLink>,
    changes: view::ListPart<view::ChangeRow<'r>>,
    /// What the report leaves out, as sentences.
    left_out: Vec<String>,
}

/// The report of `results` as HTML.
///
/// # Errors
/// If the text of a page cannot be read.
pub fn report(results: &AuditResults, limits: &ReportLimits) -> io::Result<String> {
    let data = serde_json::to_string(&data(results, limits)?)?;
    // JSON has this character in strings only. Without it, no text ends the element that the data is in.
    let data = data.replace('<', "\\u003c");
    let (style, script) = (STYLE.as_str(), SCRIPT.as_str());
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
        hash(script),
        hash(style)
    );
    let title = visible(results.site().start());
    let title = Shown(&title);
    let head =
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>{style}</style>");
    let data = format!(
        "<script type=\"application/json\" id=\"data\">{data}</script>\n<script type=\"module\">{script}</script>"
    );
    let mut page = String::with_capacity(PAGE.len() + head.len() + data.len());
    let mut rest = PAGE;
    for (place, filling) in [("{title}", title.to_string()), ("{head}", head), ("{data}", data)] {
        let (before, after) = rest.split_once(place).expect("the page has each place once, in this order");
        page.extend([before, &filling]);
        rest = after;
    }
    Ok(page + rest)
}

/// The first rows of a list.
fn first(size: usize, sort: &str) -> ListQuery {
    ListQuery { size: size.max(1), sort: sort.to_owned(), ..ListQuery::default() }
}

fn data<'r>(results: &'r AuditResults, limits: &ReportLimits) -> io::Result<Data<'r>> {
    let rows = first(limits.rows, "");
    let clusters = view::clusters(results, &first(limits.rows, "to_fix"));
    let pairs = view::pairs(results, &rows);
    let (cluster, farthest) = whole_clusters(results, limits, &clusters.rows)?;
    let wanted = farthest.into_iter().chain(pairs.rows.iter().map(|pair| (pair.a, pair.b)));
    let pair = texts(results, limits, wanted)?;
    let mut data = Data {
        overview: view::overview(results),
        settings: view::SettingsView::of(results.audit().settings()),
        columns: PageCells::COLUMNS,
        pages: cut(view::pages(results, &first(limits.pages, "")).map(PageCells)),
        clusters: cut(clusters),
        cluster,
        pairs: cut(pairs),
        pair,
        blocks: cut(view::blocks(results, &rows)),
        skipped: cut(view::skipped(results, &rows)),
        links: cut(view::links(results, &rows)),
        changes: cut(view::changes(results, &rows)),
        left_out: Vec::new(),
    };
    data.left_out = left_out(&data);
    Ok(data)
}

/// The same list, with a note if the report does not have all of it.
fn cut<T>(list: view::ListPart<T>) -> view::ListPart<T> {
    let has = list.rows.len() as u64;
    let note = (has < list.all).then(|| format!("The report has the first {} only.", count(has)));
    view::ListPart { note: list.note.or(note), ..list }
}

/// What the report leaves out.
fn left_out(data: &Data<'_>) -> Vec<String> {
    let lists = [
        ("", "page", data.pages.rows.len(), data.pages.all),
        ("", "cluster", data.clusters.rows.len(), data.clusters.all),
        ("the similarities of ", "cluster", data.cluster.len(), data.clusters.all),
        ("", "pair", data.pairs.rows.len(), data.pairs.all),
        ("the texts of ", "pair", data.pair.len(), data.pairs.all),
        ("", "block", data.blocks.rows.len(), data.blocks.all),
        ("", "skipped URL", data.skipped.rows.len(), data.skipped.all),
        ("", "link", data.links.rows.len(), data.links.all),
        ("", "change", data.changes.rows.len(), data.changes.all),
    ];
    let cut = lists.into_iter().filter(|&(_, _, has, all)| (has as u64) < all);
    cut.map(|(of, what, has, all)| format!("It has {of}{} of {}.", count(has), several(all, what))).collect()
}

/// Two pages by their URLs.
type Urls<'r> = (&'r str, &'r str);

/// The first clusters with their members, and in each the primary page and the page that is least similar to it.
fn whole_clusters<'r>(
    results: &'r AuditResults,
    limits: &ReportLimits,
    rows: &[view::ClusterRow<'r>],
) -> io::Result<(Vec<Box<RawValue>>, Vec<Urls<'r>>)> {
    let (mut clusters, mut farthest, mut bytes) = (Vec::new(), Vec::new(), 0);
    for row in rows {
        let Some(cluster) = view::cluster(results, row.primary, &first(limits.members, "")) else { continue };
        let whole = to_raw_value(&cluster)?;
        bytes += whole.get().len();
        if bytes > limits.cluster_bytes {
            break;
        }
        clusters.push(whole);
        farthest.extend(cluster.members.rows.last().map(|member| (cluster.primary, member.url)));
    }
    Ok((clusters, farthest))
}

/// The first of these pairs with both texts.
fn texts<'r>(
    results: &'r AuditResults,
    limits: &ReportLimits,
    pairs: impl Iterator<Item = Urls<'r>>,
) -> io::Result<Vec<Box<RawValue>>> {
    let (mut texts, mut bytes, mut seen) = (Vec::new(), 0, BTreeSet::new());
    // Pairs of long texts are passed over, but not without end.
    for (a, b) in pairs.map(|(a, b)| (a.min(b), a.max(b))).take(2 * limits.texts) {
        if texts.len() == limits.texts {
            break;
        }
        let Some(pair) = view::pair(results, a, b)?.filter(|_| seen.insert((a, b))) else { continue };
        let size: usize = pair.sides.iter().map(|side| side.text.len()).sum();
        if bytes + size <= limits.text_bytes {
            bytes += size;
            texts.push(to_raw_value(&pair)?);
        }
    }
    Ok(texts)
}
