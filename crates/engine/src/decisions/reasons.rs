//! Why documents were removed: the similarity of each to the kept one, and the clusters in which it is below the threshold.

use crate::clusters::compare::score_of;
use crate::clusters::evidence::Evidence;
use crate::decisions::{Cluster, Decisions, PartDecisions};
use crate::error::Error;
use crate::search::contained::ContainmentHit;
use crate::work::Work;
use bytemuck::{Pod, Zeroable};
use lookalike::compare::{Comparer, cosine};
use lookalike::{Match, Plan, Score, Similarity};
use lookalike_store::{Column, ColumnWriter};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// Why a document was removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// Its similarity to the document that is kept for it.
    pub score: Score,
    /// The share of the removed document that the kept one contains, if it is known.
    pub containment: Option<Similarity>,
    /// The share of the shorter one that is in the other, if the document was removed for containment.
    pub contained: Option<Similarity>,
}

/// A [`Reason`] as a column stores it, in half of the bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct PackedReason {
    score: u64,
    containment: u64,
    contained: u64,
}

/// A cluster with a document whose similarity to the one kept for it is below the threshold: chains of pairs connect the two.
#[derive(Clone, Copy, Debug)]
pub struct Loose {
    /// The index of the cluster.
    pub cluster: usize,
    /// The index of the member that is the least similar to the one that is kept for it.
    pub member: usize,
    /// Their similarity.
    pub score: Score,
}

/// The reasons for all removed documents.
#[derive(Debug, Default)]
pub struct Reasons {
    /// For every member of all clusters, kept ones too, which are compared with themselves. Empty if nobody asked for them.
    of_members: Column<PackedReason>,
    /// The number of loose clusters.
    pub loose: u64,
    /// The loosest clusters, at most five.
    pub loosest: Vec<Loose>,
}

/// Loose clusters that are named: enough to see the kind.
const LOOSEST: usize = 5;

/// Members of a cluster that a thread takes at a time: a cluster may hold most of the corpus.
const PIECE: usize = 4096;

/// Members whose reasons are found before they are stored: enough to keep all threads at work.
const BLOCK: usize = 1 << 16;

/// The name of the column, if it is on disk.
const COLUMN: &str = "reasons";

impl Reasons {
    /// The reasons for `decisions`, which were made by `pairs`. With `all` they are stored for all members, on disk if the run has a
    /// folder. Otherwise only loose clusters are found.
    pub fn new(
        decisions: &Decisions,
        pairs: &[Match],
        evidence: Evidence<'_>,
        work: &Work,
        all: bool,
    ) -> Result<Self, Error> {
        debug_assert!(pairs.is_sorted_by_key(|pair| (pair.a, pair.b)), "pairs are looked up");
        let mut reasons = Reasons::default();
        // A pair has the similarity of two documents, which is enough to find loose clusters. It does not have their containment.
        let pairs = if all { &[] } else { pairs };
        let folder = work.folder().filter(|_| all);
        let mut column: Option<ColumnWriter<PackedReason>> =
            folder.map(|folder| folder.start_column(COLUMN)).transpose()?;
        if all && folder.is_none() {
            reasons.of_members.memory().reserve_exact(decisions.members());
        }
        let mut pieces = pieces(decisions).peekable();
        let (mut block, mut last) = (Vec::new(), None);
        while pieces.peek().is_some() {
            for loose in of_block(decisions, pairs, &mut pieces, evidence, &mut block) {
                last = reasons.take(last, loose);
            }
            match &mut column {
                Some(column) => column.extend(&block)?,
                None if all => reasons.of_members.memory().extend_from_slice(&block),
                None => {}
            }
        }
        last.into_iter().for_each(|loose| reasons.count(loose));
        if let Some((folder, column)) = folder.zip(column) {
            reasons.of_members = Column::Disk(folder.finish_column(COLUMN, column)?);
        }
        Ok(reasons)
    }

    /// The loose clusters of several parts, each with its decisions. `merged` has the decisions of all parts.
    pub fn merged(parts: Vec<Reasons>, decided: &[PartDecisions], merged: &Decisions) -> Self {
        let mut reasons = Reasons::default();
        for (part, decisions) in parts.into_iter().zip(decided) {
            debug_assert!(part.of_members.is_empty(), "parts have no reasons for members");
            reasons.loose += part.loose;
            reasons.loosest.extend(part.loosest.into_iter().filter_map(|loose| {
                let (cluster, _) = merged.find(decisions.first(loose.cluster))?;
                Some(Loose { cluster, ..loose })
            }));
        }
        reasons.loosest.sort_by(|a, b| looser(a.score, b.score).then(a.cluster.cmp(&b.cluster)));
        reasons.loosest.truncate(LOOSEST);
        reasons
    }

    /// Takes the loosest member of the next piece. `last` is the loosest member of the cluster so far, and the result is the new one.
    fn take(&mut self, last: Option<Loose>, loose: Loose) -> Option<Loose> {
        match last {
            Some(last) if last.cluster == loose.cluster => {
                let is_looser = looser(loose.score, last.score).is_lt();
                return Some(if is_looser { loose } else { last });
            }
            Some(last) => self.count(last),
            None => {}
        }
        Some(loose)
    }

    /// Counts a loose cluster.
    fn count(&mut self, loose: Loose) {
        self.loose += 1;
        self.loosest.push(loose);
        self.loosest.sort_by(|a, b| looser(a.score, b.score));
        self.loosest.truncate(LOOSEST);
    }

    /// These reasons, for the members of all clusters, in memory.
    pub fn of(reasons: impl IntoIterator<Item = Reason>) -> Self {
        let of_members = Column::Memory(reasons.into_iter().map(PackedReason::from).collect());
        Reasons { of_members, ..Reasons::default() }
    }

    /// The reasons for the members of a cluster, in their order. Empty if nobody asked for them.
    pub fn of_cluster(&self, decisions: &Decisions, index: usize) -> impl Iterator<Item = Reason> + '_ {
        self.of_members.get(decisions.range(index)).unwrap_or_default().iter().map(|&packed| packed.into())
    }

    /// The reason for one member of a cluster, or `None` if nobody asked for reasons.
    pub fn of_member(&self, decisions: &Decisions, index: usize, member: usize) -> Option<Reason> {
        self.of_members.get(decisions.range(index).start + member).map(|&packed| packed.into())
    }
}

impl From<Reason> for PackedReason {
    fn from(reason: Reason) -> Self {
        // The score of a distance stands for `None`.
        let bits = |share: Option<Similarity>| share.map_or(Score::Hamming(0), Score::Similarity).to_bits();
        PackedReason {
            score: reason.score.to_bits(),
            containment: bits(reason.containment),
            contained: bits(reason.contained),
        }
    }
}

impl From<PackedReason> for Reason {
    fn from(packed: PackedReason) -> Self {
        let share = |bits| Score::from_bits(bits).similarity();
        Reason {
            score: Score::from_bits(packed.score),
            containment: share(packed.containment),
            contained: share(packed.contained),
        }
    }
}

/// Some members of a cluster.
struct MemberRun {
    /// The index of the cluster.
    cluster: usize,
    /// The indexes of the members in it.
    members: Range<usize>,
}

/// The pieces of all clusters, in order.
fn pieces(decisions: &Decisions) -> impl Iterator<Item = MemberRun> + '_ {
    (0..decisions.len()).flat_map(|index| {
        let members = decisions.range(index).len();
        let piece = move |start| MemberRun { cluster: index, members: start..members.min(start + PIECE) };
        (0..members).step_by(PIECE).map(piece)
    })
}

/// Puts the reasons of the next [`BLOCK`] of members into `block`. Returns the loosest member of each piece that has one, in order.
fn of_block(
    decisions: &Decisions,
    pairs: &[Match],
    pieces: &mut impl Iterator<Item = MemberRun>,
    evidence: Evidence<'_>,
    block: &mut Vec<PackedReason>,
) -> Vec<Loose> {
    let mut members = 0;
    let mut here = Vec::new();
    while members < BLOCK
        && let Some(piece) = pieces.next()
    {
        members += piece.members.len();
        here.push(piece);
    }
    block.clear();
    block.resize(members, PackedReason::zeroed());
    let mut rest = &mut block[..];
    let mut parts = Vec::with_capacity(here.len());
    for piece in here {
        let (part, others) = std::mem::take(&mut rest).split_at_mut(piece.members.len());
        parts.push((piece, part));
        rest = others;
    }
    let plan = &evidence.request.plan;
    let of_piece = |comparer: &mut Comparer, (piece, reasons): (MemberRun, &mut [PackedReason])| {
        let MemberRun { cluster: index, members } = piece;
        let cluster = decisions.cluster(index);
        let cluster =
            Cluster { members: &cluster.members[members.clone()], kept: &cluster.kept[members.clone()] };
        if plan.verifies() || by_sketches(cluster, evidence, reasons).is_none() {
            by_features(comparer, cluster, pairs, evidence, reasons);
        }
        let (member, score) = loosest(plan, reasons)?;
        Some(Loose { cluster: index, member: members.start + member, score })
    };
    let comparer = || Comparer::with_level(evidence.request.level);
    let found: Vec<Option<Loose>> = parts.into_par_iter().map_init(comparer, of_piece).collect();
    found.into_iter().flatten().collect()
}

/// Finds the reasons of a cluster by sketches, or `None` if there are none.
fn by_sketches(cluster: Cluster<'_>, evidence: Evidence<'_>, reasons: &mut [PackedReason]) -> Option<()> {
    for ((member, kept), place) in cluster.decisions().zip(reasons) {
        let score = evidence.documents.sketches.score(kept, member)?;
        *place = Reason { score, containment: None, contained: None }.into();
    }
    Some(())
}

/// Finds the reasons of a cluster by features. The documents of `pairs` are not compared again.
fn by_features(
    comparer: &mut Comparer,
    cluster: Cluster<'_>,
    pairs: &[Match],
    evidence: Evidence<'_>,
    reasons: &mut [PackedReason],
) {
    let plan = &evidence.request.plan;
    let same = Reason { score: plan.score_of_copies(), containment: Some(Similarity::SAME), contained: None };
    // The members that must be compared: the document kept for each, and its index.
    let mut compared: Vec<(u32, u32)> = Vec::new();
    for (index, ((member, kept), place)) in (0..).zip(cluster.decisions().zip(&mut *reasons)) {
        let hit = evidence.contained.of(member);
        *place = hit.map_or(same, |hit| by_containment(plan, hit)).into();
        if hit.is_some() || evidence.are_copies(member, kept) {
            continue;
        }
        match score_of(pairs, evidence, member, kept) {
            Some(score) => *place = Reason { score, containment: None, contained: None }.into(),
            None => compared.push((kept, index)),
        }
    }
    compared.sort_unstable();
    for members in compared.chunk_by(|a, b| a.0 == b.0) {
        let kept = evidence.set(members[0].0);
        comparer.hold(kept.features);
        for &(_, index) in members {
            let member = evidence.set(cluster.members[index as usize]);
            let overlap = comparer.overlap(member.features);
            let similarity = match plan.compares_weights() {
                true => cosine(kept, member),
                false => plan.measure().of(overlap),
            };
            let containment = Some(overlap.containment_of_right());
            let score = Score::Similarity(similarity);
            reasons[index as usize] = Reason { score, containment, contained: None }.into();
        }
    }
}

fn by_containment(plan: &Plan, hit: &ContainmentHit) -> Reason {
    Reason {
        score: Score::Similarity(plan.measure().of(hit.overlap)),
        containment: Some(hit.overlap.containment_of_left()),
        contained: Some(hit.overlap.containment()),
    }
}

/// The member that is the least similar to the one kept for it, if that is below the threshold, and their similarity. The first of equals.
fn loosest(plan: &Plan, reasons: &[PackedReason]) -> Option<(usize, Score)> {
    let reasons = reasons.iter().map(|&packed| Reason::from(packed)).enumerate();
    reasons
        .filter(|(_, reason)| reason.contained.is_none() && !plan.accepts(reason.score))
        .map(|(member, reason)| (member, reason.score))
        .min_by(|(_, a), (_, b)| looser(*a, *b))
}

/// The order from the least to the most similar.
fn looser(a: Score, b: Score) -> Ordering {
    b.by_nearness(&a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_reason_is_the_same_again() {
        let of = |bits| Score::from_bits(bits).similarity();
        let third = of((1.0_f64 / 3.0).to_bits());
        for score in [Score::Hamming(0), Score::Hamming(7), Score::Similarity(Similarity::SAME)] {
            for containment in [None, Some(Similarity::SAME), Some(Similarity::default()), third] {
                for contained in [None, Some(Similarity::default()), third] {
                    let reason = Reason { score, containment, contained };
                    assert_eq!(Reason::from(PackedReason::from(reason)), reason);
                }
            }
        }
    }

    #[test]
    fn a_cluster_in_pieces_is_as_loose_as_its_loosest_piece_and_counted_once() {
        let loose = |(cluster, member, bits)| Loose { cluster, member, score: Score::Hamming(bits) };
        let found = [(0, 1, 9), (0, 5000, 12), (0, 9000, 12), (2, 1, 20), (3, 4, 7), (3, 8000, 6)];
        let (mut reasons, mut last) = (Reasons::default(), None);
        for loose in found.map(loose) {
            last = reasons.take(last, loose);
        }
        reasons.count(last.expect("there are some"));
        let loosest = reasons.loosest.iter().map(|loose| (loose.cluster, loose.member));
        assert_eq!(loosest.collect::<Vec<_>>(), [(2, 1), (0, 5000), (3, 4)]);
        assert_eq!(reasons.loose, 3);
    }
}
