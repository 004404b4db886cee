//! A source without pages: an audit of nothing must not pass a check.

use lookalike_audit::PageSource;
use lookalike_crawl::{CrawledPages, VisitOutcome};
use std::path::Path;

/// Refuses a source without pages, with the first reason. A state folder that is new goes with it: otherwise the same command would find a whole
/// crawl there, and fetch nothing again.
pub(super) fn refuse(pages: CrawledPages, state: &Path, is_new: bool) -> anyhow::Result<CrawledPages> {
    if pages.pages() > 0 {
        return Ok(pages);
    }
    let (source, reason) = (pages.crawled().source().to_owned(), reason(&pages)?);
    // They are read anew each time.
    let pages_are_given = pages.crawled().is_given();
    // Its files are closed before they are removed.
    drop(pages);
    let remedy = match is_new {
        true => {
            std::fs::remove_dir_all(state)?;
            String::new()
        }
        false if pages_are_given => String::new(),
        false => format!("; to try again, give --fresh, or another --state than {}", state.display()),
    };
    Err(anyhow::anyhow!("{source}: there are no pages to audit: {reason}{remedy}"))
}

/// The first reason why there is no page.
fn reason(pages: &CrawledPages) -> anyhow::Result<String> {
    let crawled = pages.crawled();
    for &number in crawled.numbers() {
        let Some(visit) = crawled.visit(number)? else { continue };
        let reason = match (&visit.outcome, visit.status) {
            (VisitOutcome::Failed(failure), _) => failure.to_string(),
            (VisitOutcome::Broken, Some(status)) => format!("the status is {status}"),
            (VisitOutcome::Resource, _) => {
                format!("it is {}", visit.content_type.as_deref().unwrap_or("no HTML"))
            }
            _ => continue,
        };
        return Ok(format!("{}: {reason}", visit.url));
    }
    let mut first = None;
    crawled.skipped(&mut |skipped| {
        first.get_or_insert_with(|| format!("{}: {}", skipped.url, skipped.refusal));
    })?;
    Ok(first.unwrap_or_else(|| "it has no HTML".to_owned()))
}
