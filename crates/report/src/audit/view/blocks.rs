//! The list of template blocks.

use super::list::{ListPart, ListQuery, directed};
use super::page::area_name;
use super::results::AuditResults;
use lookalike_audit::BlockReport;
use serde::Serialize;

/// A block that many pages have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockRow<'r> {
    /// Its id, by which it is switched on and off.
    pub id: String,
    /// The start of its text.
    pub sample: &'r str,
    /// Its words.
    pub words: u32,
    /// The area of the page that it stands in.
    pub area: &'static str,
    /// The pages that have it.
    pub pages: u32,
    /// The clusters of near-duplicate pages that have it.
    pub clusters: u32,
    /// The decision on it.
    pub decision: &'static str,
    /// The reason, as a sentence.
    pub reason: &'r str,
    /// Whether the user switched it on or off. Nothing if the audit decides.
    pub switched: Option<bool>,
}

/// The list of blocks. `show` is `switched`, or a decision.
pub fn blocks<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<BlockRow<'r>> {
    let (all, switches) = (results.audit.blocks(), &results.audit.settings().blocks);
    let found = all.iter().filter(|block| match query.show.as_str() {
        "" | "all" => true,
        "switched" => switches.contains_key(&block.id),
        decision => block.decision.name() == decision,
    });
    let mut found: Vec<&BlockReport> = found.filter(|block| query.finds([block.sample.as_str()])).collect();
    let descends = query.descends(!matches!(query.sort.as_str(), "sample" | "area" | "decision"));
    found.sort_by(|a, b| {
        let order = match query.sort.as_str() {
            "sample" => a.sample.cmp(&b.sample),
            "words" => a.words.cmp(&b.words),
            "area" => a.area.cmp(&b.area),
            "clusters" => a.clusters.cmp(&b.clusters),
            "decision" => a.decision.cmp(&b.decision),
            _ => a.pages.cmp(&b.pages),
        };
        directed(order, descends).then(a.id.cmp(&b.id))
    });
    query.cut(&found, all.len(), |block| BlockRow {
        id: block.id.to_string(),
        sample: &block.sample,
        words: block.words,
        area: area_name(block.area),
        pages: block.pages,
        clusters: block.clusters,
        decision: block.decision.name(),
        reason: &block.reason,
        switched: switches.get(&block.id).copied(),
    })
}
