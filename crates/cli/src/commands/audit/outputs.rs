//! The files of an audit. All of them get their names together.

use super::AuditSeconds;
use super::against::ChangeCounts;
use crate::args::{SiteAuditArgs, Usage};
use lookalike_corpus::{ColumnKind, Completed, TableWriter, Waiting, WholeFile};
use lookalike_crawl::{CrawledPages, write_links, write_skipped};
use lookalike_engine::progress::Monitor;
use lookalike_engine::work::memory;
use lookalike_report::audit::view::AuditResults;
use lookalike_report::audit::{ReportLimits, report};
use lookalike_report::audit::{Summary, lists};
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
    changes: Option<PathBuf>,
    summary: Option<WholeFile>,
    report: Option<WholeFile>,
    waiting: Waiting,
    /// The paths of all.
    files: Vec<PathBuf>,
}

/// The summary, with time and memory.
#[derive(Serialize)]
struct WrittenSummary<'s> {
    #[serde(flatten)]
    summary: &'s Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'s ChangeCounts>,
    seconds: BTreeMap<&'static str, f64>,
    peak_memory_bytes: Option<u64>,
}

impl Outputs {
    /// Tests the places of all files.
    pub(super) fn check(arguments: &SiteAuditArgs, monitor: &Monitor) -> anyhow::Result<Self> {
        let waiting = monitor.waiting();
        let SiteAuditArgs { pages, pairs, clusters, skipped, links, changes, summary, report, .. } =
            arguments;
        let files = [
            ("--pages", pages),
            ("--pairs", pairs),
            ("--clusters", clusters),
            ("--skipped", skipped),
            ("--links", links),
            ("--changes", changes),
            ("--summary", summary),
            ("--report", report),
        ];
        let files = refuse_equal(&files)?;
        for list in [pages, pairs, clusters, skipped, links, changes].into_iter().flatten() {
            drop(TableWriter::create(list, &[("url", ColumnKind::Text)], &waiting)?);
        }
        let whole = |path: &Option<PathBuf>| {
            path.as_deref().map(|path| WholeFile::create(path, &waiting)).transpose()
        };
        let (summary, report) = (whole(summary)?, whole(report)?);
        let [pages, pairs, clusters, skipped, links, changes] =
            [pages, pairs, clusters, skipped, links, changes].map(Clone::clone);
        Ok(Outputs { pages, pairs, clusters, skipped, links, changes, summary, report, waiting, files })
    }

    /// The paths of all files.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    /// Writes all files.
    pub(super) fn write(
        self,
        results: &AuditResults,
        pages: &CrawledPages,
        summary: &Summary,
        against: Option<&ChangeCounts>,
        seconds: AuditSeconds,
    ) -> anyhow::Result<()> {
        let audit = results.audit();
        let waiting = &self.waiting;
        let mut completed = Completed::default();
        if let Some(path) = &self.pages {
            completed.join(lists::write_pages(path, results, waiting)?);
        }
        if let Some(path) = &self.pairs {
            completed.join(lists::write_pairs(path, audit, waiting)?);
        }
        if let Some(path) = &self.clusters {
            completed.join(lists::write_clusters(path, audit, waiting)?);
        }
        if let Some(path) = &self.skipped {
            completed.join(write_skipped(path, pages.crawled(), waiting)?);
        }
        if let Some(path) = &self.links {
            completed.join(write_links(path, pages, waiting)?);
        }
        if let (Some(path), Some(since)) = (&self.changes, results.since()) {
            completed.join(lists::write_changes(path, since, audit, waiting)?);
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

/// The paths of all options that are given. Two of them must not write to one file.
fn refuse_equal(files: &[(&str, &Option<PathBuf>)]) -> Result<Vec<PathBuf>, Usage> {
    let mut paths: Vec<(&str, &PathBuf, PathBuf)> = Vec::new();
    for (option, path) in files {
        let Some(path) = path else { continue };
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        if let Some((other, ..)) = paths.iter().find(|(.., known)| *known == whole) {
            return Err(Usage(format!(
                "{option} {}: {other} writes to it too; name another file",
                path.display()
            )));
        }
        paths.push((option, path, whole));
    }
    Ok(paths.into_iter().map(|(_, path, _)| path.clone()).collect())
}
