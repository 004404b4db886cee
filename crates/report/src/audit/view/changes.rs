//! The list of changes since an earlier audit.

use super::count::Count;
use super::list::{ListPart, ListQuery, directed};
use super::results::AuditResults;
use lookalike::Executor;
use lookalike_audit::{Audit, AuditChanges, ChangeKind, ChangedPair, Handled, PagePair};
use serde::Serialize;

/// An earlier audit of a site, and what has changed since then.
#[derive(Debug)]
pub struct Since {
    before: Audit,
    changes: AuditChanges,
}

/// A change of a page or of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeRow<'r> {
    /// `page-added`, `page-removed`, `page-changed`, `pair-new`, `pair-fixed` or `pair-changed`.
    pub change: &'static str,
    /// The URL of the page, or of one page of the pair.
    pub a: &'r str,
    /// The URL of the other page of the pair.
    pub b: Option<&'r str>,
    /// The class of the pair before.
    pub class_before: Option<&'static str>,
    /// The class of the pair now.
    pub class_now: Option<&'static str>,
    /// How the site handled the pair before.
    pub handled_before: Option<&'static str>,
    /// How the site handles the pair now.
    pub handled_now: Option<&'static str>,
    /// Whether the audit of now has all these pages.
    pub is_there: bool,
}

impl Since {
    pub(super) fn of<E: Executor>(before: Audit, now: &Audit, executor: &E) -> Result<Self, E::Stopped> {
        let changes = AuditChanges::between(&before, now, executor)?;
        Ok(Since { before, changes })
    }

    /// What has changed.
    pub fn changes(&self) -> &AuditChanges {
        &self.changes
    }

    /// The audit of the earlier crawl.
    pub fn before(&self) -> &Audit {
        &self.before
    }

    /// A row for each page that differs. `now` is the audit that this was made with.
    pub fn pages<'r>(&'r self, now: &'r Audit) -> impl Iterator<Item = ChangeRow<'r>> {
        let page = |change, audit: &'r Audit, page: u32, is_there| ChangeRow {
            change,
            a: &audit.pages()[page as usize].url,
            b: None,
            class_before: None,
            class_now: None,
            handled_before: None,
            handled_now: None,
            is_there,
        };
        let AuditChanges { added, removed, changed, .. } = &self.changes;
        let added = added.iter().map(move |&number| page("page-added", now, number, true));
        let removed = removed.iter().map(move |&number| page("page-removed", &self.before, number, false));
        let changed = changed.iter().map(move |&(_, number)| page("page-changed", now, number, true));
        added.chain(removed).chain(changed)
    }

    /// The row of a pair that differs.
    pub fn pair<'r>(&'r self, pair: &ChangedPair, now: &'r Audit) -> Option<ChangeRow<'r>> {
        let (audit, (of, _)) = match (pair.now, pair.before) {
            (Some(pair), _) => (now, pair),
            (None, pair) => (&self.before, pair?),
        };
        let [a, b] = [of.a, of.b].map(|page| audit.pages()[page as usize].url.as_str());
        let class = |side: Option<(PagePair, Option<Handled>)>| side.map(|(pair, _)| pair.class.name());
        let handled = |side: Option<(PagePair, Option<Handled>)>| {
            side.and_then(|(_, handled)| handled).map(Handled::name)
        };
        Some(ChangeRow {
            change: pair.kind().name(),
            a,
            b: Some(b),
            class_before: class(pair.before),
            class_now: class(pair.now),
            handled_before: handled(pair.before),
            handled_now: handled(pair.now),
            is_there: [a, b].iter().all(|url| now.page_of(url).is_some()),
        })
    }

    /// The number of changes of each kind that occurs, new pairs first: they are why one looks.
    pub(super) fn counts(&self) -> Vec<Count> {
        let pairs = ChangeKind::ALL.map(|kind| (kind.name(), self.changes.count(kind)));
        let AuditChanges { added, removed, changed, .. } = &self.changes;
        let pages =
            [("page-removed", removed.len()), ("page-changed", changed.len()), ("page-added", added.len())];
        let all = pairs.into_iter().chain(pages.map(|(name, count)| (name, count as u64)));
        all.filter(|(_, count)| *count > 0)
            .map(|(name, count)| Count { name: name.to_owned(), count })
            .collect()
    }
}

/// The changes since the earlier audit, new pairs first, with the first pairs of each kind. `show` is a kind of change. Without an earlier audit there are none.
pub fn changes<'r>(results: &'r AuditResults, query: &ListQuery) -> ListPart<ChangeRow<'r>> {
    let now = results.audit();
    let mut rows: Vec<ChangeRow<'r>> = Vec::new();
    let mut left_out = 0;
    if let Some(since) = results.since() {
        let pairs = &since.changes.pairs;
        rows.extend(since.pages(now).chain(pairs.iter().filter_map(|pair| since.pair(pair, now))));
        left_out =
            ChangeKind::ALL.map(|kind| since.changes.count(kind)).iter().sum::<u64>() - pairs.len() as u64;
    }
    let found = rows.iter().filter(|row| ["", "all", row.change].contains(&query.show.as_str()));
    let mut found: Vec<&ChangeRow<'r>> =
        found.filter(|row| query.finds([row.a].into_iter().chain(row.b))).collect();
    let descends = query.descends(query.sort != "a");
    found.sort_by(|x, y| {
        let order = match query.sort.as_str() {
            "a" => x.a.cmp(y.a),
            _ => x.change.cmp(y.change),
        };
        directed(order, descends).then((x.a, x.b).cmp(&(y.a, y.b)))
    });
    let mut list = query.cut(&found, rows.len(), |row| (*row).clone());
    if left_out > 0 {
        list.all += left_out;
        list.note = Some(
            "Only the first 100,000 pairs of each kind are listed; --changes FILE has all of them."
                .to_owned(),
        );
    }
    list
}
