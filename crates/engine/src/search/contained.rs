//! Documents that contain a document of `--against`, or are contained in one: of any length, and none missed.
//!
//! The documents of `--against` are put into an inverted index, in which every document of the inputs is looked up. Memory grows with the
//! documents of `--against` only.

use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::request::AgainstContainment;
use crate::search::Sketched;
use lookalike::cluster::UnionFind;
use lookalike::compare::{Overlap, Set};
use lookalike::search::{ComparedFeatures, Counting, Queries, SketchBuilder};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A document of the inputs, and the document of `--against` with which its containment is the greatest.
#[derive(Clone, Copy, Debug)]
pub struct ContainmentHit {
    document: u32,
    /// The document of `--against`: the first one with its content.
    pub against: u32,
    /// The features that the two share. The document of the inputs is on the left.
    pub overlap: Overlap,
}

/// Bytes of memory for a document with a hit: one while hits are found, and one in the list with copies.
const HIT_BYTES: u64 = 2 * size_of::<ContainmentHit>() as u64;

/// All documents that are removed for containment. There are none by default.
#[derive(Debug, Default)]
pub struct Contained {
    /// In the order of documents, with copies.
    hits: Vec<ContainmentHit>,
    /// The features of the documents of `--against` that have hits.
    sets: BTreeMap<u32, ComparedFeatures>,
    /// Documents of `--against` with too few features to be looked up.
    short: u64,
}

impl Contained {
    /// Reads the files of `--against` once, and the inputs once.
    ///
    /// # Errors
    /// [`Error::TooMuchAgainst`], [`Error::TooMuchContainment`], and errors of reading.
    pub fn find(containment: AgainstContainment, sketched: Sketched<'_>) -> Result<Self, Error> {
        let Sketched { scanned: Scanned { request, documents, .. }, originals, .. } = sketched;
        let (numbers, sets) = long_documents(containment, sketched)?;
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
            Some(ContainmentHit { document, ..found[at] })
        };
        let hits: Vec<ContainmentHit> =
            (documents.first_new..documents.len() as u32).filter_map(hit).collect();
        let mut wanted: Vec<u32> = found.iter().map(|hit| hit.against).collect();
        wanted.sort_unstable();
        let sets = numbers.into_iter().zip(queries.into_sets());
        let sets = sets.filter(|(document, _)| wanted.binary_search(document).is_ok()).collect();
        Ok(Contained { hits, sets, short })
    }

    /// The hit of `document`, if it is removed for containment.
    pub fn of(&self, document: u32) -> Option<&ContainmentHit> {
        let at = self.hits.binary_search_by_key(&document, |hit| hit.document).ok()?;
        Some(&self.hits[at])
    }

    /// The features of `document`, if it is a document of `--against` with hits.
    pub fn set(&self, document: u32) -> Option<Set<'_>> {
        self.sets.get(&document).map(ComparedFeatures::set)
    }

    /// The number of documents that are removed for containment.
    pub fn len(&self) -> usize {
        self.hits.len()
    }

    /// Whether there is no such document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of documents of `--against` that have too few features to be looked up.
    pub fn short(&self) -> u64 {
        self.short
    }

    /// Moves each document that is removed for containment into the cluster of its document of `--against`. In the cluster of similar
    /// documents, another one might be removed for it, although it is removed itself.
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

impl ContainmentHit {
    /// The share of the shorter document that is in the other.
    pub fn share(&self) -> f64 {
        self.overlap.containment().value()
    }

    /// Whether it is better than `other`: a greater share, or the same share with an earlier document of `--against`.
    fn is_better_than(&self, other: &ContainmentHit) -> bool {
        self.share() > other.share() || (self.share() == other.share() && self.against < other.against)
    }
}

/// The documents of `--against` that are long enough, in order, and their features.
fn long_documents(
    containment: AgainstContainment,
    sketched: Sketched<'_>,
) -> Result<(Vec<u32>, Vec<ComparedFeatures>), Error> {
    let Sketched { scanned, originals, weights, work } = sketched;
    let Scanned { request, inputs, documents, .. } = scanned;
    let hits = (documents.len() as u64 - u64::from(documents.first_new)) * HIT_BYTES;
    let left = work.budget.features(documents.footprint()).saturating_sub(hits);
    let features = AtomicU64::new(0);
    let of_against = inputs.against_only();
    let scanned = Scanned { inputs: &of_against, ..scanned };
    let read = scanned.visit(
        "against",
        |document| !documents.is_new(document) && originals[document as usize] == document,
        || (SketchBuilder::new(&request.plan, weights, request.level), Vec::new()),
        |(builder, sets), document, text| {
            let (compared, content) = ComparedFeatures::with_content(builder, text);
            scanned.check_unchanged(document, content)?;
            if is_long(containment, compared.set()) {
                let more = compared.set().features.len() as u64;
                let before = features.fetch_add(more, Ordering::Relaxed);
                // Features that do not fit are counted for the error message, and not held.
                if Queries::bytes(before + more) <= left {
                    sets.push((document, compared));
                }
            }
            Ok(())
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
    let mut read: Vec<(u32, ComparedFeatures)> = read.into_iter().flat_map(|(_, sets)| sets).collect();
    read.sort_unstable_by_key(|(document, _)| *document);
    Ok(read.into_iter().unzip())
}

/// The best hit of each document of the inputs with one of the documents `numbers`, in order.
fn hits(
    containment: AgainstContainment,
    sketched: Sketched<'_>,
    queries: &Queries,
    numbers: &[u32],
) -> Result<Vec<ContainmentHit>, Error> {
    let Sketched { scanned, originals, weights, .. } = sketched;
    let Scanned { request, documents, .. } = scanned;
    let groups = documents.groups();
    // A copy of another document of the inputs gets its result. A copy of a document of `--against` is looked up.
    let is_looked_up = |document: u32| {
        let original = originals[document as usize];
        documents.is_new(document) && (original == document || !documents.is_new(original))
    };
    let states = scanned.visit(
        "contained",
        is_looked_up,
        || (SketchBuilder::new(&request.plan, weights, request.level), Counting::default(), Vec::new()),
        |(builder, counting, hits): &mut (SketchBuilder, Counting, Vec<ContainmentHit>), document, text| {
            let (compared, content) = ComparedFeatures::with_content(builder, text);
            scanned.check_unchanged(document, content)?;
            if !is_long(containment, compared.set()) {
                return Ok(());
            }
            let mut best: Option<ContainmentHit> = None;
            queries.overlaps(compared.set().features, counting, |query, overlap| {
                let hit = ContainmentHit { document, against: numbers[query as usize], overlap };
                let is_hit = hit.share() >= containment.share && groups.are_together(document, hit.against);
                if is_hit && best.is_none_or(|best| hit.is_better_than(&best)) {
                    best = Some(hit);
                }
            });
            hits.extend(best);
            Ok(())
        },
    )?;
    let mut found: Vec<ContainmentHit> = states.into_iter().flat_map(|(.., hits)| hits).collect();
    found.sort_unstable_by_key(|hit| hit.document);
    Ok(found)
}

/// Whether it has enough features to be looked up.
fn is_long(containment: AgainstContainment, set: Set<'_>) -> bool {
    set.features.len() >= containment.least_features as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(document: u32, against: u32, common: u32) -> ContainmentHit {
        ContainmentHit { document, against, overlap: Overlap { common, left: 10, right: 5 } }
    }

    #[test]
    fn removed_documents_connect_nothing_and_other_chains_stay() {
        // 0 and 1 are compared against. 3 was similar to 2 and 4, and 5 to 6.
        let mut sets = UnionFind::new(8);
        [(2, 3), (3, 4), (5, 6)].into_iter().for_each(|(a, b)| sets.unite(a, b));
        let contained = Contained { hits: vec![hit(3, 1, 5), hit(5, 1, 5)], ..Contained::default() };
        assert_eq!(contained.apart(sets).clusters(), [vec![1, 3, 5], vec![2, 4]]);
    }

    #[test]
    fn the_greatest_share_is_best_and_the_first_of_equals() {
        assert!(hit(9, 2, 5).is_better_than(&hit(9, 1, 4)));
        assert!(hit(9, 1, 5).is_better_than(&hit(9, 2, 5)));
        assert!(!hit(9, 2, 5).is_better_than(&hit(9, 1, 5)));
    }
}
