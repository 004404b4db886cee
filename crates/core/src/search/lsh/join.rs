//! The join: every candidate pair is met once, in the first band that it shares, and compared exactly.
//!
//! Work is cut into buckets, which the caller may spread over threads: buckets of one band hold different
//! documents, and nothing here depends on the order in which they are done.

use crate::cluster::{Buckets, Share};
use crate::compare::measure::{Set, Verifier};
use crate::plan::SignatureFilter;
use crate::search::families::Families;
use crate::search::lsh::{SketchView, link};
use crate::similarity::{Match, Score};

/// What the join did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs that share a band and were looked at.
    pub candidates: u64,
    /// Of these, pairs that were compared feature by feature.
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
/// Documents that repeat an earlier one word for word take no part; [`Join::originals`] names them.
#[derive(Debug)]
pub struct Join<'a> {
    table: SketchView<'a>,
    filter: &'a SignatureFilter,
    originals: &'a [u32],
    /// The documents that take part.
    active: Vec<u32>,
    /// Of the documents before this one all is known.
    known: u32,
    /// Pairs within these are found by a [`FamilyJoin`](crate::search::FamilyJoin).
    families: Families,
}

impl<'a> Join<'a> {
    /// The join of `table`, of the candidates that pass `filter`; `originals` are those of its [`originals`](crate::sketch::originals).
    pub fn new(table: SketchView<'a>, filter: &'a SignatureFilter, originals: &'a [u32]) -> Self {
        let takes_part = |document: &u32| {
            originals[*document as usize] == *document && !table.contents[*document as usize].is_empty()
        };
        let active = (0..table.contents.len() as u32).filter(takes_part).collect();
        Join { table, filter, originals, active, known: 0, families: Families::default() }
    }

    /// The same, where nothing needs to be found out about the first `documents` among themselves: only what comes behind
    /// them is compared, with them and with each other.
    pub fn knowing(self, documents: u32) -> Self {
        Join { known: documents, ..self }
    }

    /// Sets the large ones among `buckets`, those of all bands, apart: their pairs are left to a
    /// [`FamilyJoin`](crate::search::FamilyJoin) of [`Join::families`].
    pub fn set_apart<'b>(&mut self, buckets: impl Iterator<Item = &'b [u32]>) {
        let buckets = buckets.filter(|bucket| !self.is_known(bucket));
        self.families = Families::of_buckets(self.originals.len(), buckets);
    }

    /// The documents that large buckets connect, if these were set apart.
    pub fn families(&self) -> &Families {
        &self.families
    }

    /// Are the two, `a` before `b`, candidates by any band, whose signatures pass the filter? So it is asked of pairs
    /// within families, which are not met band by band.
    pub fn may_be_similar(&self, a: u32, b: u32) -> bool {
        let bands = self.table.banding.bands;
        b >= self.known && self.table.met_before(bands, a, b) && self.table.passes(self.filter, a, b)
    }

    /// For every document the first one with the same content.
    pub fn originals(&self) -> &'a [u32] {
        self.originals
    }

    /// The groups of documents that share the key of `band`.
    pub fn buckets(&self, band: usize) -> Buckets {
        self.buckets_of(band, Share::ALL)
    }

    /// The same, of a share of all keys: with less memory, 32 bytes for each document of the share.
    pub fn buckets_of(&self, band: usize, share: Share) -> Buckets {
        self.table.buckets(band, &self.active, share)
    }

    /// Calls `involve` for the documents of a bucket that may be compared, unless `involved` says that it has
    /// been called for them.
    pub fn involve(&self, bucket: &[u32], involved: impl Fn(u32) -> bool, mut involve: impl FnMut(u32)) {
        if self.is_known(bucket) {
            return;
        }
        if self.in_family(bucket) {
            // Their pairs are found by their features.
            return bucket.iter().copied().filter(|&document| !involved(document)).for_each(involve);
        }
        for (index, &a) in bucket.iter().enumerate() {
            for &b in &bucket[index + 1..] {
                if involved(a) && involved(b) {
                    continue;
                }
                // Whether they have met is not asked: if they have, and may be similar, both are involved already.
                if b >= self.known && self.table.passes(self.filter, a, b) {
                    involve(a);
                    involve(b);
                }
            }
        }
    }

    /// Appends every pair of a bucket that is similar, until `found` holds `most` pairs.
    pub fn matches<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        features: impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
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
                    let score = self.compare(a, b, &features, verifier, &mut held, &mut tally);
                    found.extend(score.map(|score| Match { a, b, score }));
                }
            }
        }
        tally
    }

    /// Appends pairs of a bucket that are similar, enough to connect whatever the bucket's pairs connect: pairs
    /// whose documents hang together already, by `roots` or by the links of this bucket, are passed over.
    pub fn links<'f>(
        &self,
        band: usize,
        bucket: &[u32],
        roots: &[u32],
        features: impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
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
            is_candidate.then(|| self.compare(b, a, &features, verifier, held, &mut tally)).flatten()
        };
        link(bucket, roots, compare, found);
        tally
    }

    /// Is there nothing to find out about a bucket? Its documents ascend.
    fn is_known(&self, bucket: &[u32]) -> bool {
        bucket.last().is_some_and(|&last| last < self.known)
    }

    /// Are all documents of a bucket in one family? Those of large ones are.
    fn in_family(&self, bucket: &[u32]) -> bool {
        Families::are_large(bucket.len()) && self.families.join(bucket[0], bucket[1])
    }

    /// Are the two, `a` before `b`, to be compared in this band?
    fn is_candidate(&self, band: usize, a: u32, b: u32) -> bool {
        b >= self.known && !self.families.join(a, b) && !self.table.met_before(band, a, b)
    }

    /// Compares `b` with `a`, which is held from the first comparison on.
    fn compare<'f>(
        &self,
        a: u32,
        b: u32,
        features: &impl Fn(u32) -> Set<'f>,
        verifier: &mut Verifier,
        held: &mut bool,
        tally: &mut Tally,
    ) -> Option<Score> {
        tally.candidates += 1;
        if !self.table.passes(self.filter, a, b) {
            return None;
        }
        tally.compared += 1;
        verifier.reaches(features(a), features(b), held).map(Score::Similarity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use crate::plan::{Banding, Measure};
    use crate::simd::Level;
    use crate::sketch::{ContentHash, DocumentGroups};
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    const THRESHOLD: f64 = 0.8;

    /// Documents of which many share keys, and their signatures more or less: in families, one of which is large.
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
    fn involved_is_who_shares_any_key_with_a_document_that_it_may_be_similar_to_and_nobody_else_is_compared()
    {
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
            let involved = RefCell::new(BTreeSet::new());
            let mut expected = BTreeSet::new();
            let mut large = 0;
            for band in 0..banding.bands {
                for bucket in join.buckets(band).iter() {
                    let has = |document| involved.borrow().contains(&document);
                    join.involve(bucket, has, |document| {
                        involved.borrow_mut().insert(document);
                    });
                    if Families::are_large(bucket.len()) && bucket.last() >= Some(&known) {
                        large += 1;
                        expected.extend(bucket.iter().copied());
                        continue;
                    }
                    for (index, &a) in bucket.iter().enumerate() {
                        let partners = bucket[index + 1..].iter().copied().filter(|&b| b >= known);
                        for b in partners.filter(|&b| view.passes(&filter, a, b)) {
                            expected.extend([a, b]);
                        }
                    }
                }
            }
            assert_eq!(*involved.borrow(), expected);
            assert!(expected.len() > 50 && (expected.len() as u32) < documents, "{}", expected.len());
            assert_eq!(large > 0, documents == 6000);

            let compared = RefCell::new(BTreeSet::new());
            let set = |document| {
                compared.borrow_mut().insert(document);
                Set::default()
            };
            let mut verifier = Verifier::new(Level::detect(), Measure::Jaccard, THRESHOLD);
            let mut found = Vec::new();
            for band in 0..banding.bands {
                for bucket in join.buckets(band).iter() {
                    join.links(band, bucket, &originals, set, &mut verifier, &mut found);
                    join.matches(band, bucket, set, &mut verifier, usize::MAX, &mut found);
                }
            }
            assert!(compared.borrow().is_subset(&expected) && !compared.borrow().is_empty());
        }
    }
}
