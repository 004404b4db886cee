//! Which documents contain one that they are compared against, or are contained in it: however different their lengths, and
//! none missed.
//!
//! An inverted index of what inputs are compared against, which every document of the inputs is looked up in. Memory goes with
//! the former only.

use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::request::AgainstContainment;
use crate::search::Sketched;
use lookalike::cluster::UnionFind;
use lookalike::compare::{Overlap, Set};
use lookalike::search::{Compared, Counting, Queries, SketchBuilder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A document, and the one of those it is compared against of which it contains the most, or that contains the most of it.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    document: u32,
    /// The first one with its content.
    pub against: u32,
    /// What the two share; the document is on the left.
    pub overlap: Overlap,
}

/// What a document takes that contains something, or is contained: as it is found, and as it is held, copies among those.
const HIT_BYTES: u64 = 2 * size_of::<Hit>() as u64;

/// Everything that contains, or is contained; by default nothing.
#[derive(Debug, Default)]
pub struct Contained {
    /// In the order of documents, copies too.
    hits: Vec<Hit>,
    /// What is compared of the documents that hits are for.
    sets: BTreeMap<u32, Compared>,
    short: u64,
}

impl Contained {
    /// Reads what the inputs are compared against once, and the inputs once.
    ///
    /// # Errors
    /// [`Error::TooMuchAgainst`], [`Error::TooMuchContainment`]; those of reading.
    pub fn find(containment: AgainstContainment, sketched: Sketched<'_>) -> Result<Self, Error> {
        let Sketched { scanned: Scanned { request, documents, .. }, originals, .. } = sketched;
        let (numbers, sets) = held(containment, sketched)?;
        let is_short = |&document: &u32| numbers.binary_search(&originals[document as usize]).is_err();
        let short = (0..documents.first_new).filter(is_short).count() as u64;
        if sets.is_empty() {
            return Ok(Contained { short, ..Contained::default() });
        }
        let queries = Queries::new(request.plan.measure(), sets);
        let found = hits(containment, sketched, &queries, &numbers)?;
        let of = |document: u32| found.binary_search_by_key(&document, |hit| hit.document).ok();
        let hit = |document: u32| {
            let at = of(document).or_else(|| of(originals[document as usize]))?;
            Some(Hit { document, ..found[at] })
        };
        let hits: Vec<Hit> = (documents.first_new..documents.len() as u32).filter_map(hit).collect();
        let mut wanted: Vec<u32> = found.iter().map(|hit| hit.against).collect();
        wanted.sort_unstable();
        let sets = numbers.into_iter().zip(queries.into_sets());
        let sets = sets.filter(|(document, _)| wanted.binary_search(document).is_ok()).collect();
        Ok(Contained { hits, sets, short })
    }

    /// Why `document` is removed, if it contains or is contained.
    pub fn of(&self, document: u32) -> Option<&Hit> {
        let at = self.hits.binary_search_by_key(&document, |hit| hit.document).ok()?;
        Some(&self.hits[at])
    }

    /// What is compared of `document`, if something is removed for it.
    pub fn set(&self, document: u32) -> Option<Set<'_>> {
        self.sets.get(&document).map(Compared::set)
    }

    /// How many documents contain or are contained.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many documents that are compared against have too few features to be looked for.
    pub fn short(&self) -> u64 {
        self.short
    }

    /// Takes what contains, or is contained, from what it is similar to, and puts it to what it is removed for: nothing may be
    /// removed for a document that goes itself.
    pub fn apart(&self, mut sets: UnionFind) -> UnionFind {
        if self.hits.is_empty() {
            return sets;
        }
        let roots = sets.roots();
        let mut first_left: Vec<Option<u32>> = vec![None; roots.len()];
        let mut apart = UnionFind::new(roots.len());
        for (document, &root) in (0..).zip(&roots) {
            match self.of(document) {
                Some(hit) => apart.unite(hit.against, document),
                None => apart.unite(*first_left[root as usize].get_or_insert(document), document),
            }
        }
        apart
    }
}

impl Hit {
    /// How much of the shorter one is in the other.
    pub fn share(&self) -> f64 {
        self.overlap.containment().value()
    }

    /// Of two that are as much contained the first comes before.
    fn is_before(&self, other: &Hit) -> bool {
        self.share() > other.share() || (self.share() == other.share() && self.against < other.against)
    }
}

/// The documents that inputs are compared against and that are long enough, in order, and what is compared of them.
fn held(containment: AgainstContainment, sketched: Sketched<'_>) -> Result<(Vec<u32>, Vec<Compared>), Error> {
    let Sketched { scanned, originals, weights, work } = sketched;
    let Scanned { request, inputs, documents, .. } = scanned;
    let hits = (documents.len() as u64 - u64::from(documents.first_new)) * HIT_BYTES;
    let left = work.budget.features(documents.footprint()).saturating_sub(hits);
    let features = AtomicU64::new(0);
    let of_against = inputs.against_only();
    let read = Scanned { inputs: &of_against, ..scanned }.visit(
        "against",
        |document| !documents.is_new(document) && originals[document as usize] == document,
        || (SketchBuilder::new(&request.plan, weights, request.level), Vec::new()),
        |(builder, sets), document, text| {
            let compared = Compared::new(builder, text);
            if is_long(containment, compared.set()) {
                let more = compared.set().features.len() as u64;
                let before = features.fetch_add(more, Ordering::Relaxed);
                // What does not fit is counted to the end, so that it can be told how much there is, but not held.
                if Queries::bytes(before + more) <= left {
                    sets.push((document, compared));
                }
            }
        },
    )?;
    let features = features.into_inner();
    if features > u64::from(u32::MAX) {
        return Err(Error::TooMuchAgainst { features });
    }
    let needed = Queries::bytes(features);
    if needed > left {
        return Err(Error::TooMuchContainment { needed, left });
    }
    let mut read: Vec<(u32, Compared)> = read.into_iter().flat_map(|(_, sets)| sets).collect();
    read.sort_unstable_by_key(|(document, _)| *document);
    Ok(read.into_iter().unzip())
}

/// The best hit of each input that contains one of the documents `numbers`, or is contained in one, in order.
fn hits(
    containment: AgainstContainment,
    sketched: Sketched<'_>,
    queries: &Queries,
    numbers: &[u32],
) -> Result<Vec<Hit>, Error> {
    let Sketched { scanned, originals, weights, .. } = sketched;
    let Scanned { request, documents, .. } = scanned;
    let groups = documents.groups();
    // What is a copy of another input has its result. A copy of what is compared against has none yet.
    let is_asked = |document: u32| {
        let original = originals[document as usize];
        documents.is_new(document) && (original == document || !documents.is_new(original))
    };
    let states = scanned.visit(
        "contained",
        is_asked,
        || (SketchBuilder::new(&request.plan, weights, request.level), Counting::default(), Vec::new()),
        |(builder, counting, hits): &mut (SketchBuilder, Counting, Vec<Hit>), document, text| {
            let compared = Compared::new(builder, text);
            if !is_long(containment, compared.set()) {
                return;
            }
            let mut best: Option<Hit> = None;
            queries.overlaps(compared.set().features, counting, |query, overlap| {
                let hit = Hit { document, against: numbers[query as usize], overlap };
                let is_hit = hit.share() >= containment.share && groups.are_together(document, hit.against);
                if is_hit && best.is_none_or(|best| hit.is_before(&best)) {
                    best = Some(hit);
                }
            });
            hits.extend(best);
        },
    )?;
    let mut found: Vec<Hit> = states.into_iter().flat_map(|(.., hits)| hits).collect();
    found.sort_unstable_by_key(|hit| hit.document);
    Ok(found)
}

/// Has it so many features that it is looked for?
fn is_long(containment: AgainstContainment, set: Set<'_>) -> bool {
    set.features.len() >= containment.least_features as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(document: u32, against: u32, common: u32) -> Hit {
        Hit { document, against, overlap: Overlap { common, left: 10, right: 5 } }
    }

    #[test]
    fn what_goes_holds_nothing_together_but_chains_stay() {
        // 0 and 1 are compared against; 3 was similar to 2 and 4, and 5 to 6.
        let mut sets = UnionFind::new(8);
        [(2, 3), (3, 4), (5, 6)].into_iter().for_each(|(a, b)| sets.unite(a, b));
        let contained = Contained { hits: vec![hit(3, 1, 5), hit(5, 1, 5)], ..Contained::default() };
        assert_eq!(contained.apart(sets).clusters(), [vec![1, 3, 5], vec![2, 4]]);
    }

    #[test]
    fn the_most_contained_comes_first_and_of_equals_the_first() {
        assert!(hit(9, 2, 5).is_before(&hit(9, 1, 4)));
        assert!(hit(9, 1, 5).is_before(&hit(9, 2, 5)));
        assert!(!hit(9, 2, 5).is_before(&hit(9, 1, 5)));
    }
}
