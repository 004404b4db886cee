//! The search for pairs, by any method, as rounds of units: units of a round may be done at the same time, and later
//! rounds know what earlier ones have found.

pub mod choice;
pub mod contained;
mod involved;
pub mod monitoring;
pub mod prepared;

use crate::documents::Searched;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::features::Features;
use crate::progress::{Monitor, Unit};
use crate::request::Request;
use crate::search::choice::Choice;
use crate::threads::Threads;
use crate::work::Work;
use lookalike::{
    Asking, Buckets, Code, Codes, DocumentGroups, ExactJoin, Families, FamilyJoin, GroupedSets, HammingJoin,
    HammingPair, Join, Judge, Match, Method, Near, Prober, Set, Share, Tally, Verifier, Visited, Weights,
};
use lookalike_store::Held;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;

/// A corpus after its first scan, and what its search needs besides.
#[derive(Clone, Copy)]
pub struct Sketched<'a> {
    /// The corpus.
    pub scanned: Scanned<'a>,
    /// For every document the first one with the same content.
    pub originals: &'a [u32],
    /// How much features weigh.
    pub weights: &'a Weights,
    /// How much memory there is, and where things are put.
    pub work: &'a Work,
}

/// What is to be looked at.
pub struct Search<'a> {
    /// The pairs of large buckets, or large groups of fingerprints: the first rounds.
    families: FamilyJoin,
    units: Units<'a>,
}

/// The other rounds.
enum Units<'a> {
    /// Rounds are bands, units their buckets.
    Bands { join: Join<'a>, buckets: Vec<Buckets<Held<u32>>> },
    /// Rounds are [`Near::rounds`].
    Fingerprints { near: Near, rounds: Vec<Range<usize>>, verifies: bool },
    /// Rounds are [`ExactJoin::rounds`].
    Exact { join: ExactJoin<'a>, rounds: Vec<Range<usize>> },
}

/// What a thread works with.
pub struct Worker {
    verifier: Verifier,
    visited: Visited,
    /// Made when the exact join first needs it.
    prober: Option<Prober>,
}

impl Worker {
    /// For one thread.
    pub fn new(request: &Request) -> Self {
        let verifier = Verifier::new(request.level, request.plan.measure(), request.plan.threshold());
        Worker { verifier, visited: Visited::default(), prober: None }
    }
}

/// Buckets, or groups, that a thread takes at a time: enough to make its start cheap, few enough to share the work evenly.
const STRETCH: usize = 64;

/// Units of a round of near fingerprints: enough to keep all threads at work, few enough that what hangs together
/// already is seldom compared again.
const ROUND: usize = 1 << 16;

impl<'a> Search<'a> {
    /// What can be searched before there are features: everything, unless the method is exact.
    fn before_features(sketched: Sketched<'a>, choice: &Choice) -> Result<Option<Self>, Error> {
        match choice.method {
            Method::Exact => Ok(None),
            Method::MinHash | Method::SimHash => Self::by_sketches(sketched),
        }
    }

    /// Finds the documents that share a band, or those whose fingerprints are near; `None` if there are no sketches.
    fn by_sketches(sketched: Sketched<'a>) -> Result<Option<Self>, Error> {
        let Sketched { scanned, originals, work, .. } = sketched;
        let Scanned { request, documents, monitor, .. } = scanned;
        let plan = &request.plan;
        let hamming = plan.simhash().unwrap_or_default().hamming;
        let groups = documents.groups();
        let mut near = match documents.sketches.searched(originals, groups) {
            Searched::Features => return Ok(None),
            Searched::Bands(table) => {
                let mut join = Join::new(table, plan.signature_filter(), originals)
                    .knowing(documents.indexed.numbers.len() as u32);
                let buckets = buckets(plan.banding().bands, &join, work, monitor)?;
                if !plan.compares_weights() {
                    join.set_apart(buckets.iter().flat_map(Buckets::iter));
                }
                return Ok(Some(Self::of(Units::Bands { join, buckets })));
            }
            Searched::Fingerprints(searched, Codes::B64(codes)) => {
                near((&searched, groups), &codes, hamming, monitor)?
            }
            Searched::Fingerprints(searched, Codes::B128(codes)) => {
                near((&searched, groups), &codes, hamming, monitor)?
            }
        };
        if plan.verifies() && !plan.compares_weights() {
            near.set_apart(originals.len());
        }
        let rounds = near.rounds(ROUND);
        Ok(Some(Self::of(Units::Fingerprints { rounds, near, verifies: plan.verifies() })))
    }

    fn of(units: Units<'a>) -> Self {
        Search { families: FamilyJoin::default(), units }
    }

    /// Makes the join of what was set apart, of the features of its documents.
    fn join_families(&mut self, request: &Request, features: &Features) {
        let families = match &self.units {
            Units::Bands { join, .. } => join.families(),
            Units::Fingerprints { near, .. } => near.families(),
            Units::Exact { .. } => return,
        };
        let (measure, threshold) = (request.plan.measure(), request.plan.threshold());
        let set = |document: u32| features.of(document).features;
        self.families = FamilyJoin::new(families, set, measure, threshold, &Threads);
    }

    /// Finds what shares rare features, in `sets`, those of every document that may have partners; by sketches, and says so
    /// in `choice`, if that turns out to be much less work.
    fn by_features(sketched: Sketched<'a>, choice: &mut Choice, sets: Vec<&'a [u64]>) -> Result<Self, Error> {
        let request = sketched.scanned.request;
        // Postings have numbers of 32 bits.
        let features: u64 = sets.iter().map(|set| set.len() as u64).sum();
        if features > u64::from(u32::MAX) {
            return Err(Error::TooManyFeatures { features });
        }
        let wanted = (0..sets.len() as u32).filter(|&document| !sets[document as usize].is_empty()).collect();
        let sets = GroupedSets { sets, groups: sketched.scanned.documents.groups() };
        let join = ExactJoin::among(wanted, sets, request.plan.measure(), request.plan.threshold(), &Threads);
        let visits = join.visits();
        if Choice::is_in_doubt(request, visits)
            && let Some(search) = Self::by_sketches(sketched)?
        {
            let mut pairs = 0;
            search.for_each_bucket(|members| pairs += Families::pairs_of(members));
            choice.reconsider(request, visits, pairs);
            if choice.method != Method::Exact {
                return Ok(search);
            }
        }
        Ok(Self::of(Units::Exact { rounds: join.rounds(), join }))
    }

    /// How many rounds there are.
    pub fn rounds(&self) -> usize {
        let others = match &self.units {
            Units::Bands { buckets, .. } => buckets.len(),
            Units::Fingerprints { rounds, .. } => rounds.len(),
            Units::Exact { rounds, .. } => rounds.len(),
        };
        self.families.rounds() + others
    }

    /// How many units a round has.
    pub fn units(&self, round: usize) -> usize {
        match (round.checked_sub(self.families.rounds()), &self.units) {
            (None, _) => self.families.units(round),
            (Some(round), units) => units.of_round(round),
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

    /// Marks the documents that may be compared, by all threads: `mark` marks one, and `is_marked` says whether it is.
    pub fn involve(
        &self,
        is_marked: impl Fn(u32) -> bool + Sync,
        mark: impl Fn(u32) + Sync,
        monitor: &Monitor,
    ) -> Result<(), Error> {
        let rounds = match &self.units {
            Units::Bands { buckets, .. } => buckets.len(),
            Units::Fingerprints { rounds, verifies: true, .. } => rounds.len(),
            Units::Fingerprints { .. } | Units::Exact { .. } => return Ok(()),
        };
        (0..rounds).try_for_each(|round| {
            (0..self.units.of_round(round)).into_par_iter().with_min_len(STRETCH).try_for_each(|unit| {
                monitor.interrupt.check()?;
                match &self.units {
                    Units::Bands { join, buckets } => {
                        join.involve(buckets[round].bucket(unit), &is_marked, &mark);
                    }
                    Units::Fingerprints { near, rounds, .. } => {
                        near.involve(rounds[round].start + unit, &is_marked, &mark);
                    }
                    Units::Exact { .. } => {}
                }
                Ok(())
            })
        })
    }

    /// Appends pairs of a unit that are alike, enough to connect whatever the unit's pairs connect.
    pub fn links<'f>(
        &self,
        (round, unit): (usize, usize),
        roots: &[u32],
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut Worker,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut asking = self.asking(set, worker, usize::MAX, found);
            self.families.links((round, unit), roots, &mut asking);
            return asking.tally;
        };
        let Worker { verifier, prober, .. } = worker;
        match &self.units {
            Units::Bands { join, buckets } => {
                join.links(round, buckets[round].bucket(unit), roots, set, verifier, found)
            }
            Units::Fingerprints { near, rounds, verifies } => {
                near.links(rounds[round].start + unit, roots, &mut judge(*verifies, verifier, set), found)
            }
            Units::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.links(rounds[round].start + unit, roots, prober, found)
            }
        }
    }

    /// Appends every pair of a unit that is alike, until `found` holds `most`.
    pub fn matches<'f>(
        &self,
        (round, unit): (usize, usize),
        set: impl Fn(u32) -> Set<'f>,
        worker: &mut Worker,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let Some(round) = round.checked_sub(self.families.rounds()) else {
            let mut asking = self.asking(set, worker, most, found);
            self.families.matches((round, unit), &mut asking);
            return asking.tally;
        };
        let Worker { verifier, prober, .. } = worker;
        match &self.units {
            Units::Bands { join, buckets } => {
                join.matches(round, buckets[round].bucket(unit), set, verifier, most, found)
            }
            Units::Fingerprints { near, rounds, verifies } => {
                near.matches(rounds[round].start + unit, &mut judge(*verifies, verifier, set), most, found)
            }
            Units::Exact { join, rounds } => {
                let prober = prober.get_or_insert_with(|| join.prober());
                join.matches(rounds[round].start + unit, prober, most, found)
            }
        }
    }

    /// How pairs within families are compared.
    fn asking<'w, S>(
        &'w self,
        set: S,
        worker: &'w mut Worker,
        most: usize,
        found: &'w mut Vec<Match>,
    ) -> Asking<'w, S, impl Fn(u32, u32) -> bool> {
        let may_be_similar = move |a: u32, b: u32| match &self.units {
            Units::Bands { join, .. } => join.may_be_similar(a, b),
            Units::Fingerprints { near, .. } => near.may_be_similar(a, b),
            Units::Exact { .. } => true,
        };
        let Worker { verifier, visited, .. } = worker;
        Asking { set, may_be_similar, verifier, visited, most, found, tally: Tally::default() }
    }
}

impl Units<'_> {
    fn of_round(&self, round: usize) -> usize {
        match self {
            Units::Bands { buckets, .. } => buckets[round].len(),
            Units::Fingerprints { rounds, .. } => rounds[round].len(),
            Units::Exact { rounds, .. } => rounds[round].len(),
        }
    }
}

fn judge<F>(verifies: bool, verifier: &mut Verifier, set: F) -> Judge<'_, F> {
    if verifies { Judge::Verify(verifier, set) } else { Judge::Distance }
}

/// The buckets of every band: in memory, or, where there is a folder to put them, in that.
fn buckets(
    bands: usize,
    join: &Join<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<Vec<Buckets<Held<u32>>>, Error> {
    let bar = monitor.stage("candidates", Unit::Bands, Some(bands as u64));
    let documents = join.originals().len();
    let parts = work.budget.parts(documents);
    let threads = rayon::current_num_threads();
    let at_once = work.budget.at_once(documents, threads);
    // Where all threads may group, none waits for another at the end of a step.
    let step = if at_once == threads { bands } else { at_once };
    let group = |band: usize| {
        let shares = Share::all(parts).map(|share| {
            monitor.interrupt.check()?;
            Ok(join.buckets_of(band, share))
        });
        let mut shares = shares.collect::<Result<Vec<Buckets>, Error>>()?;
        Ok::<_, Error>(if parts == 1 { shares.swap_remove(0) } else { Buckets::joined(&shares) })
    };
    let held = |band: usize| {
        let Some(folder) = work.folder() else {
            let (documents, ends) = group(band)?.into_parts();
            bar.inc(1);
            return Ok(Buckets::from_parts(Held::Memory(documents), Held::Memory(ends)));
        };
        let names = ["documents", "ends"].map(|part| format!("band-{band}-{part}"));
        // The ends are written last.
        let columns = match (folder.column(&names[1], monitor)?, folder.column(&names[0], monitor)?) {
            (Some(ends), Some(documents)) => [documents, ends],
            _ => {
                let (documents, ends) = group(band)?.into_parts();
                [folder.write_column(&names[0], &documents)?, folder.write_column(&names[1], &ends)?]
            }
        };
        bar.inc(1);
        let [documents, ends] = columns.map(Held::Disk);
        Ok(Buckets::from_parts(documents, ends))
    };
    let mut buckets = Vec::with_capacity(bands);
    for first in (0..bands).step_by(step) {
        let bands: Vec<usize> = (first..bands.min(first + step)).collect();
        let grouped = bands.into_par_iter().map(held).collect::<Result<Vec<_>, Error>>();
        buckets.extend(grouped?);
    }
    drop(bar);
    Ok(buckets)
}

/// The near ones among the fingerprints of `documents`, of which those of one group are compared.
fn near<C: Code>(
    (documents, groups): (&[u32], DocumentGroups<'_>),
    codes: &[C],
    hamming: u32,
    monitor: &Monitor,
) -> Result<Near, Error> {
    // Fingerprints of different groups may be near by chance.
    let are_together =
        |pair: &HammingPair| groups.are_together(documents[pair.a as usize], documents[pair.b as usize]);
    let join = HammingJoin::with_executor(codes, hamming, &Threads)?;
    let tasks = join.tasks();
    let bar = monitor.stage("candidates", Unit::Parts, Some(tasks.len() as u64));
    let parts: Result<Vec<Vec<HammingPair>>, Error> = tasks
        .into_par_iter()
        .map_init(
            || join.workspace(),
            |workspace, task| {
                monitor.interrupt.check()?;
                let mut found = Vec::new();
                join.run(task, workspace, &mut found);
                found.retain(are_together);
                bar.inc(1);
                Ok(found)
            },
        )
        .collect();
    drop(bar);
    let copies: Cow<'_, [HammingPair]> = match join.copies().iter().all(are_together) {
        true => Cow::Borrowed(join.copies()),
        false => Cow::Owned(join.copies().iter().copied().filter(are_together).collect()),
    };
    Ok(Near::new(documents, &copies, &parts?.concat()))
}
