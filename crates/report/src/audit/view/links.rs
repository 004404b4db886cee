//! The lists of URLs that are no pages: skipped ones, broken links and redirects.

use super::list::{ListPart, ListQuery, directed};
use super::results::AuditResults;
use super::site::{CheckedLink, LinkKind, SkippedUrl};

/// The URLs that were found and not audited. `show` is a rule.
pub fn skipped<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<&'r SkippedUrl> {
    let found =
        results.skipped.first.iter().filter(|one| ["", "all", &one.rule].contains(&query.show.as_str()));
    let mut found: Vec<&SkippedUrl> = found.filter(|one| query.finds([&*one.url, &*one.detail])).collect();
    let descends = query.descends(false);
    found.sort_by(|a, b| {
        let order = match query.sort.as_str() {
            "rule" => a.rule.cmp(&b.rule),
            "detail" => a.detail.cmp(&b.detail),
            "from" => a.from.cmp(&b.from),
            _ => a.url.cmp(&b.url),
        };
        directed(order, descends).then(a.url.cmp(&b.url))
    });
    let (listed, all) = (results.skipped.first.len(), results.skipped.count());
    let mut list = query.cut(&found, listed, |one| *one);
    if (listed as u64) < all {
        list.all = all;
        list.note = Some(format!("Only the first {listed} URLs are listed; --skipped FILE has all of them."));
    }
    list
}

/// The links that do not lead to a page. `show` is `broken` or `redirect`.
pub fn links<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<&'r CheckedLink> {
    let found = results.links.iter().filter(|link| match query.show.as_str() {
        "broken" => link.kind == LinkKind::Broken,
        "redirect" => link.kind == LinkKind::Redirect,
        _ => true,
    });
    let has =
        |link: &&CheckedLink| query.finds([link.url.as_str()].into_iter().chain(link.target.as_deref()));
    let mut found: Vec<&CheckedLink> = found.filter(has).collect();
    let descends = query.descends(query.sort == "pages");
    found.sort_by(|a, b| {
        let order = match query.sort.as_str() {
            "url" => a.url.cmp(&b.url),
            "status" => a.status.cmp(&b.status),
            "target" => a.target.cmp(&b.target),
            "pages" => a.pages.cmp(&b.pages),
            _ => a.kind.cmp(&b.kind),
        };
        directed(order, descends).then(a.url.cmp(&b.url))
    });
    query.cut(&found, results.links.len(), |link| *link)
}
