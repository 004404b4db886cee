//! Parts of a search: no candidate pair has documents of two parts. So the parts can be compared one after the other, and only
//! the features of one are needed at a time.
//!
//! **Texts in memory are compared in parts.** Such texts can be read again at no cost, so the features of all
//! candidates need not be there together. Documents that a bucket connects are in one part, and all families of large
//! buckets are in the first. The features of a part take about 100 MB, or as much as the sketches of all documents;
//! there are at most 32 parts. The features of a part are loaded, its pairs are verified, its clusters are decided and
//! explained, and the next part takes their memory (`compared`). Then the decisions of all parts are merged. The result
//! is the same, to the last figure. Stars, `--min-containment`, `--against-containment`, an index, weights and the
//! cosine are compared in one part, and so are runs that explain each removed document, for a list or a report. They
//! need the features of pairs that were no candidates.
//!
//! Not for: sharing work among threads, which take blocks.

use crate::cluster::UnionFind;
use crate::search::families::Families;

/// The parts of the documents that may be compared.
///
/// Documents that a bucket connects are in one part. All families are in part 0, because they are joined together.
#[derive(Debug)]
pub struct SearchParts {
    /// The part of each document, or [`NONE`] if it is not compared with any other.
    of: Vec<u8>,
    count: u8,
}

/// The part of documents that are not compared.
const NONE: u8 = u8::MAX;

/// The most parts: each one visits all blocks.
const MOST: u64 = 32;

impl SearchParts {
    /// Puts the documents that `is_candidate` into parts, so that the sum of `weight` in each is near `most`, or less.
    ///
    /// Documents that are connected stay together, and there are at most 32 parts, so a part may be heavier. `buckets` are those of all bands.
    pub(super) fn new<'b>(
        documents: usize,
        buckets: impl Iterator<Item = &'b [u32]>,
        families: &Families,
        is_candidate: impl Fn(u32) -> bool,
        weight: impl Fn(u32) -> u64,
        most: u64,
    ) -> Self {
        let mut sets = UnionFind::new(documents);
        for bucket in buckets {
            let mut candidates = bucket.iter().copied().filter(|&document| is_candidate(document));
            if let Some(first) = candidates.next() {
                candidates.for_each(|document| sets.unite(first, document));
            }
        }
        let firsts: Vec<u32> = families.members().map(|members| members[0]).collect();
        firsts.windows(2).for_each(|pair| sets.unite(pair[0], pair[1]));
        let family = firsts.first().map(|&first| sets.find(first));
        let roots = sets.roots();
        let mut weights = vec![0; documents];
        let candidates = || (0..documents as u32).filter(|&document| is_candidate(document));
        candidates()
            .for_each(|document| weights[roots[document as usize] as usize] += weight(document).max(1));
        let total: u64 = weights.iter().sum();
        let mut loads = vec![0; total.div_ceil(most.max(1)).clamp(1, MOST) as usize];
        let mut of = vec![NONE; documents];
        if let Some(root) = family {
            (of[root as usize], loads[0]) = (0, weights[root as usize]);
        }
        // A root is the first document of its set.
        for document in candidates() {
            let root = roots[document as usize] as usize;
            if of[root] == NONE {
                let lightest = (0..loads.len()).min_by_key(|&part| loads[part]).unwrap_or_default();
                (of[root], loads[lightest]) = (lightest as u8, loads[lightest] + weights[root]);
            }
            of[document as usize] = of[root];
        }
        // Fewer sets than parts leave the last parts empty.
        let count = loads.iter().filter(|&&load| load > 0).count().max(1);
        SearchParts { of, count: count as u8 }
    }

    /// The parts, in the order in which they are to be compared.
    pub fn iter(&self) -> impl Iterator<Item = SearchPart<'_>> {
        (0..self.count).map(|number| SearchPart { number, of: &self.of })
    }

    /// The number of parts, at least one.
    pub fn count(&self) -> usize {
        self.count.into()
    }
}

/// One of several [`SearchParts`].
#[derive(Clone, Copy, Debug)]
pub struct SearchPart<'a> {
    number: u8,
    of: &'a [u8],
}

impl SearchPart<'_> {
    /// Whether `document` is in this part, and is compared with others.
    pub fn compares(self, document: u32) -> bool {
        self.of[document as usize] == self.number
    }

    /// Whether `document` is in this part. Part 0 also has the documents that are not compared.
    pub fn has(self, document: u32) -> bool {
        self.compares(document) || self.is_first() && self.of[document as usize] == NONE
    }

    /// Whether this is part 0, which is to be compared first and has all families.
    pub fn is_first(self) -> bool {
        self.number == 0
    }

    /// Whether the pairs of `bucket` are visited in this part.
    pub(super) fn visits(self, bucket: &[u32]) -> bool {
        let compared = bucket.iter().map(|&document| self.of[document as usize]).find(|&of| of != NONE);
        compared.unwrap_or(0) == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;

    const DOCUMENTS: u32 = 3000;

    /// Two large buckets that no other bucket connects, and small ones of documents that are near each other.
    fn buckets(generator: &mut SplitMix64) -> Vec<Vec<u32>> {
        let mut buckets: Vec<Vec<u32>> = vec![(0..600).step_by(2).collect(), (900..1200).collect()];
        buckets.extend((0..700).map(|_| {
            let first = (generator.next() % u64::from(DOCUMENTS - 8)) as u32;
            let others = (1..8).filter(|_| generator.next().is_multiple_of(3)).map(|step| first + step);
            std::iter::once(first).chain(others).chain([first + 8]).collect()
        }));
        buckets
    }

    #[test]
    fn no_bucket_has_candidates_of_two_parts_and_each_is_visited_in_one() {
        let mut generator = SplitMix64(3);
        for most in [u64::MAX, 8000, 3000, 1] {
            let buckets = buckets(&mut generator);
            let slices = || buckets.iter().map(Vec::as_slice);
            let families = Families::of_buckets(DOCUMENTS as usize, slices());
            let mut is_candidate: Vec<bool> =
                (0..DOCUMENTS).map(|_| !generator.next().is_multiple_of(3)).collect();
            families.members().flatten().for_each(|&document| is_candidate[document as usize] = true);
            let is_candidate = |document: u32| is_candidate[document as usize];
            let weight = |document: u32| u64::from(document % 7) + 1;
            let parts = SearchParts::new(DOCUMENTS as usize, slices(), &families, is_candidate, weight, most);

            let total: u64 = (0..DOCUMENTS).filter(|&document| is_candidate(document)).map(weight).sum();
            assert_eq!(parts.count() as u64, total.div_ceil(most).min(MOST));
            for bucket in slices() {
                assert_eq!(parts.iter().filter(|part| part.visits(bucket)).count(), 1);
                let part = parts.iter().find(|part| part.visits(bucket)).expect("it is visited in one");
                assert!(bucket.iter().all(|&document| !is_candidate(document) || part.compares(document)));
            }
            for document in 0..DOCUMENTS {
                assert_eq!(parts.iter().filter(|part| part.has(document)).count(), 1);
                let compared = parts.iter().filter(|part| part.compares(document)).count();
                assert_eq!(compared, usize::from(is_candidate(document)));
            }
            let mut members = families.members().flatten();
            let first = parts.iter().next().expect("there is one");
            assert!(members.all(|&member| first.is_first() && first.compares(member)));
        }
    }

    #[test]
    fn documents_that_are_all_connected_or_not_compared_are_one_part() {
        let one_family: Vec<u32> = (0..DOCUMENTS).collect();
        let chain: Vec<[u32; 2]> = (1..DOCUMENTS).map(|document| [document - 1, document]).collect();
        for (buckets, is_candidate) in [
            (vec![&one_family[..]], true),
            (chain.iter().map(|bucket| &bucket[..]).collect(), true),
            (vec![&one_family[..9]], false),
        ] {
            let families = Families::of_buckets(DOCUMENTS as usize, buckets.iter().copied());
            let buckets = buckets.iter().copied();
            let parts = SearchParts::new(DOCUMENTS as usize, buckets, &families, |_| is_candidate, |_| 0, 10);
            assert_eq!(parts.count(), 1);
            let part = parts.iter().next().expect("there is one");
            assert!(
                (0..DOCUMENTS).all(|document| part.has(document) && part.compares(document) == is_candidate)
            );
        }
    }

    #[test]
    fn parts_are_equally_heavy_if_their_documents_are_not_connected() {
        let buckets: Vec<[u32; 2]> = (0..DOCUMENTS / 2).map(|pair| [2 * pair, 2 * pair + 1]).collect();
        let slices = buckets.iter().map(|bucket| &bucket[..]);
        let families = Families::default();
        let parts = SearchParts::new(DOCUMENTS as usize, slices, &families, |_| true, |_| 5, 3000);
        let load = |part: SearchPart<'_>| (0..DOCUMENTS).filter(|&document| part.compares(document)).count();
        assert_eq!(parts.iter().map(load).collect::<Vec<_>>(), [600; 5]);
    }
}
