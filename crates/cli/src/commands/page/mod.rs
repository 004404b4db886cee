//! The report pages of `dedup` and `pairs`, from summary and findings.
//!
//! [`dedup`] and [`pairs`] compose the pages. The other modules make the parts that both have.

mod charts;
pub(super) mod dedup;
mod effort;
mod examples;
mod figures;
mod found;
pub(super) mod pairs;
mod plan;
mod search;

pub use found::found_page;

use lookalike_batch::{Dedup, DedupSummary, Findings, Skips};
use lookalike_pages::Figure;

/// The report page of a run of `dedup`.
pub fn dedup_page(dedup: &Dedup, summary: &DedupSummary, findings: &Findings) -> String {
    dedup::page(dedup, summary, findings, false).to_html()
}

/// Skipped records that a page shows.
const SKIPPED: usize = 10;

/// The first skipped records: place and reason.
fn skipped(skips: &Skips) -> Vec<(&str, &str)> {
    let first = skips.skipped_examples.iter().take(SKIPPED);
    first.map(|skipped| (skipped.place.as_str(), skipped.problem.as_str())).collect()
}

fn figure(name: &'static str, value: String, note: String) -> Figure {
    Figure { name: name.into(), value, note }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / (whole as f64).max(1.0))
}
