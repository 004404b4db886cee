//! Clusters in which every document is similar to the kept one. Only documents that links connect are compared, each with the centres
//! before it.

use crate::clusters::compare::{self, VerifiedClusters};
use crate::clusters::evidence::Evidence;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::Keep;
use crate::search::Search;
use crate::threads::Threads;
use crate::work::Work;
use lookalike::cluster::{self, UnionFind};
use lookalike::compare::{Comparer, Set};
use lookalike::search::{CentreConditions, CentreRule, Centres, Taken, Tally};
use lookalike::{Match, Score};
use rayon::prelude::*;
use std::collections::HashSet;

/// How stars are made.
#[derive(Clone, Copy)]
pub struct StarOptions<'a> {
    /// Which documents are preferred as centres.
    pub keep: &'a Keep,
    /// The least share of a document's features, from 0 to 1, that its centre must contain.
    pub min_containment: Option<f64>,
    /// Whether only documents that the inputs are compared against are centres.
    pub only_against: bool,
}

/// The stars of all documents. The keep policy chooses their centres.
///
/// Documents are taken in the order of the policy. The first centre that a document is similar to takes it. A document without such a
/// centre becomes one.
pub fn cluster(
    options: StarOptions<'_>,
    search: &Search<'_>,
    evidence: Evidence<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<VerifiedClusters, Error> {
    let plan = &evidence.request.plan;
    if plan.compares_weights() || plan.estimates() {
        return of_pairs(options, search, evidence, work, monitor);
    }
    let VerifiedClusters { sets: connected, roots, mut tally, .. } =
        compare::cluster(search, None, evidence, work, monitor)?;
    let connected = connected.into_buckets();
    let rule = StarRule { search, evidence, options };
    let mut stars = match search.decided_by_distance() {
        Some(near) => {
            let mut documents = connected.documents().to_vec();
            documents.sort_unstable();
            let documents = order(options.keep, evidence, documents);
            let pairs = near.centres(&documents, |document| rule.is_centre(document));
            PairStars { pairs, ..PairStars::default() }
        }
        None => {
            let stars = (0..connected.len()).into_par_iter().try_fold(PairStars::default, |stars, index| {
                monitor.interrupt.check()?;
                // The first document is one to compare against, if the cluster has any.
                if !rule.may_be_centre(connected.bucket(index)[0]) {
                    return Ok(stars);
                }
                let documents = order(options.keep, evidence, connected.bucket(index).to_vec());
                let more = Centres::of(&documents, &rule, &Threads(&monitor.interrupt))?;
                Ok::<_, Error>(stars.with(more.into()))
            });
            stars.try_reduce(PairStars::default, |stars, more| Ok(stars.with(more)))?
        }
    };
    drop(connected);
    // Documents to compare against come first, and so they take every document that is similar to one.
    stars.pairs.retain(|pair| rule.may_be_centre(pair.a));
    let mut sets = UnionFind::new(evidence.originals.len());
    for (document, &original) in (0..).zip(evidence.originals) {
        sets.unite(document, original);
    }
    stars.pairs.iter().for_each(|pair| sets.unite(pair.a, pair.b));
    stars.pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    tally += stars.tally;
    Ok(VerifiedClusters { sets, pairs: stars.pairs, roots, tally, spared: stars.refused })
}

/// The same stars, made of all pairs. There is no index of weighted features or of signatures that would find the centres.
fn of_pairs(
    options: StarOptions<'_>,
    search: &Search<'_>,
    evidence: Evidence<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<VerifiedClusters, Error> {
    let pairs = compare::pairs(evidence.request, search, evidence.features, work, monitor);
    let (mut pairs, tally) = pairs.map_err(|error| match error {
        Error::TooManyPairs { pairs, .. } => Error::TooManyForStars { pairs },
        other => other,
    })?;
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    pairs.retain(|pair| !options.only_against || !evidence.documents.is_new(pair.a));
    let mut sets = UnionFind::new(evidence.originals.len());
    for (document, &original) in (0..).zip(evidence.originals) {
        sets.unite(document, original);
    }
    let mut connected = sets.clone();
    pairs.iter().for_each(|pair| connected.unite(pair.a, pair.b));
    let documents = order(options.keep, evidence, (0..evidence.originals.len() as u32).collect());
    // Each document of `--against` is the centre of its own star.
    let mut may_join = pairs.clone();
    may_join.retain(|pair| evidence.documents.is_new(pair.a.max(pair.b)));
    let mut comparer = Comparer::with_level(evidence.request.level);
    let stars = cluster::Stars::new(evidence.originals.len(), &documents, &may_join, |centre, document| {
        let Some(least) = options.min_containment else { return true };
        comparer.hold(evidence.set(document).features);
        comparer.is_contained(evidence.set(centre).features, least)
    });
    (0..).zip(&stars.centres).for_each(|(document, &centre)| sets.unite(document, centre));
    Ok(VerifiedClusters { sets, pairs, roots: connected.roots(), tally, spared: stars.refused })
}

/// Stars, by their pairs.
#[derive(Default)]
struct PairStars {
    /// Each document with its centre.
    pairs: Vec<Match>,
    refused: u64,
    tally: Tally,
}

impl PairStars {
    fn with(mut self, more: PairStars) -> Self {
        self.pairs.extend(more.pairs);
        self.refused += more.refused;
        self.tally += more.tally;
        self
    }
}

impl From<Centres> for PairStars {
    fn from(Centres { taken, refused, tally }: Centres) -> Self {
        let pair = |taken: Taken| {
            let score = Score::Similarity(taken.similarity?);
            Some(Match { a: taken.centre.min(taken.document), b: taken.centre.max(taken.document), score })
        };
        PairStars { pairs: taken.into_iter().filter_map(pair).collect(), refused, tally }
    }
}

/// A centre takes the documents that the search finds to be similar to it.
struct StarRule<'a> {
    search: &'a Search<'a>,
    evidence: Evidence<'a>,
    options: StarOptions<'a>,
}

impl CentreRule for StarRule<'_> {
    fn conditions(&self) -> CentreConditions {
        let plan = &self.evidence.request.plan;
        CentreConditions {
            similarity: Some((plan.measure(), plan.threshold())),
            containment: self.options.min_containment,
            level: self.evidence.request.level,
        }
    }

    fn set(&self, document: u32) -> Set<'_> {
        self.evidence.set(document)
    }

    fn may_take(&self, centre: u32, document: u32) -> bool {
        self.search.may_be_similar(centre, document)
    }

    /// Documents of `--against` are all kept, each as the centre of its own star.
    fn is_centre(&self, document: u32) -> bool {
        !self.evidence.documents.is_new(document)
    }

    fn may_be_centre(&self, document: u32) -> bool {
        !self.options.only_against || self.is_centre(document)
    }
}

/// The first document of each content, in the order in which the keep policy prefers the best of its copies. The policy then keeps that
/// copy of the whole star. A document that is removed for containment is in no star.
///
/// `documents` ascend.
fn order(keep: &Keep, evidence: Evidence<'_>, mut documents: Vec<u32>) -> Vec<u32> {
    documents.retain(|&document| evidence.contained.of(document).is_none());
    keep.sort(&mut documents, evidence.documents);
    let mut seen = HashSet::new();
    let originals = documents.into_iter().map(|document| evidence.originals[document as usize]);
    originals.filter(|&original| seen.insert(original)).collect()
}
