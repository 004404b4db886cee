//! Clusters in which every document is similar to the one that is kept: stars of verified pairs.

use crate::clusters::compare::{self, Found};
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

/// Which stars are wanted.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// Which documents are preferred as centres.
    pub keep: &'a Keep,
    /// A document goes only to a centre that contains at least this share of its features, from 0 to 1.
    pub min_containment: Option<f64>,
}

/// The stars of all verified pairs, with the documents as centres that the keep policy prefers.
pub fn cluster(
    request: &Request,
    wanted: Wanted<'_>,
    search: &Search<'_>,
    evidence: Evidence<'_>,
    work: &Work,
    monitor: &Monitor,
) -> Result<Found, Error> {
    let pairs = compare::pairs(request, search, evidence.features, work, monitor);
    let (mut pairs, tally) = pairs.map_err(|error| match error {
        Error::TooManyPairs { pairs, .. } => Error::TooManyForStars { pairs },
        other => other,
    })?;
    pairs.par_sort_unstable_by_key(|pair| (pair.a, pair.b));
    let mut comparer = Comparer::with_level(request.level);
    let mut held = None;
    let takes = |centre: u32, partner: u32| {
        let Some(least) = wanted.min_containment else { return true };
        if held.replace(centre) != Some(centre) {
            comparer.hold(evidence.set(centre).features);
        }
        comparer.contains(evidence.set(partner).features, least)
    };
    let stars = Stars::new(
        evidence.originals.len(),
        &order(wanted.keep, evidence),
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
    Ok(Found { sets, pairs, roots: connected.roots(), tally, spared: stars.refused })
}

/// The pairs by which one document may take the other: what is compared against is kept in any case, and each of it is the
/// centre of its own star.
fn may_take<'p>(pairs: &'p [Match], evidence: Evidence<'_>) -> Cow<'p, [Match]> {
    match evidence.documents.first_new {
        0 => Cow::Borrowed(pairs),
        first_new => pairs.iter().filter(|pair| pair.a.max(pair.b) >= first_new).copied().collect(),
    }
}

/// The first of every text that is there word for word, in the order in which the policy prefers the best of its copies. That
/// copy is then the one of the whole star that the policy keeps. What goes because it contains something, or is contained, is no
/// centre.
fn order(keep: &Keep, evidence: Evidence<'_>) -> Vec<u32> {
    let mut documents: Vec<u32> = (0..evidence.originals.len() as u32).collect();
    documents.retain(|&document| evidence.contained.of(document).is_none());
    keep.sort(&mut documents, evidence.documents);
    let mut seen = vec![false; evidence.originals.len()];
    let originals = documents.into_iter().map(|document| evidence.originals[document as usize]);
    originals.filter(|&original| !std::mem::replace(&mut seen[original as usize], true)).collect()
}
