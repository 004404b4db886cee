//! The join by bands: visits every candidate pair once, in the first band that it shares, and compares it
//! exactly, or by its signatures alone.
//!
//! The work is cut into buckets, which a caller may spread over threads. Buckets of one band hold different documents,
//! and the order of buckets does not matter.

use crate::cluster::{Buckets, KeyShare};
use crate::compare::measure::Set;
use crate::plan::SignatureFilter;
use crate::search::families::Families;
use crate::search::fingerprints::PairVerifier;
use crate::search::lsh::{SketchView, link};
use crate::similarity::{Match, Score};

/// Counts of the work of a join.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs that share a band and were visited.
    pub candidates: u64,
    /// Candidates whose sketches may be similar. They were compared feature by feature, unless sketches alone decide.
    pub compared: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.candidates += other.candidates;
        self.compared += other.compared;
    }
}

/// The candidates among the documents of a table.
///
/// Exact copies of an earlier document take no part. [`Join::originals`] gives their originals.
#[derive(Debug)]
pub struct Join<'a> {
    table: SketchView<'a>,
    filter: &'a SignatureFilter,
    originals: &'a [u32],
    /// The documents that take part.
    active: Vec<u32>,
    /// The number of first documents whose pairs with each other are known.
    known: u32,
    /// Pairs within these families are left to a [`FamilyJoin`](crate::search::FamilyJoin).
    families: Families,
}

impl<'a> Join<'a> {
    /// The join of `table` and the candidates that pass `filter`. `originals` must be the result of
    /// [`originals`](crate::sketch::originals) for its documents.
    pub fn new(table: SketchView<'a>, filter: &'a SignatureFilter, originals: &'a [u32]) -> Self {
        let takes_part = |document: &u32| {
            originals[*document as usize] == *document && !table.contents[*document as usize].is_empty()
        };
        let active = (0..table.contents.len() as u32).filter(takes_part).collect();
        Join { table, filter, originals, active, known: 0, families: Families::default() }
    }

    /// The same join if the pairs among the first `documents` are known. Only later documents are then compared, with
    /// those and with each other.
    pub fn knowing(self, documents: u32) -> Self {
        Join { known: documents, ..self }
    }

    /// Sets large buckets apart. `buckets` are the buckets of all bands. A [`FamilyJoin`](crate::search::FamilyJoin) of
    /// [`Join::families`] then finds the pairs within the large ones.
    pub fn set_apart<'b>(&mut self, buckets: impl Iterator<Item = &'b [u32]>) {
        let buckets = buckets.filter(|bucket| !self.is_known(bucket));
        self.families = Families::of_buckets(self.originals.len(), buckets);
    }

    /// The documents that large buckets connect, if these were set apart.
    pub fn families(&self) -> &Families {
        &self.families
    }

    /// Whether the two, `a` before `b`, share any band and pass the filter. Pairs within families are tested this way,
    /// as they are not visited band by band.
    pub fn may_be_similar(&self, a: u32, b: u32) -> bool {
        let bands = self.table.banding.bands;
        b >= self.known
            && self.table.met_before(bands, a, b)
            && self.table.passing(self.filter, a, b).is_some()
    }

    /// The original of every document, which is the first document with the same content.
    pub fn originals(&self) -> &'a [u32] {
        self.originals
    }

    /// The groups of documents that share the key of `band`.
    pub fn buckets(&self, band: usize) -> Buckets {
        self.buckets_of(band, KeyShare::ALL)
    }

    /// The groups whose key is in `share`. This takes less memory, 32 bytes for each document of the share.
    pub fn buckets_of(&self, band: usize, share: KeyShare) -> Buckets {
        self.table.buckets(band, &self.active, share)
    }

    /// Calls `mark` for the documents of a bucket that may be compared. Documents for which `is_marked` is true may be
    /// skipped.
    pub fn mark_candidates(
        &self,
        bucket: &[u32],
        is_marked: impl Fn(u32) -> bool,
        mut mark: impl FnMut(u32),
    ) {
        if self.is_known(bucket) {
            return;
        }
        if self.in_family(bucket) {
            // Pairs within a family are found by their features.
            return bucket.iter().copied().filter(|&document| !is_marked(document)).for_each(mark);
        }
        for (index, &a) in bucket.iter().enumerate() {
            for &b in &bucket[index + 1..] {
                if is_marked(a) && is_marked(b) {
                    continue;
                }
                // Pairs of an earlier band need no test here: if they may be similar, both are marked already.
                if b >= self.known && self.table.passing(self.filter, a, b).is_some() {
                    mark(a);
                    mark(b);
                }
            }
        }
    }

    /// Appends every similar pair of a bucket, until `found` holds `most` pairs.
    pub fn matches<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        pair_verifier: &mut PairVerifier<'_, impl Fn(u32) -> Set<'f>>,
        most: usize,
        found: &mut Vec<Match>,
    ) -> Tally {
        let mut tally = Tally::default();
        if self.in_family(bucket) {
            return tally;
        }
        for (index, &a) in bucket.iter().enumerate() {
            if found.len() >= most {
                break;
            }
            let mut held = false;
            for &b in &bucket[index + 1..] {
                if self.is_candidate(band, a, b) {
                    let score = self.compare(a, b, pair_verifier, &mut held, &mut tally);
                    found.extend(score.map(|score| Match { a, b, score }));
                }
            }
        }
        tally
    }

    /// Appends similar pairs of a bucket, enough to connect all documents that its pairs connect. Pairs whose documents
    /// are connected already, by `roots` or by the links of this bucket, are skipped.
    pub fn links<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        roots: &[u32],
        pair_verifier: &mut PairVerifier<'_, impl Fn(u32) -> Set<'f>>,
        found: &mut Vec<Match>,
    ) -> Tally {
        if self.is_known(bucket) || self.in_family(bucket) {
            return Tally::default();
        }
        let mut tally = Tally::default();
        let compare = |earlier: u32, later: u32, held: &mut bool| {
            let (a, b) = (bucket[earlier as usize], bucket[later as usize]);
            // The later document is held, and compared with the earlier ones.
            let is_candidate = self.is_candidate(band, a, b);
            is_candidate.then(|| self.compare(b, a, pair_verifier, held, &mut tally)).flatten()
        };
        link(bucket, roots, compare, found);
        tally
    }

    /// Whether all pairs of a bucket are known. Its documents ascend.
    fn is_known(&self, bucket: &[u32]) -> bool {
        bucket.last().is_some_and(|&last| last < self.known)
    }

    /// Whether all documents of a bucket are in one family. This holds for large buckets.
    fn in_family(&self, bucket: &[u32]) -> bool {
        Families::are_large(bucket.len()) && self.families.join(bucket[0], bucket[1])
    }

    /// Whether the two, `a` before `b`, are to be compared in this band.
    fn is_candidate(&self, band: usize, a: u32, b: u32) -> bool {
        b >= self.known && !self.families.join(a, b) && !self.table.met_before(band, a, b)
    }

    /// Compares `b` with `a`, which is held from the first comparison on.
    fn compare<'f>(
        &self,
        a: u32,
        b: u32,
        pair_verifier: &mut PairVerifier<'_, impl Fn(u32) -> Set<'f>>,
        held: &mut bool,
        tally: &mut Tally,
    ) -> Option<Score> {
        tally.candidates += 1;
        let estimate = self.table.passing(self.filter, a, b)?;
        tally.compared += 1;
        pair_verifier.score(a, b, Score::Estimate(estimate), held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::measure::Verifier;
    use crate::hash::SplitMix64;
    use crate::plan::{Banding, Measure};
    use crate::simd::Level;
    use crate::sketch::{ContentHash, DocumentGroups};
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    const THRESHOLD: f64 = 0.8;

    /// Documents in families, with one large family. Many of a family share keys, and their signatures agree to varying
    /// degrees.
    fn table(documents: u32, banding: Banding) -> (Vec<u64>, Vec<u8>, Vec<ContentHash>) {
        let mut generator = SplitMix64(5);
        let (mut keys, mut bytes, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        for document in 0..documents {
            let family = if document % 3 == 0 { 0 } else { generator.next() % 40 + 1 };
            keys.extend((0..banding.bands as u64).map(|band| match generator.next() % 3 {
                0 => u64::from(document) << 32 | band,
                _ => family << 8 | band,
            }));
            let changed = generator.next() % 64;
            bytes.extend((0..128).map(|value: u64| match generator.next() % 64 < changed {
                true => generator.next() as u8,
                false => (family * 128 + value) as u8,
            }));
            contents.push(ContentHash::of(&[u64::from(document)]));
        }
        (keys, bytes, contents)
    }

    #[test]
    fn documents_with_a_possible_partner_are_marked_and_no_others_are_compared() {
        let banding = Banding { bands: 4, rows: 32 };
        for (documents, known) in [(300, 0), (300, 120), (6000, 0)] {
            let (keys, bytes, contents) = table(documents, banding);
            let (keys, bytes, contents, groups) =
                (&keys[..], &bytes[..], &contents[..], DocumentGroups::default());
            let view = SketchView { banding, num_perm: 128, keys, bytes, contents, groups };
            let originals: Vec<u32> = (0..documents).collect();
            let filter = SignatureFilter::new(THRESHOLD, 128, banding, 0.995);
            let mut join = Join::new(view, &filter, &originals).knowing(known);
            let buckets: Vec<Buckets> = (0..banding.bands).map(|band| join.buckets(band)).collect();
            join.set_apart(buckets.iter().flat_map(Buckets::iter));
            let marked = RefCell::new(BTreeSet::new());
            let mut expected = BTreeSet::new();
            let mut large = 0;
            for band in 0..banding.bands {
                for bucket in join.buckets(band).iter() {
                    let has = |document| marked.borrow().contains(&document);
                    join.mark_candidates(bucket, has, |document| {
                        marked.borrow_mut().insert(document);
                    });
                    if Families::are_large(bucket.len()) && bucket.last() >= Some(&known) {
                        large += 1;
                        expected.extend(bucket.iter().copied());
                        continue;
                    }
                    for (index, &a) in bucket.iter().enumerate() {
                        let partners = bucket[index + 1..].iter().copied().filter(|&b| b >= known);
                        for b in partners.filter(|&b| view.passing(&filter, a, b).is_some()) {
                            expected.extend([a, b]);
                        }
                    }
                }
            }
            assert_eq!(*marked.borrow(), expected);
            assert!(expected.len() > 50 && (expected.len() as u32) < documents, "{}", expected.len());
            assert_eq!(large > 0, documents == 6000);

            let compared = RefCell::new(BTreeSet::new());
            let set = |document| {
                compared.borrow_mut().insert(document);
                Set::default()
            };
            let mut verifier = Verifier::new(Level::detect(), Measure::Jaccard, THRESHOLD);
            let mut pair_verifier = PairVerifier::Verify(&mut verifier, set);
            let mut found = Vec::new();
            for band in 0..banding.bands {
                for bucket in join.buckets(band).iter() {
                    join.links(band, bucket, &originals, &mut pair_verifier, &mut found);
                    join.matches(band, bucket, &mut pair_verifier, usize::MAX, &mut found);
                }
            }
            assert!(compared.borrow().is_subset(&expected) && !compared.borrow().is_empty());
        }
    }
}
