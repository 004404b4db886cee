//! A stored crawl on the page of an audit.

use super::server::{Reply, Site};
use lookalike::Sequential;
use lookalike_audit::{AuditSettings, audit};
use lookalike_crawl::CrawledPages;
use lookalike_report::audit::view::{self, AuditResults, ListQuery};
use lookalike_report::audit::{ReportLimits, report};
use std::sync::Arc;

#[test]
fn pages_skipped_urls_and_links_are_shown_as_they_were_crawled() {
    let text: String = (0..80).map(|word| format!("word{word} ")).collect();
    let page = move |title: &str| Reply::page(format!("<html lang=en><title>{title}</title><p>{text}"));
    let site = Site::new(move |path| match path {
        "/" => Reply::page(
            "<a href=one>1</a><a href=two>2</a><a href=gone>g</a><a href=old>o</a><a href=no/x>n</a>",
        ),
        "/one" => page("One"),
        "/two" => page("Two"),
        "/old" => Reply::redirect("/one"),
        "/robots.txt" => Reply::page("User-agent: *\nDisallow: /no/").with("content-type", "text/plain"),
        _ => Reply::status(404),
    });
    let crawl = site.crawl(&site.settings());
    let pages = CrawledPages::new(crawl.crawled, 0).unwrap();
    let audit = audit(&pages, &AuditSettings::default(), &Sequential).unwrap();
    let results = AuditResults::new(Arc::new(pages), audit).unwrap();
    let query = ListQuery::default();
    let rows = view::pages(&results, &query).rows;
    let titles: Vec<_> = rows.iter().map(|row| (row.title, row.status, row.depth, row.state)).collect();
    assert_eq!(
        titles,
        [
            ("", 200, Some(0), None),
            ("One", 200, Some(1), Some("primary")),
            ("Two", 200, Some(1), Some("to-fix"))
        ]
    );
    let links = view::links(&results, &query).rows;
    let links: Vec<_> =
        links.iter().map(|link| (link.url.as_str(), link.status, link.target.clone(), link.pages)).collect();
    let [gone, old, one] = ["gone", "old", "one"].map(|path| format!("{}/{path}", site.url));
    assert_eq!(links, [(&*gone, Some(404), None, 1), (&*old, Some(302), Some(one), 1)]);
    let skipped = view::skipped(&results, &query).rows;
    assert_eq!((skipped.len(), skipped[0].rule.as_str()), (1, "robots.txt"));
    assert_eq!(skipped[0].detail, "robots.txt, line 2: Disallow: /no/");
    assert_eq!(skipped[0].from, Some(format!("{}/", site.url)));
    let html = report(&results, &ReportLimits::default()).unwrap();
    assert!(html.contains(&old));
}
