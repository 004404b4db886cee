//! The files of an audit. All of them get their names together.

use super::Seconds;
use super::against::Since;
use crate::args::SiteAuditArgs;
use lookalike_corpus::{ColumnKind, Completed, TableWriter, Waiting, WholeFile};
use lookalike_engine::progress::Monitor;
use lookalike_engine::work::memory;
use lookalike_site::report::{ReportLimits, report};
use lookalike_site::view::AuditResults;
use lookalike_site::{CrawledPages, Summary, lists};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The files that an audit writes.
pub(super) struct Outputs {
    pages: Option<PathBuf>,
    pairs: Option<PathBuf>,
    clusters: Option<PathBuf>,
    skipped: Option<PathBuf>,
    links: Option<PathBuf>,
    summary: Option<WholeFile>,
    report: Option<WholeFile>,
    waiting: Waiting,
}

/// The summary, with time and memory.
#[derive(Serialize)]
struct WrittenSummary<'s> {
    #[serde(flatten)]
    summary: &'s Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'s Since>,
    seconds: BTreeMap<&'static str, f64>,
    peak_memory_bytes: Option<u64>,
}

impl Outputs {
    /// Tests the places of all files.
    pub(super) fn check(arguments: &SiteAuditArgs, monitor: &Monitor) -> anyhow::Result<Self> {
        let waiting = monitor.waiting();
        let SiteAuditArgs { pages, pairs, clusters, skipped, links, .. } = arguments;
        for list in [pages, pairs, clusters, skipped, links].into_iter().flatten() {
            drop(TableWriter::create(list, &[("url", ColumnKind::Text)], &waiting)?);
        }
        let whole = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| WholeFile::create(path, &waiting)).transpose()
        };
        let (summary, report) = (whole(&arguments.summary)?, whole(&arguments.report)?);
        let [pages, pairs, clusters, skipped, links] =
            [pages, pairs, clusters, skipped, links].map(Clone::clone);
        Ok(Outputs { pages, pairs, clusters, skipped, links, summary, report, waiting })
    }

    /// Writes all files.
    pub(super) fn write(
        self,
        results: &AuditResults,
        pages: &CrawledPages,
        summary: &Summary,
        against: Option<&Since>,
        seconds: Seconds,
    ) -> anyhow::Result<()> {
        let audit = results.audit();
        let (crawled, waiting) = (pages.crawled(), &self.waiting);
        let mut completed = Completed::default();
        if let Some(path) = &self.pages {
            completed.join(lists::write_pages(path, audit, pages, waiting)?);
        }
        if let Some(path) = &self.pairs {
            completed.join(lists::write_pairs(path, audit, waiting)?);
        }
        if let Some(path) = &self.clusters {
            completed.join(lists::write_clusters(path, audit, waiting)?);
        }
        if let Some(path) = &self.skipped {
            completed.join(lists::write_skipped(path, crawled, waiting)?);
        }
        if let Some(path) = &self.links {
            completed.join(lists::write_links(path, crawled, waiting)?);
        }
        if let Some(file) = self.summary {
            let seconds = [("crawl", seconds.crawl), ("total", seconds.total)];
            let written = WrittenSummary {
                summary,
                against,
                seconds: seconds.map(|(stage, time)| (stage, time.as_secs_f64())).into(),
                peak_memory_bytes: memory::peak(),
            };
            let json = serde_json::to_string_pretty(&written)? + "\n";
            completed.join(file.write(json.as_bytes())?);
        }
        if let Some(file) = self.report {
            completed.join(file.write(report(results, &ReportLimits::default())?.as_bytes())?);
        }
        completed.publish()?;
        Ok(())
    }
}
