//! Some documents, chosen at random, compared with all, exactly: what holds for them holds for the corpus, whatever a search
//! by sketches finds of it.
//!
//! It is the queries that are sampled, never what they are compared with: in a sample of one document in ten, one pair in a
//! hundred is left.
//!
//! Not for: what is made of the similarities.

use crate::documents::Documents;
use crate::error::Error;
use crate::ids::Names;
use crate::job::Job;
use crate::progress::{Monitor, Unit};
use crate::scan::scan;
use lookalike::{Overlap, SplitMix64};
use lookalike_corpus::{Chunk, Fields, Inputs, Reader, Scan, Scratch};
use std::sync::atomic::AtomicBool;

/// Up to `count` of `documents`, in random order, so that the first ones of them are a sample too. It depends on the numbers
/// of the documents and the seed only.
pub(crate) fn choose(documents: &[u32], count: usize, seed: u64) -> Vec<u32> {
    let hash = |&document: &u32| {
        // Seeds that follow one another are far apart, so that they draw different documents.
        let start = SplitMix64(seed).next();
        (SplitMix64(start ^ u64::from(document)).next(), document)
    };
    let mut hashed: Vec<(u64, u32)> = documents.iter().map(hash).collect();
    hashed.sort_unstable();
    hashed.truncate(count);
    hashed.into_iter().map(|(_, document)| document).collect()
}

/// A corpus after its first scan.
#[derive(Clone, Copy)]
pub(crate) struct Scanned<'a> {
    pub(crate) job: &'a Job,
    pub(crate) inputs: &'a Inputs,
    pub(crate) documents: &'a Documents,
    pub(crate) monitor: &'a Monitor,
}

impl Scanned<'_> {
    /// Reads the documents that are `wanted` again, on all threads, in any order: calls `work` with the number and the text
    /// of each. Returns the states of the threads.
    pub(crate) fn visit<State: Send>(
        self,
        stage: &'static str,
        wanted: impl Fn(u32) -> bool + Sync,
        state: impl Fn() -> State + Sync,
        work: impl Fn(&mut State, u32, &str) + Sync,
    ) -> Result<Vec<State>, Error> {
        let Scanned { job, inputs, documents, monitor } = self;
        let total = (0..documents.len() as u32).filter(|&document| wanted(document)).count();
        let fields = Fields { text: job.text_field.clone(), id: None, number: None };
        let bar = monitor.stage(stage, Unit::Documents, Some(total as u64));
        let reader = Reader::new(inputs, &fields, Scan::Documents);
        let visit = |(state, scratch): &mut (State, Scratch), chunk: Chunk<'_>| {
            let Some(index) = documents.chunk_index(chunk.id()) else { return Ok(None) };
            let here: Vec<u32> =
                documents.chunks[index].range().filter(|&document| wanted(document)).collect();
            if here.is_empty() {
                return Ok(None);
            }
            let mut loaded = chunk.load(scratch)?;
            for &document in &here {
                let record =
                    loaded.record(documents.places[document as usize]).map_err(|bad| Error::Changed {
                        place: Names { inputs, documents }.place(document),
                        problem: bad.problem.to_string(),
                    })?;
                work(state, document, record.text);
                monitor.interrupt.check()?;
            }
            bar.inc(here.len() as u64);
            Ok(None::<()>)
        };
        let state = || (state(), Scratch::default());
        let states = scan(&reader, &monitor.interrupt, &AtomicBool::new(false), state, visit);
        bar.finish_and_clear();
        Ok(states?.1.into_iter().map(|(state, _)| state).collect())
    }
}

/// Sets of features to compare with: for each feature, which of the sets have it.
pub(crate) struct Queries {
    sizes: Vec<u32>,
    /// Ascending by feature, then by query.
    postings: Vec<(u64, u32)>,
    /// Where the postings start whose features have these bits at the top.
    starts: Vec<usize>,
    shift: u32,
}

/// What a thread counts common features in.
#[derive(Default)]
pub(crate) struct Counts {
    common: Vec<u32>,
    touched: Vec<u32>,
}

impl Queries {
    /// Of sets, each of different features.
    pub(crate) fn new<Set: AsRef<[u64]>>(sets: &[Set]) -> Self {
        let sizes = sets.iter().map(|set| set.as_ref().len() as u32).collect();
        let mut postings: Vec<(u64, u32)> = Vec::new();
        for (query, set) in (0..).zip(sets) {
            postings.extend(set.as_ref().iter().map(|&feature| (feature, query)));
        }
        postings.sort_unstable();
        // As many places as there are features, so that most of them hold one or none.
        let bits = postings.len().next_power_of_two().ilog2().max(1);
        let shift = 64 - bits;
        let mut starts = vec![0; (1 << bits) + 1];
        postings.iter().for_each(|(feature, _)| starts[(feature >> shift) as usize + 1] += 1);
        for place in 1..starts.len() {
            starts[place] += starts[place - 1];
        }
        Queries { sizes, postings, starts, shift }
    }

    pub(crate) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// How many common features a document like these meets in them, on average: what a comparison costs.
    pub(crate) fn visits(&self) -> u64 {
        let same = self.postings.chunk_by(|a, b| a.0 == b.0);
        let all: u64 = same.map(|same| (same.len() as u64).pow(2)).sum();
        all / (self.len() as u64).max(1)
    }

    /// Calls `each` for every query that has something in common with a document of these `features`, which are all
    /// different; the query is on the left.
    pub(crate) fn compare(&self, features: &[u64], counts: &mut Counts, mut each: impl FnMut(u32, Overlap)) {
        let Counts { common, touched } = counts;
        common.resize(self.len(), 0);
        for &feature in features {
            let place = (feature >> self.shift) as usize;
            for &(other, query) in &self.postings[self.starts[place]..self.starts[place + 1]] {
                if other == feature {
                    let count = &mut common[query as usize];
                    if *count == 0 {
                        touched.push(query);
                    }
                    *count += 1;
                }
            }
        }
        for query in touched.drain(..) {
            let common = std::mem::take(&mut common[query as usize]);
            each(query, Overlap { common, left: self.sizes[query as usize], right: features.len() as u32 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn overlaps_are_those_of_sets(
            queries in vec(btree_set(0_u64..60, 0..20), 0..12),
            documents in vec(btree_set(0_u64..60, 0..20), 0..6),
            spread in prop::sample::select(vec![1_u64, 0x9e37_79b9_7f4a_7c15]),
        ) {
            // Features that all lie close together, and such as hashes are.
            let spread = |set: &BTreeSet<u64>| set.iter().map(|x| x.wrapping_mul(spread)).collect::<Vec<u64>>();
            let sets: Vec<Vec<u64>> = queries.iter().map(spread).collect();
            let index = Queries::new(&sets);
            let mut counts = Counts::default();
            for document in &documents {
                let mut found = BTreeMap::new();
                index.compare(&spread(document), &mut counts, |query, overlap| {
                    assert_eq!(found.insert(query, overlap), None);
                });
                let expected: BTreeMap<u32, Overlap> = (0..).zip(&queries).filter_map(|(query, set)| {
                    let common = set.intersection(document).count() as u32;
                    let overlap = Overlap { common, left: set.len() as u32, right: document.len() as u32 };
                    (common > 0).then_some((query, overlap))
                }).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_smaller_sample_is_the_start_of_a_larger_one_and_seeds_differ() {
        let documents: Vec<u32> = (0..1000).collect();
        let ten = choose(&documents, 10, 1);
        assert_eq!(ten, choose(&documents, 20, 1)[..10]);
        assert_ne!(ten, choose(&documents, 10, 2));
        let mut all = choose(&documents, 5000, 3);
        all.sort_unstable();
        assert_eq!(all, documents);
    }
}
