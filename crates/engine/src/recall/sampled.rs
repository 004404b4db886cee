//! Some documents, chosen at random, against all: exactly, and without any search.
//!
//! It is the queries that are sampled, never what they are compared with: in a sample of one document in ten, one pair in a
//! hundred is left.

use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::features::Features;
use lookalike::Weights;
use lookalike::hash::SplitMix64;
use lookalike::search::{Compared, Counting, Queries, SketchBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A sampled document, and another one that is similar to it and no copy of an earlier one.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    /// The sampled one.
    pub sampled: u32,
    /// The other one.
    pub original: u32,
}

/// Partners of all sampled documents together up to which an audit goes: 8 bytes each.
const MOST_PARTNERS: u64 = 100_000_000;

/// At most `count` of `documents`, in random order, so that the first ones of them are a sample too; the same ones for the same
/// seed.
pub fn choose(documents: impl Iterator<Item = u32>, count: usize, seed: u64) -> Vec<u32> {
    // Seeds that follow one another are far apart, so that they draw different documents.
    let start = SplitMix64(seed).next();
    let draw = |document: u32| (SplitMix64(start ^ u64::from(document)).next(), document);
    let mut drawn: Vec<(u64, u32)> = documents.map(draw).collect();
    if count < drawn.len() {
        drawn.select_nth_unstable(count);
        drawn.truncate(count);
    }
    drawn.sort_unstable();
    drawn.into_iter().map(|(_, document)| document).collect()
}

impl Scanned<'_> {
    /// Whatever is similar to a document of `sampled` and no copy of an earlier document, from `least` on; in order. Reads the inputs
    /// twice more.
    pub fn partners(
        self,
        sampled: &[u32],
        originals: &[u32],
        least: f64,
        weights: &Weights,
    ) -> Result<Vec<Partner>, Error> {
        let Scanned { request, documents, .. } = self;
        let mut wanted: Vec<AtomicBool> = (0..documents.len()).map(|_| AtomicBool::new(false)).collect();
        sampled.iter().for_each(|&document| *wanted[document as usize].get_mut() = true);
        let nothing_kept = (documents.chunks.iter().map(|_| None).collect(), Vec::new());
        let features = Features::load(self, nothing_kept, &wanted, weights, None)?;
        let sets = sampled.iter().map(|&document| Compared::from(features.of(document))).collect();
        let queries = Queries::new(request.plan.measure(), sets);
        drop(features);

        let state =
            || (SketchBuilder::new(&request.plan, weights, request.level), Counting::default(), Vec::new());
        type State<'p> = (SketchBuilder, Counting, Vec<Partner>);
        let (partners, groups) = (AtomicU64::new(0), documents.groups());
        let work = |(builder, counting, found): &mut State<'_>, document: u32, text: &str| {
            if partners.load(Ordering::Relaxed) > MOST_PARTNERS {
                return;
            }
            let (compared, before) = (Compared::new(builder, text), found.len());
            queries.compare(compared.set(), counting, |query, similarity| {
                let sampled = sampled[query as usize];
                if groups.are_together(sampled, document) && request.plan.measure().reaches(least, similarity)
                {
                    found.push(Partner { sampled, original: document });
                }
            });
            partners.fetch_add((found.len() - before) as u64, Ordering::Relaxed);
        };
        let is_original = |document: u32| originals[document as usize] == document;
        let states = self.visit("audit", is_original, state, work)?;
        let partners = partners.into_inner();
        if partners > MOST_PARTNERS {
            return Err(Error::TooManyPartners { partners });
        }
        let mut found: Vec<Partner> = states.into_iter().flat_map(|(.., found)| found).collect();
        found.sort_unstable_by_key(|partner| (partner.sampled, partner.original));
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_sample_is_the_start_of_a_larger_one_and_seeds_differ() {
        let choose = |count, seed| choose(0..1000, count, seed);
        let ten = choose(10, 1);
        assert_eq!(ten, choose(20, 1)[..10]);
        assert_ne!(ten, choose(10, 2));
        let mut all = choose(5000, 3);
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<u32>>());
    }
}
