//! This crawl beside an earlier one of the same site.

use super::same_folder;
use super::source::AuditSource;
use crate::args::Usage;
use lookalike_audit::ChangeKind;
use lookalike_crawl::{Crawled, CrawledPages};
use lookalike_report::audit::view::AuditResults;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

/// An earlier crawl.
pub(super) struct Earlier {
    state: String,
    pub(super) pages: Arc<CrawledPages>,
}

/// How much has changed since an earlier crawl.
#[derive(Debug, Serialize)]
pub(super) struct ChangeCounts {
    /// The folder of the earlier crawl.
    pub(super) state: String,
    pub(super) pages_added: usize,
    pub(super) pages_removed: usize,
    /// Pages with other words.
    pub(super) pages_changed: usize,
    pub(super) pairs_new: u64,
    /// Pairs that were to fix, and are gone, or handled now.
    pub(super) pairs_fixed: u64,
    pub(super) pairs_changed: u64,
}

impl Earlier {
    /// Opens the crawl in `before`, which must be one of the same site as `source`, in another folder than `state`.
    pub(super) fn open(before: &Path, state: &Path, source: &AuditSource) -> anyhow::Result<Self> {
        let name = before.display();
        if same_folder(before, state) {
            let problem =
                format!("--against {name}: this is the folder of this audit; give --state another one");
            return Err(Usage(problem).into());
        }
        let crawled = Crawled::open(before)?;
        if !source.is(&crawled) {
            let problem = format!(
                "--against {name}: it has a crawl of {}; for another site, give --across",
                crawled.source()
            );
            return Err(Usage(problem).into());
        }
        Ok(Earlier { state: name.to_string(), pages: CrawledPages::new(crawled, 0)?.into() })
    }
}

impl ChangeCounts {
    /// Those of results that were compared with an earlier crawl.
    pub(super) fn of(earlier: &Earlier, results: &AuditResults) -> Option<Self> {
        let changes = results.since()?.changes();
        Some(ChangeCounts {
            state: earlier.state.clone(),
            pages_added: changes.added.len(),
            pages_removed: changes.removed.len(),
            pages_changed: changes.changed.len(),
            pairs_new: changes.count(ChangeKind::New),
            pairs_fixed: changes.count(ChangeKind::Fixed),
            pairs_changed: changes.count(ChangeKind::Changed),
        })
    }
}
