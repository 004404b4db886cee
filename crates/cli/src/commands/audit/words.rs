//! What an audit found, in words.

use super::AuditSeconds;
use super::against::ChangeCounts;
use lookalike_audit::{Audit, PairClass};
use lookalike_crawl::{Crawled, Error};
use lookalike_report::audit::{Condition, Summary};
use lookalike_report::{percent, several};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Clusters that are shown, and pairs that are retracted: a terminal has room for both.
pub(super) const SHOWN: usize = 5;

/// Prints what an audit found.
pub(super) fn print(
    summary: &Summary,
    audit: &Audit,
    changes: Option<&ChangeCounts>,
    state: &Path,
    seconds: AuditSeconds,
) {
    // Writing to memory cannot fail, and an audit without standard error has done its work too.
    let mut text = String::new();
    let _ = in_words(&mut text, summary, audit, changes, state, seconds);
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints the sitemaps that could not be read. That there is none where crawlers look first is no fault.
pub(super) fn sitemaps(crawled: &Crawled) -> Result<(), Error> {
    for sitemap in crawled.sitemaps() {
        let sitemap = sitemap?;
        let is_default = sitemap.url.ends_with("/sitemap.xml");
        if let Some(problem) =
            sitemap.problem.as_deref().filter(|problem| !(is_default && *problem == "status 404"))
        {
            crate::note::note(&format!("the sitemap {} is not read: {problem}", sitemap.url));
        }
    }
    Ok(())
}

/// Prints the pairs that were shown during the crawl, and that the audit does not have.
pub(super) fn retracted(count: u64, first: &[String]) {
    let mut text = String::new();
    if count > 0 {
        text += &format!("retracted  {} that the crawl had shown\n", several(count, "pair"));
    }
    for pair in first {
        text += &format!("           {pair}\n");
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Prints a condition that fails the audit.
pub(super) fn failing(condition: &Condition, value: f64) {
    let _ = writeln!(std::io::stderr(), "failed: {condition}: it is {}", condition.shown(value));
}

fn in_words(
    text: &mut String,
    summary: &Summary,
    audit: &Audit,
    changes: Option<&ChangeCounts>,
    state: &Path,
    seconds: AuditSeconds,
) -> std::fmt::Result {
    let share = |percentage: f64| percent(percentage / 100.0);
    writeln!(
        text,
        "crawled    {} in {:.1} s, {} in all",
        several(summary.pages, "page"),
        seconds.crawl.as_secs_f64(),
        several(summary.words, "word")
    )?;
    let mut others = vec![
        several(summary.redirects, "redirect"),
        format!("{} broken", several(summary.broken, "link target")),
        format!("{} skipped", several(summary.skipped, "URL")),
        format!("{} to other sites", several(summary.external, "link")),
    ];
    if summary.needs_scripts > 0 {
        others.push(format!("{} with text only by scripts", several(summary.needs_scripts, "page")));
    }
    if summary.more_links > 0 {
        others.push(format!("{} with more links than are followed", several(summary.more_links, "page")));
    }
    writeln!(text, "           {}", others.join(", "))?;
    writeln!(
        text,
        "words      {} duplicate, {} common (in templates), {} unique",
        share(summary.duplicate_percent),
        share(summary.common_percent),
        share(summary.unique_percent)
    )?;
    let [exact, near] = [PairClass::Exact, PairClass::Near].map(|class| summary.of_class(class));
    let other = summary.pairs - exact - near;
    writeln!(
        text,
        "found      {}: {exact} exact, {near} near, {other} with common parts",
        several(summary.pairs, "pair")
    )?;
    writeln!(
        text,
        "clusters   {} of {}: {} to fix, {} handled by canonical, hreflang or noindex",
        several(summary.clusters, "cluster"),
        several(summary.clustered, "page"),
        summary.to_fix,
        summary.handled
    )?;
    for cluster in audit.clusters().iter().filter(|cluster| cluster.to_fix > 0).take(SHOWN) {
        let url = &audit.pages()[cluster.primary as usize].url;
        writeln!(text, "           {} like {url}", several(cluster.pages.len() as u64 - 1, "page"))?;
    }
    if let Some(changes) = changes {
        let ChangeCounts { state, pages_added, pages_removed, pages_changed, .. } = changes;
        let ChangeCounts { pairs_new, pairs_fixed, pairs_changed, .. } = changes;
        writeln!(
            text,
            "since      {state}: pages: {pages_added} added, {pages_removed} removed, {pages_changed} changed"
        )?;
        writeln!(text, "           pairs: {pairs_new} new, {pairs_fixed} fixed, {pairs_changed} changed")?;
    }
    if !summary.complete {
        writeln!(text, "incomplete the crawl has not ended; the same command goes on")?;
    }
    writeln!(text, "stored     in {}", state.display())
}
