//! Compares a random sample of documents with all documents: exactly, and without a search.
//!
//! Only one side of the pairs is sampled. If both sides were a sample of one document in ten, one pair in a hundred would be left.

use crate::documents::kept::KeptChunks;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use crate::features::Features;
use lookalike::Weights;
use lookalike::hash::SplitMix64;
use lookalike::search::{ComparedFeatures, Counting, Queries, SketchBuilder};
use std::sync::atomic::{AtomicU64, Ordering};

/// A sampled document, and a document that is similar to it and the first with its content.
#[derive(Clone, Copy, Debug)]
pub struct Partner {
    /// The sampled document.
    pub sampled: u32,
    /// The similar document.
    pub original: u32,
}

/// The most partners that an audit holds for all sampled documents together: 0.8 GB, at 8 bytes each.
const MOST_PARTNERS: u64 = 100_000_000;

/// Chooses at most `count` of `documents`, in random order, so that the first ones are a smaller sample. The same seed chooses the same
/// documents.
pub fn choose(documents: impl Iterator<Item = u32>, count: usize, seed: u64) -> Vec<u32> {
    // Neighbouring seeds are mixed first, so that they draw different documents.
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
    /// The documents whose similarity to a document of `sampled` is at least `least`, without copies of earlier documents, in order. Reads
    /// the inputs twice.
    pub fn partners(
        self,
        sampled: &[u32],
        originals: &[u32],
        least: f64,
        weights: &Weights,
    ) -> Result<Vec<Partner>, Error> {
        let Scanned { request, documents, .. } = self;
        let mut is_sampled = vec![false; documents.len()];
        sampled.iter().for_each(|&document| is_sampled[document as usize] = true);
        let wanted = |document: u32| is_sampled[document as usize];
        let nothing_kept = KeptChunks::none(documents.chunks.len());
        let features = Features::load(self, nothing_kept, wanted, weights, None)?;
        let sets = sampled.iter().map(|&document| ComparedFeatures::from(features.of(document))).collect();
        let queries = Queries::new(request.plan.measure(), sets);
        drop(features);

        let state =
            || (SketchBuilder::new(&request.plan, weights, request.level), Counting::default(), Vec::new());
        type State<'p> = (SketchBuilder, Counting, Vec<Partner>);
        let (partners, groups) = (AtomicU64::new(0), documents.groups());
        let work = |(builder, counting, found): &mut State<'_>, document: u32, text: &str| {
            if partners.load(Ordering::Relaxed) > MOST_PARTNERS {
                return Ok(());
            }
            let (compared, content) = ComparedFeatures::with_content(builder, text);
            self.check_unchanged(document, content)?;
            let before = found.len();
            queries.compare(compared.set(), counting, |query, similarity| {
                let sampled = sampled[query as usize];
                if groups.are_together(sampled, document) && request.plan.measure().reaches(least, similarity)
                {
                    found.push(Partner { sampled, original: document });
                }
            });
            partners.fetch_add((found.len() - before) as u64, Ordering::Relaxed);
            Ok(())
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
