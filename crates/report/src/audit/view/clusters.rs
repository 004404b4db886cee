//! Clusters: the list of them, and one with its members and their similarities.

use super::list::{ListPart, ListQuery, directed};
use super::results::AuditResults;
use crate::several;
use lookalike_audit::{Handled, PageCluster};
use serde::Serialize;
use std::cmp::Ordering;

/// Pages of a matrix. More cells than these are not readable.
const MOST_IN_MATRIX: usize = 24;

/// A cluster in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterRow<'r> {
    /// The URL of the page to keep.
    pub primary: &'r str,
    /// Its title.
    pub title: &'r str,
    /// All pages.
    pub pages: usize,
    /// Pages that repeat the primary page, and that the site does not handle.
    pub to_fix: u32,
    /// The words of the primary page that are compared.
    pub words: u32,
    /// The least share that a member and the primary page have of each other.
    pub least: f64,
    /// Why this page is the primary page, as a name.
    pub reason: &'static str,
}

/// A member of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberRow<'r> {
    /// The URL.
    pub url: &'r str,
    /// The title.
    pub title: &'r str,
    /// Whether it is the primary page.
    pub is_primary: bool,
    /// The share of its words that are in the primary page, and of the primary page's words that are in it.
    pub percent: Option<[f64; 2]>,
    /// The combined score with the primary page.
    pub score: Option<f64>,
    /// The class of the pair with the primary page.
    pub class: Option<&'static str>,
    /// The way that the site handles it. Nothing if it is to fix, or is the primary page.
    pub handled: Option<&'static str>,
    /// The same as a sentence.
    pub handled_sentence: Option<String>,
    /// Its words that are compared.
    pub words: u32,
    /// Power by links, from 0 to 100.
    pub power: f64,
    /// Whether a sitemap lists it.
    pub in_sitemap: bool,
    /// Whether search engines are asked to leave it out.
    pub noindex: bool,
}

/// How similar the pages of a cluster are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix<'r> {
    /// The pages, the primary page first.
    pub urls: Vec<&'r str>,
    /// For each page, the share of its words that are in each other page. Nothing for two that are no pair.
    pub shares: Vec<Vec<Option<f64>>>,
    /// What it leaves out.
    pub note: Option<String>,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterView<'r> {
    /// The URL of the page to keep.
    pub primary: &'r str,
    /// Its title.
    pub title: &'r str,
    /// All pages.
    pub pages: usize,
    /// Pages that are to fix.
    pub to_fix: u32,
    /// Why this page is the primary page.
    pub reason: String,
    /// What to do.
    pub action: String,
    /// The members, the primary page first.
    pub members: ListPart<MemberRow<'r>>,
    /// How similar they are to each other.
    pub matrix: Matrix<'r>,
}

impl AuditResults {
    fn cluster_row(&self, cluster: &PageCluster) -> ClusterRow<'_> {
        let shares = cluster.pages.iter().filter(|&&page| page != cluster.primary);
        let shares = shares.filter_map(|&page| self.audit.pair(page, cluster.primary));
        ClusterRow {
            primary: self.url(cluster.primary),
            title: self.title(cluster.primary),
            pages: cluster.pages.len(),
            to_fix: cluster.to_fix,
            words: self.of(cluster.primary).scored_words,
            least: shares.map(|pair| pair.mutual()).fold(1.0, f64::min),
            reason: cluster.reason.name(),
        }
    }

    /// The least share that a page to fix and the primary page have of each other.
    fn least_to_fix(&self, cluster: &PageCluster) -> f64 {
        let pages = cluster.pages.iter().filter(|&&page| page != cluster.primary);
        let to_fix = pages.filter(|&&page| self.audit.handled_page(page).is_none());
        let shares = to_fix.filter_map(|&page| self.audit.pair(page, cluster.primary));
        shares.map(|pair| pair.mutual()).fold(1.0, f64::min)
    }

    fn member(&self, page: u32, primary: u32) -> MemberRow<'_> {
        let of = self.of(page);
        let pair = self.audit.pair(page, primary);
        let handled = self.audit.handled_page(page);
        MemberRow {
            url: &of.url,
            title: self.title(page),
            is_primary: page == primary,
            percent: self
                .share(page, primary)
                .zip(self.share(primary, page))
                .map(|(own, other)| [own, other]),
            score: pair.map(|pair| pair.score),
            class: pair.map(|pair| pair.class.name()),
            handled: handled.map(Handled::name),
            handled_sentence: handled.map(|handled| handled.to_string()),
            words: of.scored_words,
            power: of.power,
            in_sitemap: of.in_sitemap,
            noindex: of.noindex,
        }
    }

    /// The share of the words of `page` that are in `other`. `None` if they are no pair.
    fn share(&self, page: u32, other: u32) -> Option<f64> {
        let pair = self.audit.pair(page, other)?;
        Some(pair.percent[usize::from(pair.a != page)])
    }

    fn matrix(&self, members: &[u32]) -> Matrix<'_> {
        let pages = &members[..members.len().min(MOST_IN_MATRIX)];
        let row = |&page: &u32| {
            pages
                .iter()
                .map(|&other| if page == other { Some(1.0) } else { self.share(page, other) })
                .collect()
        };
        Matrix {
            urls: pages.iter().map(|&page| self.url(page)).collect(),
            shares: pages.iter().map(row).collect(),
            note: (members.len() > pages.len())
                .then(|| format!("It has the first {} of {}.", pages.len(), several(members.len(), "page"))),
        }
    }
}

/// The list of clusters. `show` is `to-fix` or `handled`.
pub fn clusters<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<ClusterRow<'r>> {
    let all = results.audit.clusters();
    let found = all.iter().filter(|cluster| match query.show.as_str() {
        "to-fix" => cluster.to_fix > 0,
        "handled" => cluster.to_fix == 0,
        _ => true,
    });
    let has = |cluster: &&PageCluster| {
        query.finds(cluster.pages.iter().flat_map(|&page| [results.url(page), results.title(page)]))
    };
    let mut rows: Vec<ClusterRow<'r>> =
        found.filter(has).map(|cluster| results.cluster_row(cluster)).collect();
    let descends = query.descends(!matches!(query.sort.as_str(), "primary" | "least" | "reason"));
    rows.sort_by(|a, b| {
        let order = match query.sort.as_str() {
            "primary" => a.primary.cmp(b.primary),
            "to_fix" => a.to_fix.cmp(&b.to_fix),
            "words" => a.words.cmp(&b.words),
            "least" => a.least.total_cmp(&b.least),
            "reason" => a.reason.cmp(b.reason),
            _ => a.pages.cmp(&b.pages),
        };
        directed(order, descends).then(a.primary.cmp(b.primary))
    });
    query.cut(&rows, all.len(), ClusterRow::clone)
}

/// The cluster that the page with this URL is in.
pub fn cluster<'r>(results: &'r AuditResults, url: &str, query: &ListQuery) -> Option<ClusterView<'r>> {
    let audit = &results.audit;
    let of = &audit.clusters()[results.of(audit.page_of(url)?).cluster? as usize];
    let mut members = of.pages.clone();
    let mutual = |page: u32| audit.pair(page, of.primary).map_or(1.0, |pair| pair.mutual());
    members.sort_by(|&a, &b| {
        let first = (b == of.primary).cmp(&(a == of.primary));
        let order = if first == Ordering::Equal { mutual(b).total_cmp(&mutual(a)) } else { first };
        order.then(a.cmp(&b))
    });
    Some(ClusterView {
        primary: results.url(of.primary),
        title: results.title(of.primary),
        pages: of.pages.len(),
        to_fix: of.to_fix,
        reason: of.reason.to_string(),
        action: action(of, results.least_to_fix(of)),
        matrix: results.matrix(&members),
        members: query.cut(&members, members.len(), |&page| results.member(page, of.primary)),
    })
}

/// The least share of each page in the primary page from which on a page says nothing of its own.
const SAME: f64 = 0.95;

/// What to do about a cluster whose pages to fix have at least this share in common with the primary page.
fn action(cluster: &PageCluster, least: f64) -> String {
    let others = cluster.pages.len() as u32 - 1;
    let of_these = match (cluster.to_fix, others) {
        (0, _) => return "Nothing is to do: the site tells search engines which page counts.".to_owned(),
        (1, 1) => "the other page".to_owned(),
        (to_fix, others) if to_fix == others => format!("the {}", several(others, "other page")),
        (to_fix, others) => format!("{} of the {others} other pages", crate::count(to_fix)),
    };
    let advice = match least >= SAME {
        true => format!("Redirect {of_these} to this one, or name this one as canonical there."),
        false => format!(
            "The pages have words of their own too. Give {of_these} more of its own, or name this one as canonical there if it can stand for them."
        ),
    };
    if cluster.to_fix < others { advice + " The site handles the rest." } else { advice }
}
