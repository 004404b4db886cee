//! The search for pairs, by any method, as rounds of units: units of a round may be done at the same time, and later rounds
//! know what earlier ones have found.

use crate::cluster::Buckets;
use crate::compare::measure::{Set, Verifier};
use crate::plan::Plan;
use crate::search::exact::{ExactJoin, Prober};
use crate::search::executor::Executor;
use crate::search::families::{FamilyJoin, PairCollector, Visited};
use crate::search::fingerprints::{HammingCandidates, PairVerifier};
use crate::search::lsh::{Join, Tally};
use crate::simd::Level;
use crate::similarity::Match;
use std::ops::{Deref, Range};

/// Candidates by bands, by near fingerprints or by rare features, and the comparison of each.
///
/// Whoever has threads does the units of a round on them, a [`PairSearchWorker`] for each thread. Which of [`PairSearch::links`] and
/// [`PairSearch::matches`] is asked for decides whether clusters or all pairs are found.
pub struct PairSearch<'a, Numbers = Vec<u32>> {
    /// The pairs of large buckets, or large groups of fingerprints: the first rounds.
    families: FamilyJoin,
    units: Units<'a, Numbers>,
}

/// The other rounds.
enum Units<'a, Numbers> {
    /// Rounds are bands, units their buckets.
    Bands { join: Join<'a>, buckets: Vec<Buckets<Numbers>> },
    /// Rounds are [`HammingCandidates::rounds`].
    Fingerprints { near: HammingCandidates, rounds: Vec<Range<usize>>, verifies: bool },
    /// Rounds are [`ExactJoin::rounds`].
    Exact { join: ExactJoin<'a>, rounds: Vec<Range<usize>> },
}

/// What a thread works with.
pub struct PairSearchWorker {
    verifier: Verifier,
    visited: Visited,
    /// Made when the exact join first needs it.
    prober: Option<Prober>,
}

impl PairSearchWorker {
    /// For one thread that compares by `plan`.
    pub fn new(plan: &Plan, level: Level) -> Self {
        let verifier = Verifier::new(level, plan.measure(), plan.threshold());
        PairSearchWorker { verifier, visited: Visited::default(), prober: None }
    }
}

/// Buckets, or groups, that a thread takes at a time: enough to make its start cheap, few enough to share the work evenly.
const STRETCH: usize = 64;

/// Units of a round of near fingerprints: enough to keep all threads at work, few enough that documents of one cluster
/// are seldom compared again.
const ROUND: usize = 1 << 16;

impl<'a, Numbers: Deref<Target = [u32]>> PairSearch<'a, Numbers> {
    /// By the `buckets` of every band.
    pub fn of_bands(mut join: Join<'a>, buckets: Vec<Buckets<Numbers>>, plan: &Plan) -> Self {
        if !plan.compares_weights() {
            join.set_apart(buckets.iter().flat_map(Buckets::iter));
        }
        Self::of(Units::Bands { join, buckets })
    }

    /// By near fingerprints, of so many documents.
    pub fn of_fingerprints(mut near: HammingCandidates, documents: usize, plan: &Plan) -> Self {
        if plan.verifies() && !plan.compares_weights() {
            near.set_apart(documents);
        }
        Self::of(Units::Fingerprints { rounds: near.rounds(ROUND), near, verifies: plan.verifies() })
    }

    /// By rare features.
    pub fn of_features(join: ExactJoin<'a>) -> Self {
        Self::of(Units::Exact { rounds: join.rounds(), join })
    }

    fn of(units: Units<'a, Numbers>) -> Self {
        PairSearch { families: FamilyJoin::default(), units }
    }

    /// Prepares the pairs of large buckets, by the features of their documents: to be called once, before any unit is done.
    pub fn join_families<'f>(
        &mut self,
        plan: &Plan,
        features: impl Fn(u32) -> &'f [u64] + Sync,
        executor: &impl Executor,
    ) {
        let families = match &self.units {
            Units::Bands { join, .. } => join.families(),
            Units::Fingerprints { near, .. } => near.families(),
            Units::Exact { .. } => return,
        };
        self.families = FamilyJoin::new(families, features, plan.measure(), plan.threshold(), executor);
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        let others = match &self.units {
            Units::Bands { buckets, .. } => buckets.len(),
            Units::Fingerprints { rounds, .. } | Units::Exact { rounds, .. } => rounds.len(),
        };
        self.families.rounds() + others
    }

    /// How many units a round has.
    pub fn units(&self, round: usize) -> usize {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            return self.families.units(round);
        };
        match &self.units {
            Units::Bands { buckets, .. } => buckets[round].len(),
            Units::Fingerprints { rounds, .. } | Units::Exact { rounds, .. } => rounds[round].len(),
        }
    }

    /// How many units of a round a thread takes at a time.
    pub fn stretch(&self, round: usize) -> usize {
        let small = round >= self.families.rounds() && !matches!(self.units, Units::Exact { .. });
        if small { STRETCH } else { 1 }
    }

    /// Are there buckets? Exact search has none.
    pub fn has_buckets(&self) -> bool {
        !matches!(self.units, Units::Exact { .. })
    }

    /// Calls `each` with the number of documents of every bucket, of every band, or of every group with one fingerprint.
    pub fn for_each_bucket(&self, each: impl FnMut(usize)) {
        match &self.units {
            Units::Bands { buckets, .. } => {
                buckets.iter().flat_map(Buckets::iter).map(<[u32]>::len).for_each(each);
            }
            Units::Fingerprints { near, .. } => near.group_sizes().for_each(each),
            Units::Exact { .. } => {}
        }
    }

    /// Are the candidates of sketches compared by their features? Not where the distance of fingerprints decides alone, nor where
    /// there are no sketches.
    pub fn compares_candidates(&self) -> bool {
        matches!(self.units, Units::Bands { .. } | Units::Fingerprints { verifies: true, .. })
    }

    /// Marks the documents of a unit that may be compared, before [`PairSearch::join_families`]: `mark` marks one, and
    /// `is_marked` says whether it is.
    pub fn involve(
        &self,
        (round, unit): (usize, usize),
        is_marked: impl Fn(u32) -> bool,
        mark: impl Fn(u32),
    ) {
        match &self.units {
            Units::Bands { join, buckets } => join.involve(buckets[round].bucket(unit), is_marked, mark),
            Units::Fingerprints { near, rounds, verifies: true } => {
                near.involve(rounds[round].start + unit, is_marked, mark);
            }
            Units::Fingerprints { .. } | Units::Exact { .. } => {}
        }
    }

    /// Appends similar pairs of a unit, enough to connect whatever the unit's pairs connect. `roots` are the clusters, by one of their
    /// documents, before its round.
    pub fn links<'f>(
        &self,
        (round, unit): (usize, usize),
        roots: &[u32],
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut PairSearchWorker,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut collector = self.collector(set, worker, usize::MAX, found);
            self.families.links((round, unit), roots, &mut collector);
            return collector.tally;
        };
        let PairSearchWorker { verifier, prober, .. } = worker;
        match &self.units {
            Units::Bands { join, buckets } => {
                join.links(round, buckets[round].bucket(unit), roots, set, verifier, found)
            }
            Units::Fingerprints { near, rounds, verifies } => near.links(
                rounds[round].start + unit,
                roots,
                &mut pair_verifier(*verifies, verifier, set),
                found,
            ),
            Units::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.links(rounds[round].start + unit, roots, prober, found)
            }
        }
    }

    /// Appends every similar pair of a unit, until `found` holds `most`.
    pub fn matches<'f>(
        &self,
        (round, unit): (usize, usize),
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut PairSearchWorker,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut collector = self.collector(set, worker, most, found);
            self.families.matches((round, unit), &mut collector);
            return collector.tally;
        };
        let PairSearchWorker { verifier, prober, .. } = worker;
        match &self.units {
            Units::Bands { join, buckets } => {
                join.matches(round, buckets[round].bucket(unit), set, verifier, most, found)
            }
            Units::Fingerprints { near, rounds, verifies } => near.matches(
                rounds[round].start + unit,
                &mut pair_verifier(*verifies, verifier, set),
                most,
                found,
            ),
            Units::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.matches(rounds[round].start + unit, prober, most, found)
            }
        }
    }

    /// How pairs within families are compared.
    fn collector<'w, S>(
        &'w self,
        set: S,
        worker: &'w mut PairSearchWorker,
        most: usize,
        found: &'w mut Vec<Match>,
    ) -> PairCollector<'w, S, impl Fn(u32, u32) -> bool> {
        let may_be_similar = move |a: u32, b: u32| match &self.units {
            Units::Bands { join, .. } => join.may_be_similar(a, b),
            Units::Fingerprints { near, .. } => near.may_be_similar(a, b),
            Units::Exact { .. } => true,
        };
        let PairSearchWorker { verifier, visited, .. } = worker;
        PairCollector { set, may_be_similar, verifier, visited, most, found, tally: Tally::default() }
    }
}

fn pair_verifier<F>(verifies: bool, verifier: &mut Verifier, set: F) -> PairVerifier<'_, F> {
    if verifies { PairVerifier::Verify(verifier, set) } else { PairVerifier::Distance }
}
