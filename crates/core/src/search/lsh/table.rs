//! The sketches of a corpus, as needed by the search for pairs.

use crate::cluster::{Buckets, KeyShare};
use crate::plan::{Banding, SignatureFilter};
use crate::simd::prefetch;
use crate::similarity::Estimate;
use crate::sketch::{ContentHash, Contents, DocumentGroups, Group, Sketch};

/// The sketch of every document: its band keys, eight bits of each signature value, and its content hash.
///
/// A document takes 8 × `bands` + `num_perm` + 24 bytes, 320 with the defaults. Eight bits estimate almost as well as
/// 32 (Li and König, "b-Bit Minwise Hashing", 2010). Two different values agree by chance in one of 256 cases.
#[derive(Clone, Debug)]
pub struct SketchTable {
    banding: Banding,
    num_perm: usize,
    keys: Vec<u64>,
    bytes: Vec<u8>,
    contents: Contents,
}

/// The columns of a [`SketchTable`], in any memory.
#[derive(Clone, Copy, Debug)]
pub struct SketchView<'a> {
    /// The bands and rows of a signature.
    pub banding: Banding,
    /// Values per signature.
    pub num_perm: usize,
    /// Band keys, document by document.
    pub keys: &'a [u64],
    /// Eight bits of each signature value, document by document.
    pub bytes: &'a [u8],
    /// The content hash of each document.
    pub contents: &'a [ContentHash],
    /// The groups within which documents are compared.
    pub groups: DocumentGroups<'a>,
}

impl SketchTable {
    /// An empty table for sketches of `num_perm` values in bands of `banding`.
    pub fn new(num_perm: usize, banding: Banding) -> Self {
        SketchTable { banding, num_perm, keys: Vec::new(), bytes: Vec::new(), contents: Contents::default() }
    }

    /// A table from its columns, as in [`SketchView`].
    ///
    /// # Panics
    /// If the columns have different numbers of documents.
    pub fn of_columns(
        num_perm: usize,
        banding: Banding,
        keys: Vec<u64>,
        bytes: Vec<u8>,
        contents: Vec<ContentHash>,
    ) -> Self {
        assert_eq!(keys.len(), contents.len() * banding.bands, "a key for each band");
        assert_eq!(bytes.len(), contents.len() * num_perm, "a byte for each value");
        SketchTable { banding, num_perm, keys, bytes, contents: Contents(contents) }
    }

    /// Appends a document.
    pub fn push(&mut self, sketch: &Sketch<'_>) {
        self.keys.extend_from_slice(sketch.keys);
        self.bytes.extend(sketch.signature.iter().map(|&value| value as u8));
        self.contents.0.push(sketch.content);
    }

    /// Puts the last document into `group`. It then shares no key with documents of other groups, and is a copy of
    /// none.
    ///
    /// # Panics
    /// If there is no document.
    pub fn put_last_into(&mut self, group: Group) {
        let first = self.keys.len() - self.banding.bands;
        self.keys[first..].iter_mut().for_each(|key| *key = group.key(*key));
        self.contents.put_last_into(group);
    }

    /// Replaces every band key by what `map` makes of it.
    pub fn map_keys(&mut self, map: impl Fn(u64) -> u64) {
        self.keys.iter_mut().for_each(|key| *key = map(*key));
    }

    /// Appends all documents of `other`, which was made for the same plan.
    pub fn append(&mut self, other: &SketchTable) {
        self.keys.extend_from_slice(&other.keys);
        self.bytes.extend_from_slice(&other.bytes);
        self.contents.0.extend_from_slice(&other.contents.0);
    }

    /// Appends documents from the columns of a table for the same plan, as in [`SketchView`].
    ///
    /// # Panics
    /// If the columns have different numbers of documents.
    pub fn extend(&mut self, keys: &[u64], bytes: &[u8], contents: &[ContentHash]) {
        assert_eq!(keys.len(), contents.len() * self.banding.bands, "a key for each band");
        assert_eq!(bytes.len(), contents.len() * self.num_perm, "a byte for each value");
        self.keys.extend_from_slice(keys);
        self.bytes.extend_from_slice(bytes);
        self.contents.0.extend_from_slice(contents);
    }

    /// Reserves room for `documents` more.
    pub fn reserve(&mut self, documents: usize) {
        self.keys.reserve_exact(documents * self.banding.bands);
        self.bytes.reserve_exact(documents * self.num_perm);
        self.contents.0.reserve_exact(documents);
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.contents.0.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.contents.0.is_empty()
    }

    /// The content hash of `document`.
    pub fn content(&self, document: u32) -> ContentHash {
        self.contents.0[document as usize]
    }

    pub(crate) fn contents_mut(&mut self) -> &mut [ContentHash] {
        &mut self.contents.0
    }

    /// The original of every document, which is the first document with the same content. A document without features
    /// is its own original.
    pub fn originals(&self) -> Vec<u32> {
        self.contents.originals()
    }

    /// The columns of the table.
    pub fn view(&self) -> SketchView<'_> {
        SketchView {
            banding: self.banding,
            num_perm: self.num_perm,
            keys: &self.keys,
            bytes: &self.bytes,
            contents: &self.contents.0,
            groups: DocumentGroups::default(),
        }
    }
}

/// How many documents ahead of use a key is prefetched.
const AHEAD: usize = 32;

impl SketchView<'_> {
    /// The groups among `documents` that share the key of `band`, for keys in `share`.
    pub(crate) fn buckets(self, band: usize, documents: &[u32], share: KeyShare) -> Buckets {
        let place = |document: u32| document as usize * self.banding.bands + band;
        let mut pairs = Vec::with_capacity(share.of(documents.len()));
        for (index, &document) in documents.iter().enumerate() {
            if let Some(&later) = documents.get(index + AHEAD) {
                prefetch(self.keys, place(later));
            }
            let key = self.keys[place(document)];
            if share.has(key) {
                pairs.push((key, document));
            }
        }
        Buckets::group(&pairs)
    }

    /// Whether the two documents share the key of a band before `band`. Their pair was then visited there.
    #[inline]
    pub(crate) fn met_before(self, band: usize, a: u32, b: u32) -> bool {
        let (a, b) = (&self.keys_of(a)[..band], &self.keys_of(b)[..band]);
        // There is no early exit, so the comparison runs in vectors.
        a.iter().zip(b).fold(false, |met, (x, y)| met | (x == y))
    }

    /// The estimated similarity of the two, if they may be similar by their groups and signatures.
    #[inline]
    pub(crate) fn passing(self, filter: &SignatureFilter, a: u32, b: u32) -> Option<Estimate> {
        // Keys of different groups may be equal by chance.
        if !self.groups.are_together(a, b) {
            return None;
        }
        Some(self.estimate(a, b)).filter(|estimate| filter.passes(estimate.equal))
    }

    /// The estimated similarity of two documents.
    #[inline]
    pub fn estimate(self, a: u32, b: u32) -> Estimate {
        let bytes = |document: u32| &self.bytes[document as usize * self.num_perm..][..self.num_perm];
        Estimate { equal: count_equal(bytes(a), bytes(b)), values: self.num_perm as u32 }
    }

    #[inline]
    fn keys_of(&self, document: u32) -> &[u64] {
        &self.keys[document as usize * self.banding.bands..][..self.banding.bands]
    }
}

/// The number of places at which the two are equal.
#[inline]
fn count_equal(a: &[u8], b: &[u8]) -> u32 {
    // Counters of one byte, one for each lane of a vector. None reaches 256 within a chunk.
    const LANES: usize = 16;
    let mut sum = 0;
    for (a, b) in a.chunks(LANES * 255).zip(b.chunks(LANES * 255)) {
        let mut counts = [0_u8; LANES];
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
        for (a, b) in a.iter().zip(b) {
            for lane in 0..LANES {
                counts[lane] += u8::from(a[lane] == b[lane]);
            }
        }
        sum += counts.iter().map(|&count| u32::from(count)).sum::<u32>();
        sum += a_rest.iter().zip(b_rest).map(|(x, y)| u32::from(x == y)).sum::<u32>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_are_counted_at_every_length() {
        for length in [0_usize, 1, 15, 16, 17, 128, 4079, 4080, 4081, 9000] {
            let a: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let b: Vec<u8> = a.iter().enumerate().map(|(i, &byte)| byte ^ u8::from(i % 3 == 0)).collect();
            assert_eq!(count_equal(&a, &a) as usize, length);
            assert_eq!(count_equal(&a, &b) as usize, length - length.div_ceil(3));
        }
    }

    #[test]
    fn keys_equal_by_chance_make_no_pair_across_groups() {
        let banding = Banding { bands: 2, rows: 2 };
        let (keys, bytes, contents) = ([7; 6], [9; 12], [ContentHash::of(&[1]); 3]);
        let groups = [Group([1, 2]), Group([1, 3]), Group([1, 2])];
        let groups = DocumentGroups::new(&groups);
        let (keys, bytes, contents) = (&keys[..], &bytes[..], &contents[..]);
        let view = SketchView { banding, num_perm: 4, keys, bytes, contents, groups };
        let filter = SignatureFilter::new(0.8, 4, banding, 0.9);
        let passes = |a, b| view.passing(&filter, a, b).is_some();
        assert!(!passes(0, 1) && !passes(1, 2) && passes(0, 2));
    }
}
