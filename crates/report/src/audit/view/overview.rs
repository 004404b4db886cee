//! The overview of a site.

use super::changes::Since;
use super::clusters::{ClusterRow, clusters};
use super::count::Count;
use super::list::ListQuery;
use super::results::AuditResults;
use super::site::LinkKind;
use lookalike_audit::{Band, BlockDecision};
use serde::Serialize;
use std::collections::BTreeMap;

/// Clusters of the overview.
const TOP: usize = 8;

/// The overview of a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overview<'r> {
    /// The address that the crawl started from.
    pub start: &'r str,
    /// Pages.
    pub pages: usize,
    /// All words of all pages.
    pub words: u64,
    /// Duplicate, common and unique words.
    pub counts: [u64; 3],
    /// Their shares, from 0 to 1.
    pub shares: [f64; 3],
    /// Pairs.
    pub pairs: u64,
    /// Pairs by class.
    pub classes: Vec<Count>,
    /// Pairs by band, the highest first.
    pub bands: Vec<Count>,
    /// Pairs by headline, in steps of five percent.
    pub histogram: Vec<u64>,
    /// The least headline of a pair.
    pub threshold: f64,
    /// Clusters.
    pub clusters: usize,
    /// Pages in clusters, apart from primary pages.
    pub repeated: u64,
    /// Those that are to fix.
    pub to_fix: u64,
    /// The others, by the way that the site handles them.
    pub handled: Vec<Count>,
    /// The largest clusters with something to fix.
    pub top: Vec<ClusterRow<'r>>,
    /// Pages that are too short to judge.
    pub short: usize,
    /// Pages that are mostly template.
    pub mostly_common: usize,
    /// Pages that say little without their scripts.
    pub needs_scripts: usize,
    /// Pages with more links than are followed.
    pub more_links: usize,
    /// Template blocks.
    pub template_blocks: usize,
    /// Skipped URLs by rule, the most frequent first.
    pub skipped: Vec<Count>,
    /// Broken links.
    pub broken: usize,
    /// Links that are redirected.
    pub redirects: usize,
    /// Changes since the earlier audit by kind, new pairs first. Nothing if there is no earlier audit.
    pub changes: Option<Vec<Count>>,
    /// The median of the time until a whole page was there.
    pub milliseconds: u32,
    /// The median of the bytes of a page.
    pub bytes: u64,
}

fn count(name: &str, count: u64) -> Count {
    Count { name: name.to_owned(), count }
}

fn median<T: Copy + Ord + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { T::default() } else { *values.select_nth_unstable(middle).1 }
}

/// The overview.
pub fn overview(results: &AuditResults) -> Overview<'_> {
    let (audit, tally) = (&results.audit, &results.tally);
    let words = audit.words();
    let pages = audit.pages();
    let mut handled: BTreeMap<&str, u64> = BTreeMap::new();
    for page in 0..pages.len() as u32 {
        if let Some(state) = results.state(page).filter(|state| *state != "primary") {
            *handled.entry(state).or_default() += 1;
        }
    }
    let repeated = handled.values().sum();
    let to_fix = handled.remove("to-fix").unwrap_or(0);
    let rules = results.skipped.by_rule.iter();
    let mut skipped: Vec<Count> = rules.map(|(name, &number)| count(name, number)).collect();
    skipped.sort_by_key(|rule| std::cmp::Reverse(rule.count));
    let of_kind = |kind| results.links.iter().filter(|link| link.kind == kind).count();
    let top = ListQuery { show: "to-fix".into(), sort: "to_fix".into(), size: TOP, ..ListQuery::default() };
    Overview {
        start: results.site.start(),
        pages: pages.len(),
        words: words.all,
        counts: [words.duplicate, words.common, words.unique()],
        shares: [words.duplicate_share(), words.common_share(), words.unique_share()],
        pairs: tally.pairs,
        classes: tally.classes.sorted().iter().map(|(class, number)| count(class.name(), *number)).collect(),
        bands: Band::ALL.iter().rev().map(|&band| count(band.name(), tally.bands.of(band))).collect(),
        histogram: tally.histogram.to_vec(),
        threshold: audit.settings().threshold,
        clusters: audit.clusters().len(),
        repeated,
        to_fix,
        handled: handled.into_iter().map(|(name, number)| count(name, number)).collect(),
        top: clusters(results, &top).rows,
        short: pages.iter().filter(|page| page.is_short).count(),
        mostly_common: pages.iter().filter(|page| page.is_mostly_common).count(),
        needs_scripts: results.visits.iter().filter(|visit| visit.needs_scripts).count(),
        more_links: results.visits.iter().filter(|visit| visit.has_more_links).count(),
        template_blocks: audit
            .blocks()
            .iter()
            .filter(|block| block.decision != BlockDecision::Scored)
            .count(),
        skipped,
        broken: of_kind(LinkKind::Broken),
        redirects: of_kind(LinkKind::Redirect),
        changes: results.since().map(Since::counts),
        milliseconds: median(results.visits.iter().map(|visit| visit.milliseconds)),
        bytes: median(results.visits.iter().map(|visit| visit.bytes)),
    }
}
