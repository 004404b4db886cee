//! The frequent features of kept documents. They count neither for the search nor for the similarity, but a word that only they have in
//! common is not lost with a removed document.

use crate::clusters::evidence::Evidence;
use crate::documents::scanned::Scanned;
use crate::error::Error;
use lookalike::Sketcher;
use lookalike::frequent::FrequentFeatures;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The frequent features of some documents, ascending. Copies have those of their original. Pages of a site share them, and so do documents here.
#[derive(Default)]
pub(super) struct KeptFrequent(HashMap<u32, Arc<[u64]>>);

impl KeptFrequent {
    /// Those of the documents that are `kept`, whose texts are read once more. Without frequent features nothing is read.
    pub(super) fn read(scanned: Scanned<'_>, evidence: Evidence<'_>, kept: &[u32]) -> Result<Self, Error> {
        let Scanned { request, documents, .. } = scanned;
        let Some(frequent) = request.plan.frequent() else { return Ok(KeptFrequent::default()) };
        let whole = request.plan.with_all_features();
        let mut originals: Vec<u32> = kept.iter().map(|&kept| evidence.originals[kept as usize]).collect();
        originals.sort_unstable();
        originals.dedup();
        let wanted = |document: u32| originals.binary_search(&document).is_ok();
        let state = || (Sketcher::with_level(&whole, request.level), Shared::default(), Vec::new());
        let states =
            scanned.visit("explain", wanted, state, |(sketcher, shared, found), document, text| {
                let (features, content) = sketcher.features_and_content(text);
                scanned.check_unchanged(document, content)?;
                found.push((document, shared.of(features, frequent)));
                Ok(())
            })?;
        let mut all: HashMap<u32, Arc<[u64]>> = states.into_iter().flat_map(|(_, _, found)| found).collect();
        let indexed = documents.indexed.numbers.len() as u32;
        let of_index: Vec<u32> = originals.into_iter().filter(|&document| document < indexed).collect();
        let (mut numbers, mut shared) = (of_index.iter(), Shared::default());
        documents.indexed.features(&whole, &of_index, |features| {
            all.extend(numbers.next().map(|&document| (document, shared.of(features, frequent))));
        })?;
        Ok(KeptFrequent(all))
    }

    /// Whether `kept` has this frequent feature.
    pub(super) fn has(&self, evidence: Evidence<'_>, kept: u32, feature: u64) -> bool {
        let features = self.0.get(&evidence.originals[kept as usize]);
        features.is_some_and(|features| features.binary_search(&feature).is_ok())
    }
}

/// Equal sets of features are one.
#[derive(Default)]
struct Shared(HashSet<Arc<[u64]>>);

impl Shared {
    /// The features that are frequent, ascending.
    fn of(&mut self, features: &[u64], frequent: &FrequentFeatures) -> Arc<[u64]> {
        let mut only: Vec<u64> = features.iter().copied().filter(|&feature| frequent.has(feature)).collect();
        only.sort_unstable();
        only.dedup();
        if let Some(known) = self.0.get(&only[..]) {
            return Arc::clone(known);
        }
        let only: Arc<[u64]> = only.into();
        self.0.insert(Arc::clone(&only));
        only
    }
}
