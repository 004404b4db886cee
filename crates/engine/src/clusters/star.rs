//! Clusters in which every document is similar to the kept one: stars of verified pairs.

use crate::clusters::compare::{self, VerifiedClusters};
use crate::clusters::evidence::Evidence;
use crate::error::Error;
use crate::progress::Monitor;
use crate::request::{Keep, Request};
use crate::search::Search;
use crate::work::Work;
use lookalike::Match;
use lookalike::cluster::{Stars, UnionFind};
use lookalike::compare::Comparer;
use rayon::prelude::*;
use std::borrow::Cow;

/// How stars are made.
#[derive(Clone, Copy)]
pub struct StarOptions<'a> {
    /// Which documents are preferred as centres.
    pub keep: &'a Keep,
    /// The least share of a document's features, from 0 to 1, that its centre must contain.
    pub min_containment: Option<f64>,
}

/// The stars that all verified pairs make. The keep policy chooses their centres.
pub fn cluster(
    request: &Request,
    options: StarOptions<'_>,
    search: &Search<'_>,
    evidence: Evidence<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<VerifiedClusters, Error> {
    let pairs = compare::pairs(request, search, evidence.features, work, monitor);
    let (mut pairs, tally) = pairs.map_err(|error| match error {
        Error::TooManyPairs { pairs, .. } => Error::TooManyForStars { pairs },
        other => other,
    })?;
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    let mut comparer = Comparer::with_level(request.level);
    let mut held = None;
    let takes = |centre: u32, partner: u32| {
        let Some(least) = options.min_containment else { return true };
        if held.replace(centre) != Some(centre) {
            comparer.hold(evidence.set(centre).features);
        }
        comparer.contains(evidence.set(partner).features, least)
    };
    let stars = Stars::new(
        evidence.originals.len(),
        &order(options.keep, evidence),
        &may_take(&pairs, evidence),
        takes,
    );
    let mut sets = UnionFind::new(evidence.originals.len());
    for (document, (&original, &centre)) in (0..).zip(evidence.originals.iter().zip(&stars.centres)) {
        sets.unite(document, original);
        sets.unite(document, centre);
    }
    let mut connected = UnionFind::new(evidence.originals.len());
    pairs.iter().for_each(|pair| connected.unite(pair.a, pair.b));
    Ok(VerifiedClusters { sets, pairs, roots: connected.roots(), tally, spared: stars.refused })
}

/// The pairs by which one document may join the star of the other. Two documents of `--against` make no such pair: each is kept, as the
/// centre of its own star.
fn may_take<'p>(pairs: &'p [Match], evidence: Evidence<'_>) -> Cow<'p, [Match]> {
    match evidence.documents.first_new {
        0 => Cow::Borrowed(pairs),
        first_new => pairs.iter().filter(|pair| pair.a.max(pair.b) >= first_new).copied().collect(),
    }
}

/// The first document of each content, in the order in which the keep policy prefers the best of its copies. The policy then keeps that
/// copy of the whole star. A document that is removed for containment is no centre.
fn order(keep: &Keep, evidence: Evidence<'_>) -> Vec<u32> {
    let mut documents: Vec<u32> = (0..evidence.originals.len() as u32).collect();
    documents.retain(|&document| evidence.contained.of(document).is_none());
    keep.sort(&mut documents, evidence.documents);
    let mut seen = vec![false; evidence.originals.len()];
    let originals = documents.into_iter().map(|document| evidence.originals[document as usize]);
    originals.filter(|&original| !std::mem::replace(&mut seen[original as usize], true)).collect()
}
