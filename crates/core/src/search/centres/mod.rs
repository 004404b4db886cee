//! Centres: in an order of preference, each document joins the first centre before it that takes it, or becomes a
//! centre itself.
//!
//! Two results of clusters are defined so. In a star, each document is similar to its centre. With a least containment,
//! a document is removed only for a kept one that has enough of its features.
//!
//! A document is compared with centres only. Among few documents these are all centres before it. Among many, the
//! documents share a template, as in [`families`](crate::search::families). An index of the centres' differences from
//! the template then gives the few centres that may take the document.
//!
//! # What it costs
//!
//! Stars and `--min-containment` need no list of pairs. Each document is compared with kept documents only, until one
//! takes it (`centres`). Among more than 256 documents, an index of the kept ones gives those that may take it: by the
//! number of differences from the template that the two must share, for the similarity, for the containment, or for
//! both. A million documents of one template take 1.2 to 1.6 times (bench/results/2026-11-29-stars.md) the processor
//! time of chains. Where documents differ from the template by words of a small vocabulary, and neither condition is
//! sharp, most kept documents are compared: 60,000 documents by `--measure containment` took 24 times as long as
//! chains.
//!
//! Not for: pairs that are known already. [`Stars`](crate::cluster::Stars) are made of those.

mod checker;
mod index;
mod list;

use crate::compare::measure::Set;
use crate::plan::Measure;
use crate::search::exact::order::stretch;
use crate::search::executor::{Executor, try_map};
use crate::search::families::grouped::LARGE;
use crate::search::lsh::Tally;
use crate::simd::Level;
use crate::similarity::Similarity;
use checker::CentreChecker;
use index::{CentreDescription, CentreIndex};

/// When a centre takes a document.
pub trait CentreRule: Sync {
    /// The conditions that the features of the two must meet.
    fn conditions(&self) -> CentreConditions;

    /// The distinct features of a document. They have no weights.
    fn set(&self, document: u32) -> Set<'_>;

    /// Whether `centre` may take `document` if their features meet the conditions.
    fn may_take(&self, centre: u32, document: u32) -> bool;

    /// Whether a document is a centre in any case.
    fn is_centre(&self, document: u32) -> bool;

    /// Whether a document that no centre takes becomes a centre. Otherwise it takes no other document.
    fn may_be_centre(&self, document: u32) -> bool;
}

/// The conditions that the features of a centre and of a document must meet.
#[derive(Clone, Copy, Debug)]
pub struct CentreConditions {
    /// The measure of similarity, and the least similarity of the two. `None` if any similarity will do.
    pub similarity: Option<(Measure, f64)>,
    /// The least share of the document's features that the centre must have. `None` if any share will do.
    pub containment: Option<f64>,
    /// The instructions that comparisons use.
    pub level: Level,
}

/// A document, and the centre that takes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// The document.
    pub document: u32,
    /// Its centre.
    pub centre: u32,
    /// Their similarity, if there is a condition for it.
    pub similarity: Option<Similarity>,
}

/// The documents that centres take. All others are centres, or may be none.
#[derive(Debug, Default)]
pub struct Centres {
    /// In the order of preference.
    pub taken: Vec<Taken>,
    /// Centres that an earlier centre did not take only because it does not contain enough of them.
    pub refused: u64,
    /// The pairs of a document and a centre that may take it, and those of them that were compared.
    pub tally: Tally,
}

/// Documents that are looked up together among the centres of earlier blocks. The rest of a block is taken one by one.
const BLOCK: usize = 1024;

/// Documents in a part of a block, which takes a fraction of a millisecond.
const PART: usize = 64;

impl Centres {
    /// The centres of `documents`, which are in the order of preference.
    ///
    /// # Errors
    /// [`Executor::Stopped`] if the executor stops it.
    pub fn of<E: Executor>(
        documents: &[u32],
        rule: &impl CentreRule,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        match documents.len() <= LARGE {
            true => Self::among_few(documents, rule, executor),
            false => Self::among_many(documents, rule, BLOCK, executor),
        }
    }

    fn among_few<E: Executor>(
        documents: &[u32],
        rule: &impl CentreRule,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let (mut found, mut centres) = (Centres::default(), Vec::new());
        let mut checker = CentreChecker::new(rule);
        for &document in documents {
            executor.check()?;
            checker.start(document);
            let taken = match rule.is_centre(document) {
                true => None,
                false => centres.iter().find_map(|&centre| checker.taken_by(centre)),
            };
            match taken {
                Some(taken) => found.taken.push(taken),
                None => {
                    found.refused += u64::from(checker.is_refused());
                    centres.extend(rule.may_be_centre(document).then_some(document));
                }
            }
        }
        found.tally = checker.tally();
        Ok(found)
    }

    fn among_many<E: Executor>(
        documents: &[u32],
        rule: &impl CentreRule,
        block: usize,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let mut found = Centres::default();
        let mut index = CentreIndex::new(documents, rule, executor)?;
        let mut checker = CentreChecker::new(rule);
        for block in documents.chunks(block) {
            executor.check()?;
            let before = index.len();
            let looked_up = LookedUp::new(block, rule, &index, executor)?;
            found.tally += looked_up.tally;
            for document in looked_up.documents {
                let left = match document {
                    Err(taken) => {
                        found.taken.push(taken);
                        continue;
                    }
                    Ok(left) => left,
                };
                checker.start(left.document);
                match checker.first(&index, before, &left.description) {
                    Some(taken) => found.taken.push(taken),
                    None => {
                        found.refused += u64::from(left.is_refused || checker.is_refused());
                        if rule.may_be_centre(left.document) {
                            index.push(left.document, &left.description);
                        }
                    }
                }
            }
        }
        found.tally += checker.tally();
        Ok(found)
    }
}

/// The documents of a block, looked up among the centres of earlier blocks.
struct LookedUp {
    /// Those that none of these takes, and the others as an error, in order.
    documents: Vec<Result<LeftDocument, Taken>>,
    tally: Tally,
}

impl LookedUp {
    fn new<E: Executor>(
        block: &[u32],
        rule: &impl CentreRule,
        index: &CentreIndex,
        executor: &E,
    ) -> Result<Self, E::Stopped> {
        let parts = try_map(executor, block.len().div_ceil(PART), |part| {
            let mut checker = CentreChecker::new(rule);
            let look_up = |&document: &u32| {
                let description = index.describe(rule.set(document).features);
                checker.start(document);
                match checker.first(index, 0, &description) {
                    Some(taken) => Err(taken),
                    None => Ok(LeftDocument { document, description, is_refused: checker.is_refused() }),
                }
            };
            let documents: Vec<_> = stretch(block, part, PART).iter().map(look_up).collect();
            Ok((documents, checker.tally()))
        })?;
        let mut tally = Tally::default();
        let parts = parts.into_iter().inspect(|(_, part)| tally += *part);
        let documents = parts.flat_map(|(documents, _)| documents).collect();
        Ok(LookedUp { documents, tally })
    }
}

/// A document that no centre of an earlier block takes.
struct LeftDocument {
    document: u32,
    description: CentreDescription,
    /// Whether such a centre did not take it only because it does not contain enough of it.
    is_refused: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::verify::Overlap;
    use crate::search::executor::Sequential;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use std::collections::BTreeSet;

    /// Sets of documents, and the rule by which centres take them.
    #[derive(Debug)]
    struct Drawn {
        sets: Vec<Vec<u64>>,
        similarity: Option<(Measure, f64)>,
        containment: Option<f64>,
        /// One in so many pairs are no candidates, and one in so many documents are centres in any case, or never.
        rare: u32,
    }

    impl CentreRule for Drawn {
        fn conditions(&self) -> CentreConditions {
            let Drawn { similarity, containment, .. } = *self;
            CentreConditions { similarity, containment, level: Level::detect() }
        }

        fn set(&self, document: u32) -> Set<'_> {
            Set { features: &self.sets[document as usize], weights: &[] }
        }

        fn may_take(&self, centre: u32, document: u32) -> bool {
            !(centre * 7 + document * 13).is_multiple_of(self.rare)
        }

        fn is_centre(&self, document: u32) -> bool {
            (document * 11 + 1).is_multiple_of(self.rare)
        }

        fn may_be_centre(&self, document: u32) -> bool {
            self.is_centre(document) || !(document * 5 + 2).is_multiple_of(self.rare)
        }
    }

    /// What is defined: each document in turn is compared with all centres before it.
    fn defined(documents: &[u32], rule: &Drawn) -> (Vec<(u32, u32)>, u64) {
        let (mut taken, mut centres, mut refused) = (Vec::new(), Vec::new(), 0);
        for &document in documents {
            let features = |document: u32| rule.sets[document as usize].iter().collect::<BTreeSet<_>>();
            let own = features(document);
            let share = |centre: u32| own.intersection(&features(centre)).count() as f64 / own.len() as f64;
            let is_contained = |centre: u32| rule.containment.is_none_or(|least| share(centre) >= least);
            let is_similar = |centre: u32| {
                let Some((measure, threshold)) = rule.similarity else { return true };
                let other = features(centre);
                let common = own.intersection(&other).count() as u32;
                let overlap = Overlap { common, left: own.len() as u32, right: other.len() as u32 };
                measure.reaches(threshold, measure.of(overlap))
            };
            let similar: Vec<u32> = centres
                .iter()
                .copied()
                .filter(|&centre| rule.may_take(centre, document) && is_similar(centre))
                .collect();
            match similar.iter().find(|&&centre| is_contained(centre)) {
                Some(&centre) if !rule.is_centre(document) => taken.push((document, centre)),
                _ => {
                    let is_refused = rule.similarity.is_some() && !similar.is_empty();
                    refused += u64::from(is_refused && !rule.is_centre(document));
                    centres.extend(rule.may_be_centre(document).then_some(document));
                }
            }
        }
        (taken, refused)
    }

    /// Documents with most of a template, and some features of a small pool beside it. Some have another template.
    fn drawn() -> impl Strategy<Value = (Drawn, Vec<u32>)> {
        let measures = prop::sample::select(vec![Measure::Jaccard, Measure::Cosine, Measure::Containment]);
        let similarity = (measures, prop::sample::select(vec![0.3, 0.5, 0.7, 0.8, 0.9, 1.0]));
        let containment = prop::sample::select(vec![0.2, 0.5, 0.8, 0.9, 0.95, 1.0]);
        let conditions = prop_oneof![
            similarity.clone().prop_map(|similarity| (Some(similarity), None)),
            containment.clone().prop_map(|containment| (None, Some(containment))),
            (similarity, containment)
                .prop_map(|(similarity, containment)| (Some(similarity), Some(containment))),
        ];
        let set =
            (0..4_u64, prop::collection::vec(0..40_u64, 0..6), prop::collection::vec(100..160_u64, 0..12));
        let sets = prop::collection::vec(set, 1..60).prop_map(|sets| {
            let set = |(template, missing, extra): (u64, Vec<u64>, Vec<u64>)| {
                let template = if template == 0 { 200..240 } else { 0..40 };
                let base = template.filter(|feature| !missing.contains(&(feature % 40)));
                base.chain(extra).collect::<BTreeSet<u64>>().into_iter().collect::<Vec<u64>>()
            };
            sets.into_iter().map(set).collect::<Vec<Vec<u64>>>()
        });
        let rare = prop::sample::select(vec![5_u32, 30, 1 << 20]);
        (sets, conditions, rare).prop_flat_map(|(sets, (similarity, containment), rare)| {
            let documents = Just((0..sets.len() as u32).collect::<Vec<u32>>()).prop_shuffle();
            let drawn = (sets, similarity, containment, rare);
            documents.prop_map(move |documents| {
                let (sets, similarity, containment, rare) = drawn.clone();
                (Drawn { sets, similarity, containment, rare }, documents)
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_document_is_taken_by_the_first_centre_that_may_also_if_there_are_many(
            (rule, documents) in drawn(), block in 1..70_usize
        ) {
            let (expected, refused) = defined(&documents, &rule);
            let Ok(few) = Centres::among_few(&documents, &rule, &Sequential);
            let Ok(many) = Centres::among_many(&documents, &rule, block, &Sequential);
            for found in [few, many] {
                let taken: Vec<(u32, u32)> = found.taken.iter().map(|taken| (taken.document, taken.centre)).collect();
                prop_assert_eq!((taken, found.refused), (expected.clone(), refused));
            }
        }
    }
}
