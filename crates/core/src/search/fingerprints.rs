//! Candidates by near fingerprints: documents in groups with equal fingerprints, and pairs of near groups.

use crate::cluster::UnionFind;
use crate::cluster::partners::PartnerLists;
use crate::compare::measure::{Set, Verifier};
use crate::search::families::Families;
use crate::search::hamming::HammingPair;
use crate::search::lsh::{Tally, link};
use crate::similarity::{Match, Score};
use std::ops::Range;
use std::sync::OnceLock;

/// The results of a join of fingerprints: groups of documents with the same fingerprint, and pairs of groups within the
/// distance.
///
/// Each of these is a block of work. The blocks of a round may be spread over threads, and their order does not matter.
#[derive(Debug)]
pub struct HammingCandidates {
    /// The documents of all groups. Groups are in the order of their first documents, and members ascend.
    members: Vec<u32>,
    /// The start of each group, and the end of the last one.
    starts: Vec<u32>,
    /// The groups of two or more documents.
    crowds: Vec<u32>,
    /// Pairs of groups with the distance of their fingerprints, ascending.
    pairs: Vec<(u32, u32, u32)>,
    /// The documents, ascending, with their groups. Made when they are first needed.
    groups: OnceLock<Vec<(u32, u32)>>,
    /// The number of first documents whose pairs with each other are known.
    known: u32,
    /// Pairs within these families are left to a [`FamilyJoin`](crate::search::FamilyJoin).
    families: Families,
}

/// The test that decides whether the pairs of a block are similar.
pub enum PairVerifier<'v, F> {
    /// The sketches decide alone.
    Sketches,
    /// The features are compared. The function returns the set of a document.
    Verify(&'v mut Verifier, F),
}

impl<'f, F: Fn(u32) -> Set<'f>> PairVerifier<'_, F> {
    /// The score of two documents, if they are similar. By their sketches they are, with the score `of_sketches`.
    pub(crate) fn score(
        &mut self,
        left: u32,
        right: u32,
        of_sketches: Score,
        held: &mut bool,
    ) -> Option<Score> {
        match self {
            PairVerifier::Sketches => Some(of_sketches),
            PairVerifier::Verify(verifier, features) => {
                verifier.reaches(features(left), features(right), held).map(Score::Similarity)
            }
        }
    }
}

impl HammingCandidates {
    /// The candidates among `documents`, which ascend. A [`HammingJoin`](crate::search::HammingJoin) of their
    /// fingerprints found `copies` and `pairs`.
    pub fn new(documents: &[u32], copies: &[HammingPair], pairs: &[HammingPair]) -> Self {
        let mut originals: Vec<u32> = (0..documents.len() as u32).collect();
        copies.iter().for_each(|copy| originals[copy.b as usize] = copy.a);
        // A counting sort by original. Groups are in the order of their originals, and members ascend.
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
        HammingCandidates {
            members,
            starts,
            crowds,
            pairs,
            groups: OnceLock::new(),
            known: 0,
            families: Families::default(),
        }
    }

    /// The same candidates if the pairs among the first `documents` are known. Only later documents are then compared, with each other and with
    /// these. If the distance decides alone, nothing is compared, and known pairs are found again.
    pub fn knowing(self, documents: u32) -> Self {
        HammingCandidates { known: documents, ..self }
    }

    /// Whether another comparison has the pair: that of a family, or an earlier run.
    fn is_left_out(&self, a: u32, b: u32) -> bool {
        a.max(b) < self.known || self.families.join(a, b)
    }

    /// Sets blocks of many documents apart, among `documents` documents in total. A
    /// [`FamilyJoin`](crate::search::FamilyJoin) of [`HammingCandidates::families`] then finds their pairs.
    pub fn set_apart(&mut self, documents: usize) {
        let size = |group: u32| self.group(group).len();
        let large: Vec<(u32, u32)> = self
            .pairs
            .iter()
            .filter(|&&(left, right, _)| Families::are_large(size(left) + size(right)))
            .map(|&(left, right, _)| (left, right))
            .collect();
        // A group may be in many blocks, but its documents are connected once.
        let mut groups: Vec<u32> =
            self.crowds.iter().copied().filter(|&group| Families::are_large(size(group))).collect();
        groups.extend(large.iter().flat_map(|&(left, right)| [left, right]));
        groups.sort_unstable();
        groups.dedup();
        let near = &*self;
        let first = |group: u32| near.group(group)[0];
        let within = groups
            .iter()
            .flat_map(|&group| near.group(group).iter().map(move |&document| (first(group), document)));
        let between = large.iter().map(|&(left, right)| (first(left), first(right)));
        self.families = Families::of_links(documents, within.chain(between));
    }

    /// The group of a document that takes part.
    fn group_of(&self, document: u32) -> Option<u32> {
        let groups = self.groups.get_or_init(|| {
            let groups = 0..self.starts.len() as u32 - 1;
            let members =
                groups.flat_map(|group| self.group(group).iter().map(move |&document| (document, group)));
            let mut groups: Vec<(u32, u32)> = members.collect();
            groups.sort_unstable();
            groups
        });
        let place = groups.binary_search_by_key(&document, |&(document, _)| document).ok()?;
        Some(groups[place].1)
    }

    /// The documents that large blocks connect, if these were set apart.
    pub fn families(&self) -> &Families {
        &self.families
    }

    /// Whether the fingerprints of two documents are near, and the pair is not known. Pairs within families are tested this way.
    pub fn may_be_similar(&self, a: u32, b: u32) -> bool {
        if a.max(b) < self.known {
            return false;
        }
        let (Some(a), Some(b)) = (self.group_of(a), self.group_of(b)) else { return false };
        let pair = (a.min(b), a.max(b));
        a == b || self.pairs.binary_search_by_key(&pair, |&(left, right, _)| (left, right)).is_ok()
    }

    /// In the given order, the first document before each one whose fingerprint is near, among those for which there is
    /// none: the centres. A document for which `is_centre` is true is one in any case. The distance decides alone.
    pub fn centres(&self, documents: &[u32], is_centre: impl Fn(u32) -> bool) -> Vec<Match> {
        let groups = self.starts.len() - 1;
        let near = PartnerLists::new(groups, || self.pairs.iter().copied());
        // The first centre of each group takes every other document that is near the group, so the others are not needed.
        let mut first: Vec<Option<(u32, u32)>> = vec![None; groups];
        let mut taken = Vec::new();
        for (number, &document) in (0..).zip(documents) {
            let Some(group) = self.group_of(document) else { continue };
            let others = near.of(group).iter().copied();
            let centres = std::iter::once((group, 0)).chain(others).filter_map(|(group, distance)| {
                let (number, centre) = first[group as usize]?;
                Some((number, centre, distance))
            });
            match centres.min().filter(|_| !is_centre(document)) {
                Some((_, centre, distance)) => {
                    taken.push(matched(centre, document, Score::Hamming(distance)))
                }
                None => {
                    first[group as usize].get_or_insert((number, document));
                }
            }
        }
        taken
    }

    /// The number of documents in each group of two or more with the same fingerprint.
    pub(crate) fn group_sizes(&self) -> impl Iterator<Item = usize> {
        let size = |group: usize| self.starts[group + 1] - self.starts[group];
        self.crowds.iter().map(move |&group| size(group as usize) as usize)
    }

    /// The blocks in rounds of at most `size`. Each round must know the clusters made by earlier rounds. Single groups
    /// come first, so that pairs of groups are rarely compared member by member.
    pub fn rounds(&self, size: usize) -> Vec<Range<usize>> {
        let cut = |blocks: Range<usize>| {
            let end = blocks.end;
            blocks.step_by(size).map(move |start| start..end.min(start.saturating_add(size)))
        };
        let crowds = self.crowds.len();
        cut(0..crowds).chain(cut(crowds..crowds + self.pairs.len())).collect()
    }

    /// Calls `mark` for the documents of a block. Groups whose first document `is_marked` are skipped.
    pub fn mark_candidates(&self, block: usize, is_marked: impl Fn(u32) -> bool, mut mark: impl FnMut(u32)) {
        let (left, right, _) = self.block(block);
        for group in [left, right] {
            // Groups are marked as a whole, and may be in many blocks.
            if group.first().is_some_and(|&first| !is_marked(first)) {
                group.iter().copied().for_each(&mut mark);
            }
        }
    }

    /// Appends every similar pair of a block, until `found` holds `most`.
    pub fn matches<'f>(
        &self,
        block: usize,
        pair_verifier: &mut PairVerifier<'_, impl Fn(u32) -> Set<'f>>,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let (left, right, distance) = self.block(block);
        let mut tally = Tally::default();
        if self.in_family(left, right) {
            return tally;
        }
        for (index, &a) in left.iter().enumerate() {
            if found.len() >= most {
                break;
            }
            let others = if right.is_empty() { &left[index + 1..] } else { right };
            let mut held = false;
            for &b in others.iter().filter(|&&b| !self.is_left_out(a, b)) {
                tally += Tally { candidates: 1, compared: 1 };
                let score = pair_verifier.score(a, b, Score::Hamming(distance), &mut held);
                found.extend(score.map(|score| matched(a, b, score)));
            }
        }
        tally
    }

    /// Appends similar pairs of a block, enough to connect all documents that its pairs connect. `roots` are the roots
    /// before its round. If the distance decides, this is one pair for each member or pair of groups.
    pub fn links<'f>(
        &self,
        block: usize,
        roots: &[u32],
        pair_verifier: &mut PairVerifier<'_, impl Fn(u32) -> Set<'f>>,
        found: &mut Vec<Match>,
    ) -> Tally {
        let (left, right, distance) = self.block(block);
        let mut tally = Tally::default();
        if matches!(pair_verifier, PairVerifier::Sketches) {
            // The first document stands for its group.
            let others = if right.is_empty() { &left[1..] } else { &right[..1] };
            let apart = others.iter().filter(|&&other| roots[other as usize] != roots[left[0] as usize]);
            found.extend(apart.map(|&other| matched(left[0], other, Score::Hamming(distance))));
            tally.candidates = others.len() as u64;
            return tally;
        }
        if self.in_family(left, right) {
            return tally;
        }
        let mut compare = |a: u32, b: u32, held: &mut bool| {
            tally += Tally { candidates: 1, compared: 1 };
            pair_verifier.score(a, b, Score::Hamming(distance), held)
        };
        if right.is_empty() {
            let members = |earlier: u32, later: u32| (left[later as usize], left[earlier as usize]);
            let compare = |earlier, later, held: &mut bool| {
                let (a, b) = members(earlier, later);
                if self.is_left_out(a, b) { None } else { compare(a, b, held) }
            };
            link(left, roots, compare, found);
            return tally;
        }
        let (left, right) = (clusters(left, roots), clusters(right, roots));
        let mut known: Vec<u32> = left.iter().chain(&right).map(|&(root, _)| root).collect();
        known.sort_unstable();
        known.dedup();
        let set_of = |root: u32| known.partition_point(|&other| other < root) as u32;
        let mut sets = UnionFind::new(known.len());
        for (left_root, left) in &left {
            for (right_root, right) in &right {
                if sets.find(set_of(*left_root)) == sets.find(set_of(*right_root)) {
                    continue;
                }
                let similar = left.iter().find_map(|&a| {
                    let mut held = false;
                    right
                        .iter()
                        .filter(|&&b| !self.is_left_out(a, b))
                        .find_map(|&b| compare(a, b, &mut held).map(|score| matched(a, b, score)))
                });
                if let Some(pair) = similar {
                    found.push(pair);
                    sets.unite(set_of(*left_root), set_of(*right_root));
                }
            }
        }
        tally
    }

    /// Whether a family has the pairs between two groups, or within `left` if `right` is empty.
    fn in_family(&self, left: &[u32], right: &[u32]) -> bool {
        Families::are_large(left.len() + right.len())
            && self.families.join(left[0], *right.first().unwrap_or(&left[1]))
    }

    /// The groups of a block and their distance. The second one is empty for a single group.
    fn block(&self, block: usize) -> (&[u32], &[u32], u32) {
        match block.checked_sub(self.crowds.len()) {
            None => (self.group(self.crowds[block]), &[], 0),
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

fn matched(a: u32, b: u32, score: Score) -> Match {
    Match { a: a.min(b), b: a.max(b), score }
}

/// The members of a group by their clusters.
fn clusters(group: &[u32], roots: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let mut members: Vec<(u32, u32)> = group.iter().map(|&member| (roots[member as usize], member)).collect();
    members.sort_unstable();
    let clusters = members.chunk_by(|a, b| a.0 == b.0);
    clusters.map(|cluster| (cluster[0].0, cluster.iter().map(|&(_, member)| member).collect())).collect()
}
