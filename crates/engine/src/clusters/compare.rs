//! From candidate pairs to verified pairs and clusters.

use crate::clusters::evidence::Evidence;
use crate::error::Error;
use crate::features::Features;
use crate::progress::{Monitor, Unit};
use crate::request::Request;
use crate::search::Search;
use crate::work::Work;
use crate::work::rounds::Rounds;
use crate::work::too_many_pairs;
use lookalike::cluster::UnionFind;
use lookalike::search::{PairSearchWorker, SearchPart, Tally, WorkBlock};
use lookalike::{Match, Score};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Clusters, and the verified pairs that led to them.
pub struct VerifiedClusters {
    /// The clusters.
    pub sets: UnionFind,
    /// Verified pairs of documents with different content, ascending by `(a, b)`. There are enough to make these clusters, or all.
    pub pairs: Vec<Match>,
    /// For every document the first document that verified pairs connect it to. Stars may be smaller.
    pub roots: Vec<u32>,
    /// How many candidate pairs there were, and how many of them were compared.
    pub tally: Tally,
    /// Documents that are kept only because the documents that are similar to them do not contain enough of them.
    pub spared: u64,
}

/// The score of `a` and `b`, if `pairs` holds it. Copies have the score of their originals. `pairs` ascend by `(a, b)`.
pub(crate) fn score_of(pairs: &[Match], evidence: Evidence<'_>, a: u32, b: u32) -> Option<Score> {
    let (a, b) = (evidence.originals[a as usize], evidence.originals[b as usize]);
    let place = pairs.binary_search_by_key(&(a.min(b), a.max(b)), |pair| (pair.a, pair.b));
    place.ok().map(|place| pairs[place].score)
}

/// The clusters that verified pairs connect: all, or those of a part.
pub fn cluster(
    search: &Search<'_>,
    part: Option<SearchPart<'_>>,
    evidence: Evidence<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<VerifiedClusters, Error> {
    let Evidence { request, documents, originals, features, .. } = evidence;
    let mut rounds = Rounds::new(work, monitor)?;
    let mut sets = UnionFind::new(originals.len());
    for (document, &first) in (0..).zip(&documents.indexed.first_of) {
        sets.unite(first, document);
    }
    let mut pairs: Vec<Match> = Vec::new();
    let mut tally = Tally::default();
    // A round uses the clusters as they were before it. The result and the work are then the same for any number of threads.
    let mut roots = sets.roots();
    let bar = monitor.stage("verify", Unit::Rounds, Some(search.rounds() as u64));
    for round in 0..search.rounds() {
        let (found, done) = rounds.take(round, || {
            // Documents that neither the index nor links have connected are their own roots.
            let linked = pairs.iter().flat_map(|link: &Match| [link.a, link.b]);
            for document in (0..documents.indexed.first_of.len() as u32).chain(linked) {
                roots[document as usize] = sets.find(document);
            }
            in_blocks(request, search, round, monitor, |block, worker, found| {
                let block = WorkBlock { round, block };
                match part {
                    Some(part) if !search.visits(block, part) => Tally::default(),
                    _ => search.links(block, &roots, |document| features.of(document), worker, found),
                }
            })
        })?;
        found.iter().for_each(|link| sets.unite(link.a, link.b));
        pairs.extend(found);
        tally += done;
        bar.inc(1);
    }
    for (document, &original) in (0..).zip(originals) {
        if part.is_none_or(|part| part.has(original)) {
            sets.unite(document, original);
        }
    }
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    drop(bar);
    sets.update(&mut roots);
    Ok(VerifiedClusters { roots, sets, pairs, tally, spared: 0 })
}

/// Every verified pair of documents with different content.
///
/// # Errors
/// [`Error::TooManyPairs`] if there are more than a list can hold, or than memory has room for.
pub fn pairs(
    request: &Request,
    search: &Search<'_>,
    features: &Features,
    work: &Work,
    monitor: &Monitor,
) -> Result<(Vec<Match>, Tally), Error> {
    let most = work.budget.most_pairs();
    let mut rounds = Rounds::new(work, monitor)?;
    let mut matches: Vec<Match> = Vec::new();
    let mut tally = Tally::default();
    let bar = monitor.stage("verify", Unit::Rounds, Some(search.rounds() as u64));
    for round in 0..search.rounds() {
        let count = AtomicU64::new(matches.len() as u64);
        let (found, done) = rounds.take(round, || {
            let done = in_blocks(request, search, round, monitor, |block, worker, found| {
                let before = found.len();
                let room = most.saturating_sub(count.load(Ordering::Relaxed)) as usize;
                let set = |document| features.of(document);
                let tally = search.matches(WorkBlock { round, block }, set, worker, before + room, found);
                count.fetch_add((found.len() - before) as u64, Ordering::Relaxed);
                tally
            })?;
            match count.load(Ordering::Relaxed) {
                pairs if pairs >= most => Err(too_many_pairs(pairs)),
                _ => Ok(done),
            }
        })?;
        matches.extend(found);
        tally += done;
        bar.inc(1);
    }
    drop(bar);
    Ok((matches, tally))
}

/// Calls `work` for every block of a round, on all threads. The matches are in the order of the blocks.
fn in_blocks(
    request: &Request,
    search: &Search<'_>,
    round: usize,
    monitor: &Monitor,
    work: impl Fn(usize, &mut PairSearchWorker, &mut Vec<Match>) -> Tally + Sync,
) -> Result<(Vec<Match>, Tally), Error> {
    let (blocks, stretch) = (search.blocks(round), search.stretch(round));
    let parts: Vec<(Vec<Match>, Tally)> = (0..blocks.div_ceil(stretch))
        .into_par_iter()
        .map_init(
            || PairSearchWorker::new(&request.plan, request.level),
            |worker, part| {
                let (mut found, mut tally) = (Vec::new(), Tally::default());
                for block in part * stretch..blocks.min((part + 1) * stretch) {
                    monitor.interrupt.check()?;
                    tally += work(block, worker, &mut found);
                }
                Ok((found, tally))
            },
        )
        .collect::<Result<_, Error>>()?;
    let (mut found, mut tally) = (Vec::new(), Tally::default());
    for (part, done) in parts {
        found.extend(part);
        tally += done;
    }
    Ok((found, tally))
}
