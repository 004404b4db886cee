//! The search for pairs by any method, in rounds of blocks. The blocks of a round can be processed in parallel. Later
//! rounds use the results of earlier ones.

use crate::cluster::Buckets;
use crate::compare::measure::{Set, Verifier};
use crate::plan::Plan;
use crate::search::exact::{ExactJoin, Prober};
use crate::search::executor::Executor;
use crate::search::families::{FamilyJoin, PairCollector, Visited, WorkBlock};
use crate::search::fingerprints::{HammingCandidates, PairVerifier};
use crate::search::lsh::{Join, Tally};
use crate::search::parts::{SearchPart, SearchParts};
use crate::simd::Level;
use crate::similarity::Match;
use std::ops::{Deref, Range};

/// The search for pairs: candidates by bands, near fingerprints or rare features, and their comparison.
///
/// [`PairCandidates`] become a search when their families are joined. A program with threads processes the blocks of a
/// round on them, with a [`PairSearchWorker`] for each thread. [`PairSearch::links`] finds clusters,
/// [`PairSearch::matches`] finds all pairs.
pub struct PairSearch<'a, Numbers = Vec<u32>> {
    /// The pairs within large buckets, or large groups of fingerprints. They take the first rounds.
    families: FamilyJoin,
    candidates: PairCandidates<'a, Numbers>,
}

/// The candidates of a search, before the features of any document are needed.
///
/// [`PairCandidates::mark`] says which documents may be compared. With their features,
/// [`PairCandidates::join_families`] makes the [`PairSearch`].
pub struct PairCandidates<'a, Numbers = Vec<u32>>(Blocks<'a, Numbers>);

/// The rounds after the families.
enum Blocks<'a, Numbers> {
    /// Rounds are bands, blocks are their buckets.
    Bands { join: Join<'a>, buckets: Vec<Buckets<Numbers>>, verifies: bool },
    /// Rounds are ranges of [`HammingCandidates::rounds`].
    Fingerprints { near: HammingCandidates, rounds: Vec<Range<usize>>, verifies: bool },
    /// Rounds are ranges of [`ExactJoin::rounds`].
    Exact { join: ExactJoin<'a>, rounds: Vec<Range<usize>> },
}

/// The buffers of one thread.
pub struct PairSearchWorker {
    verifier: Verifier,
    visited: Visited,
    /// Created when the exact join first needs it.
    prober: Option<Prober>,
}

impl PairSearchWorker {
    /// A worker for one thread that compares by `plan`.
    pub fn new(plan: &Plan, level: Level) -> Self {
        let verifier = Verifier::new(level, plan.measure(), plan.threshold());
        PairSearchWorker { verifier, visited: Visited::default(), prober: None }
    }
}

/// Blocks that a thread takes at a time: enough to make its start cheap, few enough to share the work evenly.
const STRETCH: usize = 64;

/// Blocks in a round of near fingerprints: enough to keep all threads busy, few enough that documents of one cluster
/// are rarely compared again.
const ROUND: usize = 1 << 16;

impl<'a, Numbers: Deref<Target = [u32]>> PairCandidates<'a, Numbers> {
    /// The candidates among the `buckets` of every band.
    pub fn of_bands(mut join: Join<'a>, buckets: Vec<Buckets<Numbers>>, plan: &Plan) -> Self {
        if plan.verifies() && !plan.compares_weights() {
            join.set_apart(buckets.iter().flat_map(Buckets::iter));
        }
        PairCandidates(Blocks::Bands { join, buckets, verifies: plan.verifies() })
    }

    /// The candidates among near fingerprints of `documents` documents.
    pub fn of_fingerprints(mut near: HammingCandidates, documents: usize, plan: &Plan) -> Self {
        if plan.verifies() && !plan.compares_weights() {
            near.set_apart(documents);
        }
        PairCandidates(Blocks::Fingerprints { rounds: near.rounds(ROUND), near, verifies: plan.verifies() })
    }

    /// The candidates among sets of features that share rare ones.
    pub fn of_features(join: ExactJoin<'a>) -> Self {
        PairCandidates(Blocks::Exact { rounds: join.rounds(), join })
    }

    /// The search among these candidates. The pairs within large buckets are prepared by the features of their
    /// documents.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn join_families<'f, E: Executor>(
        self,
        plan: &Plan,
        features: impl Fn(u32) -> &'f [u64] + Sync,
        executor: &E,
    ) -> Result<PairSearch<'a, Numbers>, E::Stopped> {
        let families = match &self.0 {
            Blocks::Bands { join, .. } => Some(join.families()),
            Blocks::Fingerprints { near, .. } => Some(near.families()),
            Blocks::Exact { .. } => None,
        };
        let join = |families| FamilyJoin::new(families, features, plan.measure(), plan.threshold(), executor);
        let families = families.map(join).transpose()?.unwrap_or_default();
        Ok(PairSearch { families, candidates: self })
    }

    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        match &self.0 {
            Blocks::Bands { buckets, .. } => buckets.len(),
            Blocks::Fingerprints { rounds, .. } | Blocks::Exact { rounds, .. } => rounds.len(),
        }
    }

    /// The number of blocks in a round.
    pub fn blocks(&self, round: usize) -> usize {
        match &self.0 {
            Blocks::Bands { buckets, .. } => buckets[round].len(),
            Blocks::Fingerprints { rounds, .. } | Blocks::Exact { rounds, .. } => rounds[round].len(),
        }
    }

    /// The number of blocks of a round that a thread should take at a time.
    pub fn stretch(&self) -> usize {
        match self.0 {
            Blocks::Bands { .. } | Blocks::Fingerprints { .. } => STRETCH,
            Blocks::Exact { .. } => 1,
        }
    }

    /// Calls `each` with the number of documents in every bucket of every band, or in every group with one fingerprint.
    pub fn for_each_bucket(&self, each: impl FnMut(usize)) {
        match &self.0 {
            Blocks::Bands { buckets, .. } => {
                buckets.iter().flat_map(Buckets::iter).map(<[u32]>::len).for_each(each);
            }
            Blocks::Fingerprints { near, .. } => near.group_sizes().for_each(each),
            Blocks::Exact { .. } => {}
        }
    }

    /// Whether candidates by sketches are compared by their features.
    ///
    /// They are not if sketches decide alone, and the exact join has no sketches.
    pub fn are_compared(&self) -> bool {
        matches!(self.0, Blocks::Bands { verifies: true, .. } | Blocks::Fingerprints { verifies: true, .. })
    }

    /// Parts of the documents that [`PairCandidates::mark`] has marked. The sum of `weight` in each is near `most`, or less,
    /// unless documents are connected. `None` if the search is not by bands, or compares no features.
    pub fn parts(
        &self,
        is_marked: impl Fn(u32) -> bool,
        weight: impl Fn(u32) -> u64,
        most: u64,
    ) -> Option<SearchParts> {
        let Blocks::Bands { join, buckets, verifies: true } = &self.0 else { return None };
        let documents = join.originals().len();
        let buckets = buckets.iter().flat_map(Buckets::iter);
        Some(SearchParts::new(documents, buckets, join.families(), is_marked, weight, most))
    }

    /// Marks the documents of a block that may be compared. `mark` marks a document, and `is_marked` says whether it is
    /// marked.
    pub fn mark(
        &self,
        WorkBlock { round, block }: WorkBlock,
        is_marked: impl Fn(u32) -> bool,
        mark: impl Fn(u32),
    ) {
        match &self.0 {
            Blocks::Bands { join, buckets, verifies: true } => {
                join.mark_candidates(buckets[round].bucket(block), is_marked, mark)
            }
            Blocks::Fingerprints { near, rounds, verifies: true } => {
                near.mark_candidates(rounds[round].start + block, is_marked, mark);
            }
            Blocks::Bands { .. } | Blocks::Fingerprints { .. } | Blocks::Exact { .. } => {}
        }
    }
}

impl<Numbers: Deref<Target = [u32]>> PairSearch<'_, Numbers> {
    /// The number of rounds.
    pub fn rounds(&self) -> usize {
        self.families.rounds() + self.candidates.rounds()
    }

    /// The number of blocks in a round.
    pub fn blocks(&self, round: usize) -> usize {
        match round.checked_sub(self.families.rounds()) {
            None => self.families.blocks(round),
            Some(round) => self.candidates.blocks(round),
        }
    }

    /// The number of blocks of a round that a thread should take at a time.
    pub fn stretch(&self, round: usize) -> usize {
        if round < self.families.rounds() { 1 } else { self.candidates.stretch() }
    }

    /// Whether there are buckets. The exact join has none.
    pub fn has_buckets(&self) -> bool {
        !matches!(self.candidates.0, Blocks::Exact { .. })
    }

    /// Like [`PairCandidates::for_each_bucket`].
    pub fn for_each_bucket(&self, each: impl FnMut(usize)) {
        self.candidates.for_each_bucket(each);
    }

    /// Whether a block is visited in `part`. Each block is visited in one part.
    pub fn visits(&self, WorkBlock { round, block }: WorkBlock, part: SearchPart<'_>) -> bool {
        match (round.checked_sub(self.families.rounds()), &self.candidates.0) {
            (Some(round), Blocks::Bands { buckets, .. }) => part.visits(buckets[round].bucket(block)),
            _ => part.is_first(),
        }
    }

    /// Appends similar pairs of a block, enough to connect all documents that its pairs connect. `roots` are the roots
    /// of the clusters before this round.
    pub fn links<'f>(
        &self,
        WorkBlock { round, block }: WorkBlock,
        roots: &[u32],
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut PairSearchWorker,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut collector = self.collector(set, worker, usize::MAX, found);
            self.families.links(WorkBlock { round, block }, roots, &mut collector);
            return collector.tally;
        };
        let PairSearchWorker { verifier, prober, .. } = worker;
        match &self.candidates.0 {
            Blocks::Bands { join, buckets, verifies } => join.links(
                round,
                buckets[round].bucket(block),
                roots,
                &mut pair_verifier(*verifies, verifier, set),
                found,
            ),
            Blocks::Fingerprints { near, rounds, verifies } => near.links(
                rounds[round].start + block,
                roots,
                &mut pair_verifier(*verifies, verifier, set),
                found,
            ),
            Blocks::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.links(rounds[round].start + block, roots, prober, found)
            }
        }
    }

    /// Appends every similar pair of a block, until `found` holds `most`.
    pub fn matches<'f>(
        &self,
        WorkBlock { round, block }: WorkBlock,
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut PairSearchWorker,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut collector = self.collector(set, worker, most, found);
            self.families.matches(WorkBlock { round, block }, &mut collector);
            return collector.tally;
        };
        let PairSearchWorker { verifier, prober, .. } = worker;
        match &self.candidates.0 {
            Blocks::Bands { join, buckets, verifies } => join.matches(
                round,
                buckets[round].bucket(block),
                &mut pair_verifier(*verifies, verifier, set),
                most,
                found,
            ),
            Blocks::Fingerprints { near, rounds, verifies } => near.matches(
                rounds[round].start + block,
                &mut pair_verifier(*verifies, verifier, set),
                most,
                found,
            ),
            Blocks::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.matches(rounds[round].start + block, prober, most, found)
            }
        }
    }

    /// Whether two documents are candidates. With features alone, all are.
    pub fn may_be_similar(&self, a: u32, b: u32) -> bool {
        match &self.candidates.0 {
            Blocks::Bands { join, .. } => join.may_be_similar(a.min(b), a.max(b)),
            Blocks::Fingerprints { near, .. } => near.may_be_similar(a, b),
            Blocks::Exact { .. } => true,
        }
    }

    /// The fingerprints, if their distance decides alone.
    pub fn decided_by_distance(&self) -> Option<&HammingCandidates> {
        match &self.candidates.0 {
            Blocks::Fingerprints { near, verifies: false, .. } => Some(near),
            _ => None,
        }
    }

    /// The collector that compares pairs within families.
    fn collector<'w, S>(
        &'w self,
        set: S,
        worker: &'w mut PairSearchWorker,
        most: usize,
        found: &'w mut Vec<Match>,
    ) -> PairCollector<'w, S, impl Fn(u32, u32) -> bool> {
        let may_be_similar = |a: u32, b: u32| self.may_be_similar(a, b);
        let PairSearchWorker { verifier, visited, .. } = worker;
        PairCollector { set, may_be_similar, verifier, visited, most, found, tally: Tally::default() }
    }
}

fn pair_verifier<F>(verifies: bool, verifier: &mut Verifier, set: F) -> PairVerifier<'_, F> {
    if verifies { PairVerifier::Verify(verifier, set) } else { PairVerifier::Sketches }
}
