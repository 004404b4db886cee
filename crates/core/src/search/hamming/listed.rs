//! The list of every single pair: those of the join, and those that equal codes make.

use super::{Code, HammingJoin, HammingPair};

impl<C: Code> HammingJoin<'_, C> {
    /// The number of pairs that [`HammingJoin::all_pairs`] lists. A million equal codes are 5 · 10¹¹ pairs.
    pub fn count_all_pairs(&self, pairs: &[HammingPair]) -> u64 {
        EqualCodes::new(self.copies()).count(pairs)
    }

    /// Every pair of places that follows from `pairs` and the copies, ascending. There is no limit: see
    /// [`HammingJoin::count_all_pairs`].
    pub fn all_pairs(&self, pairs: &[HammingPair]) -> Vec<HammingPair> {
        self.all_pairs_while(pairs, || true)
    }

    /// Like [`HammingJoin::all_pairs`], and ends soon after `goes_on` returns false. The list is then not complete.
    pub fn all_pairs_while(&self, pairs: &[HammingPair], goes_on: impl Fn() -> bool) -> Vec<HammingPair> {
        let groups = EqualCodes::new(self.copies());
        let mut firsts: Vec<u32> = (0..self.codes.len() as u32).collect();
        self.copies().iter().for_each(|link| firsts[link.b as usize] = link.a);
        // Each pair of first places, from both sides.
        let sides = |pair: &HammingPair| [(pair.a, pair.b, pair.distance), (pair.b, pair.a, pair.distance)];
        let mut near: Vec<(u32, u32, u32)> = pairs.iter().flat_map(sides).collect();
        near.sort_unstable();

        let mut all = Vec::with_capacity(groups.count(pairs) as usize);
        for (a, &first) in (0..).zip(&firsts) {
            if !goes_on() {
                break;
            }
            let start = all.len();
            let near = &near[near.partition_point(|&(from, ..)| from < first)..];
            let near = near.iter().take_while(|&&(from, ..)| from == first);
            for (other, distance) in near.map(|&(_, to, distance)| (to, distance)).chain([(first, 0)]) {
                let later = groups.places(other).filter(|&b| b > a);
                all.extend(later.map(|b| HammingPair { a, b, distance }));
            }
            all[start..].sort_unstable();
        }
        all
    }
}

/// The places of equal codes.
struct EqualCodes {
    /// Each first place with a copy of it, ascending.
    links: Vec<(u32, u32)>,
}

impl EqualCodes {
    fn new(copies: &[HammingPair]) -> Self {
        let mut links: Vec<(u32, u32)> = copies.iter().map(|link| (link.a, link.b)).collect();
        links.sort_unstable();
        EqualCodes { links }
    }

    /// The number of all pairs, if `pairs` are those of first places.
    fn count(&self, pairs: &[HammingPair]) -> u64 {
        let size = |first: u32| self.copies_of(first).len() as u64 + 1;
        let between: u64 = pairs.iter().map(|pair| size(pair.a) * size(pair.b)).sum();
        let of_groups = self.links.chunk_by(|left, right| left.0 == right.0);
        let within: u64 = of_groups.map(|links| links.len() as u64 * (links.len() as u64 + 1) / 2).sum();
        between + within
    }

    /// The links from a first place to its copies.
    fn copies_of(&self, first: u32) -> &[(u32, u32)] {
        let links = &self.links[self.links.partition_point(|&(original, _)| original < first)..];
        &links[..links.partition_point(|&(original, _)| original == first)]
    }

    /// A first place and its copies, ascending.
    fn places(&self, first: u32) -> impl Iterator<Item = u32> {
        std::iter::once(first).chain(self.copies_of(first).iter().map(|&(_, copy)| copy))
    }
}
