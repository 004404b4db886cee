//! Documents with near fingerprints, in groups of equal ones.

use crate::cluster::UnionFind;
use crate::hamming::HammingPair;
use crate::lsh::{LED, Likeness, Match, Tally, link};
use crate::measure::{Set, Verifier};
use std::ops::Range;

/// What a join of fingerprints found: groups of documents with the same fingerprint, and pairs of groups within the
/// distance. Each is a *unit* of work; units of a round may be spread over threads, and nothing depends on their order.
#[derive(Debug)]
pub struct Near {
    /// Documents in groups: those with the same fingerprint, ascending, groups in the order of their first ones.
    members: Vec<u32>,
    /// Where each group starts, and the end.
    starts: Vec<u32>,
    /// The groups of two or more.
    crowds: Vec<u32>,
    /// Two groups and the distance of their fingerprints, ascending.
    pairs: Vec<(u32, u32, u32)>,
}

/// How pairs of a unit are compared.
pub enum Judge<'v, F> {
    /// The distance of their fingerprints decides alone.
    Distance,
    /// By features.
    Verify(&'v mut Verifier, F),
}

impl<'f, F: Fn(u32) -> Set<'f>> Judge<'_, F> {
    fn judge(&mut self, left: u32, right: u32, distance: u32, held: &mut bool) -> Option<Likeness> {
        match self {
            Judge::Distance => Some(Likeness::Hamming(distance)),
            Judge::Verify(verifier, features) => {
                verifier.reaches(features(left), features(right), held).map(Likeness::Similarity)
            }
        }
    }
}

impl Near {
    /// The units of `documents`, which ascend and stand at the places that a [`HammingJoin`](crate::HammingJoin) found
    /// `copies` and `pairs` of.
    pub fn new(documents: &[u32], copies: &[HammingPair], pairs: &[HammingPair]) -> Self {
        let mut originals: Vec<u32> = (0..documents.len() as u32).collect();
        copies.iter().for_each(|copy| originals[copy.b as usize] = copy.a);
        // Counting sort by original: groups in the order of their originals, members ascending.
        let mut group_of = vec![0_u32; documents.len()];
        let mut starts = vec![0_u32];
        for (place, &original) in originals.iter().enumerate() {
            if original as usize == place {
                group_of[place] = starts.len() as u32 - 1;
                starts.push(0);
            }
            starts[group_of[original as usize] as usize + 1] += 1;
        }
        for group in 1..starts.len() {
            starts[group] += starts[group - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; documents.len()];
        for (&document, &original) in documents.iter().zip(&originals) {
            let slot = &mut next[group_of[original as usize] as usize];
            members[*slot as usize] = document;
            *slot += 1;
        }
        let crowds = (0..starts.len() as u32 - 1)
            .filter(|&group| starts[group as usize + 1] - starts[group as usize] > 1)
            .collect();
        let group = |place: u32| group_of[place as usize];
        let mut pairs: Vec<_> =
            pairs.iter().map(|pair| (group(pair.a), group(pair.b), pair.distance)).collect();
        pairs.sort_unstable();
        Near { members, starts, crowds, pairs }
    }

    /// How many documents there are in each group of two or more with one fingerprint.
    pub fn group_sizes(&self) -> impl Iterator<Item = usize> {
        let size = |group: usize| self.starts[group + 1] - self.starts[group];
        self.crowds.iter().map(move |&group| size(group as usize) as usize)
    }

    /// The units, in rounds of at most `size`: a round must know what hangs together by the rounds before. The groups come
    /// first, so that pairs of groups are seldom compared member by member.
    pub fn rounds(&self, size: usize) -> Vec<Range<usize>> {
        let cut = |units: Range<usize>| {
            let end = units.end;
            units.step_by(size).map(move |start| start..end.min(start.saturating_add(size)))
        };
        let crowds = self.crowds.len();
        cut(0..crowds).chain(cut(crowds..crowds + self.pairs.len())).collect()
    }

    /// Calls `involve` for the documents of a unit, unless `involved` says that it has been called for them.
    pub fn involve(&self, unit: usize, involved: impl Fn(u32) -> bool, mut involve: impl FnMut(u32)) {
        let (left, right, _) = self.unit(unit);
        for group in [left, right] {
            // A group is called for as a whole, and may be in many units.
            if group.first().is_some_and(|&first| !involved(first)) {
                group.iter().copied().for_each(&mut involve);
            }
        }
    }

    /// Appends every pair of a unit that is alike, until `found` holds `most`.
    pub fn matches<'f>(
        &self,
        unit: usize,
        judge: &mut Judge<'_, impl Fn(u32) -> Set<'f>>,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let (left, right, distance) = self.unit(unit);
        let mut tally = Tally::default();
        for (index, &a) in left.iter().enumerate() {
            if found.len() >= most {
                break;
            }
            let others = if right.is_empty() { &left[index + 1..] } else { right };
            let mut held = false;
            tally += Tally { candidates: others.len() as u64, compared: others.len() as u64, led: 0 };
            for &b in others {
                let likeness = judge.judge(a, b, distance, &mut held);
                found.extend(likeness.map(|likeness| matched(a, b, likeness)));
            }
        }
        tally
    }

    /// Appends pairs of a unit that are alike, enough to connect whatever its pairs connect; `roots` are those before its
    /// round. If the distance decides, that is one pair for each group and each member.
    ///
    /// Of groups of more than 1,024 each member is compared with the first one of every cluster only, as in
    /// [`Join::links`](crate::Join::links); of two groups that make more than 2²⁰ pairs, the first ones of their clusters.
    pub fn links<'f>(
        &self,
        unit: usize,
        roots: &[u32],
        judge: &mut Judge<'_, impl Fn(u32) -> Set<'f>>,
        found: &mut Vec<Match>,
    ) -> Tally {
        let (left, right, distance) = self.unit(unit);
        let mut tally = Tally::default();
        if matches!(judge, Judge::Distance) {
            // The first one stands for its group.
            let others = if right.is_empty() { &left[1..] } else { &right[..1] };
            let apart = others.iter().filter(|&&other| roots[other as usize] != roots[left[0] as usize]);
            found.extend(apart.map(|&other| matched(left[0], other, Likeness::Hamming(distance))));
            tally.candidates = others.len() as u64;
            return tally;
        }
        let mut compare = |a: u32, b: u32, held: &mut bool| {
            tally += Tally { candidates: 1, compared: 1, led: 0 };
            judge.judge(a, b, distance, held)
        };
        if right.is_empty() {
            let members = |earlier: u32, later: u32| (left[later as usize], left[earlier as usize]);
            let compare = |earlier, later, held: &mut bool| {
                let (a, b) = members(earlier, later);
                compare(a, b, held)
            };
            link(left, roots, compare, found);
            tally.led = u64::from(left.len() > LED);
            return tally;
        }
        let is_large = left.len() * right.len() > LED * LED;
        let members = |group: &[u32]| if is_large { firsts(group, roots) } else { group.to_vec() };
        let (left, right) = (members(left), members(right));
        let mut known: Vec<u32> = left.iter().chain(&right).map(|&member| roots[member as usize]).collect();
        known.sort_unstable();
        known.dedup();
        let set_of = |member: u32| known.partition_point(|&root| root < roots[member as usize]) as u32;
        let mut sets = UnionFind::new(known.len());
        for &a in &left {
            let mut held = false;
            for &b in &right {
                if sets.find(set_of(a)) == sets.find(set_of(b)) {
                    continue;
                }
                if let Some(likeness) = compare(a, b, &mut held) {
                    found.push(matched(a, b, likeness));
                    sets.unite(set_of(a), set_of(b));
                }
            }
        }
        tally.led = u64::from(is_large);
        tally
    }

    /// The groups of a unit, the second one empty for a single group; and the distance.
    fn unit(&self, unit: usize) -> (&[u32], &[u32], u32) {
        match unit.checked_sub(self.crowds.len()) {
            None => (self.group(self.crowds[unit]), &[], 0),
            Some(pair) => {
                let (left, right, distance) = self.pairs[pair];
                (self.group(left), self.group(right), distance)
            }
        }
    }

    fn group(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

fn matched(a: u32, b: u32, likeness: Likeness) -> Match {
    Match { a: a.min(b), b: a.max(b), likeness }
}

/// The first member of every cluster in a group.
fn firsts(group: &[u32], roots: &[u32]) -> Vec<u32> {
    let mut firsts: Vec<(u32, u32)> = group.iter().map(|&member| (roots[member as usize], member)).collect();
    firsts.sort_unstable();
    firsts.dedup_by_key(|first| first.0);
    firsts.into_iter().map(|(_, member)| member).collect()
}
