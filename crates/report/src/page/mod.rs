//! The report pages of `dedup` and `pairs`, from summary and findings.
//!
//! [`dedup`] and [`pairs`] compose the pages, and [`found`] that of a run on Spark. The other modules make the parts that
//! they have, and [`run`](crate::run) lays them out.

mod charts;
mod dedup;
mod effort;
mod figures;
mod found;
mod pairs;
mod plan;
mod search;

pub use dedup::dedup_page;
pub use found::found_page;
pub use pairs::pairs_page;

use crate::comparison::Figure;
use crate::summary::Skips;

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
