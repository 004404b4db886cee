//! What changed between two audits of a site.

use super::{Audit, Handled, PagePair};
use lookalike::Executor;

/// Pairs of a kind that are kept. Two crawls of 10,000 equal pages may differ in fifty million pairs, and nobody reads them one by one.
const MOST_KEPT: u64 = 100_000;

/// Pairs between two questions whether to stop.
const PAIRS_PER_CHECK: u64 = 1 << 12;

/// The differences between an audit and an earlier one. Pages are matched by URL.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditChanges {
    /// Pages that the later audit has alone, by their numbers there.
    pub added: Vec<u32>,
    /// Pages that the earlier audit has alone, by their numbers there.
    pub removed: Vec<u32>,
    /// Pages whose words differ outside of areas of template, by their numbers in the earlier and in the later audit.
    pub changed: Vec<(u32, u32)>,
    /// The first 100,000 pairs of each kind of change, those of the earlier audit first.
    pub pairs: Vec<ChangedPair>,
    /// All pairs of each kind.
    counts: [u64; ChangeKind::ALL.len()],
}

/// A pair of pages that is not the same in two audits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangedPair {
    /// The pair in the earlier audit, and how the site handled it.
    pub before: Option<(PagePair, Option<Handled>)>,
    /// The pair in the later audit, and how the site handles it.
    pub now: Option<(PagePair, Option<Handled>)>,
}

/// The kind of a changed pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// The pair is to fix now, and was not.
    New,
    /// The pair was to fix, and is not now: it is gone, or the site handles it.
    Fixed,
    /// All other differences: of the class, the band, or the way in which the site handles it.
    Changed,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 3] = [ChangeKind::New, ChangeKind::Fixed, ChangeKind::Changed];

    /// The name in lists.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::New => "pair-new",
            ChangeKind::Fixed => "pair-fixed",
            ChangeKind::Changed => "pair-changed",
        }
    }
}

impl ChangedPair {
    /// The kind of the change.
    pub fn kind(&self) -> ChangeKind {
        let is_to_fix = |pair: &Option<(PagePair, Option<Handled>)>| matches!(pair, Some((_, None)));
        match (is_to_fix(&self.before), is_to_fix(&self.now)) {
            (false, true) => ChangeKind::New,
            (true, false) => ChangeKind::Fixed,
            _ => ChangeKind::Changed,
        }
    }
}

/// What of a pair must differ for it to be listed.
fn essence((pair, handled): &(PagePair, Option<Handled>)) -> impl PartialEq {
    (pair.class, pair.band(), *handled)
}

impl AuditChanges {
    /// The differences between `before` and `now`.
    ///
    /// # Errors
    /// If the executor stops it.
    pub fn between<E: Executor>(before: &Audit, now: &Audit, executor: &E) -> Result<Self, E::Stopped> {
        let mut changes = AuditChanges::default();
        let (later, earlier) = numbers(before, now);
        changes.removed = alone(&later);
        changes.added = alone(&earlier);
        for (page, of_now) in (0..).zip(&later) {
            let differs =
                |of_now: &u32| before.pages()[page as usize].content != now.pages()[*of_now as usize].content;
            changes.changed.extend(of_now.filter(differs).map(|of_now| (page, of_now)));
        }
        Self::each_pair(before, now, executor, &mut |pair| {
            let count = &mut changes.counts[pair.kind() as usize];
            *count += 1;
            if *count <= MOST_KEPT {
                changes.pairs.push(pair);
            }
        })?;
        Ok(changes)
    }

    /// Calls `visit` with all pairs that differ, those of `before` first.
    ///
    /// # Errors
    /// If the executor stops it.
    pub fn each_pair<E: Executor>(
        before: &Audit,
        now: &Audit,
        executor: &E,
        visit: &mut dyn FnMut(ChangedPair),
    ) -> Result<(), E::Stopped> {
        let (later, earlier) = numbers(before, now);
        let mut seen = 0_u64;
        let mut check = || {
            seen += 1;
            if seen.is_multiple_of(PAIRS_PER_CHECK) { executor.check() } else { Ok(()) }
        };
        for pair in before.pairs() {
            check()?;
            let was = Some((pair, before.handled(pair.a, pair.b)));
            let is = same_pages(&later, now, &pair);
            if was.as_ref().map(essence) != is.as_ref().map(essence) {
                visit(ChangedPair { before: was, now: is });
            }
        }
        for pair in now.pairs() {
            check()?;
            if same_pages(&earlier, before, &pair).is_none() {
                visit(ChangedPair { before: None, now: Some((pair, now.handled(pair.a, pair.b))) });
            }
        }
        Ok(())
    }

    /// The number of changed pairs of a kind.
    pub fn count(&self, kind: ChangeKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// The number of each page of `before` in `now`, and of each page of `now` in `before`.
fn numbers(before: &Audit, now: &Audit) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
    let of =
        |pages: &Audit, other: &Audit| pages.pages().iter().map(|page| other.page_of(&page.url)).collect();
    (of(before, now), of(now, before))
}

/// The pages without a number.
fn alone(numbers: &[Option<u32>]) -> Vec<u32> {
    (0..).zip(numbers).filter(|(_, page)| page.is_none()).map(|(page, _)| page).collect()
}

/// The pair of the same pages in `other`, whose numbers there are `numbers`.
fn same_pages(
    numbers: &[Option<u32>],
    other: &Audit,
    pair: &PagePair,
) -> Option<(PagePair, Option<Handled>)> {
    let (a, b) = (numbers[pair.a as usize]?, numbers[pair.b as usize]?);
    Some((other.pair(a, b)?, other.handled(a, b)))
}
