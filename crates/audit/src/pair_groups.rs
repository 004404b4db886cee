//! Pairs of pages with the same figures, as groups: a thousand copies of one text are half a million pairs, and one group.

use super::{Audit, PagePair};
use std::collections::BTreeMap;

/// All pairs between two groups of pages, or within one. They have the same figures.
#[derive(Clone, Debug)]
pub struct PairGroup<'g> {
    /// One of them.
    pub pair: PagePair,
    left: &'g [u32],
    /// `None` if these are the pairs within `left`.
    right: Option<&'g [u32]>,
}

/// The pages of each text, in groups whose members have the same pairs.
#[derive(Clone, Debug)]
pub struct PageGroups(Vec<Vec<Vec<u32>>>);

impl<'g> PairGroup<'g> {
    /// The number of pairs.
    pub fn count(&self) -> u64 {
        let left = self.left.len() as u64;
        match self.right {
            Some(right) => left * right.len() as u64,
            None => left * left.saturating_sub(1) / 2,
        }
    }

    /// The pages, each with the number of its pairs.
    pub fn pages(&self) -> impl Iterator<Item = (u32, u32)> + use<'g> {
        let [left, right] = [self.left, self.right.unwrap_or(self.left)];
        let is_within = self.right.is_none();
        let partners = move |other: &[u32]| (other.len() - usize::from(is_within)) as u32;
        let of_left = left.iter().map(move |&page| (page, partners(right)));
        let of_right = self.right.unwrap_or_default().iter().map(move |&page| (page, partners(left)));
        of_left.chain(of_right)
    }

    /// The pairs, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let mut all: Vec<(u32, bool)> = self.left.iter().map(|&page| (page, false)).collect();
        all.extend(self.right.unwrap_or_default().iter().map(|&page| (page, true)));
        all.sort_unstable();
        let is_within = self.right.is_none();
        let mut place = (0, 0);
        std::iter::from_fn(move || {
            loop {
                place.1 += 1;
                if place.1 >= all.len() {
                    place = (place.0 + 1, place.0 + 2);
                }
                let [(page, side), (other, other_side)] = [*all.get(place.0)?, *all.get(place.1)?];
                if is_within || side != other_side {
                    return Some((page, other));
                }
            }
        })
    }
}

impl Audit {
    /// The pages of each text, in groups.
    pub fn page_groups(&self) -> PageGroups {
        PageGroups(self.texts.iter().map(|text| self.groups(&text.pages)).collect())
    }

    /// Calls `visit` with all pairs, in groups.
    pub fn each_pair_group<'g>(&self, groups: &'g PageGroups, visit: &mut dyn FnMut(PairGroup<'g>)) {
        let PageGroups(groups) = groups;
        let mut group = |left: &'g [u32], right: Option<&'g [u32]>| {
            let other = right.map_or_else(|| left.get(1), |right| right.first());
            let pair = other.and_then(|&other| self.pair(left[0], other));
            if let Some(pair) = pair {
                visit(PairGroup { pair, left, right });
            }
        };
        for of_text in groups {
            for (place, left) in of_text.iter().enumerate() {
                group(left, None);
                of_text[place + 1..].iter().for_each(|right| group(left, Some(right)));
            }
        }
        for pair in &self.pairs {
            for left in &groups[pair.a as usize] {
                groups[pair.b as usize].iter().for_each(|right| group(left, Some(right)));
            }
        }
    }

    /// Pages in groups whose members have the same pairs.
    fn groups(&self, pages: &[u32]) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<(u32, bool), Vec<u32>> = BTreeMap::new();
        for &number in pages {
            let page = &self.pages[number as usize];
            groups.entry((page.site, page.is_mostly_common)).or_default().push(number);
        }
        groups.into_values().collect()
    }
}
