//! What all pairs of an audit amount to, counted in one pass.

use lookalike_audit::{Audit, Band, Handled, PagePair, PairClass, PairGroup};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Bars of the histogram. Each is five percent wide.
pub(super) const BARS: usize = 20;

/// Pairs that a list can show. A cluster of 10,000 equal pages has fifty million, and nobody reads them one by one.
pub(super) const MOST_LISTED: usize = 100_000;

/// A pair of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListedPair {
    /// The headline, in steps of a millionth.
    pub(super) headline: u32,
    pub(super) matched: u32,
    /// Pairs with smaller numbers come first if all else is equal.
    pub(super) pages: (u32, u32),
    pub(super) class: PairClass,
    pub(super) handled: Option<Handled>,
}

/// How often a few values occur. A list is faster than a map, and there may be millions of pairs.
#[derive(Clone, Debug)]
pub(super) struct ValueCounts<K>(Vec<(K, u64)>);

impl<K> Default for ValueCounts<K> {
    fn default() -> Self {
        ValueCounts(Vec::new())
    }
}

impl<K: Copy + Ord> ValueCounts<K> {
    fn add(&mut self, key: K, times: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => *count += times,
            None => self.0.push((key, times)),
        }
    }

    pub(super) fn of(&self, key: K) -> u64 {
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, count)| *count)
    }

    /// All values that occur, ascending.
    pub(super) fn sorted(&self) -> Vec<(K, u64)> {
        let mut sorted = self.0.clone();
        sorted.sort_by_key(|(key, _)| *key);
        sorted
    }
}

/// What all pairs amount to.
#[derive(Clone, Debug, Default)]
pub(super) struct PairTally {
    pub(super) pairs: u64,
    pub(super) classes: ValueCounts<PairClass>,
    pub(super) bands: ValueCounts<Band>,
    pub(super) histogram: [u64; BARS],
    /// The pairs of each page.
    pub(super) of_page: Vec<u32>,
    /// The pairs with the highest headlines, the highest first.
    pub(super) listed: Vec<ListedPair>,
}

impl PairTally {
    pub(super) fn of(audit: &Audit) -> Self {
        let mut tally = PairTally { of_page: vec![0; audit.pages().len()], ..PairTally::default() };
        let groups = audit.page_groups();
        let (mut best, mut in_best) = (BinaryHeap::new(), 0);
        audit.each_pair_group(&groups, &mut |group| {
            tally.count(&group);
            in_best += group.count();
            best.push(Reverse(RankedGroup(group)));
            // The least group is not needed if the others are enough.
            while let Some(Reverse(least)) = best.peek()
                && in_best - least.0.count() >= MOST_LISTED as u64
            {
                in_best -= least.0.count();
                best.pop();
            }
        });
        for Reverse(RankedGroup(group)) in best {
            let listed = |(a, b)| listed(audit, a, b, &group.pair);
            tally.listed.extend(group.pairs().take(MOST_LISTED).map(listed));
        }
        tally.listed.sort_by_key(|pair| (Reverse((pair.headline, pair.matched)), pair.pages));
        tally.listed.truncate(MOST_LISTED);
        tally
    }

    fn count(&mut self, group: &PairGroup<'_>) {
        let (pair, count) = (&group.pair, group.count());
        self.pairs += count;
        self.classes.add(pair.class, count);
        self.bands.add(pair.band(), count);
        self.histogram[((pair.headline() * BARS as f64) as usize).min(BARS - 1)] += count;
        for (page, partners) in group.pages() {
            self.of_page[page as usize] += partners;
        }
    }
}

/// What pairs are listed by: the headline in steps of a millionth, and the matched words.
fn rank(pair: &PagePair) -> (u32, u32) {
    ((pair.headline() * 1e6).round() as u32, pair.matched_words[0].max(pair.matched_words[1]))
}

/// A group in the order of the list. Greater comes first.
struct RankedGroup<'g>(PairGroup<'g>);

impl RankedGroup<'_> {
    fn key(&self) -> ((u32, u32), Reverse<(u32, u32)>) {
        (rank(&self.0.pair), Reverse((self.0.pair.a, self.0.pair.b)))
    }
}

impl PartialEq for RankedGroup<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for RankedGroup<'_> {}

impl PartialOrd for RankedGroup<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RankedGroup<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

fn listed(audit: &Audit, a: u32, b: u32, pair: &PagePair) -> ListedPair {
    let (headline, matched) = rank(pair);
    ListedPair { headline, matched, pages: (a, b), class: pair.class, handled: audit.handled(a, b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::Sequential;
    use lookalike_audit::{AuditSettings, PageFacts, PairScope, SiteBlock, SitePage, audit};
    use proptest::prelude::*;

    fn pages(kinds: &[(u8, bool)]) -> Vec<SitePage> {
        let text = |kind: u8| -> String {
            let own = (0..30).map(|word| format!("own{kind}x{word} "));
            // Kinds 1 to 3 share their first words.
            (0..60).map(|word| format!("shared{}x{word} ", u8::from(kind > 3) * kind)).chain(own).collect()
        };
        let page = |(number, &(kind, is_second)): (usize, &(u8, bool))| SitePage {
            facts: PageFacts {
                url: format!("h://s/{number}"),
                site: is_second.into(),
                ..PageFacts::default()
            },
            blocks: vec![SiteBlock { text: text(kind), ..SiteBlock::default() }],
        };
        kinds.iter().enumerate().map(page).collect()
    }

    proptest! {
        #[test]
        fn groups_of_pairs_are_all_pairs(kinds in prop::collection::vec((1_u8..6, any::<bool>()), 0..14), across in any::<bool>()) {
            let scope = if across { PairScope::Across } else { PairScope::All };
            let settings = AuditSettings { scope, ..AuditSettings::default() };
            let audit = audit(&pages(&kinds)[..], &settings, &Sequential).unwrap();
            let tally = PairTally::of(&audit);
            let all: Vec<PagePair> = audit.pairs().collect();
            prop_assert_eq!(tally.pairs, all.len() as u64);
            let mut expected: Vec<ListedPair> = all.iter().map(|pair| listed(&audit, pair.a, pair.b, pair)).collect();
            expected.sort_by_key(|pair| (Reverse((pair.headline, pair.matched)), pair.pages));
            prop_assert_eq!(&tally.listed, &expected);
            for page in 0..audit.pages().len() as u32 {
                prop_assert_eq!(tally.of_page[page as usize] as usize, audit.pairs_of(page).count());
            }
            for class in all.iter().map(|pair| pair.class) {
                let count = all.iter().filter(|pair| pair.class == class).count();
                prop_assert_eq!(tally.classes.of(class), count as u64);
            }
        }
    }

    #[test]
    fn a_list_of_very_many_copies_has_the_first_pairs_and_takes_no_time() {
        let audit = audit(&pages(&[(1, false); 3000])[..], &AuditSettings::default(), &Sequential).unwrap();
        let tally = PairTally::of(&audit);
        assert_eq!((tally.pairs, tally.listed.len()), (3000 * 2999 / 2, MOST_LISTED));
        assert_eq!((tally.listed[0].pages, tally.listed[2999].pages), ((0, 1), (1, 2)));
        assert_eq!(tally.of_page[7], 2999);
    }
}
