//! What changed between two audits of a site.

use super::{Audit, Handled, Pair};

/// The differences between an audit and an earlier one. Pages are matched by URL.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditChanges {
    /// Pages that the later audit has alone, by their numbers there.
    pub added: Vec<u32>,
    /// Pages that the earlier audit has alone, by their numbers there.
    pub removed: Vec<u32>,
    /// Pages whose scored words differ, by their numbers in the earlier and in the later audit.
    pub changed: Vec<(u32, u32)>,
    /// Pairs that differ, the gone ones first.
    pub pairs: Vec<ChangedPair>,
}

/// A pair of pages that is not the same in two audits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangedPair {
    /// The pair in the earlier audit, and how the site handled it.
    pub before: Option<(Pair, Option<Handled>)>,
    /// The pair in the later audit, and how the site handles it.
    pub now: Option<(Pair, Option<Handled>)>,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The pair is new, or no longer handled.
    New,
    /// The pair is gone, or handled now.
    Fixed,
    /// Its class or band is another.
    Changed,
}

impl ChangedPair {
    /// The kind of the change.
    pub fn kind(&self) -> ChangeKind {
        let is_open = |pair: &Option<(Pair, Option<Handled>)>| matches!(pair, Some((_, None)));
        match (is_open(&self.before), is_open(&self.now)) {
            (false, true) => ChangeKind::New,
            (true, false) => ChangeKind::Fixed,
            _ => ChangeKind::Changed,
        }
    }
}

/// What of a pair must differ for it to be listed.
fn essence((pair, handled): &(Pair, Option<Handled>)) -> impl PartialEq {
    (pair.class, pair.band(), *handled)
}

impl AuditChanges {
    /// The differences between `before` and `now`.
    pub fn between(before: &Audit, now: &Audit) -> Self {
        let mut changes = AuditChanges::default();
        let later: Vec<Option<u32>> = before.pages().iter().map(|page| now.page_of(&page.url)).collect();
        let mut earlier: Vec<Option<u32>> = vec![None; now.pages().len()];
        for (page, &of_now) in (0..).zip(&later) {
            match of_now {
                None => changes.removed.push(page),
                Some(of_now) => {
                    earlier[of_now as usize] = Some(page);
                    if before.pages()[page as usize].content != now.pages()[of_now as usize].content {
                        changes.changed.push((page, of_now));
                    }
                }
            }
        }
        changes.added =
            (0..).zip(&earlier).filter(|(_, page)| page.is_none()).map(|(page, _)| page).collect();
        for pair in before.pairs() {
            let was = Some((pair, before.handled(pair.a, pair.b)));
            let is = same_pages(&later, now, &pair);
            if was.as_ref().map(essence) != is.as_ref().map(essence) {
                changes.pairs.push(ChangedPair { before: was, now: is });
            }
        }
        for pair in now.pairs().filter(|pair| same_pages(&earlier, before, pair).is_none()) {
            let is = Some((pair, now.handled(pair.a, pair.b)));
            changes.pairs.push(ChangedPair { before: None, now: is });
        }
        changes
    }
}

/// The pair of the same pages in `other`, whose numbers there are `numbers`.
fn same_pages(numbers: &[Option<u32>], other: &Audit, pair: &Pair) -> Option<(Pair, Option<Handled>)> {
    let (a, b) = (numbers[pair.a as usize]?, numbers[pair.b as usize]?);
    Some((other.pair(a, b)?, other.handled(a, b)))
}
