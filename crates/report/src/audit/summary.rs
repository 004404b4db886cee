//! What an audit found, in figures.

use super::view::OTHER_SITE;
use crate::audit::view::{AuditResults, Count, SettingsView, overview};
use lookalike_audit::PairClass;
use serde::Serialize;
use std::collections::BTreeMap;

/// What an audit found. Percentages are shares of words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The start page, the folder or the archives.
    pub source: String,
    /// Whether all URLs were visited that the settings allow.
    pub complete: bool,
    /// The settings of the audit.
    pub settings: SettingsView,
    /// Pages that were read.
    pub pages: u64,
    /// Their words.
    pub words: u64,
    /// The share of words that other pages have too, in common passages.
    pub duplicate_percent: f64,
    /// The share of words in templates: menus, footers and other blocks of many pages.
    pub common_percent: f64,
    /// The share of all other words.
    pub unique_percent: f64,
    /// Reported pairs.
    pub pairs: u64,
    /// Reported pairs by class.
    pub classes: BTreeMap<String, u64>,
    /// Reported pairs by band.
    pub bands: BTreeMap<String, u64>,
    /// Clusters of pages that can stand for each other.
    pub clusters: u64,
    /// Pages in clusters.
    pub clustered: u64,
    /// Pages that repeat the primary page of their cluster, and for which search engines are not told so.
    pub to_fix: u64,
    /// Pages that repeat the primary page of their cluster, and for which search engines are told so.
    pub handled: u64,
    /// Template blocks.
    pub template_blocks: u64,
    /// Pages with too few words to judge.
    pub too_short: u64,
    /// Pages that probably need scripts to show their text.
    pub needs_scripts: u64,
    /// Pages with more links than are followed.
    pub more_links: u64,
    /// URLs of the site that a rule refused.
    pub skipped: u64,
    /// URLs of other sites that pages link to.
    pub external: u64,
    /// URLs that pages link to, and that lead to another URL.
    pub redirects: u64,
    /// URLs that pages link to, and that are broken or did not answer, perhaps behind redirects.
    pub broken: u64,
    /// URLs with other content than pages.
    pub files: u64,
}

impl Summary {
    /// The figures of these results.
    pub fn of(results: &AuditResults) -> Self {
        let (overview, audit) = (overview(results), results.audit());
        let [duplicate, common, unique] = overview.shares.map(|share| 100.0 * share);
        let by_name = |counts: Vec<Count>| {
            let counts = counts.into_iter().filter(|count| count.count > 0);
            counts.map(|Count { name, count }| (name, count)).collect()
        };
        let skipped: BTreeMap<String, u64> = by_name(overview.skipped);
        let external = skipped.get(OTHER_SITE).copied().unwrap_or_default();
        Summary {
            source: overview.start.to_owned(),
            complete: results.site().is_complete(),
            settings: SettingsView::of(audit.settings()),
            pages: overview.pages as u64,
            words: overview.words,
            duplicate_percent: duplicate,
            common_percent: common,
            unique_percent: unique,
            pairs: overview.pairs,
            classes: by_name(overview.classes),
            bands: by_name(overview.bands),
            clusters: overview.clusters as u64,
            clustered: audit.pages().iter().filter(|page| page.cluster.is_some()).count() as u64,
            to_fix: overview.to_fix,
            handled: overview.repeated - overview.to_fix,
            template_blocks: overview.template_blocks as u64,
            too_short: overview.short as u64,
            needs_scripts: overview.needs_scripts as u64,
            more_links: overview.more_links as u64,
            skipped: skipped.values().sum::<u64>() - external,
            external,
            redirects: overview.redirects as u64,
            broken: overview.broken as u64,
            files: results.site().files(),
        }
    }

    /// Reported pairs of a class.
    pub fn of_class(&self, class: PairClass) -> u64 {
        self.classes.get(class.name()).copied().unwrap_or_default()
    }
}
