//! The sketches of a corpus, as far as the search for pairs needs them.

use crate::cluster::{Buckets, Share};
use crate::plan::{Banding, SignatureFilter};
use crate::simd::prefetch;
use crate::sketch::{ContentHash, Contents, DocumentGroups, Group, Sketch};

/// What is kept of every document: its band keys, eight bits of each signature value, its content hash.
///
/// 8 × `bands` + `num_perm` + 24 bytes a document: 320 with the defaults.
/// Eight bits estimate almost as well as 32 (Li and König, "b-Bit Minwise Hashing", 2010): two values that differ
/// agree by chance in one of 256.
#[derive(Clone, Debug)]
pub struct SketchTable {
    banding: Banding,
    num_perm: usize,
    keys: Vec<u64>,
    bytes: Vec<u8>,
    contents: Contents,
}

/// The columns of a [`SketchTable`], wherever they are.
#[derive(Clone, Copy, Debug)]
pub struct SketchView<'a> {
    /// How signatures are cut into bands.
    pub banding: Banding,
    /// Values per signature.
    pub num_perm: usize,
    /// Band keys, document by document.
    pub keys: &'a [u64],
    /// Eight bits of each signature value, document by document.
    pub bytes: &'a [u8],
    /// One for each document.
    pub contents: &'a [ContentHash],
    /// Which documents may be compared.
    pub groups: DocumentGroups<'a>,
}

impl SketchTable {
    /// An empty table for sketches of `num_perm` values in bands of `banding`.
    pub fn new(num_perm: usize, banding: Banding) -> Self {
        SketchTable { banding, num_perm, keys: Vec::new(), bytes: Vec::new(), contents: Contents::default() }
    }

    /// The documents whose columns these are: see [`SketchView`].
    ///
    /// # Panics
    /// If the columns are not of the same number of documents.
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

    /// Puts the last document into `group`: it shares no key with documents of others, and is a copy of none.
    ///
    /// # Panics
    /// If there is no document.
    pub fn put_last_into(&mut self, group: Group) {
        let first = self.keys.len() - self.banding.bands;
        self.keys[first..].iter_mut().for_each(|key| *key = group.key(*key));
        self.contents.put_last_into(group);
    }

    /// Appends all documents of `other`, which was made for the same plan.
    pub fn append(&mut self, other: &SketchTable) {
        self.keys.extend_from_slice(&other.keys);
        self.bytes.extend_from_slice(&other.bytes);
        self.contents.0.extend_from_slice(&other.contents.0);
    }

    /// Appends documents whose columns are those of a table for the same plan: see [`SketchView`].
    ///
    /// # Panics
    /// If the columns are not of the same number of documents.
    pub fn extend(&mut self, keys: &[u64], bytes: &[u8], contents: &[ContentHash]) {
        assert_eq!(keys.len(), contents.len() * self.banding.bands, "a key for each band");
        assert_eq!(bytes.len(), contents.len() * self.num_perm, "a byte for each value");
        self.keys.extend_from_slice(keys);
        self.bytes.extend_from_slice(bytes);
        self.contents.0.extend_from_slice(contents);
    }

    /// Makes room for `documents` more.
    pub fn reserve(&mut self, documents: usize) {
        self.keys.reserve_exact(documents * self.banding.bands);
        self.bytes.reserve_exact(documents * self.num_perm);
        self.contents.0.reserve_exact(documents);
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.contents.0.len()
    }

    /// Is there no document?
    pub fn is_empty(&self) -> bool {
        self.contents.0.is_empty()
    }

    /// The content hash of `document`.
    pub fn content(&self, document: u32) -> ContentHash {
        self.contents.0[document as usize]
    }

    /// For every document the first one with the same content; itself for the first, and for documents
    /// without features.
    pub fn originals(&self) -> Vec<u32> {
        self.contents.originals()
    }

    /// Its columns.
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

/// How many documents before it is looked at the key of a document is asked for.
const AHEAD: usize = 32;

impl SketchView<'_> {
    /// The groups among `documents` that share the key of `band`, if that is in `share`.
    pub(crate) fn buckets(self, band: usize, documents: &[u32], share: Share) -> Buckets {
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

    /// Do the two documents share the key of a band before `band`? Then they have met already.
    #[inline]
    pub(crate) fn met_before(self, band: usize, a: u32, b: u32) -> bool {
        let (a, b) = (&self.keys_of(a)[..band], &self.keys_of(b)[..band]);
        // Without early exit, so that the comparison is done in vectors.
        a.iter().zip(b).fold(false, |met, (x, y)| met | (x == y))
    }

    /// May the two be similar, by their groups and signatures?
    #[inline]
    pub(crate) fn passes(self, filter: &SignatureFilter, a: u32, b: u32) -> bool {
        // Keys of different groups may be equal by chance.
        if !self.groups.are_together(a, b) {
            return false;
        }
        let bytes = |document: u32| &self.bytes[document as usize * self.num_perm..][..self.num_perm];
        filter.passes(count_equal(bytes(a), bytes(b)))
    }

    #[inline]
    fn keys_of(&self, document: u32) -> &[u64] {
        &self.keys[document as usize * self.banding.bands..][..self.banding.bands]
    }
}

/// At how many places the two are equal.
#[inline]
fn count_equal(a: &[u8], b: &[u8]) -> u32 {
    // Counts of a byte, as many as vectors have places; none reaches 256 within a stretch.
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
    fn equal_places_are_counted_whatever_the_length() {
        for length in [0_usize, 1, 15, 16, 17, 128, 4079, 4080, 4081, 9000] {
            let a: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let b: Vec<u8> = a.iter().enumerate().map(|(i, &byte)| byte ^ u8::from(i % 3 == 0)).collect();
            assert_eq!(count_equal(&a, &a) as usize, length);
            assert_eq!(count_equal(&a, &b) as usize, length - length.div_ceil(3));
        }
    }

    #[test]
    fn keys_that_are_equal_by_chance_make_no_pair_of_two_groups() {
        let banding = Banding { bands: 2, rows: 2 };
        let (keys, bytes, contents) = ([7; 6], [9; 12], [ContentHash::of(&[1]); 3]);
        let groups = [Group([1, 2]), Group([1, 3]), Group([1, 2])];
        let groups = DocumentGroups::new(&groups);
        let (keys, bytes, contents) = (&keys[..], &bytes[..], &contents[..]);
        let view = SketchView { banding, num_perm: 4, keys, bytes, contents, groups };
        let filter = SignatureFilter::new(0.8, 4, banding, 0.9);
        assert!(!view.passes(&filter, 0, 1) && !view.passes(&filter, 1, 2) && view.passes(&filter, 0, 2));
    }
}
