//! Documents with near fingerprints, in groups of equal ones.

use crate::hamming::HammingPair;
use crate::lsh::{LED, Likeness, Match, Tally, link};
use crate::measure::{Set, Verifier};

/// What a join of fingerprints found: groups of documents with the same fingerprint, and pairs of groups within the
/// distance. Each is a *unit* of work; units may be spread over threads, and nothing depends on their order.
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

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.crowds.len() + self.pairs.len()
    }

    /// Calls `involve` for each document of a unit.
    pub fn involve(&self, unit: usize, involve: impl FnMut(u32)) {
        let (left, right, _) = self.unit(unit);
        left.iter().chain(right).copied().for_each(involve);
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
                found.extend(likeness.map(|likeness| Match { a: a.min(b), b: a.max(b), likeness }));
            }
        }
        tally
    }

    /// Appends pairs of a unit that are alike, enough to connect whatever its pairs connect: see
    /// [`Join::links`](crate::Join::links).
    pub fn links<'f>(
        &self,
        unit: usize,
        roots: &[u32],
        judge: &mut Judge<'_, impl Fn(u32) -> Set<'f>>,
        found: &mut Vec<Match>,
    ) -> Tally {
        let (left, right, distance) = self.unit(unit);
        if let (&[a], &[b]) = (left, right) {
            // As nearly all are.
            if roots[a as usize] == roots[b as usize] {
                return Tally::default();
            }
            let likeness = judge.judge(a, b, distance, &mut false);
            found.extend(likeness.map(|likeness| Match { a: a.min(b), b: a.max(b), likeness }));
            return Tally { candidates: 1, compared: 1, led: 0 };
        }
        let mut members: Vec<u32> = left.iter().chain(right).copied().collect();
        members.sort_unstable();
        let mut tally = Tally { led: u64::from(members.len() > LED), ..Tally::default() };
        let is_left = |member: u32| left.binary_search(&members[member as usize]).is_ok();
        let compare = |earlier: u32, later: u32, held: &mut bool| {
            // Within a group of the two, the group's own unit decides.
            if !right.is_empty() && is_left(earlier) == is_left(later) {
                return None;
            }
            tally += Tally { candidates: 1, compared: 1, led: 0 };
            judge.judge(members[later as usize], members[earlier as usize], distance, held)
        };
        link(&members, roots, compare, found);
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
