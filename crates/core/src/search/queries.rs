//! Compares a few documents with many others, without leaving out any pair.
//!
//! The few documents are kept in an inverted index. Each of the others looks its features up, which counts its common
//! features with all of the few. Samples and audits need this. Not for: comparing many with many, which `exact` does.

use crate::compare::measure::{Set, cosine};
use crate::compare::verify::Overlap;
use crate::hash::GOLDEN_RATIO;
use crate::plan::Measure;
use crate::search::sketches::ComparedFeatures;
use crate::similarity::Similarity;

/// The few documents that many others are compared with.
#[derive(Debug)]
pub struct Queries {
    measure: Measure,
    sets: Vec<ComparedFeatures>,
    /// A filter of features: eight bits for each feature, at most one in seven set. A feature with an unset bit is in
    /// no query.
    filter: Vec<u64>,
    /// A hash table with probing. An entry is a feature, with the start and end of its queries. An empty entry has
    /// none.
    table: Vec<(u64, u32, u32)>,
    queries: Vec<u32>,
}

/// The counters of one thread.
#[derive(Debug, Default)]
pub struct Counting {
    common: Vec<u32>,
    touched: Vec<u32>,
}

impl Queries {
    /// The queries, to be compared by `measure`. The cosine uses weights if the sets have them.
    ///
    /// # Panics
    /// If the sets have 2³² features or more.
    pub fn new(measure: Measure, sets: Vec<ComparedFeatures>) -> Self {
        let count = sets.iter().map(|set| set.set().features.len()).sum();
        let mut features: Vec<(u64, u32)> = Vec::with_capacity(count);
        for (query, set) in (0..).zip(&sets) {
            features.extend(set.set().features.iter().map(|&feature| (feature, query)));
        }
        assert!(u32::try_from(features.len()).is_ok(), "places have 32 bits");
        features.sort_unstable();
        let size = table_size(features.chunk_by(|left, right| left.0 == right.0).count());
        let mut queries = Queries {
            measure,
            sets,
            // A power of two, like the table's size: four bits per table entry, and two entries per feature.
            filter: vec![0; (size * 4).div_ceil(64)],
            table: vec![(0, 0, 0); size],
            queries: features.iter().map(|&(_, query)| query).collect(),
        };
        let mut start = 0;
        for group in features.chunk_by(|left, right| left.0 == right.0) {
            let feature = group[0].0;
            let (word, bit) = queries.bit(feature);
            queries.filter[word] |= bit;
            let place = queries.place(feature);
            let end = start + group.len() as u32;
            queries.table[place] = (feature, start, end);
            start = end;
        }
        queries
    }

    /// The most bytes that queries with this number of features take while they are made, including the features.
    pub fn bytes(features: u64) -> u64 {
        let sorted = size_of::<(u64, u32)>() as u64;
        let number = size_of::<u32>() as u64;
        let table = table_size(usize::try_from(features).unwrap_or(usize::MAX / 4)) as u64;
        let place = size_of::<(u64, u32, u32)>() as u64;
        features * (8 + sorted + number) + table * place + table / 2
    }

    /// The documents, as given.
    pub fn into_sets(self) -> Vec<ComparedFeatures> {
        self.sets
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The average number of counter updates for a document similar to the queries: the work of a comparison. A feature
    /// in several queries counts for each.
    pub fn visits(&self) -> u64 {
        let squares = self.table.iter().map(|&(_, start, end)| u64::from(end - start).pow(2));
        squares.sum::<u64>() / (self.len() as u64).max(1)
    }

    /// Calls `each` with every query that shares a feature with `set`, and their similarity, in no particular order.
    ///
    /// Queries that share nothing have a similarity of 0 and are left out.
    pub fn compare(&self, set: Set<'_>, counting: &mut Counting, mut each: impl FnMut(u32, Similarity)) {
        self.overlaps(set.features, counting, |query, overlap| {
            let other = self.sets[query as usize].set();
            let weighed = !other.weights.is_empty();
            each(query, if weighed { cosine(set, other) } else { self.measure.of(overlap) });
        });
    }

    /// Calls `each` with every query that shares one of the distinct `features`, and their overlap. The query is on the
    /// right.
    pub fn overlaps(&self, features: &[u64], counting: &mut Counting, mut each: impl FnMut(u32, Overlap)) {
        let Counting { common, touched } = counting;
        common.resize(self.sets.len(), 0);
        for &feature in features {
            let (word, bit) = self.bit(feature);
            if self.filter[word] & bit == 0 {
                continue;
            }
            let (_, start, end) = self.table[self.place(feature)];
            for &query in &self.queries[start as usize..end as usize] {
                if common[query as usize] == 0 {
                    touched.push(query);
                }
                common[query as usize] += 1;
            }
        }
        for query in touched.drain(..) {
            let common = std::mem::take(&mut common[query as usize]);
            let right = self.sets[query as usize].set().features.len() as u32;
            each(query, Overlap { common, left: features.len() as u32, right });
        }
    }

    fn bit(&self, feature: u64) -> (usize, u64) {
        let slot = feature.wrapping_mul(GOLDEN_RATIO) >> 32;
        ((slot >> 6) as usize & (self.filter.len() - 1), 1 << (slot & 63))
    }

    /// The table entry of a feature, or the empty entry where it would be.
    fn place(&self, feature: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = feature.wrapping_mul(GOLDEN_RATIO) as usize >> 8 & mask;
        while self.table[place].2 != 0 && self.table[place].0 != feature {
            place = (place + 1) & mask;
        }
        place
    }
}

/// The number of entries of a table for `features` features. Half of them are empty, so that most look-ups end at the
/// first entry.
fn table_size(features: usize) -> usize {
    (features * 2).next_power_of_two().max(8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Options, Plan, Weighting};
    use crate::search::sketches::SketchBuilder;
    use crate::simd::Level;
    use crate::simhash::Weights;
    use proptest::prelude::*;

    fn compared(plan: &Plan, texts: &[String]) -> Vec<ComparedFeatures> {
        let weights = Weights::without_table(plan.weighting()).unwrap();
        let mut builder = SketchBuilder::new(plan, &weights, Level::detect());
        texts.iter().map(|text| ComparedFeatures::new(&mut builder, text)).collect()
    }

    #[test]
    fn a_feature_of_two_queries_counts_twice() {
        let sets = [&[1_u64, 2, 3][..], &[2, 3], &[7]];
        let sets = sets.map(|features| ComparedFeatures::from(Set { features, weights: &[] }));
        let queries = Queries::new(Measure::Jaccard, sets.to_vec());
        // 1 and 7 are in one query each. 2 and 3 are in two queries, and two documents have each: 10 updates for three
        // documents.
        assert_eq!(queries.visits(), 3);
        assert_eq!(Queries::new(Measure::Jaccard, Vec::new()).visits(), 0);
    }

    #[test]
    fn bytes_are_exact_if_all_features_are_distinct() {
        let features: Vec<u64> = (0..1000).collect();
        let queries = Queries::new(
            Measure::Jaccard,
            vec![ComparedFeatures::from(Set { features: &features, weights: &[] })],
        );
        let held = queries.table.len() * 16 + queries.filter.len() * 8 + queries.queries.len() * 4 + 1000 * 8;
        // While the queries are made, the features are also sorted beside their documents.
        assert_eq!(Queries::bytes(1000), (held + 1000 * 16) as u64);
        assert_eq!(queries.into_sets()[0].set().features, features);
    }

    proptest! {
        #[test]
        fn every_similarity_equals_a_direct_comparison(
            texts in prop::collection::vec("([a-f]{1,2} ){0,12}", 1..20),
            measure in prop::sample::select(&Measure::ALL[..]),
            weighted in any::<bool>(),
        ) {
            let options = Options {
                measure: Some(measure.1),
                shingle: Some(1),
                weighting: Some(if weighted { Weighting::Tf } else { Weighting::Set }),
                ..Options::default()
            };
            let plan = options.plan().unwrap();
            let sets = compared(&plan, &texts);
            let queries = Queries::new(measure.1, sets.clone());
            let mut counting = Counting::default();
            for set in &sets {
                let mut found = vec![0.0; sets.len()];
                queries.compare(set.set(), &mut counting, |query, similarity| found[query as usize] = similarity.value());
                for (query, &similarity) in sets.iter().zip(&found) {
                    let (a, b) = (set.set(), query.set());
                    let common = a.features.iter().filter(|feature| b.features.contains(feature)).count() as u32;
                    let expected = if common == 0 {
                        0.0
                    } else if a.weights.is_empty() {
                        let (left, right) = (a.features.len() as u32, b.features.len() as u32);
                        measure.1.of(Overlap { common, left, right }).value()
                    } else {
                        cosine(a, b).value()
                    };
                    prop_assert_eq!(similarity, expected);
                }
            }
        }
    }
}
