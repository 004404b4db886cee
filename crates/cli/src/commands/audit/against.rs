//! This crawl beside an earlier one of the same site.

use super::audit_of;
use crate::args::Usage;
use lookalike_engine::progress::Monitor;
use lookalike_site::audit::{Audit, AuditChanges, ChangeKind};
use lookalike_site::{Crawled, CrawledPages};
use serde::Serialize;
use std::path::Path;

/// What has changed since an earlier crawl.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Since {
    /// The folder of the earlier crawl.
    pub(super) state: String,
    pub(super) pages_added: usize,
    pub(super) pages_removed: usize,
    /// Pages with other words.
    pub(super) pages_changed: usize,
    pub(super) pairs_new: usize,
    /// Pairs that are gone, or that the site handles now.
    pub(super) pairs_fixed: usize,
    pub(super) pairs_changed: usize,
}

impl Since {
    /// Compares an audit with that of the crawl in `state`, by the same settings.
    pub(super) fn of(
        state: &Path,
        audit: &Audit,
        pages: &CrawledPages,
        monitor: &Monitor,
    ) -> anyhow::Result<Self> {
        let before = CrawledPages::new(Crawled::open(state)?, 0)?;
        let [was, is] = [&before, pages].map(|pages| pages.crawled().source().to_owned());
        if was != is {
            let problem = format!("--against {}: it has a crawl of {was}, and not of {is}", state.display());
            return Err(Usage(problem).into());
        }
        let changes = AuditChanges::between(&audit_of(&before, audit.settings(), monitor)?, audit);
        let pairs = |kind| changes.pairs.iter().filter(|pair| pair.kind() == kind).count();
        Ok(Since {
            state: state.display().to_string(),
            pages_added: changes.added.len(),
            pages_removed: changes.removed.len(),
            pages_changed: changes.changed.len(),
            pairs_new: pairs(ChangeKind::New),
            pairs_fixed: pairs(ChangeKind::Fixed),
            pairs_changed: pairs(ChangeKind::Changed),
        })
    }
}
